import { refusalOf } from '../support/causeway-client.js';
import { keyOf, signedExchanges } from '../support/signed-exchanges.js';
import { PATIENT, TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';
import { btcQuote, execute, savedAddress, settled } from '../support/withdrawal-client.js';

const [bybit] = signedExchanges.filter(({ id }) => id === 'bybit');
const WITHDRAW = 'bybit.withdraw';

/**
 * Bybit's page asset/withdraw/withdraw: "you can only withdraw once every 10 seconds per chain/coin combination". Its
 * refusal of a second withdrawal would leave the outcome unknown.
 */
describe('withdrawals of one coin and chain at Bybit', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let count = 0;

  beforeAll(async () => {
    app = await TestApp.create({ worker: true, env: PATIENT });
    project = await app.project();
  });
  afterAll(() => app.close());

  /** Connects a wallet; wallets with the same account have the same key. */
  async function connect(account: TestWallet['account']): Promise<TestWallet> {
    if (bybit === undefined) throw new Error('Bybit is tested');
    const clients = app.clientsOf(project, `spaced-${++count}`);
    await clients.causeway.connectWallet({ exchange: 'bybit', ...keyOf(bybit, account) });
    return { ...clients, account };
  }
  const wallet = async (): Promise<TestWallet> =>
    connect(await app.sandbox.open({ balances: { BTC: '5', ETH: '50' } }));
  const calls = ({ account }: TestWallet): Promise<number> => app.sandbox.countCalls(account, WITHDRAW);

  /** Lets eleven seconds pass for the exchange and for the rights to send, whose times come from the database. */
  async function passPeriod(): Promise<void> {
    app.clock.advance(11_000);
    await app.asOwner(`update exchange_nonces set exclusive_until = exclusive_until - interval '11 s'`);
  }

  it('are not sent within ten seconds of each other, and the same quote can be executed afterwards', async () => {
    const owner = await wallet();
    const [first, second] = [await btcQuote(owner, '0.01'), await btcQuote(owner, '0.02')];
    const { result } = await owner.causeway.executeQuote({ quoteId: first.id });
    for (let tries = 0; tries < 2; tries++) {
      const early = await execute(owner, second.id);
      expect([early.status, early.body.type]).toEqual([429, 'WITHDRAWAL_RATE_LIMIT_EXCEEDED']);
      const seconds = Number(early.headers['retry-after']);
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(11);
    }
    expect(await calls(owner)).toBe(1);

    await passPeriod();
    const late = await owner.causeway.executeQuote({ quoteId: second.id });
    expect(await calls(owner)).toBe(2);
    for (const { transactionId } of [result, late.result])
      expect((await settled(app, owner, transactionId, 5_000)).status).toBe('ok');
    const amounts = (await app.sandbox.withdrawals(owner.account)).map(({ amount }) => amount);
    expect(amounts.sort()).toEqual(['0.01', '0.02']);
  });

  it('wait for each other in several processes and for several wallets with one key', async () => {
    const owner = await wallet();
    const other = await connect(owner.account);
    const quotes = [await btcQuote(owner, '0.01'), await btcQuote(other, '0.02')];
    const process = await app.another();
    try {
      const headers = { ...project.headers, 'x-svc-wallet-id': other.walletId };
      const there = { http: process.http.with(headers) };
      const [first, second] = quotes.map(({ id }) => id);
      const answers = await Promise.all([execute(owner, first ?? ''), execute(there, second ?? '')]);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
      expect(await calls(owner)).toBe(1);
    } finally {
      await process.close();
    }
  });

  it('do not delay withdrawals of another coin, or of another account', async () => {
    const [owner, stranger] = [await wallet(), await wallet()];
    const address = savedAddress(owner, 'ETH', 'Ether');
    const ether = { asset: 'ETH', network: 'ethereum', amount: '0.1', address };
    const bitcoin = await btcQuote(owner);
    const ethereum = await owner.causeway.createQuote(ether);
    const foreign = await btcQuote(stranger);
    expect((await execute(owner, bitcoin.id)).status).toBe(200);
    expect((await execute(owner, ethereum.id)).status).toBe(200);
    expect((await execute(stranger, foreign.id)).status).toBe(200);
    expect(await refusalOf(owner.causeway.executeQuote({ quoteId: (await btcQuote(owner, '0.03')).id }))).toMatchObject(
      { status: 429, code: 'WITHDRAWAL_RATE_LIMIT_EXCEEDED' },
    );
  });
});
