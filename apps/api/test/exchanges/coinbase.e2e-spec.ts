import type { Input, Output } from '#client';
import { refusalOf } from '../support/causeway-client.js';
import { askForLink, ExchangePerson, PageBrowser } from '../support/page-browser.js';
import { orderAfterLostAnswer } from '../support/order-client.js';
import { TestApp, type TestProjectWithClient, type WalletClients } from '../support/test-app.js';
import { settled } from '../support/withdrawal-client.js';

interface CoinbaseKey {
  accountId: string;
  apiKey: string;
  apiSecret: string;
}

interface Owner extends WalletClients {
  account: CoinbaseKey;
}

const ADDRESS = '1AUJ8z5RuHRTqD1eikyfUUetzGmdWLGkpT';
const SETTLE_STEP_MS = 5_000;
/**
 * How far the clock advances at once while a withdrawal is missing at the exchange. Causeway decides only after minutes
 * that the exchange has never booked a missing withdrawal.
 */
const ABSENCE_STEP_MS = 60_000;
const NEEDS_CODE = { status: 400, code: 'WITHDRAWAL_2FA_REQUIRED_TOTP' };

/** Covers wallets at Coinbase from the API and the worker through the connector to the sandbox exchange. */
describe('a wallet at Coinbase', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let person: ExchangePerson;
  let count = 0;

  beforeAll(async () => {
    app = await TestApp.create({
      worker: true,
      env: { CONNECT_VISITS_PER_MINUTE: '100000', WITHDRAWAL_FEE_ESTIMATES: 'coinbase:BTC:bitcoin=0.00015' },
    });
    project = await app.project();
    person = new ExchangePerson(app.sandbox.url);
  });
  afterEach(() => app.sandbox.calm());
  afterAll(() => app.close());

  async function control<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
    const answer = await fetch(`${app.sandbox.url}/control/${path}`, {
      method,
      ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as T;
  }

  const open = () =>
    control<CoinbaseKey>('POST', 'coinbase/accounts', { balances: { BTC: '1.5', ETH: '2', USD: '100000' } });

  async function byKey(): Promise<Owner> {
    const account = await open();
    const clients = app.clientsOf(project, `coinbase-${++count}`);
    const { apiKey, apiSecret } = account;
    await clients.causeway.connectWallet({ exchange: 'coinbase', apiKey, apiSecret });
    return { ...clients, account };
  }

  async function byToken(): Promise<Owner> {
    const account = await open();
    const walletId = `coinbase-${++count}`;
    const link = await askForLink(project, { walletId, exchange: 'coinbase', access: 'read,deposit,trade,withdrawal' });
    const browser = new PageBrowser();
    const { redirectTo } = await person.decide(await browser.leave(link.url), { accountId: account.accountId });
    expect((await browser.get(redirectTo)).location).toBe(link.url);
    return { ...app.clientsOf(project, walletId), account };
  }

  const quoted = ({ causeway }: Owner, amount = '0.01'): Promise<Output<'createQuote'>> =>
    causeway.createQuote({ asset: 'BTC', network: 'bitcoin', amount, address: ADDRESS });
  const execute = ({ causeway }: Owner, quoteId: string, codes: Omit<Input<'executeQuote'>, 'quoteId'> = {}) =>
    causeway.executeQuote({ quoteId, ...codes });

  /** The code that Coinbase has sent last. */
  async function codeOf({ account }: Owner): Promise<string> {
    const { messages } = await control<{ messages: { code: string }[] }>(
      'GET',
      `accounts/${account.accountId}/messages`,
    );
    return messages[0]?.code ?? '';
  }

  it('has exact balances and withdrawal networks, and no identity when it was connected with an API key', async () => {
    const { causeway } = await byKey();
    expect((await causeway.getWallet()).exchange).toBe('coinbase');
    const { balances } = await causeway.getWithdrawalBalance();
    const btc = balances.find(({ asset }) => asset === 'BTC');
    expect(btc).toMatchObject({ exact: { amount: '1.5' }, networks: [{ id: 'bitcoin' }] });
    expect(balances.find(({ asset }) => asset === 'ETH')).toMatchObject({ networks: [] });
    expect(await refusalOf(causeway.getIdentity())).toMatchObject({ status: 404, code: 'WALLET_IDENTITY_NOT_FOUND' });
  });

  it('is not connected when the private key of the API key is missing', async () => {
    const { apiKey } = await open();
    const { causeway } = app.clientsOf(project, `coinbase-${++count}`);
    expect((await refusalOf(causeway.connectWallet({ exchange: 'coinbase', apiKey }))).status).toBe(400);
  });

  it('withdraws without a verification code when it was connected with an API key', async () => {
    const owner = await byKey();
    const made = await quoted(owner);
    expect(made.exact).toMatchObject({ amountWithFee: '0.01015', amountNoFee: '0.01', estimatedFee: '0.00015' });
    expect(made.requirements).toEqual([]);
    const { success, result } = await execute(owner, made.id);
    expect(success).toBe(true);
    const done = await settled(app, owner, result.transactionId, SETTLE_STEP_MS);
    expect(done).toMatchObject({ status: 'ok', network: 'bitcoin', addressTo: ADDRESS });
    expect(await app.sandbox.withdrawals(owner.account)).toMatchObject([{ amount: '0.01', status: 'Success' }]);
  });

  it('withdraws with an access token once the caller sends the code that the owner got from Coinbase', async () => {
    const owner = await byToken();
    const made = await quoted(owner);
    expect(made.requirements).toEqual([expect.objectContaining({ type: 'totp' })]);
    const dry = { params: { dryRun: true } };
    expect(await refusalOf(execute(owner, made.id, dry))).toMatchObject(NEEDS_CODE);
    expect(await refusalOf(execute(owner, made.id))).toMatchObject(NEEDS_CODE);
    expect(await refusalOf(execute(owner, made.id, dry))).toMatchObject(NEEDS_CODE);
    expect(await app.sandbox.withdrawals(owner.account)).toEqual([]);
    expect((await refusalOf(execute(owner, made.id, { twofa: '0000000' }))).status).toBe(400);
    expect(await refusalOf(execute(owner, made.id, dry))).toMatchObject(NEEDS_CODE);
    expect(await app.sandbox.withdrawals(owner.account)).toEqual([]);
    const right = await execute(owner, made.id, { twofa: await codeOf(owner) });
    expect(right.success).toBe(true);
    expect(await execute(owner, made.id)).toEqual(right);
    const done = await settled(app, owner, right.result.transactionId, SETTLE_STEP_MS);
    expect(done.status).toBe('ok');
    expect(await app.sandbox.withdrawals(owner.account)).toHaveLength(1);
  });

  it.each([
    ['answer_lost', 'ok', 1],
    ['delivered_twice', 'ok', 1],
    ['error_after', 'ok', 1],
    ['request_lost', 'failed', 0],
  ] as const)('pays at most once after the fault %s, and the withdrawal ends as %s', async (fault, status, paid) => {
    const owner = await byToken();
    const { id } = await quoted(owner, '0.02');
    expect(await refusalOf(execute(owner, id))).toMatchObject(NEEDS_CODE);
    await app.sandbox.arm({ endpoint: 'coinbase.send', fault });
    const twofa = await codeOf(owner);
    const sent = await execute(owner, id, { twofa });
    expect(sent.success).toBe(true);
    const stepMs = paid === 1 ? SETTLE_STEP_MS : ABSENCE_STEP_MS;
    const done = await settled(app, owner, sent.result.transactionId, stepMs);
    expect(done.status).toBe(status);
    expect(await app.sandbox.withdrawals(owner.account)).toHaveLength(paid);
  });

  it('whose owner lives in a country with a travel rule reports the rule in the quote, and sends no withdrawal', async () => {
    const owner = await byToken();
    await control('POST', `accounts/${owner.account.accountId}/identity`, { country: 'DE' });
    const made = await quoted(owner);
    expect(made.requirements.map(({ type }) => type)).toEqual(['totp', 'travel_rule']);
    const refusal = await refusalOf(execute(owner, made.id));
    expect(refusal).toMatchObject({ status: 422, result: { reason: 'travel_rule' } });
    expect(await app.sandbox.withdrawals(owner.account)).toEqual([]);
  });

  it.each([
    ['a key', byKey],
    ['a token', byToken],
  ])('has deposit addresses, and places an order once after a lost response, with %s', async (_name, connect) => {
    const owner = await connect();
    const { network } = await owner.causeway.getDepositAddress({ asset: 'BTC', network: 'bitcoin' });
    expect(network).toBe('bitcoin');
    await app.sandbox.arm({ endpoint: 'coinbase.order.place', fault: 'answer_lost' });
    const order = { routeId: 'coinbase:spot:BTC-USD', volume: '0.0125', side: 'sell' } as const;
    expect(await orderAfterLostAnswer(owner, order)).toMatchObject({ status: 'filled', executedVolume: '0.0125' });
    expect(await app.sandbox.orders(owner.account)).toHaveLength(1);
  });
});
