import { createHmac } from 'node:crypto';
import { okx } from 'ccxt';
import { TestSandbox, type OpenedAccount } from '../../test/sandbox.js';

type Params = Record<string, unknown>;
interface Answer {
  status: number;
  code: string;
  data: { [field: string]: unknown; sCode?: string }[];
}

const BTC = 'bc1pjgv68y0p8ln590tkgc6p2wmqxwqun9y79d6sle83cx0kwwwcttcqd3xcrp';
const XRP = 'r32MzJoSozSZEUQgzXGErQk9uyBhqataFb';
const order = { instId: 'BTC-USD', tdMode: 'cash', side: 'buy', ordType: 'limit', sz: '0.01', px: '20000' };
const withdrawal = { ccy: 'BTC', amt: '0.01', dest: '4', chain: 'BTC-Bitcoin', toAddr: BTC };

let sandbox: TestSandbox;
let account: OpenedAccount;
beforeEach(async () => {
  sandbox = await TestSandbox.start({ settleMs: 1000 });
  account = await sandbox.open({ balances: { BTC: '5', USD: '100000', XRP: '100' } });
});
afterEach(() => sandbox.close());

/** Sends a signed call; `headers` replace the correct ones. */
async function call(
  target: string,
  { body, headers = {}, by = account }: { body?: Params | string; headers?: Params; by?: OpenedAccount } = {},
): Promise<Answer> {
  const method = body === undefined ? 'GET' : 'POST';
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
  const timestamp = sandbox.clock.now.toISOString();
  const path = `/api/v5/${target}`;
  const sign = createHmac('sha256', by.apiSecret).update(timestamp + method + path + text);
  const response = await fetch(sandbox.url + path, {
    method,
    ...(body !== undefined && { body: text }),
    headers: {
      'content-type': 'application/json',
      'ok-access-key': by.apiKey,
      'ok-access-passphrase': 'sandbox',
      'ok-access-timestamp': timestamp,
      'ok-access-sign': sign.digest('base64'),
      ...headers,
    },
  });
  return { ...((await response.json()) as Answer), status: response.status };
}
const codeOf = async (...args: Parameters<typeof call>): Promise<string> => {
  const { code, data } = await call(...args);
  return data[0]?.sCode ?? code;
};
const withdraw = (more: Params = {}) => codeOf('asset/withdrawal', { body: { ...withdrawal, ...more } });

describe('a signed call to OKX', () => {
  const at = (ms: number) => new Date(sandbox.clock.now.getTime() + ms).toISOString();

  it.each<[string, () => Params, string, number]>([
    ['another passphrase', () => ({ 'ok-access-passphrase': 'secret' }), '50105', 401],
    ['no passphrase', () => ({ 'ok-access-passphrase': '' }), '50105', 401],
    ['a time that is not ISO', () => ({ 'ok-access-timestamp': '1763640000' }), '50112', 401],
    ['a signature for another time', () => ({ 'ok-access-timestamp': at(-30_000) }), '50113', 401],
  ])('with %s is refused', async (_what, headers, code, status) => {
    expect(await call('asset/balances', { headers: headers() })).toMatchObject({ code, status, data: [] });
  });

  it('shows the permissions of its key', async () => {
    const reader = await sandbox.open({ permissions: ['query-funds'] });
    expect((await call('account/config', { by: reader })).data[0]).toMatchObject({ perm: 'read_only', ip: '' });
    expect(await codeOf('trade/order', { by: reader, body: order })).toBe('50120');
  });

  it.each(['', '{', '[1]', '{"ccy": {"a": 1}}'])('with the body %s is refused', async (body) => {
    expect(await call('asset/withdrawal', { body })).toMatchObject({ code: '51000', status: 400 });
  });

  it("by ccxt's unmodified class reads balances and a deposit address, and withdraws", async () => {
    const { apiKey, apiSecret } = account;
    const client = new okx({ apiKey, secret: apiSecret, password: 'sandbox', enableRateLimit: false });
    client.urls.api = { rest: sandbox.url };
    client.nonce = () => sandbox.clock.now.getTime();
    expect((await client.fetchBalance({ type: 'funding' })).total).toMatchObject({ BTC: 5, XRP: 100 });
    expect((await client.fetchDepositAddress('BTC', { network: 'BTC' })).address).toMatch(/^bc1/);
    await client.privatePostAssetWithdrawal(withdrawal);
    expect(await client.fetchWithdrawals('BTC')).toMatchObject([{ amount: 0.01, status: 'pending', address: BTC }]);
  });
});

describe('a withdrawal at OKX', () => {
  it('is found by its exchange id and by its client id, goes from waiting to success, and keeps its tag', async () => {
    const sent = { ccy: 'XRP', chain: 'XRP-Ripple', amt: '10', toAddr: `${XRP}:1000001`, clientId: 'tagged' };
    const { data } = await call('asset/withdrawal', { body: { ...withdrawal, ...sent } });
    const { wdId } = data[0] as { wdId: string };
    const stateOf = async (query: string) =>
      (await call(`asset/withdrawal-history?${query}`)).data.map((one) => one['state']);
    expect(await stateOf('clientId=tagged')).toEqual(['0']);
    sandbox.advance(600);
    expect(await stateOf(`wdId=${wdId}`)).toEqual(['1']);
    sandbox.advance(600);
    expect((await call('asset/withdrawal-history?ccy=XRP')).data).toMatchObject([
      { wdId, clientId: 'tagged', state: '2', to: XRP, tag: '1000001', amt: '10', fee: '0.2', feeCcy: 'XRP' },
    ]);
    expect(await stateOf('clientId=Tagged')).toEqual([]);
    expect(await stateOf('ccy=BTC')).toEqual([]);
  });
});

describe('a history of OKX', () => {
  it('excludes records at the times `after` and `before`, and has at most 100 records on a page', async () => {
    const from = sandbox.clock.now.getTime() - 1_000_000;
    const history = { deposits: 150, from, to: from + 900_000, asset: 'BTC' };
    await sandbox.control('POST', `accounts/${account.accountId}/history`, history);
    const times = async (query: string) =>
      (await call(`asset/deposit-history?${query}`)).data.map((one) => Number(one['ts']));
    const first = await times('limit=1000');
    expect(first).toHaveLength(100);
    expect(first).toEqual([...first].sort((a, b) => b - a));
    const last = first.at(-1) ?? 0;
    const second = await times(`after=${last}`);
    expect(second).toHaveLength(50);
    expect(Math.max(...second)).toBeLessThan(last);
    expect(await times(`before=${last}`)).toEqual(first.slice(0, -1));
    expect(await times('limit=3')).toEqual(first.slice(0, 3));
    expect(await codeOf('asset/deposit-history?after=soon')).toBe('51000');
  });

  it('hides recent records and orders while the fault history_lags is armed', async () => {
    await withdraw();
    await call('trade/order', { body: { ...order, clOrdId: 'mine' } });
    for (const endpoint of ['okx.withdrawals', 'okx.order'])
      await sandbox.arm(endpoint, 'history_lags', { delayMs: 1000 });
    expect((await call('asset/withdrawal-history')).data).toEqual([]);
    expect(await codeOf('trade/order?instId=BTC-USD&clOrdId=mine')).toBe('51603');
    expect((await call('asset/withdrawal-history')).data).toHaveLength(1);
    expect(await codeOf('trade/order?instId=BTC-USD&clOrdId=mine')).toBe('0');
  });
});

describe('an order at OKX', () => {
  const place = (more: Params = {}, headers: Params = {}) =>
    codeOf('trade/order', { body: { ...order, ...more }, headers });
  const read = async (query: string) => (await call(`trade/order?instId=BTC-USD&${query}`)).data[0];

  it.each<[string, Params, string]>([
    ['in an unknown pair', { instId: 'BTC-XYZ' }, '51001'],
    ['that the balance does not cover', { sz: '6' }, '51008_1000'],
    ['below the minimum', { sz: '0.00000001' }, '51020'],
    ['with too many digits of its price', { px: '20000.001' }, '51150'],
    ['with too many digits of its size', { sz: '0.123456789' }, '51121'],
    ['to buy at the market with a size in the quote asset', { ordType: 'market', px: undefined }, '51000'],
    ['with borrowed money', { tdMode: 'cross' }, '51000'],
  ])('%s is refused', async (_what, more, code) => {
    expect(await place(more)).toBe(code);
    expect((await sandbox.ledger(account)).orders).toEqual([]);
  });

  it('is found by its order id and by its client order id, which no second open order can have', async () => {
    expect(await place({ clOrdId: 'mine' })).toBe('0');
    expect(await place({ clOrdId: 'mine' })).toBe('51016');
    const open = await read('clOrdId=mine');
    expect(open).toMatchObject({ state: 'live', sz: '0.01', px: '20000', accFillSz: '0', avgPx: '', fee: '0' });
    expect(await read(`ordId=${String(open?.['ordId'])}`)).toEqual(open);
    expect(await codeOf(`trade/order?instId=ETH-USD&clOrdId=mine`)).toBe('51603');
  });

  it('of the type market is filled with a fee in the quote asset', async () => {
    const market = { ordType: 'market', px: undefined, tgtCcy: 'base_ccy', banAmend: true };
    expect(await place({ ...market, clOrdId: 'now' })).toBe('0');
    expect(await read('clOrdId=now')).toMatchObject({ state: 'filled', accFillSz: '0.01', feeCcy: 'USD' });
    expect(Number((await read('clOrdId=now'))?.['fee'])).toBeLessThan(0);
  });

  it('that was canceled without a trade is forgotten after two hours', async () => {
    await place({ clOrdId: 'gone' });
    const id = String((await read('clOrdId=gone'))?.['ordId']);
    await sandbox.control('POST', `orders/${id}`, { action: 'cancel' });
    sandbox.advance(2 * 60 * 60 * 1000);
    expect(await read('clOrdId=gone')).toMatchObject({ state: 'canceled' });
    sandbox.advance(1);
    expect(await read('clOrdId=gone')).toBeUndefined();
  });

  it('is refused at its deadline, and is not booked when it arrives after its deadline', async () => {
    const expTime = (ms: number) => ({ exptime: String(sandbox.clock.now.getTime() + ms) });
    expect(await place({}, expTime(0))).toBe('50036');
    expect(await place({}, expTime(1))).toBe('0');
    await sandbox.arm('okx.order.place', 'accept_late', { delayMs: 20 });
    await sandbox.arm('okx.account', 'latency', { delayMs: 60 });
    await expect(place({ clOrdId: 'late' }, expTime(500))).rejects.toThrow();
    sandbox.advance(501);
    // The faults delay the order by 20 ms and this call by 60 ms, so the exchange has handled the order when this call
    // returns.
    await call('account/config');
    expect(await codeOf('trade/order?instId=BTC-USD&clOrdId=late')).toBe('51603');
  });
});

describe('the faults of OKX', () => {
  it('remove tags, change networks of deposit addresses, and change fees of histories', async () => {
    const first = async (ccy: string) => (await call(`asset/deposit-address?ccy=${ccy}`)).data[0];
    expect(await first('XRP')).toMatchObject({
      chain: 'XRP-Ripple',
      tag: expect.any(String) as string,
      selected: true,
    });
    expect(await first('TON')).toMatchObject({ addrEx: { comment: expect.any(String) as string } });
    for (const fault of ['tag_missing', 'other_network']) await sandbox.arm('okx.deposit.addresses', fault);
    expect(await first('XRP')).not.toHaveProperty('tag');
    expect((await first('XRP'))?.['addr']).toMatch(/^0x/);
    await withdraw();
    await sandbox.arm('okx.withdrawals', 'history_other_fee');
    expect((await call('asset/withdrawal-history')).data).toMatchObject([{ amt: '0.00985', fee: '0.0003' }]);
  });
});
