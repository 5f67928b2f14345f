import { Amount } from '#money';
import type { ExchangeSession, HistoryKind } from '../../../port/exchange.port.js';
import type { ExchangeOrder } from '../../../port/trading.port.js';
import { ContractBench } from '../../../testing/contract/contract-bench.js';
import type { Answers, Reply } from '../../../testing/contract/exchange-contract.js';
import type { ReceivedCall } from '../../../testing/stub-exchange.js';
import { ok, refusal } from '../bitget-common-contract.js';
import { bitgetUnifiedContract, route } from './bitget-unified-contract.js';
import { bitgetUnifiedOnly } from './bitget-unified-only.js';

const DAY_MS = 86_400_000;

/** Reads through a session with a unified account while the exchange returns these responses. */
async function read<T>(
  answers: Answers,
  by: (session: ExchangeSession, bench: ContractBench) => Promise<T> | undefined,
): Promise<T> {
  let result: { value: T } | undefined;
  await ContractBench.run({ declaration: bitgetUnifiedOnly, contract: bitgetUnifiedContract }, async (bench) => {
    bench.stub.answer(answers);
    const value = await by(await bench.open(), bench);
    if (value !== undefined) result = { value };
  });
  if (result === undefined) throw new Error('nothing was read');
  return result.value;
}

describe('the balances of a unified account at Bitget', () => {
  /**
   * Bitget's page uta/intro: "Available = Balance + unrealized PnL. Note: […] cannot be used to place spot orders",
   * "Debt = ABS(min(balance + unrealized PnL, 0))".
   */
  it.each([
    ['without a profit of futures', { balance: '10', available: '12' }, '10'],
    ['without what a loss of futures has used up', { balance: '10', available: '8' }, '8'],
    ['of zero when the account owes the coin', { balance: '-3', available: '-3', debt: '3' }, '0'],
  ])('have a free amount %s', async (_name, amounts, free) => {
    const answer = ok({ assets: [{ coin: 'USDT', equity: '10', debt: '0', locked: '0', ...amounts }] });
    const [balance] = await read({ [route.assets]: answer, [route.funding]: ok([]) }, (session) => session.balances());
    expect(balance?.free.toString()).toBe(free);
  });
});

describe('the key of a unified account at Bitget', () => {
  it.each(['read-only', 'read_only'])('of the type %s has no permission to trade or to withdraw', async (permType) => {
    const answer = ok({ permType, permissions: ['uta_mgt', 'uta_trade', 'withdraw'], ips: '' });
    expect(await read({ [route.key]: answer }, (session) => session.keyInfo())).toMatchObject({
      permissions: ['read-only'],
    });
  });

  it.each(['read-and-write', 'read_and_write', 'never seen'])(
    'of the type %s has its permissions',
    async (permType) => {
      const answer = ok({ permType, permissions: ['uta_mgt', 'uta_trade'], ips: '' });
      expect(await read({ [route.key]: answer }, (session) => session.keyInfo())).toMatchObject({
        permissions: ['uta_mgt', 'uta_trade'],
      });
    },
  );
});

/**
 * A withdrawal as ccxt 4.5.84 recorded it with v3 (`bitget.parseTransaction`), with our own address and hash. Bitget's
 * page uta/account/withdrawal/Get-Withdrawal-Records has a fee of "10".
 */
const RECORD = {
  orderId: '1',
  clientOid: null,
  recordId: 'aa',
  coin: 'USDT',
  type: 'withdraw',
  dest: 'on_chain',
  size: '10',
  status: 'success',
  fromAddress: '',
  toAddress: '0x1',
  chain: 'erc20',
  fee: '-1.5',
  confirm: '100',
  createdTime: '1653290769222',
  updatedTime: '1653290769222',
};
const AT = new Date(1653290769222);

describe('the history of a unified account at Bitget', () => {
  const page = (entries: readonly object[], kind: HistoryKind = 'withdrawal') =>
    read({ [route[kind]]: ok(entries) }, async ({ history }) => history?.page(kind, { since: AT, until: AT }, null));
  const record = async (rest: object, kind?: HistoryKind) => (await page([{ ...RECORD, ...rest }], kind))?.records[0];

  it('states a fee only if it is zero or is documented as not contained in the amount', async () => {
    expect(await record({})).toMatchObject({ network: 'ethereum', amount: Amount.of('10'), fee: null, feeAsset: null });
    expect(await record({ fee: '0' })).toMatchObject({ fee: Amount.zero, feeAsset: 'USDT' });
    const lightning = { coin: 'BTC', chain: 'LIGHTNING' };
    expect(await record({ ...lightning, fee: '-1' })).toMatchObject({ fee: Amount.of('1'), feeAsset: 'BTC' });
    expect(await record({ ...lightning, fee: '1' })).toMatchObject({ fee: Amount.of('1') });
  });

  /** Bitget: "If `dest` is `internal_transfer`, it's the UID, email, or mobile number" (`toAddress`). */
  it.each(['withdrawal', 'deposit'] as const)('has no chain, address or hash for a %s within Bitget', async (kind) => {
    const internal = { dest: 'internal_transfer', toAddress: 'somebody@example.org' };
    expect(await record(internal, kind)).toMatchObject({
      network: null,
      exchangeNetwork: null,
      address: null,
      hash: null,
    });
    expect(await record({}, kind)).toMatchObject({ network: 'ethereum', address: '0x1', hash: 'aa' });
  });

  /** Bitget, about `cursor`: "use the smallest orderId returned from the previous query". */
  it('continues after the smallest id of a page, in whatever order the page lists its records', async () => {
    const entries = Array.from({ length: 100 }, (_, number) => ({ ...RECORD, orderId: String(950 + number) }));
    expect((await page(entries))?.nextCursor).toBe(`${AT.getTime()}:v3:950`);
    expect((await page([...entries].reverse()))?.nextCursor).toBe(`${AT.getTime()}:v3:950`);
    expect((await page(entries.slice(1)))?.nextCursor).toBeNull();
  });
});

describe('a deposit address of a unified account at Bitget', () => {
  it('is not one that Bitget lists under another chain', async () => {
    const method = {
      asset: 'USDT',
      network: 'ethereum',
      exchangeMethodId: 'ERC20',
      tagType: null,
      minimum: null,
      fee: null,
      limit: null,
      canGenerateAddress: false,
    };
    const address = '0x551e823a3b36865e8c5dc6e6ac6cc0b00d98533e';
    const addresses = (chain: string) =>
      read({ [route.address]: ok({ address, chain, coin: 'USDT', tag: null }) }, ({ deposits }) =>
        deposits?.addresses(method),
      );
    expect(await addresses('erc20')).toMatchObject([{ address }]);
    expect(await addresses('bep20')).toEqual([]);
  });
});

/** Bitget's page uta/trade/Get-Order-Details */
const ORDER = {
  orderId: '111111111111111111',
  clientOid: 'ours',
  category: 'SPOT',
  symbol: 'ETHUSDT',
  orderType: 'limit',
  side: 'buy',
  price: '2700',
  qty: '0.0372',
  amount: '0',
  cumExecQty: '0.0372',
  cumExecValue: '99.853356',
  avgPrice: '2684.23',
  timeInForce: 'gtc',
  orderStatus: 'filled',
  posSide: '',
  holdMode: '',
  tradeSide: 'open',
  reduceOnly: 'NO',
  feeDetail: [{ feeCoin: 'ETH', fee: '0.00000744' }],
  cancelReason: '',
  execType: '',
  createdTime: '1730295766596',
  updatedTime: '1730295766691',
};

describe('an order of a unified account at Bitget', () => {
  const sought = (ageMs = 60_000) => ({
    clientOrderId: 'ours',
    request: { symbol: 'ETHUSDT', clientOid: 'ours' },
    notBefore: new Date(Date.now() - ageMs),
  });
  const find = (answers: Answers, ageMs?: number): Promise<ExchangeOrder | null> =>
    read(answers, ({ trading }) => trading?.find(sought(ageMs)));

  it('has the volumes and the fee of its executions', async () => {
    expect(await find({ [route.order]: ok(ORDER) })).toMatchObject({
      exchangeId: '111111111111111111',
      clientOrderId: 'ours',
      status: 'filled',
      volume: Amount.of('0.0372'),
      limitPrice: Amount.of('2700'),
      averagePrice: Amount.of('2684.23'),
      executedVolume: Amount.of('0.0372'),
      cost: Amount.of('99.853356'),
      fees: [{ asset: 'ETH', amount: Amount.of('0.00000744') }],
      openedAt: new Date(1730295766596),
      closedAt: new Date(1730295766691),
    });
  });

  const unexecuted = { cumExecQty: '0', cumExecValue: '0', avgPrice: '0' };
  /** ccxt 4.5.84 recorded an empty text and null with open orders (`bitget.fetchOpenOrders`, `bitget.fetchOrder`). */
  it.each([
    ['an empty text', ''],
    ['null', null],
    ['an entry without a coin', [{ feeCoin: '', fee: '0' }]],
  ])('has a fee of zero when Bitget reports %s', async (_name, feeDetail) => {
    const order = await find({ [route.order]: ok({ ...ORDER, ...unexecuted, orderStatus: 'live', feeDetail }) });
    expect(order).toMatchObject({ status: 'open', fees: [], closedAt: null });
    const executed = await find({ [route.order]: ok({ ...ORDER, feeDetail }) });
    expect(executed?.fees).toEqual(feeDetail?.[0] === undefined ? null : []);
  });

  it.each([
    ['live', 'open'],
    ['new', 'open'],
    ['partially_filled', 'open'],
    ['filled', 'filled'],
    ['cancelled', 'canceled'],
    ['never seen', 'unknown'],
  ])('with the status %s is %s', async (orderStatus, status) =>
    expect(
      await find({ [route.order]: ok({ ...ORDER, ...(status === 'open' && { qty: '0.05' }), orderStatus }) }),
    ).toMatchObject({ status }),
  );

  it.each([
    ['reports no order', refusal('25204')],
    ['returns null', ok(null)],
  ])('is found among the ended orders, on any of their pages, when Bitget %s for its ids', async (_what, nothing) => {
    const others = Array.from({ length: 100 }, () => ({ ...ORDER, orderId: '2', clientOid: null }));
    const pages = ({ params }: ReceivedCall): Reply =>
      ok(params['cursor'] === '1901' ? { list: [ORDER], cursor: null } : { list: others, cursor: '1901' });
    const answers = { [route.order]: nothing, [route.ended]: pages };
    expect(await find(answers)).toMatchObject({ exchangeId: ORDER.orderId, status: 'filled' });
    const taken = { exchangeId: ORDER.orderId, ...sought() };
    expect(await read(answers, ({ trading }) => trading?.read(taken))).toMatchObject({ status: 'filled' });
  });

  it('is unusable when Bitget returns a success without an order', async () => {
    for (const data of [undefined, [], {}]) {
      await expect(find({ [route.order]: ok(data) })).rejects.toMatchObject({ kind: 'unavailable' });
    }
  });

  /** Bitget's page uta/trade/Get-Order-History: 90 days, of which one call covers at most 30. */
  it('is searched in periods of at most 30 days within the last 90 days', async () => {
    const periods: (readonly [number, number])[] = [];
    const answer = ({ params: { startTime, endTime } }: ReceivedCall): Reply => {
      periods.push([Number(startTime), Number(endTime)]);
      return ok({ list: periods.length === 3 ? [ORDER] : null, cursor: null });
    };
    const now = Date.now();
    expect(await find({ [route.ended]: answer }, 100 * DAY_MS)).toMatchObject({ status: 'filled' });
    expect(periods).toHaveLength(3);
    for (const [since, until] of periods) {
      expect(until - since).toBeLessThan(30 * DAY_MS);
      expect(since).toBeGreaterThan(now - 90 * DAY_MS);
    }
    expect(periods.slice(1).map(([since]) => since)).toEqual(periods.slice(0, -1).map(([, until]) => until));
    expect(periods[2]?.[1]).toBeGreaterThan(now - 120_000);
  });

  it('is not proven to be absent after 90 days, for which Bitget keeps ended orders', async () => {
    expect(await find({}, 89 * DAY_MS)).toBeNull();
    await expect(find({}, 90 * DAY_MS)).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
