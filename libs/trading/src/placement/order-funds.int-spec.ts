import { ExchangeError } from '#exchange';
import type { DomainError } from '#platform/errors';
import { OrderHarness } from '../testing/index.js';
import type { Order } from '../orders/order.entity.js';

let harness: OrderHarness;

beforeAll(async () => {
  harness = await OrderHarness.create();
});
afterAll(() => harness.close());

const refusal = (order: Promise<Order>): Promise<DomainError> =>
  order.then(
    () => Promise.reject(new Error('it was not refused')),
    (error: unknown) => error as DomainError,
  );

describe('the check of the free balance before an order is sent', () => {
  beforeEach(async () => {
    await harness.newWallet();
    harness.market.script = [];
    harness.market.isFundsRefusalDefinite = false;
  });

  it.each([
    ['sells more than the free balance', { side: 'sell', volume: '0.5' }, { BTC: '0.49999999', USD: '1000000' }],
    ['sells an asset that the account does not hold', { side: 'sell' }, { USD: '1000000' }],
    ['costs more than the free balance', { side: 'buy', volume: '0.5', price: '20000' }, { USD: '9999.99', BTC: '5' }],
    ['buys at the market price with an empty balance', { side: 'buy', price: null }, { USD: '0', BTC: '5' }],
  ] as const)('refuses an order that %s before anything is sent', async (_name, terms, free) => {
    harness.market.free = () => free;
    const { sent } = harness.market;
    expect(await refusal(harness.place(terms))).toMatchObject({
      code: 'GENERIC_INVALID_REQUEST',
      status: 400,
      details: { result: { reason: 'insufficient_balance' } },
    });
    expect(harness.market.sent).toBe(sent);
    expect(await harness.orders()).toMatchObject([{ state: 'not_placed', status: 'canceled' }]);
    expect(await harness.areHeld()).toBe(false);
  });

  it.each([
    ['sells the whole free balance', { side: 'sell', volume: '0.5' }, { BTC: '0.5' }],
    ['costs the whole free balance', { side: 'buy', volume: '0.5', price: '20000' }, { USD: '10000' }],
    ['buys at the market price with any balance', { side: 'buy', price: null }, { USD: '0.01' }],
  ] as const)('accepts an order that %s', async (_name, terms, free) => {
    harness.market.free = () => free;
    expect(await harness.place(terms)).toMatchObject({ status: 'open' });
  });

  it('accepts an order when the exchange does not return the balances', async () => {
    harness.market.free = () => {
      throw new ExchangeError('unavailable', 'kraken', 'scripted outage');
    };
    expect(await harness.place()).toMatchObject({ status: 'open' });
  });

  it('keeps its refusal for the same Idempotency-Key, but accepts another key after the balance has grown', async () => {
    harness.market.free = () => ({ BTC: '0.1' });
    const first = await refusal(harness.place({ idempotencyKey: 'first' }));
    harness.market.free = () => ({ BTC: '0.5' });
    expect(await refusal(harness.place({ idempotencyKey: 'first' }))).toMatchObject({ details: first.details });
    expect(await harness.place({ idempotencyKey: 'second' })).toMatchObject({ status: 'open' });
  });

  it('does not report insufficient funds to the repeat of a request that has used the funds itself', async () => {
    const terms = { idempotencyKey: 'used' };
    harness.market.free = () => ({ BTC: '0.5' });
    const order = await harness.placeAndDie('die_after', terms);
    harness.market.free = () => ({ BTC: '0' });
    expect(await refusal(harness.place(terms))).toMatchObject({ status: 409 });
    await harness.work(40, 5_000);
    expect(await harness.place(terms)).toMatchObject({ id: order.id, status: 'open' });
  });

  it('does not refuse at an exchange whose own refusal for insufficient funds is definite', async () => {
    harness.market.isFundsRefusalDefinite = true;
    harness.market.free = () => ({});
    expect(await harness.place()).toMatchObject({ status: 'open' });
  });
});
