import { refusalOf } from '../support/causeway-client.js';
import { orderAfterLostAnswer } from '../support/order-client.js';
import { keyOf, signedExchanges, tradingExchanges, type SignedExchange } from '../support/signed-exchanges.js';
import { TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';
import { btcQuote, savedAddress, settled } from '../support/withdrawal-client.js';

const withPassphrase = signedExchanges.filter(({ hasPassphrase }) => hasPassphrase);
const SETTLE_STEP_MS = 5_000;
/**
 * How far the clock advances at once while a withdrawal is missing at the exchange. Causeway decides only after minutes
 * that the exchange has never booked a missing withdrawal.
 */
const ABSENCE_STEP_MS = 60_000;

/** A time-out that is longer than a read of the sandbox exchange takes on a busy machine. */
const PATIENT = { EXCHANGE_TIMEOUT_MS: '10000' };

/** Covers wallets at each exchange, from the API and the worker through the connector to the sandbox exchange. */
describe('a wallet', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let count = 0;

  beforeAll(async () => {
    app = await TestApp.create({ worker: true, env: PATIENT });
    project = await app.project();
  });
  afterEach(() => app.sandbox.calm());
  afterAll(() => app.close());

  async function wallet(facts: SignedExchange): Promise<TestWallet> {
    const account = await app.sandbox.open({ balances: { BTC: '5', USD: '100000', USDT: '100000' } });
    const clients = app.clientsOf(project, `${facts.id}-${++count}`);
    await clients.causeway.connectWallet({ exchange: facts.id, ...keyOf(facts, account) });
    return { ...clients, account };
  }
  const execute = ({ causeway }: TestWallet, quoteId: string) => causeway.executeQuote({ quoteId });

  describe.each(signedExchanges)('at $id', (facts) => {
    const { id } = facts;

    it('withdraws a quote once, and the transaction completes', async () => {
      const owner = await wallet(facts);
      const made = await btcQuote(owner);
      expect(made.exact).toMatchObject({ amountWithFee: '0.01015', amountNoFee: '0.01', estimatedFee: '0.00015' });
      expect(made.requirements.map(({ type }) => type)).toEqual(facts.requirements);
      const first = await execute(owner, made.id);
      expect(first.success).toBe(true);
      expect(await execute(owner, made.id)).toEqual(first);
      const done = await settled(app, owner, first.result.transactionId, SETTLE_STEP_MS);
      const [booked, ...others] = await app.sandbox.withdrawals(owner.account);
      expect(others).toEqual([]);
      expect(booked).toMatchObject({ amount: '0.01', fee: '0.00015', status: 'Success' });
      expect(done).toMatchObject({ status: 'ok', exchangeTransactionId: booked?.refid, network: 'bitcoin' });
      expect(await app.sandbox.countCalls(owner.account, `${id}.withdraw`)).toBe(1);
    });

    it.each([
      ['answer_lost', 'ok', 1],
      ...(facts.booksRepeats ? [] : [['delivered_twice', 'ok', 1] as const]),
      ['error_after', 'ok', 1],
      ['request_lost', 'failed', 0],
      ['service_unavailable', 'failed', 0],
    ] as const)('pays a quote at most once after the fault %s, with the status %s', async (fault, status, paid) => {
      const owner = await wallet(facts);
      const { id: quoteId } = await btcQuote(owner, '0.02');
      await app.sandbox.arm({ endpoint: `${id}.withdraw`, fault, apiKey: owner.account.apiKey });
      const first = await execute(owner, quoteId);
      expect(first.result.status).toBe('pending');
      expect(await execute(owner, quoteId)).toEqual(first);
      const stepMs = paid === 1 ? SETTLE_STEP_MS : ABSENCE_STEP_MS;
      const done = await settled(app, owner, first.result.transactionId, stepMs);
      expect(done.status).toBe(status);
      expect(await app.sandbox.withdrawals(owner.account)).toHaveLength(paid);
      expect(await app.sandbox.countCalls(owner.account, `${id}.withdraw`)).toBe(1);
    });

    it('pays once when one quote is executed many times at once', async () => {
      const owner = await wallet(facts);
      const { id: quoteId } = await btcQuote(owner, '0.03');
      const executed = await Promise.all(Array.from({ length: 8 }, () => execute(owner, quoteId)));
      expect(new Set(executed.map(({ result }) => result.transactionId)).size).toBe(1);
      expect(await app.sandbox.withdrawals(owner.account)).toHaveLength(1);
    });

    it('refuses an address that the owner has not saved, and a repeat gets the same refusal', async () => {
      const owner = await wallet(facts);
      const address = 'bc1q30hd07qtnrr3r8p7nm3ve0n6w83preauur5hs6';
      const order = { asset: 'BTC', network: 'bitcoin', amount: '0.01', address };
      const { id: quoteId } = await owner.causeway.createQuote(order);
      const refusals = [await refusalOf(execute(owner, quoteId)), await refusalOf(execute(owner, quoteId))];
      const refusal = { code: 'WITHDRAWAL_INVALID_ADDRESS', result: { reason: 'address_not_allowlisted' } };
      expect(refusals).toMatchObject([refusal, refusal]);
      expect(await app.sandbox.withdrawals(owner.account)).toEqual([]);
      expect(savedAddress(owner, 'BTC', 'Bitcoin')).not.toBe(address);
    });

    it('has deposit addresses', async () => {
      const owner = await wallet(facts);
      const { network } = await owner.causeway.getDepositAddress({ asset: 'ETH', network: 'arbitrum' });
      expect(network).toBe('arbitrum');
    });
  });

  it.each(tradingExchanges)(
    'at $id places an order that is found after its response was lost',
    async ({ trading, ...facts }) => {
      const owner = await wallet(facts);
      const endpoint = `${facts.id}.order.place`;
      await app.sandbox.arm({ endpoint, fault: 'answer_lost', apiKey: owner.account.apiKey });
      const order = { routeId: `${facts.id}:spot:BTC-${trading.quote}`, volume: '0.0125', side: 'sell' } as const;
      expect(await orderAfterLostAnswer(owner, order)).toMatchObject({ status: 'filled', executedVolume: '0.0125' });
      expect(await app.sandbox.orders(owner.account)).toHaveLength(1);
    },
  );

  it.each(tradingExchanges)(
    'at $id gets a refusal for an order that sells more than it holds',
    async ({ trading, id, ...rest }) => {
      const owner = await wallet({ id, ...rest });
      const order = {
        routeId: `${id}:spot:BTC-${trading.quote}`,
        volume: '100',
        price: '60000',
        side: 'sell',
      } as const;
      expect(await refusalOf(owner.causeway.placeOrder(order))).toMatchObject({
        status: 400,
        code: 'GENERIC_INVALID_REQUEST',
        result: { reason: 'insufficient_balance' },
      });
      expect(await app.sandbox.orders(owner.account)).toEqual([]);
    },
  );

  it.each(signedExchanges.filter(({ id }) => id === 'okx'))(
    'at $id is told that a lost request was not executed, although the account has changed meanwhile',
    async (facts) => {
      const owner = await wallet(facts);
      app.clock.advance(ABSENCE_STEP_MS * 60);
      const { id: quoteId } = await btcQuote(owner, '0.02');
      const { apiKey } = owner.account;
      await app.sandbox.arm({ endpoint: `${facts.id}.withdraw`, fault: 'request_lost', apiKey });
      const { result } = await execute(owner, quoteId);
      expect(result.status).toBe('pending');
      await app.sandbox.fund(owner.account, 'BTC', '0.5');
      expect((await settled(app, owner, result.transactionId, ABSENCE_STEP_MS / 4)).status).toBe('failed');
      expect(await app.sandbox.withdrawals(owner.account)).toEqual([]);
    },
  );

  it.each(signedExchanges.filter(({ id }) => ['binance', 'bybit'].includes(id)))(
    'at $id under a travel rule reports the rule in the quote, and sends no withdrawal',
    async (facts) => {
      const owner = await wallet(facts);
      const set = await fetch(`${app.sandbox.url}/control/accounts/${owner.account.accountId}/identity`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"country":"AE"}',
      });
      expect(set.status).toBe(200);
      const { id: quoteId, requirements } = await btcQuote(owner);
      expect(requirements.map(({ type }) => type)).toEqual(['travel_rule']);
      for (const { result } of [await refusalOf(execute(owner, quoteId)), await refusalOf(execute(owner, quoteId))])
        expect(result).toMatchObject({ reason: 'travel_rule' });
      expect(await app.sandbox.countCalls(owner.account, `${facts.id}.withdraw`)).toBe(0);
    },
  );

  it.each(withPassphrase)('at $id is not connected without a passphrase, or with a wrong passphrase', async (facts) => {
    const account = await app.sandbox.open();
    const { apiPassphrase: _, ...incomplete } = keyOf(facts, account);
    const attempts = [
      [incomplete, 'GENERIC_VALIDATION_ERROR'],
      [keyOf(facts, account, 'another'), 'WALLET_INVALID_CREDENTIALS'],
    ] as const;
    for (const [key, type] of attempts) {
      const { causeway } = app.clientsOf(project, `refused-${++count}`);
      const refusal = await refusalOf(causeway.connectWallet({ exchange: facts.id, ...key }));
      expect([refusal.status, refusal.code]).toEqual([400, type]);
    }
  });
});
