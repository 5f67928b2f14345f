import { ExchangeError } from '#exchange';
import type { DomainError } from '#platform/errors';
import { OrderHarness } from '../testing/index.js';
import type { Order } from '../orders/order.entity.js';

let harness: OrderHarness;

beforeAll(async () => {
  harness = await OrderHarness.create();
});
afterAll(() => harness.close());
beforeEach(async () => {
  await harness.db.query(`update orders set next_check_at = null where next_check_at is not null`);
  await harness.newWallet();
  const { market } = harness;
  market.script = [];
  market.orders.length = 0;
  Object.assign(market, { lagMs: 0, isDown: false, signedForMs: null, hasDeadline: true });
  market.free = () => ({ BTC: '10', USD: '1000000' });
  market.used = {};
  market.onPlace = () => undefined;
});

const refusal = (order: Promise<Order>): Promise<DomainError> =>
  order.then(
    () => Promise.reject(new Error('it was not refused')),
    (error: unknown) => error as DomainError,
  );
const terms = { idempotencyKey: 'key-1' };
const MINUTE = 60_000;

describe('an order that the exchange executes and answers with a definite refusal', () => {
  it.each([
    ['fills', 'fill_and_refuse', 'filled'],
    ['keeps open', 'accept_and_refuse', 'open'],
  ] as const)(
    'is returned as the order that the exchange %s, and repeats send nothing',
    async (_does, script, status) => {
      const { sent } = harness.market;
      harness.market.script = [script, script, script];
      const order = await harness.place(terms);
      expect(order).toMatchObject({ status, exchangeIds: [harness.market.only(order).exchangeId] });
      expect(await harness.place(terms)).toMatchObject({ id: order.id });
      expect(await harness.place(terms)).toMatchObject({ id: order.id });
      expect([harness.market.sent - sent, harness.market.orders.length]).toEqual([1, 1]);
      expect(await harness.row(order)).toMatchObject({ status, errorCode: null, contradictedAt: null });
      expect((await harness.row(order)).sentAt).not.toBeNull();
    },
  );

  it('is found by the second look when the lists of the exchange are three seconds late', async () => {
    harness.market.lagMs = 3_000;
    harness.market.script = ['fill_and_refuse'];
    expect(await harness.place(terms)).toMatchObject({ state: 'closed', status: 'filled' });
  });

  it.each([
    ['the free balance is lower', () => ({ BTC: '9.5', USD: '1000000' })],
    [
      'the balances cannot be read',
      () => {
        throw new ExchangeError('unavailable', 'kraken', 'scripted');
      },
    ],
  ])('is unknown while the lists are late and %s', async (_why, after) => {
    harness.market.lagMs = 10 * MINUTE;
    harness.market.script = ['fill_and_refuse'];
    harness.market.onPlace = () => void (harness.market.free = after);
    const order = await harness.place(terms);
    expect(order).toMatchObject({ state: 'unknown', status: 'unknown', errorCode: null });
    const { sent } = harness.market;
    expect(await harness.place(terms)).toMatchObject({ id: order.id, status: 'unknown' });
    expect(harness.market.sent).toBe(sent);
  });

  it('is unknown while the lists are late and more is in use, although a deposit has raised the free balance', async () => {
    harness.market.lagMs = 10 * MINUTE;
    harness.market.script = ['accept_and_refuse'];
    harness.market.onPlace = () => {
      harness.market.free = () => ({ BTC: '11', USD: '1000000' });
      harness.market.used = { BTC: '0.5' };
    };
    expect(await harness.place(terms)).toMatchObject({ state: 'unknown', status: 'unknown', errorCode: null });
  });

  it('is unknown when the account cannot be looked at', async () => {
    harness.market.script = ['fill_and_refuse'];
    harness.market.onPlace = () => void (harness.market.isDown = true);
    const order = await harness.place(terms);
    expect(order.status).toBe('unknown');
    harness.market.isDown = false;
    await harness.work();
    expect(await harness.row(order)).toMatchObject({ status: 'filled' });
  });

  it('is unknown when the exchange calls the API key invalid, and is then found', async () => {
    harness.market.script = ['accept_and_refuse_key'];
    const order = await harness.place(terms);
    expect(order.status).toBe('unknown');
    await harness.work();
    expect(await harness.place(terms)).toMatchObject({ id: order.id, status: 'open' });
  });

  it('is corrected with an alarm and an event when it appears after two looks without it', async () => {
    harness.market.lagMs = 20 * MINUTE;
    harness.market.script = ['accept_and_refuse'];
    expect(await refusal(harness.place(terms))).toMatchObject({ code: 'TRADING_ROUTE_UNAVAILABLE' });
    const [refused] = await harness.orders();
    if (refused === undefined) throw new Error('no order was stored');
    const alarms = await harness.counted('contradicted');
    harness.logged.length = 0;
    await harness.work(60, MINUTE);
    expect(await harness.row(refused)).toMatchObject({ state: 'open', status: 'open', errorCode: null });
    expect((await harness.row(refused)).contradictedAt).not.toBeNull();
    expect(await harness.counted('contradicted')).toBe(alarms + 1);
    expect(harness.logged).toContainEqual(expect.objectContaining({ level: 50, orderId: refused.id }));
    expect((await harness.events(refused)).map(({ data }) => data['status'])).toEqual(['canceled', 'open']);
    expect(await harness.place(terms)).toMatchObject({ id: refused.id, status: 'open' });
    harness.market.change(harness.market.only(refused), 'closed', '0.5');
    await harness.work(3, 10 * MINUTE);
    expect(await harness.row(refused)).toMatchObject({ status: 'filled' });
  });

  it('is corrected by a caller who reads it', async () => {
    harness.market.lagMs = 20 * MINUTE;
    harness.market.script = ['accept_and_refuse'];
    await refusal(harness.place(terms));
    const [refused] = await harness.orders();
    if (refused === undefined) throw new Error('no order was stored');
    expect((await harness.read(refused)).status).toBe('canceled');
    harness.clock.advance(30 * MINUTE);
    harness.market.isDown = true;
    expect((await harness.read(refused)).status).toBe('canceled');
    harness.market.isDown = false;
    expect((await harness.read(refused)).status).toBe('open');
  });
});

describe('an order that the exchange refuses and does not have', () => {
  it.each(['refuse', 'refuse_route'] as const)(
    'is refused after two looks, and every repeat gets the same refusal and sends nothing: %s',
    async (script) => {
      const { sent, reads } = harness.market;
      harness.market.script = [script];
      const first = await refusal(harness.place(terms));
      // Before the first order of the wallet, a search shows that the key may search.
      expect(harness.market.reads - reads).toBe(3);
      const again = await refusal(harness.place(terms));
      expect([again.code, again.details]).toEqual([first.code, first.details]);
      expect(harness.market.sent).toBe(sent + 1);
      expect(await harness.orders()).toMatchObject([{ state: 'refused', status: 'canceled', rawStatus: 'refused' }]);
    },
  );

  it('is refused while the balance grows, and unknown when another order lowers it', async () => {
    harness.market.script = ['refuse'];
    harness.market.onPlace = () => void (harness.market.free = () => ({ BTC: '11', USD: '1000000' }));
    await refusal(harness.place());
    harness.market.script = ['refuse'];
    harness.market.onPlace = () => void (harness.market.free = () => ({ BTC: '10.9', USD: '1000000' }));
    const order = await harness.place();
    expect(order.status).toBe('unknown');
    await harness.work(40, 5_000);
    expect(await harness.row(order)).toMatchObject({ status: 'canceled', rawStatus: 'not_placed' });
  });

  it('is searched again for a day, with few calls', async () => {
    harness.market.script = ['refuse'];
    await refusal(harness.place(terms));
    const { reads } = harness.market;
    await harness.work(26 * 60, MINUTE);
    expect(harness.market.reads - reads).toBeGreaterThan(5);
    expect(harness.market.reads - reads).toBeLessThan(15);
    expect(await harness.orders()).toMatchObject([{ state: 'refused', nextCheckAt: null }]);
  });

  it('is searched for its readers at most once within ORDER_CHECK_SECONDS', async () => {
    harness.market.script = ['refuse'];
    await refusal(harness.place(terms));
    const [order] = await harness.orders();
    if (order === undefined) throw new Error('the order has no row');
    const { reads } = harness.market;
    for (let count = 0; count < 3; count++) await harness.read(order);
    expect(harness.market.reads - reads).toBe(1);
    harness.clock.advance(5_000);
    await harness.read(order);
    expect(harness.market.reads - reads).toBe(2);
  });

  it('is not sent when its API key may not search for orders', async () => {
    const { sent } = harness.market;
    harness.market.onRead = () => {
      throw new ExchangeError('permission_missing', 'kraken', 'scripted');
    };
    const refused = { code: 'TRADING_PROVIDER_ERROR', details: { result: { reason: 'permission_missing' } } };
    expect(await refusal(harness.place(terms))).toMatchObject(refused);
    harness.market.onRead = () => undefined;
    expect([harness.market.sent, await harness.orders()]).toEqual([sent, []]);
    expect(await harness.place(terms)).toMatchObject({ status: 'open' });
  });

  it('places nothing when the exchange calls the API key invalid before the order is sent', async () => {
    const { sent } = harness.market;
    harness.market.free = () => {
      throw new ExchangeError('credentials_invalid', 'kraken', 'scripted');
    };
    expect(await refusal(harness.place(terms))).toMatchObject({ code: 'WALLET_INVALID_CREDENTIALS' });
    expect([harness.market.sent, await harness.orders()]).toEqual([sent, []]);
  });
});

describe('an order that never reached an exchange without a submission deadline', () => {
  beforeEach(() => Object.assign(harness.market, { hasDeadline: false, signedForMs: 60_000 }));

  it('ends as not placed when its signature has expired and two searches ten minutes apart do not find it', async () => {
    harness.market.script = ['request_lost'];
    const order = await harness.place(terms);
    expect((await refusal(harness.place())).status).toBe(409);
    await harness.work(12, MINUTE);
    expect((await harness.row(order)).state).toBe('unknown');
    await harness.work(8, MINUTE);
    expect(await harness.row(order)).toMatchObject({ state: 'not_placed', status: 'canceled', errorCode: null });
    const { sent } = harness.market;
    expect(await harness.place(terms)).toMatchObject({ id: order.id, status: 'canceled', rawStatus: 'not_placed' });
    expect(harness.market.sent).toBe(sent);
    expect(await harness.place()).toMatchObject({ status: 'open' });
  });

  it('is corrected when the exchange shows it later', async () => {
    harness.market.script = ['request_late'];
    const order = await harness.place(terms);
    await harness.work(30, MINUTE);
    expect((await harness.row(order)).state).toBe('not_placed');
    // The exchange breaks its promise.
    harness.market.signedForMs = null;
    harness.market.deliver();
    await harness.work(90, MINUTE);
    expect(await harness.row(order)).toMatchObject({ state: 'open', status: 'open' });
    expect((await harness.row(order)).contradictedAt).not.toBeNull();
  });

  it('stays unknown at an exchange that accepts a signed request at any time', async () => {
    harness.market.signedForMs = null;
    harness.market.script = ['request_lost'];
    const order = await harness.place();
    await harness.work(48, 60 * MINUTE);
    expect((await harness.row(order)).state).toBe('unknown');
  });
});
