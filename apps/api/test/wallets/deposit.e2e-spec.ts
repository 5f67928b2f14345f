import { isCausewayError, type AnyCausewayError, type Input, type Output } from '#client';
import { resolveNetworkId } from '#exchange';
import { assets, allowsDeposits } from '../../../sandbox-exchange/src/catalogue.js';
import { depositMethods, type DepositMethod } from '../../../sandbox-exchange/src/data/deposit-methods.js';
import { refusalOf } from '../support/causeway-client.js';
import { PartnerSandbox } from '../support/partner-sandbox.js';
import { pretend, stopPretending } from '../support/pretended-exchange.js';
import { TestApp, type TestProjectWithClient, type TestWallet, type WalletClients } from '../support/test-app.js';
import type { ErrorBody } from '../support/withdrawal-client.js';

type Address = Output<'getDepositAddress'>;

const PATH = '/v0/wallet/deposit/address';
const BITCOIN = { asset: 'BTC', network: 'bitcoin' };
const RIPPLE = { asset: 'XRP', network: 'ripple' };
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

interface Party extends WalletClients {
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

  const ask = ({ causeway }: WalletClients, question: Input<'getDepositAddress'>): Promise<Address> =>
    causeway.getDepositAddress(question);
  const refused = (party: WalletClients, question: Input<'getDepositAddress'>): Promise<AnyCausewayError> =>
    refusalOf(ask(party, question));

  it('is returned with every documented member, and marked as cached at a repeat', async () => {
    const before = app.clock.now().getTime();
    const { status, headers, body } = await kraken.http.get<Address>(`${PATH}?asset=xrp&network=XRPL`);
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
    const again = await kraken.http.get<Address>(`${PATH}?asset=XRP&network=ripple`);
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
  ])('at the $kind account', ({ kind, refused: expected }) => {
    let party: Party;
    beforeAll(async () => (party = kind === 'kraken' ? await app.wallet(project) : partner));

    it('belongs to the requested network for every asset and network, or the request fails', async () => {
      const given: { address: Address; truths: DepositMethod[] }[] = [];
      const refusals: string[] = [];
      for (const { code, network, truths } of questions) {
        const answer = await ask(party, { asset: code, network }).catch((error: unknown) => {
          if (isCausewayError(error)) return error.code;
          throw error;
        });
        if (typeof answer === 'object') {
          expect([answer.asset, answer.network, answer.cached]).toEqual([code, network, false]);
          given.push({ address: answer, truths });
        } else if (CLOSED.has(code)) expect([code, answer]).toEqual([code, 'DEPOSIT_METHODS_UNAVAILABLE']);
        else if (truths.length > 0) refusals.push(`${code} ${network} ${answer}`);
        else expect([code, answer]).toEqual([code, 'DEPOSIT_METHOD_NOT_RESOLVED']);
      }
      // The exchange has issued exactly these addresses, in the order of the requests.
      const { depositAddresses } = await app.sandbox.records(party.account);
      expect(depositAddresses.map(({ asset, address, memo }) => [asset, address, memo])).toEqual(
        given.map(({ address: { asset, address, tag } }) => [idOf(asset), address, tag]),
      );
      const strays = depositAddresses.filter(
        ({ method }, at) => !given[at]?.truths.some(({ name }) => name === method),
      );
      expect(strays).toEqual([]);
      expect(refusals.sort()).toEqual(expected);
      expect(given.length).toBeGreaterThan(60);
    });

    it.each(['ETH', 'USDT', 'XRP', 'TON'])(
      'is the address at which a deposit of %s on the requested network arrives',
      async (asset) => {
        for (const { code, network, truths } of questions.filter((question) => question.code === asset)) {
          for (const { name } of truths) {
            const { address, tag, network: id } = await ask(party, { asset: code, network });
            const deposit = await app.sandbox.fund(party.account, code, '1', { method: name });
            expect([deposit.asset, deposit.address, deposit.memo]).toEqual([idOf(code), address, tag]);
            expect(resolveNetworkId(deposit.network)).toBe(id);
          }
        }
      },
    );
  });

  it('is new for the reusePolicy create_new, until the exchange’s limit of addresses is reached', async () => {
    const wallet = await app.wallet(project);
    const dogecoin = { asset: 'DOGE', network: 'dogecoin' };
    const another = { ...dogecoin, reusePolicy: 'create_new' } as const;
    const [first, second] = [await ask(wallet, another), await ask(wallet, another)];
    expect(second.address).not.toBe(first.address);
    const { status, code } = await refused(wallet, another);
    expect([status, code]).toEqual([409, 'WITHDRAWAL_TOO_MANY_ADDRESSES']);
    const reused = await ask(wallet, { ...dogecoin, reusePolicy: 'reuse_only' });
    expect(reused).toMatchObject({ address: second.address, cached: true });
  });

  it('belongs to the new account after the wallet is connected to another account', async () => {
    const wallet = await app.wallet(project);
    const before = await ask(wallet, RIPPLE);
    app.clock.advance(1_000);
    const { apiKey, apiSecret, accountId } = await app.sandbox.open();
    await wallet.causeway.connectWallet({ exchange: 'kraken', apiKey, apiSecret });
    const after = await ask(wallet, RIPPLE);
    expect(after.cached).toBe(false);
    expect(after.tag).not.toBe(before.tag);
    const { depositAddresses } = await app.sandbox.records({ accountId });
    expect(depositAddresses.map(({ memo }) => memo)).toEqual([after.tag]);
  });

  it('belongs to one project, even when another project uses the same wallet id', async () => {
    const foreign = app.clientsOf(await app.project(), kraken.walletId);
    expect((await refused(foreign, RIPPLE)).code).toBe('WALLET_NOT_FOUND');
    const own = await ask(kraken, RIPPLE);
    const { apiKey, apiSecret } = await app.sandbox.open();
    await foreign.causeway.connectWallet({ exchange: 'kraken', apiKey, apiSecret });
    const theirs = await ask(foreign, RIPPLE);
    expect(theirs).toMatchObject({ cached: false, asset: 'XRP' });
    expect(theirs.tag).not.toBe(own.tag);
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
      const { status, code, message, result } = await refused(wallet, RIPPLE);
      const { reason: told } = (result ?? {}) as { reason?: string };
      expect([status, code, told]).toEqual([expectedStatus, expectedType, reason]);
      expect(message.includes('cannot be used safely')).toBe(reason === 'unusable_answer');
      await app.sandbox.calm();
      expect(await ask(wallet, RIPPLE)).toMatchObject({ cached: false, network: 'ripple' });
    },
  );

  describe('is refused', () => {
    it.each([
      ['', 400, 'DEPOSIT_ASSET_REQUIRED'],
      ['network=bitcoin', 400, 'DEPOSIT_ASSET_REQUIRED'],
      ['asset=&network=', 400, 'DEPOSIT_ASSET_REQUIRED'],
      ['asset=BTC', 400, 'DEPOSIT_NETWORK_REQUIRED'],
      ['asset=BTC&network=', 400, 'DEPOSIT_NETWORK_REQUIRED'],
      ['asset=B%0AC&network=bitcoin', 400, 'GENERIC_VALIDATION_ERROR'],
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
      const answer = await kraken.http.get<ErrorBody>(`${PATH}?${query}`);
      expect([answer.status, answer.body.type]).toEqual([status, type]);
      if (type === 'DEPOSIT_METHOD_NOT_RESOLVED')
        expect(answer.body.result?.networks).toEqual(['bitcoin', 'lightning']);
    });

    it('for create_new where the exchange cannot create addresses: 501 DEPOSIT_NOT_IMPLEMENTED', async () => {
      const { status, code } = await refused(partner, { ...BITCOIN, reusePolicy: 'create_new' });
      expect([status, code]).toEqual([501, 'DEPOSIT_NOT_IMPLEMENTED']);
    });

    it('for create_new on a network on which Kraken creates no addresses: 501 DEPOSIT_NOT_IMPLEMENTED', async () => {
      const query = { asset: 'HBAR', network: 'hedera' };
      expect((await kraken.causeway.getDepositAddress(query)).canGenerateAddress).toBe(false);
      const { status, code, message } = await refused(kraken, { ...query, reusePolicy: 'create_new' });
      expect([status, code]).toEqual([501, 'DEPOSIT_NOT_IMPLEMENTED']);
      expect(message).toBe(
        'kraken creates no deposit addresses of HBAR on hedera on request; use reusePolicy reuse_or_create',
      );
    });

    it('for an exchange whose connector has no deposits: 400 DEPOSIT_EXCHANGE_NOT_SUPPORTED', async () => {
      pretend(app, () => ({ deposits: undefined }));
      const { status, code } = await refused(kraken, BITCOIN);
      stopPretending(app);
      expect([status, code]).toEqual([400, 'DEPOSIT_EXCHANGE_NOT_SUPPORTED']);
    });

    it('for a key without the scope deposit: 403, before any other check', async () => {
      const { http } = await app.project({ scopes: ['read'] });
      const { status, body } = await http.get<ErrorBody>(PATH);
      expect([status, body.type, body.missing]).toEqual([403, 'APIKEY_INSUFFICIENT_PERMISSIONS', ['deposit']]);
    });
  });
});
