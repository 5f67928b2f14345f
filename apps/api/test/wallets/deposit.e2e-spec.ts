import { resolveNetworkId } from '#exchange';
import { assets, allowsDeposits } from '../../../sandbox-exchange/src/catalogue.js';
import { depositMethods, type DepositMethod } from '../../../sandbox-exchange/src/data/deposit-methods.js';
import type { Answer } from '../support/documented-answers.js';
import type { HttpClient } from '../support/http-client.js';
import { PartnerSandbox } from '../support/partner-sandbox.js';
import { pretend, stopPretending } from '../support/pretended-exchange.js';
import { TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';
import type { ErrorBody } from '../support/withdrawal-client.js';

interface AddressBody extends ErrorBody {
  address: string;
  tag: string | null;
  tagType: string | null;
  network: string;
  asset: string;
  exchange: string;
  cached: boolean;
  fetchedAt: number;
  minimum: string;
  fee: string | null;
  limit: string | null;
  canGenerateAddress: boolean;
  expiresAt: number | null;
}

const PATH = '/v0/wallet/deposit/address';
const CLOSED = new Set(assets.filter((asset) => !allowsDeposits(asset)).map(({ code }) => code));
const idOf = (code: string): string => assets.find((asset) => asset.code === code)?.id ?? '';

/** ETH on Polygon is a wrapped coin, for which no address is given. */
const isWrapped = ({ assetCode, network }: DepositMethod): boolean => assetCode === 'ETH' && network === 'Polygon';

/** Every asset with each network that the exchange has for it, and with two networks of other assets. */
const questions = assets.flatMap(({ code }) => {
  const own = depositMethods.filter((method) => method.assetCode === code && !isWrapped(method));
  const networks = new Set([...own.flatMap(({ network }) => resolveNetworkId(network) ?? []), 'tron', 'polygon']);
  const truthsOf = (id: string): DepositMethod[] => own.filter(({ network }) => resolveNetworkId(network) === id);
  return own.length === 0 ? [] : [...networks].map((network) => ({ code, network, truths: truthsOf(network) }));
});

interface Party {
  http: HttpClient;
  account: { accountId: string };
}

describe('the deposit address', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let kraken: TestWallet;
  let partner: Party;

  beforeAll(async () => {
    app = await TestApp.create();
    project = await app.project();
    kraken = await app.wallet(project);
    const partners = new PartnerSandbox(app, project);
    partner = await partners.wallet({ mode: 'none', methods: [], relation: 'AND' });
  });
  afterAll(() => app.close());
  afterEach(() => app.sandbox.calm());

  const ask = ({ http }: Pick<Party, 'http'>, query: string): Promise<Answer<AddressBody>> =>
    http.get(`${PATH}?${query}`);

  it('has the documented form', async () => {
    const before = app.clock.now().getTime();
    const { status, headers, body } = await ask(kraken, 'asset=xrp&network=XRPL');
    expect([status, headers['age']]).toEqual([200, undefined]);
    expect(body).toEqual({
      address: expect.stringMatching(/^r/),
      tag: expect.stringMatching(/^[0-9]+$/),
      tagType: 'destinationTag',
      network: 'ripple',
      asset: 'XRP',
      exchange: 'kraken',
      cached: false,
      fetchedAt: expect.any(Number),
      minimum: depositMethods.find(({ assetCode }) => assetCode === 'XRP')?.terms.minimum,
      fee: '0',
      limit: null,
      canGenerateAddress: true,
      expiresAt: null,
    });
    expect(body.fetchedAt).toBeGreaterThanOrEqual(before);
    const again = await ask(kraken, 'asset=XRP&network=ripple');
    expect(again.body).toEqual({ ...body, cached: true });
    expect(again.headers['age']).toMatch(/^[0-9]+$/);
  });

  describe.each([
    {
      kind: 'kraken',
      // The refused methods: a setup fee, single-use addresses, an unknown name, and two names for one network.
      refused: [
        'BNB bsc DEPOSIT_ADDRESS_UNAVAILABLE',
        'BTC lightning DEPOSIT_ADDRESS_UNAVAILABLE',
        'GRT ethereum DEPOSIT_METHOD_NOT_RESOLVED',
        'LDO ethereum DEPOSIT_METHOD_NOT_RESOLVED',
      ],
    },
    { kind: 'partner', refused: ['BTC lightning DEPOSIT_ADDRESS_UNAVAILABLE'] },
  ])('at the $kind account', ({ kind, refused }) => {
    let party: Party;
    beforeAll(async () => (party = kind === 'kraken' ? await app.wallet(project) : partner));

    it('belongs to the requested network for every asset and network, or the request fails', async () => {
      const given: { body: AddressBody; truths: DepositMethod[] }[] = [];
      const refusals: string[] = [];
      for (const { code, network, truths } of questions) {
        const { status, body } = await ask(party, `asset=${code}&network=${network}`);
        if (status === 200) {
          expect([body.asset, body.network, body.cached]).toEqual([code, network, false]);
          given.push({ body, truths });
        } else if (CLOSED.has(code)) expect([code, body.type]).toEqual([code, 'DEPOSIT_METHODS_UNAVAILABLE']);
        else if (truths.length > 0) refusals.push(`${code} ${network} ${body.type}`);
        else expect([code, body.type]).toEqual([code, 'DEPOSIT_METHOD_NOT_RESOLVED']);
      }
      // The exchange's own records of the addresses, in the order of the requests.
      const { depositAddresses } = await app.sandbox.records(party.account);
      expect(depositAddresses.map(({ asset, address, memo }) => [asset, address, memo])).toEqual(
        given.map(({ body }) => [idOf(body.asset), body.address, body.tag]),
      );
      const strays = depositAddresses.filter(
        ({ method }, at) => !given[at]?.truths.some(({ name }) => name === method),
      );
      expect(strays).toEqual([]);
      expect(refusals.sort()).toEqual(refused);
      expect(given.length).toBeGreaterThan(60);
    });

    it.each(['ETH', 'USDT', 'XRP', 'TON'])('is where a deposit of %s on that network arrives', async (asset) => {
      for (const { code, network, truths } of questions.filter((question) => question.code === asset)) {
        for (const { name } of truths) {
          const { body } = await ask(party, `asset=${code}&network=${network}`);
          const deposit = await app.sandbox.fund(party.account, code, '1', { method: name });
          expect([deposit.asset, deposit.address, deposit.memo]).toEqual([idOf(code), body.address, body.tag]);
          expect(resolveNetworkId(deposit.network)).toBe(body.network);
        }
      }
    });
  });

  it('is new when the caller requests a new one, until the exchange’s limit', async () => {
    const wallet = await app.wallet(project);
    const create = () => ask(wallet, 'asset=DOGE&network=dogecoin&reusePolicy=create_new');
    const [first, second, third] = [await create(), await create(), await create()];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body.address).not.toBe(first.body.address);
    expect([third.status, third.body.type]).toEqual([409, 'WITHDRAWAL_TOO_MANY_ADDRESSES']);
    const reused = await ask(wallet, 'asset=DOGE&network=dogecoin&reusePolicy=reuse_only');
    expect(reused.body).toMatchObject({ address: second.body.address, cached: true });
  });

  it('never belongs to the previous account of the wallet', async () => {
    const wallet = await app.wallet(project);
    const before = await ask(wallet, 'asset=XRP&network=ripple');
    app.clock.advance(1_000);
    const { apiKey, apiSecret, accountId } = await app.sandbox.open();
    await wallet.http.post('/v0/wallet/kraken/connect', { body: { apiKey, apiSecret } });
    const after = await ask(wallet, 'asset=XRP&network=ripple');
    expect(after.body.cached).toBe(false);
    expect(after.body.tag).not.toBe(before.body.tag);
    const { depositAddresses } = await app.sandbox.records({ accountId });
    expect(depositAddresses.map(({ memo }) => memo)).toEqual([after.body.tag]);
  });

  it('belongs to one project, even when another project uses the same wallet id', async () => {
    const other = await app.project();
    const foreign = other.http.with({ 'x-svc-wallet-id': kraken.walletId });
    expect((await ask({ http: foreign }, 'asset=XRP&network=ripple')).body.type).toBe('WALLET_NOT_FOUND');
    const own = await ask(kraken, 'asset=XRP&network=ripple');
    const { apiKey, apiSecret } = await app.sandbox.open();
    await foreign.post('/v0/wallet/kraken/connect', { body: { apiKey, apiSecret } });
    const theirs = await ask({ http: foreign }, 'asset=XRP&network=ripple');
    expect(theirs.body).toMatchObject({ cached: false, asset: 'XRP' });
    expect(theirs.body.tag).not.toBe(own.body.tag);
  });

  it.each([
    ['tag_missing', 404, 'DEPOSIT_ADDRESS_UNAVAILABLE', 'tag_missing'],
    ['other_network', 404, 'DEPOSIT_ADDRESS_UNAVAILABLE', 'unsafe_address'],
    ['malformed_after', 502, 'WITHDRAWAL_PROVIDER_ERROR', 'unusable_answer'],
    ['result_null_after', 502, 'WITHDRAWAL_PROVIDER_ERROR', 'unusable_answer'],
    ['error_before', 502, 'WITHDRAWAL_PROVIDER_ERROR', undefined],
  ])(
    'is refused and not stored when the exchange responds with the fault %s',
    async (fault, expectedStatus, expectedType, reason) => {
      const wallet = await app.wallet(project);
      await app.sandbox.fund(wallet.account, 'XRP', '1');
      const { apiKey } = wallet.account;
      await app.sandbox.arm({ endpoint: 'DepositAddresses', fault, count: null, apiKey });
      const { status, body } = await ask(wallet, 'asset=XRP&network=ripple');
      expect([status, body.type, body.result?.reason]).toEqual([expectedStatus, expectedType, reason]);
      expect(body.error.includes('could not be used safely')).toBe(reason === 'unusable_answer');
      await app.sandbox.calm();
      expect((await ask(wallet, 'asset=XRP&network=ripple')).body).toMatchObject({ cached: false, network: 'ripple' });
    },
  );

  describe('is refused', () => {
    it.each([
      ['', 400, 'DEPOSIT_ASSET_REQUIRED'],
      ['network=bitcoin', 400, 'DEPOSIT_ASSET_REQUIRED'],
      ['asset=&network=', 400, 'DEPOSIT_ASSET_REQUIRED'],
      ['asset=BTC', 400, 'DEPOSIT_NETWORK_REQUIRED'],
      ['asset=BTC&network=', 400, 'DEPOSIT_NETWORK_REQUIRED'],
      ['asset=B%20C&network=bitcoin', 400, 'GENERIC_VALIDATION_ERROR'],
      ['asset=BTC&network=b%0A', 400, 'GENERIC_VALIDATION_ERROR'],
      ['asset=BTC&asset=ETH&network=bitcoin', 400, 'GENERIC_VALIDATION_ERROR'],
      ['asset=BTC&network=bitcoin&reusePolicy=maybe', 400, 'GENERIC_VALIDATION_ERROR'],
      ['asset=NOSUCH&network=bitcoin', 503, 'DEPOSIT_METHODS_UNAVAILABLE'],
      ['asset=KSM&network=kusama', 503, 'DEPOSIT_METHODS_UNAVAILABLE'],
      ['asset=BTC&network=tron', 400, 'DEPOSIT_METHOD_NOT_RESOLVED'],
      ['asset=BTC&network=nosuch', 400, 'DEPOSIT_METHOD_NOT_RESOLVED'],
      ['asset=LTC&network=litecoin&reusePolicy=reuse_only', 404, 'DEPOSIT_ADDRESS_UNAVAILABLE'],
      ['asset=BTC&network=lightning', 404, 'DEPOSIT_ADDRESS_UNAVAILABLE'],
    ])('for "%s" with %i %s', async (query, status, type) => {
      const answer = await ask(kraken, query);
      expect([answer.status, answer.body.type]).toEqual([status, type]);
      if (type === 'DEPOSIT_METHOD_NOT_RESOLVED')
        expect(answer.body.result?.networks).toEqual(['bitcoin', 'lightning']);
    });

    it('for create_new where the exchange cannot create addresses: 501 DEPOSIT_NOT_IMPLEMENTED', async () => {
      const { status, body } = await ask(partner, 'asset=BTC&network=bitcoin&reusePolicy=create_new');
      expect([status, body.type]).toEqual([501, 'DEPOSIT_NOT_IMPLEMENTED']);
    });

    it('for an exchange whose connector has no deposits: 400 DEPOSIT_EXCHANGE_NOT_SUPPORTED', async () => {
      pretend(app, () => ({ deposits: undefined }));
      const { status, body } = await ask(kraken, 'asset=BTC&network=bitcoin');
      stopPretending(app);
      expect([status, body.type]).toEqual([400, 'DEPOSIT_EXCHANGE_NOT_SUPPORTED']);
    });

    it('for a key without the scope deposit: 403, before any other check', async () => {
      const { http } = await app.project({ scopes: ['read'] });
      const { status, body } = await http.get<ErrorBody>(PATH);
      expect([status, body.type, body.missing]).toEqual([403, 'APIKEY_INSUFFICIENT_PERMISSIONS', ['deposit']]);
    });
  });
});
