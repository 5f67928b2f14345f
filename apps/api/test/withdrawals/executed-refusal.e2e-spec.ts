import { until } from '#platform/testing';
import { refusalOf } from '../support/causeway-client.js';
import { keyOf, signedExchanges } from '../support/signed-exchanges.js';
import { TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';
import { btcQuote, settled } from '../support/withdrawal-client.js';

const SETTLE_STEP_MS = 5_000;
/** The clock advances in these steps until the worker reads the history. */
const SYNC_STEP_MS = 60_000;
/** How late the exchange shows the withdrawal and the balance. */
const LATE_MS = 2_000;
/** The lag that Causeway expects of an exchange. */
const LAG_MS = 2_500;
/** A time for which the balance does not show the withdrawal. The money of a new account is older. */
const HIDDEN_MS = 600_000;

/**
 * The amount of withdrawals that stay in review. The records of equal withdrawals from other wallets could be theirs.
 */
const OF_REVIEW = '0.03';

/** For each exchange, the names of its endpoints and one of its definite refusals. */
const lies = [
  { id: 'binance', error: '-4033', endpoints: { withdraw: 'withdraw', list: 'withdrawals', balances: 'balances' } },
  { id: 'okx', error: '58206', endpoints: { withdraw: 'withdraw', list: 'withdrawals', balances: 'balances' } },
  { id: 'bybit', error: '131083', endpoints: { withdraw: 'withdraw', list: 'withdrawals', balances: 'balances' } },
  { id: 'kucoin', error: '260325', endpoints: { withdraw: 'withdraw', list: 'withdrawals', balances: 'balances' } },
  {
    id: 'coinbase',
    error: 'unverified_email',
    endpoints: { withdraw: 'send', list: 'transactions', balances: 'accounts' },
  },
] as const;

/** The exchange executes a withdrawal, answers with a definite refusal, and shows record and balance late. */
describe('a refusal of an executed withdrawal', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let count = 0;

  beforeAll(async () => {
    app = await TestApp.create({
      worker: true,
      env: { EXCHANGE_TIMEOUT_MS: '10000', WITHDRAWAL_FEE_ESTIMATES: 'coinbase:BTC:bitcoin=0.00015' },
      overrides: { EXCHANGE_LAG_MAX_MS: LAG_MS },
    });
    project = await app.project();
  });
  afterEach(() => app.sandbox.calm());
  afterAll(() => app.close());

  async function wallet(id: (typeof lies)[number]['id']): Promise<TestWallet> {
    const facts = signedExchanges.find((each) => each.id === id);
    const balances = { BTC: '5', USD: '100000' };
    const account = await (facts === undefined ? app.sandbox.openCoinbase(balances) : app.sandbox.open({ balances }));
    app.clock.advance(2 * HIDDEN_MS);
    const clients = app.clientsOf(project, `${id}-${++count}`);
    const { apiKey, apiSecret } = account;
    await clients.causeway.connectWallet({
      exchange: id,
      ...(facts === undefined ? { apiKey, apiSecret } : keyOf(facts, account)),
    });
    return { ...clients, account };
  }

  // Bybit lists a month at a time, so the first reading of a history there takes longer than a test should wait.
  it('that asked for a code is not sent again with the code when the exchange shows it', async () => {
    const owner = await app.wallet(project);
    app.clock.advance(2 * HIDDEN_MS);
    const { id: quoteId } = await btcQuote(owner, '0.02');
    const { apiKey } = owner.account;
    await app.sandbox.arm({ endpoint: 'Withdraw', fault: 'executed_refusal', error: 'EAPI:OTP required', apiKey });
    for (const [endpoint, fault] of [
      ['BalanceEx', 'balance_lags'],
      ['WithdrawStatus', 'history_lags'],
    ] as const)
      await app.sandbox.arm({ endpoint, fault, count: null, delayMs: HIDDEN_MS, apiKey });
    expect((await refusalOf(owner.causeway.executeQuote({ quoteId }))).code).toBe('WITHDRAWAL_2FA_REQUIRED_TOTP');
    await app.sandbox.calm();
    expect((await owner.causeway.executeQuote({ quoteId, twofa: '123456' })).result.status).toBe('pending');
    expect(await app.sandbox.withdrawals(owner.account)).toHaveLength(1);
  });

  describe.each(lies.filter(({ id }) => id !== 'bybit'))('at $id', ({ id, error, endpoints }) => {
    it('that is shown later than expected goes to an operator, and equal withdrawals are stopped', async () => {
      const owner = await wallet(id);
      const { id: quoteId } = await btcQuote(owner, '0.02');
      const { apiKey } = owner.account;
      const arm = (endpoint: string, fault: string, more: object = {}) =>
        app.sandbox.arm({ endpoint: `${id}.${endpoint}`, fault, apiKey, ...more });
      await arm(endpoints.withdraw, 'executed_refusal', { error });
      await arm(endpoints.list, 'history_lags', { count: null, delayMs: HIDDEN_MS });
      await arm(endpoints.balances, 'balance_lags', { count: null, delayMs: HIDDEN_MS });
      expect((await refusalOf(owner.causeway.executeQuote({ quoteId }))).status).toBe(400);
      await app.sandbox.calm();
      const [failed] = (await owner.causeway.listTransactions({ walletId: owner.walletId, status: 'failed' }))
        .transactions;
      const transactionId = failed?.id ?? '';
      await until('the history is read', async () => {
        app.clock.advance(SYNC_STEP_MS);
        return (await owner.causeway.getTransaction({ transactionId })).status === 'pending';
      });
      const again = await btcQuote(owner, '0.02');
      const stopped = await refusalOf(owner.causeway.executeQuote({ quoteId: again.id }));
      expect(stopped).toMatchObject({ status: 409, result: { transactionId } });
      expect(await app.sandbox.withdrawals(owner.account)).toHaveLength(1);
    });
  });

  describe.each(lies)('at $id', ({ id, error, endpoints }) => {
    it('that is shown after its refusal stops the next equal withdrawal before the history is read', async () => {
      const owner = await wallet(id);
      const { id: quoteId } = await btcQuote(owner, OF_REVIEW);
      const { apiKey } = owner.account;
      const arm = (endpoint: string, fault: string, more: object = {}) =>
        app.sandbox.arm({ endpoint: `${id}.${endpoint}`, fault, apiKey, ...more });
      await arm(endpoints.withdraw, 'executed_refusal', { error });
      await arm(endpoints.list, 'history_lags', { count: null, delayMs: HIDDEN_MS });
      await arm(endpoints.balances, 'balance_lags', { count: null, delayMs: HIDDEN_MS });
      expect((await refusalOf(owner.causeway.executeQuote({ quoteId }))).status).toBe(400);
      await app.sandbox.calm();
      const again = await btcQuote(owner, OF_REVIEW);
      const stopped = await refusalOf(owner.causeway.executeQuote({ quoteId: again.id }));
      expect(stopped).toMatchObject({ status: 409, result: { transactionId: expect.any(String) as string } });
      expect((await owner.causeway.executeQuote({ quoteId })).result.status).toBe('pending');
      expect(await app.sandbox.withdrawals(owner.account)).toHaveLength(1);
    });
    it.each([
      ['the balance late, too', LATE_MS],
      ['never another balance, as if an equal deposit had arrived', HIDDEN_MS],
    ] as const)(
      'is reported as pending and pays once when the exchange shows the record late and %s',
      async (_what, delayMs) => {
        const owner = await wallet(id);
        const { id: quoteId } = await btcQuote(owner, '0.02');
        const { apiKey } = owner.account;
        const arm = (endpoint: string, fault: string, more: object = {}) =>
          app.sandbox.arm({ endpoint: `${id}.${endpoint}`, fault, apiKey, ...more });
        await arm(endpoints.withdraw, 'executed_refusal', { error });
        await arm(endpoints.list, 'history_lags', { count: null, delayMs: LATE_MS });
        await arm(endpoints.balances, 'balance_lags', { count: null, delayMs });
        const first = await owner.causeway.executeQuote({ quoteId });
        expect(first).toMatchObject({ success: true, result: { status: 'pending' } });
        const done = await settled(app, owner, first.result.transactionId, SETTLE_STEP_MS);
        expect(done.status).toBe('ok');
        expect(await app.sandbox.withdrawals(owner.account)).toHaveLength(1);
      },
    );
  });
});
