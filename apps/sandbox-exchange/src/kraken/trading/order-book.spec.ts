import fc from 'fast-check';
import { Amount } from '#money';
import { Exchange } from '../../exchange.js';
import { memoryJournal } from '../../ledger/journal.js';
import { permissions, type Account, type ApiKey } from '../../ledger/records.js';
import { settle } from '../../ledger/settlement.js';
import { TestSandbox, type OpenedAccount } from '../../../test/sandbox.js';
import { KrakenError } from '../handler.js';
import { movePrice, setDepth } from '../../trading/market-moves.js';
import { knownPair } from './market.js';
import { cancelOrder } from './orders.js';
import { addOrder } from './place-order.js';

describe('a market with depth', () => {
  let sandbox: TestSandbox;
  let account: OpenedAccount;
  let client: ReturnType<TestSandbox['ccxt']>;

  beforeEach(async () => {
    sandbox = await TestSandbox.start();
    account = await sandbox.open({ balances: { BTC: '10', USD: '1000000' } });
    client = sandbox.ccxt(account);
    await depth({ bids: [['99990', '1'], ['99980', '2']], asks: [['100010', '1'], ['100020', '2']] }); // prettier-ignore
  });
  afterEach(() => sandbox.close());

  const depth = async (offers: object) => {
    const { status, body } = await sandbox.control('POST', 'depth', { pair: 'XBTUSD', ...offers });
    expect(status).toBe(200);
    return body as { filled: string[]; bids: object[]; asks: object[] };
  };
  const order = async (type: 'market' | 'limit', side: 'buy' | 'sell', volume: number, price?: number, more = {}) =>
    String((await client.createOrder('BTC/USD', type, side, volume, price, more)).id);
  const raw = async (txid: string) => {
    const { result } = (await client.privatePostQueryOrders({ txid })) as { result: Record<string, object> };
    return result[txid];
  };
  const book = async () => (await fetch(`${sandbox.url}/0/public/Depth?pair=XBTUSD`)).json();
  const balances = async () => (await sandbox.ledger(account)).balances;
  const second = () => Math.floor(sandbox.clock.now.getTime() / 1000);

  it('fills a market order over several levels, at their average price', async () => {
    const id = await order('market', 'buy', 2);
    expect(await raw(id)).toMatchObject({
      status: 'closed',
      vol_exec: '2.00000000',
      price: '100015.0',
      cost: '200030.00000',
    });
    // The fee is 0.4 % for the first order, because the fee tier counts only earlier trades.
    expect(await balances()).toMatchObject({ BTC: { total: '12' }, USD: { total: '799169.88', held: '0' } });
    expect(await book()).toMatchObject({ result: { XXBTZUSD: { asks: [['100020', '1', second()]] } } });
    expect(await client.fetchTicker('BTC/USD')).toMatchObject({ bid: 99990, ask: 100020 });
  });

  it('cancels the part of a market order that finds no offer', async () => {
    const id = await order('market', 'sell', 5);
    expect(await raw(id)).toMatchObject({
      status: 'canceled',
      reason: 'Insufficient liquidity',
      vol: '5.00000000',
      vol_exec: '3.00000000',
      price: '99983.3',
    });
    expect(await balances()).toMatchObject({ BTC: { total: '7', held: '0' } });
    const none = await order('market', 'sell', 1);
    expect(await raw(none)).toMatchObject({ status: 'canceled', vol_exec: '0.00000000', price: '0.0' });
  });

  it('fills a limit order in part, and the rest when new offers come', async () => {
    const id = await order('limit', 'buy', 2.5, 100015);
    expect(await raw(id)).toMatchObject({ status: 'open', vol_exec: '1.00000000', misc: 'partial', price: '100010.0' });
    // The order holds the price of the remaining 1.5 BTC at its limit, plus the highest fee for this price.
    expect((await balances())['USD']?.held).toBe('150622.59');
    expect(await depth({ asks: [['100015', '0.5'], ['100000', '0.5'], ['100016', '9']] })).toMatchObject({
      filled: [id],
      asks: [{ price: '100016', volume: '9' }],
    }); // prettier-ignore
    expect(await raw(id)).toMatchObject({ status: 'open', vol_exec: '2.00000000', price: '100012.5' });
    expect((await depth({ asks: [['100015', '2']] })).filled).toEqual([id]);
    expect(await raw(id)).toMatchObject({ status: 'closed', vol_exec: '2.50000000', price: '100013.0', misc: '' });
    expect((await balances())['USD']?.held).toBe('0');
    expect(await book()).toMatchObject({ result: { XXBTZUSD: { asks: [['100015', '1.5', second()]] } } });
  });

  it('fills the better price first, then the older order', async () => {
    const older = await order('limit', 'buy', 1, 99995);
    sandbox.advance(1000);
    const better = await order('limit', 'buy', 1, 99996);
    expect((await depth({ asks: [['99990.5', '1.5']] })).filled).toEqual([better, older]);
    expect(await raw(older)).toMatchObject({ status: 'open', vol_exec: '0.50000000' });
  });

  it('cancels the rest of an IOC order, and fills an FOK order completely or not at all', async () => {
    const immediate = await order('limit', 'buy', 2, 100010, { timeInForce: 'IOC' });
    expect(await raw(immediate)).toMatchObject({ status: 'canceled', vol_exec: '1.00000000', timeinforce: 'IOC' });
    const fillOrKill = { pair: 'XBTUSD', ordertype: 'limit', type: 'buy', price: '100020', timeinforce: 'FOK' };
    const killed = (await client.privatePostAddOrder({ ...fillOrKill, volume: '2.1' })) as {
      result: { txid: [string] };
    };
    expect(await raw(killed.result.txid[0])).toMatchObject({ status: 'canceled', vol_exec: '0.00000000' });
    const filled = (await client.privatePostAddOrder({ ...fillOrKill, volume: '2' })) as { result: { txid: [string] } };
    expect(await raw(filled.result.txid[0])).toMatchObject({ status: 'closed', vol_exec: '2.00000000' });
  });

  it('keeps the executed part of a canceled order', async () => {
    const id = await order('limit', 'sell', 4, 99990);
    await client.cancelOrder(id);
    expect(await raw(id)).toMatchObject({ status: 'canceled', vol_exec: '1.00000000', reason: 'User requested' });
    expect(await balances()).toMatchObject({ BTC: { total: '9', held: '0' } });
  });

  it('loses the offers that a new price passes, and fills any volume once the control API makes it unlimited', async () => {
    await sandbox.control('POST', 'prices', { pair: 'XBTUSD', price: '100015' });
    expect(await book()).toMatchObject({ result: { XXBTZUSD: { asks: [['100020', '2', second()]] } } });
    await depth({ unlimited: true });
    expect(await raw(await order('market', 'sell', 9))).toMatchObject({ status: 'closed', price: '100014.9' });
  });

  it('trades with prices of eighteen digits, and with volumes of 1e-7 and whole numbers', async () => {
    const other = await sandbox.open({ balances: { BTC: '10', CHF: '1000', AUD: '1000', EUR: '1000' } });
    const trader = sandbox.ccxt(other);
    const add = async (params: Record<string, string>) => {
      const { result } = (await trader.privatePostAddOrder({ ordertype: 'limit', type: 'buy', ...params })) as {
        result: { txid: [string]; descr: { order: string } };
      };
      const shown = (await trader.privatePostQueryOrders({ txid: result.txid[0] })) as {
        result: Record<string, object>;
      };
      return { ...result.descr, ...shown.result[result.txid[0]] };
    };
    const price = '0.000000000050000001';
    expect(await add({ pair: 'PEPEXBT', volume: '1000000.00001', price })).toMatchObject({
      order: `buy 1000000.00001 PEPEXBT @ limit ${price}`,
      status: 'closed',
      price,
      cost: '0.0000500000',
      vol_exec: '1000000.00001',
    });
    expect(await add({ pair: 'XBTCHF', volume: '0.0000001', ordertype: 'market' })).toMatchObject({
      order: 'buy 0.0000001000 XBTCHF @ market',
      status: 'closed',
      vol_exec: '0.0000001000',
    });
    expect(await add({ pair: 'XBTAUD', volume: '0.0000001', price: '100000' })).toMatchObject({ status: 'open' });
    expect(await add({ pair: 'SHIBEUR', volume: '400001', price: '0.0001' })).toMatchObject({ vol_exec: '400001' });
    await expect(add({ pair: 'SHIBEUR', volume: '400000.5', price: '0.0001' })).rejects.toThrow(':volume');
    await expect(add({ pair: 'XRPAUD', volume: '10', price: '3.00001' })).rejects.toThrow('Tick size check failed');
    await add({ pair: 'XRPAUD', volume: '10', price: '3.00006' });
  });

  it.each([
    { bids: [['100010', '1']] },
    { bids: [['0', '1']] },
    { asks: [['100010.05', '1']] },
    { asks: [['100010', '0']] },
    { asks: [['100010', '0.000000001']] },
    { pair: 'NOPE' },
  ])('refuses an order book of %j', async (offers) => {
    const before = await book();
    expect((await sandbox.control('POST', 'depth', { pair: 'XBTUSD', ...offers })).status).toBe(422);
    expect(await book()).toEqual(before);
  });
});

/** Decimal places of assets in the ledger. */
const DIGITS: Readonly<Record<string, number>> = { ZUSD: 4, BCH: 8 };
const START = new Date('2026-11-20T12:00:00Z');
const account: Account = { id: 'account', name: 'one', settle: 'manual', createdAt: 0 };
const key: ApiKey = {
  apiKey: 'key',
  apiSecret: '',
  accountId: account.id,
  permissions: [...permissions],
  ipAllowlist: [],
  nonceWindow: 0,
  lastNonce: '0',
  revoked: false,
  createdAt: 0,
  modifiedAt: 0,
};

const priceAt = (steps: number) => String(steps * 25 + 0.25);
const price = fc.integer({ min: 1, max: 40 }).map(priceAt);
/** Volumes have eight decimal places, so that costs have more places than the ledger stores and must be truncated. */
const volume = fc.integer({ min: 1, max: 500_000_000 }).map((units) => (units / 1e8).toFixed(8));
const sides = fc.constantFrom('buy', 'sell');
const step = fc.oneof(
  fc.record({
    kind: fc.constant('order' as const),
    type: sides,
    volume,
    price,
    ordertype: fc.constantFrom('limit', 'limit', 'market'),
    life: fc.constantFrom('GTC', 'GTC', 'IOC', 'FOK', 'GTD'),
  }),
  fc.record({ kind: fc.constant('cancel' as const), index: fc.nat({ max: 5 }) }),
  fc.record({ kind: fc.constant('move' as const), price }),
  fc.record({
    kind: fc.constant('depth' as const),
    middle: fc.integer({ min: 3, max: 38 }),
    volumes: fc.tuple(volume, volume, volume, volume),
  }),
  fc.record({ kind: fc.constant('wait' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The tick size of BCH/USD is 0.25, which is not a power of ten. */
const pair = knownPair('BCHUSD');

class Trader {
  readonly exchange = new Exchange(memoryJournal, 0);
  private now = START;
  private readonly ids: string[] = [];

  constructor() {
    const opening = (asset: string, amount: string) =>
      ({ asset, type: 'transfer', refid: 'opening', amount: Amount.of(amount), fee: Amount.zero }) as const;
    this.exchange.commit(
      { account, key },
      { account, now: START, postings: [opening('ZUSD', '5000'), opening('BCH', '10')] },
    );
  }

  get book() {
    return this.exchange.bookOf(account.id);
  }

  take(one: Step): void {
    settle(this.exchange, account, this.now);
    if (one.kind === 'move') movePrice(this.exchange, pair, Amount.of(one.price), this.now);
    else if (one.kind === 'depth') setDepth(this.exchange, pair, depthOf(one), this.now);
    else if (one.kind === 'wait') this.now = new Date(this.now.getTime() + 10_000);
    else if (one.kind === 'cancel')
      this.refusing(() => cancelOrder(this.call({ txid: this.ids[one.index] ?? 'none' })));
    else {
      const { type, ordertype, volume: wanted, price: limit, life } = one;
      const lifetime = { timeinforce: life, ...(life === 'GTD' ? { expiretm: '+10' } : {}) };
      const params = { type, ordertype, volume: wanted, price: limit, ...lifetime };
      this.refusing(() => this.ids.unshift(...this.add(params)));
    }
  }

  /** @throws KrakenError */
  add(params: Record<string, string>): string[] {
    return (addOrder(this.call({ pair: pair.id, ...params })) as { txid: string[] }).txid;
  }

  /** @throws KrakenError */
  cancel(txid: string): void {
    cancelOrder(this.call({ txid }));
  }

  private call(params: Record<string, string>) {
    return { params, exchange: this.exchange, account, key, now: this.now, receivedAt: this.now };
  }

  private refusing(work: () => unknown): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof KrakenError)) throw error;
    }
  }
}

function depthOf({ middle, volumes }: Extract<Step, { kind: 'depth' }>) {
  const level = (steps: number, index: number) => ({ price: priceAt(steps), volume: volumes[index] ?? '1' });
  return { bids: [level(middle - 1, 0), level(middle - 2, 1)], asks: [level(middle + 1, 2), level(middle + 2, 3)] };
}

const sum = (amounts: readonly string[]) => amounts.reduce((total, one) => total.plus(Amount.of(one)), Amount.zero);

describe('orders', () => {
  it('are refused when too many orders of their pair are open, until one of these orders ends', () => {
    const trader = new Trader();
    const order = { type: 'buy', ordertype: 'limit', volume: '0.01', price: '100' };
    const ids = Array.from({ length: 225 }, () => trader.add(order));
    expect(() => trader.add(order)).toThrow('EOrder:Orders limit exceeded');
    trader.add({ ...order, pair: 'LTCUSD', volume: '0.1', price: '10' });
    trader.cancel(ids[0]?.[0] ?? '');
    trader.add(order);
  });

  it('leave a balanced ledger: its movements match the orders, and no balance is negative', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const trader = new Trader();
        for (const one of steps) {
          trader.take(one);
          const { orders } = trader.book;
          const entries = [...trader.book.entries.values()];
          for (const asset of ['ZUSD', 'BCH']) {
            expect(trader.book.free(asset).isNegative()).toBe(false);
            expect(trader.book.held(asset).isNegative()).toBe(false);
          }
          for (const { asset, amount, fee } of entries) {
            for (const one of [amount, fee])
              expect(Amount.of(one).decimalPlaces()).toBeLessThanOrEqual(DIGITS[asset] ?? 0);
          }
          for (const order of orders.values()) {
            const mine = entries.filter(({ refid }) => refid === order.id);
            const moved = (asset: string) => sum(mine.filter((one) => one.asset === asset).map(({ amount }) => amount));
            expect(moved('BCH').abs().toString()).toBe(order.executedVolume);
            expect(moved('ZUSD').abs().toString()).toBe(order.cost);
            expect(sum(mine.map(({ fee }) => fee)).toString()).toBe(order.fee);
            expect(Amount.of(order.executedVolume).greaterThan(Amount.of(order.volume))).toBe(false);
            expect(order.status === 'closed').toBe(order.executedVolume === order.volume);
            expect(order.hold === null).toBe(order.status !== 'open');
            const limit = Amount.of(order.limitPrice ?? order.averagePrice);
            const average = Amount.of(order.averagePrice);
            const isWorse = order.side === 'buy' ? average.greaterThan(limit) : average.lessThan(limit);
            expect(!average.isZero() && isWorse).toBe(false);
          }
        }
      }),
      { numRuns: 100 },
    );
  });
});
