import { TestSandbox, type OpenedAccount } from '../../../test/sandbox.js';

const MINUTE_MS = 60_000;

interface Listed {
  status: string;
  opentm: number;
  expiretm: number;
  closetm?: number;
  vol_exec: string;
  reason?: string | null;
}

describe('an order of Kraken’s protocol', () => {
  let sandbox: TestSandbox;
  let account: OpenedAccount;
  let client: ReturnType<TestSandbox['ccxt']>;

  beforeEach(async () => {
    sandbox = await TestSandbox.start();
    account = await sandbox.open({ balances: { BTC: '10', USD: '10000' } });
    client = sandbox.ccxt(account);
  });
  afterEach(() => sandbox.close());

  const in_ = (ms: number) => new Date(sandbox.clock.now.getTime() + ms).toISOString();
  const params = (more: Record<string, string> = {}) => ({
    pair: 'XBTUSD',
    type: 'sell',
    ordertype: 'limit',
    volume: '0.01',
    price: '110000',
    ...more,
  });
  const add = async (more: Record<string, string> = {}) => {
    const { result } = (await client.privatePostAddOrder(params(more))) as { result: { txid: [string] } };
    return result.txid[0];
  };
  /** Sends without ccxt, which would wait for a response that never comes. */
  const send = (more: Record<string, string>) =>
    sandbox.call(account, 'AddOrder', { nonce: String(client.nonce()), ...params(more) });
  const query = async (...ids: string[]) =>
    ((await client.privatePostQueryOrders({ txid: ids.join(',') })) as { result: Record<string, Listed> }).result;
  const open = async (more: object = {}) => {
    const { result } = (await client.privatePostOpenOrders(more)) as { result: { open: Record<string, Listed> } };
    return Object.keys(result.open);
  };
  const closed = async (more: object = {}) => {
    const { result } = (await client.privatePostClosedOrders(more)) as {
      result: { closed: Record<string, Listed>; count?: number };
    };
    return { ids: Object.keys(result.closed), count: result.count };
  };
  const orders = async () => (await sandbox.ledger(account)).orders;
  const control = async (path: string, body: object) => {
    const response = await sandbox.control('POST', path, body);
    expect(response.status).toBe(200);
    return response.body;
  };

  it('is created when it arrives before its deadline, and not when it arrives after its deadline', async () => {
    await add({ deadline: in_(2000) });
    await sandbox.arm('AddOrder', 'accept_late', { delayMs: 200 });
    await expect(send({ deadline: in_(5000), cl_ord_id: 'late' })).rejects.toThrow();
    sandbox.advance(5001);
    // The response to this call takes 300 ms, so the exchange has carried out the order with a delay of 200 ms by then.
    await sandbox.arm('AddOrder', 'slow', { delayMs: 300 });
    await send({ cl_ord_id: 'after' });
    expect(await open({ cl_ord_id: 'late' })).toEqual([]);
    expect(await orders()).toHaveLength(2);
  });

  it.each([
    ['request_lost', 'dropped', 0],
    ['answer_lost', 'dropped', 1],
    ['error_before', 502, 0],
    ['error_after', 502, 1],
    ['slow', 200, 1],
    ['http_429', 429, 0],
    ['malformed_before', 200, 0],
    ['malformed_after', 200, 1],
    ['empty_after', 200, 1],
    ['result_null_after', 200, 1],
    ['duplicate_answer', 200, 1],
    ['rate_limit', 200, 0],
    ['definite_refusal', 200, 0],
    ['service_unavailable', 200, 0],
  ])('meets the fault %s of AddOrder: the response is %s, and %d orders are created', async (fault, answered, made) => {
    await sandbox.arm('AddOrder', fault, { delayMs: 5, error: 'EOrder:Insufficient funds' });
    const response = await send({ cl_ord_id: 'mine' }).catch(() => null);
    expect(response?.status ?? 'dropped').toBe(answered);
    expect(await open({ cl_ord_id: 'mine' })).toHaveLength(made);
  });

  it.each([
    [10_000, 'EService:Deadline elapsed'],
    [-60_000, 'EGeneral:Invalid arguments:deadline'],
  ])("is refused because of its deadline when the exchange's clock is off by %d ms: %s", async (delayMs, error) => {
    await sandbox.arm('AddOrder', 'clock_jump', { delayMs });
    await expect(add({ deadline: in_(5000) })).rejects.toThrow(error);
    expect(await orders()).toEqual([]);
  });

  it('is created even when it arrives late, if it has no deadline', async () => {
    await sandbox.arm('AddOrder', 'accept_late', { delayMs: 50 });
    await expect(send({ cl_ord_id: 'late' })).rejects.toThrow();
    const deadline = Date.now() + 4000;
    while ((await orders()).length === 0 && Date.now() < deadline) await sandbox.control('GET', 'faults');
    expect(await open({ cl_ord_id: 'late' })).toHaveLength(1);
  });

  it.each(['6d1b345e-2821-40e2-ad83-4ecb18a06876', 'da8e4ad59b78481c93e589746b0cf91f', 'arb-20240509-00010'])(
    'accepts %s as a client order id, once among open orders',
    async (id) => {
      const txid = await add({ cl_ord_id: id });
      await expect(add({ cl_ord_id: id })).rejects.toThrow('EGeneral:Invalid arguments:cl_ord_id not unique');
      expect(await open({ cl_ord_id: id })).toEqual([txid]);
      await client.privatePostCancelOrder({ txid });
      expect((await closed({ cl_ord_id: id })).ids).toEqual([txid]);
    },
  );

  it('expires at its good-till date, and then holds no funds', async () => {
    const absolute = Math.floor(sandbox.clock.now.getTime() / 1000) + 60;
    const ids = [
      await add({ timeinforce: 'GTD', expiretm: '+60' }),
      await add({ timeinforce: 'GTD', expiretm: String(absolute) }),
    ];
    expect(Object.values(await query(...ids)).map(({ status, expiretm }) => [status, expiretm])).toEqual([
      ['open', absolute],
      ['open', absolute],
    ]);
    sandbox.advance(2 * MINUTE_MS);
    await control('prices', { pair: 'XBTUSD', price: '120000' });
    for (const order of Object.values(await query(...ids))) {
      expect(order).toMatchObject({ status: 'expired', closetm: absolute });
      expect(Number(order.vol_exec)).toBe(0);
    }
    expect((await sandbox.ledger(account)).balances['BTC']).toEqual({ total: '10', held: '0', free: '10' });
    expect((await closed()).ids.sort()).toEqual([...ids].sort());
  });

  it('is listed on pages of 50 closed orders, which times or order ids can limit', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 52; index += 1) {
      ids.unshift(await add({ ordertype: 'market', volume: '0.0001' }));
      sandbox.advance(1000);
    }
    const [newest = '', second = ''] = ids;
    const oldest = ids.at(-1) ?? '';
    expect(await closed()).toEqual({ ids: ids.slice(0, 50), count: 52 });
    expect(await closed({ ofs: '50' })).toEqual({ ids: ids.slice(50), count: 52 });
    expect(await closed({ start: second })).toEqual({ ids: [newest], count: 1 });
    expect(await closed({ end: oldest, without_count: 'true' })).toEqual({ ids: [oldest], count: undefined });
    const now = sandbox.clock.now.getTime() / 1000;
    expect((await closed({ start: now - 2 })).ids).toEqual([newest]);
    expect((await closed({ start: now - 3, end: now - 2, closetime: 'open' })).ids).toEqual([second]);
    await expect(closed({ closetime: 'ever' })).rejects.toThrow('EGeneral:Invalid arguments');
    expect(Object.keys(await query(newest, oldest)).sort()).toEqual([newest, oldest].sort());
    await expect(query(...ids)).rejects.toThrow('EGeneral:Invalid arguments');
  });

  it('is listed by its opening or its closing time, as requested', async () => {
    const txid = await add();
    sandbox.advance(10 * MINUTE_MS);
    await client.privatePostCancelOrder({ txid });
    const since = sandbox.clock.now.getTime() / 1000 - 60;
    expect((await closed({ start: since, closetime: 'open' })).ids).toEqual([]);
    expect((await closed({ start: since, closetime: 'close' })).ids).toEqual([txid]);
    expect((await closed({ start: since })).ids).toEqual([txid]);
  });

  it.each(['OpenOrders', 'ClosedOrders', 'QueryOrders'])(
    'is hidden from %s for the delay of the fault history_lags',
    async (name) => {
      const txid = await add();
      if (name === 'ClosedOrders') await client.privatePostCancelOrder({ txid });
      const seen = async () => {
        if (name === 'OpenOrders') return open();
        if (name === 'ClosedOrders') return (await closed()).ids;
        return query(txid).then(Object.keys, (error: Error) => error.message);
      };
      await sandbox.arm(name, 'history_lags', { delayMs: MINUTE_MS, count: 2 });
      expect(await seen()).toEqual(name === 'QueryOrders' ? expect.stringContaining('EOrder:Unknown order') : []);
      sandbox.advance(MINUTE_MS + 1);
      expect(await seen()).toEqual([txid]);
    },
  );

  it('can be canceled, expired, held back and filled by the control API', async () => {
    const [canceled, expired, pending] = [await add(), await add(), await add({ cl_ord_id: 'held' })];
    await control(`orders/${canceled}`, { action: 'cancel', reason: 'Because' });
    await control(`orders/${expired}`, { action: 'expire' });
    await control(`orders/${pending}`, { action: 'pend' });
    expect(await query(canceled, expired, pending)).toMatchObject({
      [canceled]: { status: 'canceled', reason: 'Because' },
      [expired]: { status: 'expired' },
      [pending]: { status: 'pending' },
    });
    expect(await open()).toEqual([pending]);
    await expect(add({ cl_ord_id: 'held' })).rejects.toThrow('EGeneral:Invalid arguments:cl_ord_id not unique');
    expect(await control('prices', { pair: 'XBTUSD', price: '120000' })).toMatchObject({ filled: [] });
    await control(`orders/${pending}`, { action: 'open' });
    await control(`orders/${pending}`, { action: 'fill', volume: '0.004', price: '115000' });
    expect(await query(pending)).toMatchObject({ [pending]: { status: 'open', misc: 'partial', price: '115000.0' } });
    await control(`orders/${pending}`, { action: 'fill' });
    expect(await query(pending)).toMatchObject({
      // 0.004 were executed at 115000, and 0.006 at 110000.
      [pending]: { status: 'closed', cost: '1120.00000', price: '112000.0', fee: '2.80000' },
    });
  });

  it.each([
    [404, 'OAAAAA-BBBBB-CCCCCC', { action: 'cancel' }],
    [422, null, { action: 'fill', volume: '0.02' }],
    [422, null, { action: 'fill', price: '109999' }],
    [422, null, { action: 'fill', price: '110000.01' }],
    [422, null, { action: 'sell' }],
  ])(
    'stays unchanged after a call of the control API that fails with HTTP %s: order %s, body %j',
    async (status, id, body) => {
      const txid = id ?? (await add());
      expect((await sandbox.control('POST', `orders/${txid}`, body)).status).toBe(status);
      expect(await orders()).toEqual(
        id === null ? [expect.objectContaining({ status: 'open', executedVolume: '0' })] : [],
      );
    },
  );

  it('cannot be filled by the control API after its end', async () => {
    const txid = await add({ timeinforce: 'GTD', expiretm: '+5' });
    sandbox.advance(5000);
    expect((await sandbox.control('POST', `orders/${txid}`, { action: 'fill' })).status).toBe(409);
    expect(await query(txid)).toMatchObject({ [txid]: { status: 'expired' } });
  });

  it.each([
    ['cancel_only', {}, 'EService:Market in cancel_only mode'],
    ['reduce_only', {}, 'EService:Market in reduce_only mode'],
    ['maintenance', {}, 'EService:Unavailable'],
    ['post_only', {}, 'EService:Market in post_only mode'],
    ['limit_only', { ordertype: 'market' }, 'EService:Market in limit_only mode'],
  ])('is refused while its market is %s', async (status, more, error) => {
    const waiting = await add();
    await control('pairs', { pair: 'XBTUSD', status });
    await expect(add(more)).rejects.toThrow(error);
    const listed = (await fetch(`${sandbox.url}/0/public/AssetPairs?pair=XBTUSD`)).json();
    expect(await listed).toMatchObject({ result: { XXBTZUSD: { status } } });
    await client.privatePostCancelOrder({ txid: waiting });
    await control('pairs', { pair: 'XBTUSD', status: 'online' });
    await add(more);
  });
});
