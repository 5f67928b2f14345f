import { TestSandbox, type OpenedAccount } from '../../../test/sandbox.js';

describe("the sandbox exchange, given orders by ccxt's kraken class", () => {
  let sandbox: TestSandbox;
  let account: OpenedAccount;
  let client: ReturnType<TestSandbox['ccxt']>;

  beforeEach(async () => {
    sandbox = await TestSandbox.start();
    account = await sandbox.open({ balances: { BTC: '1', USD: '10000', LTC: '10', KSM: '10', XMR: '10', DASH: '10' } });
    client = sandbox.ccxt(account);
  });
  afterEach(() => sandbox.close());

  const balances = async () => (await sandbox.ledger(account)).balances;
  const move = async (pair: string, price: string) => {
    const { status, body } = await sandbox.control('POST', 'prices', { pair, price });
    expect(status).toBe(200);
    return body as { pair: string; price: string; filled: string[] };
  };
  type Client = typeof client;
  const placeAt = async (at: Client, ...order: Parameters<Client['createOrder']>) =>
    String((await at.createOrder(...order)).id);
  const place = (...order: Parameters<Client['createOrder']>) => placeAt(client, ...order);
  const add = (more: Record<string, string>) =>
    client.privatePostAddOrder({
      pair: 'XBTUSD',
      type: 'buy',
      ordertype: 'limit',
      volume: '0.01',
      price: '90000',
      ...more,
    });

  it('fills a market order at once at the best price, and charges the fee in the quote asset', async () => {
    const id = await place('BTC/USD', 'market', 'buy', 0.01);
    const order = await client.fetchOrder(id);
    expect(order).toMatchObject({ status: 'closed', filled: 0.01, average: 100000.1, side: 'buy', symbol: 'BTC/USD' });
    expect(order.fee).toMatchObject({ cost: '4.00000', currency: 'USD' });
    expect(await balances()).toMatchObject({
      BTC: { total: '1.01', held: '0' },
      USD: { total: '8995.999', held: '0' },
    });
  });

  it('credits the quote asset minus the fee for a sale', async () => {
    await client.createOrder('BTC/USD', 'market', 'sell', 0.01);
    expect(await balances()).toMatchObject({ BTC: { total: '0.99' }, USD: { total: '10995.9991' } });
  });

  it('books both sides of a trade under the id of the order', async () => {
    const id = await place('BTC/USD', 'market', 'sell', 0.01);
    const { entries } = await sandbox.ledger(account);
    expect(entries.filter(({ refid }) => refid === id)).toMatchObject([
      { type: 'trade', amount: '-0.01', fee: '0' },
      { type: 'trade', amount: '999.999', fee: '3.9999' },
    ]);
  });

  it('keeps a limit order open, and holds its maximum cost', async () => {
    const id = await place('BTC/USD', 'limit', 'buy', 0.1, 90000);
    expect(await client.fetchOrder(id)).toMatchObject({ status: 'open', price: 90000, filled: 0 });
    expect((await balances())['USD']).toEqual({ total: '10000', held: '9036', free: '964' });
    await expect(client.createOrder('BTC/USD', 'limit', 'buy', 0.1, 90000)).rejects.toThrow(
      'EOrder:Insufficient funds',
    );
    await expect(client.createOrder('BTC/USD', 'market', 'buy', 0.01)).rejects.toThrow('EOrder:Insufficient funds');
  });

  it('fills an open order at its limit, as a maker, when the price passes the limit', async () => {
    const id = await place('BTC/USD', 'limit', 'buy', 0.1, 90000);
    expect((await move('XBTUSD', '90000.1')).filled).toEqual([]);
    expect(await move('XBTUSD', '89000')).toEqual({ pair: 'XXBTZUSD', price: '89000', filled: [id] });
    expect(await client.fetchOrder(id)).toMatchObject({ status: 'closed', average: 90000, fee: { cost: '22.50000' } });
    expect(await balances()).toMatchObject({ BTC: { total: '1.1' }, USD: { total: '977.5', held: '0' } });
  });

  it('fills a limit order that crosses the market at once, at the better price, as a taker', async () => {
    const id = await place('BTC/USD', 'limit', 'sell', 0.1, 90000);
    expect(await client.fetchOrder(id)).toMatchObject({
      status: 'closed',
      average: 99999.9,
      fee: { cost: '39.99990' },
    });
  });

  it('releases the funds that a canceled order held', async () => {
    const id = await place('BTC/USD', 'limit', 'sell', 0.4, 200000);
    expect((await balances())['BTC']).toEqual({ total: '1', held: '0.4', free: '0.6' });
    await client.cancelOrder(id);
    expect((await balances())['BTC']?.held).toBe('0');
    expect(await client.fetchOrder(id)).toMatchObject({ status: 'canceled', filled: 0 });
    await expect(client.cancelOrder(id)).rejects.toThrow('EOrder:Unknown order');
    expect((await move('XBTUSD', '300000')).filled).toEqual([]);
  });

  it('lists open and closed orders separately', async () => {
    const open = await place('BTC/USD', 'limit', 'sell', 0.1, 200000, { clientOrderId: 'mine' });
    const closed = await place('LTC/USD', 'market', 'sell', 1);
    expect((await client.fetchOpenOrders()).map(({ id }) => id)).toEqual([open]);
    expect((await client.fetchClosedOrders()).map(({ id }) => id)).toEqual([closed]);
    expect(await client.fetchOpenOrders('BTC/USD', undefined, undefined, { clientOrderId: 'other' })).toEqual([]);
    expect(await client.fetchOpenOrders(undefined, undefined, undefined, { clientOrderId: 'mine' })).toMatchObject([
      { id: open, clientOrderId: 'mine' },
    ]);
  });

  it('accepts a client order id once among open orders, and cancels by it', async () => {
    await add({ cl_ord_id: 'mine' });
    await expect(add({ cl_ord_id: 'mine' })).rejects.toThrow('EGeneral:Invalid arguments:cl_ord_id not unique');
    await expect(client.privatePostCancelOrder({ cl_ord_id: 'mine' })).resolves.toMatchObject({ result: { count: 1 } });
    await add({ cl_ord_id: 'mine' });
  });

  it('assigns no id to an order with `validate`, and does not record the order', async () => {
    const response = await add({ validate: 'true', volume: '5' });
    expect(response.result).toEqual({ descr: { order: 'buy 5.00000000 XBTUSD @ limit 90000.0' } });
    expect(await client.fetchOpenOrders()).toEqual([]);
    await expect(add({ validate: 'true', price: '90000.01' })).rejects.toThrow('EOrder:Invalid price');
  });

  it('cancels an IOC order that finds no offer, and holds no funds for it', async () => {
    const { result } = (await add({ timeinforce: 'IOC' })) as { result: { txid: [string] } };
    expect(await client.fetchOrder(result.txid[0])).toMatchObject({ status: 'canceled', filled: 0 });
    expect((await balances())['USD']?.held).toBe('0');
  });

  it.each([
    ['EQuery:Unknown asset pair', { pair: 'NOPEUSD' }],
    ['EGeneral:Invalid arguments:type', { type: 'hold' }],
    ['EGeneral:Invalid arguments:ordertype', { ordertype: 'iceberg' }],
    ['EGeneral:Invalid arguments:volume', { volume: '-1' }],
    ['EGeneral:Invalid arguments:volume', { volume: '1e-3' }],
    ['EGeneral:Invalid arguments:volume', { volume: '0.000000001' }],
    ['EGeneral:Invalid arguments:price', { price: '0' }],
    ['EGeneral:Invalid arguments', { price: '' }],
    ['EGeneral:Invalid arguments:oflags', { oflags: 'viqc' }],
    ['EGeneral:Invalid arguments:leverage', { leverage: '2:1' }],
    ['EGeneral:Invalid arguments:timeinforce', { timeinforce: 'DAY' }],
    ['EGeneral:Invalid arguments:expiretm', { timeinforce: 'GTD' }],
    ['EGeneral:Invalid arguments:expiretm', { timeinforce: 'GTD', expiretm: '+4' }],
    ['EGeneral:Invalid arguments:expiretm', { timeinforce: 'GTD', expiretm: '+99999999' }],
    ['EGeneral:Invalid arguments:expiretm', { timeinforce: 'GTD', expiretm: '1700000000' }],
    ['EGeneral:Invalid arguments:expiretm', { expiretm: '+60' }],
    ['EGeneral:Invalid arguments:starttm', { starttm: '+60' }],
    ['EGeneral:Invalid arguments:cl_ord_id', { cl_ord_id: 'nineteen characters' }],
    ['EGeneral:Invalid arguments:cl_ord_id', { cl_ord_id: 'é' }],
    ['EGeneral:Invalid arguments:cl_ord_id', { cl_ord_id: 'mine', userref: '7' }],
    ['EGeneral:Invalid arguments:deadline', { deadline: '2026-11-20 12:00:30' }],
    ['EGeneral:Invalid arguments:deadline', { deadline: '2026-11-20T12:00:01.9Z' }],
    ['EGeneral:Invalid arguments:deadline', { deadline: '2026-11-20T12:01:00.001Z' }],
    ['EService:Deadline elapsed', { deadline: '2026-11-20T11:59:59Z' }],
    ['EOrder:Order minimum not met', { volume: '0.00004' }],
    ['EOrder:Cost minimum not met', { price: '1' }],
    ['EOrder:Insufficient funds', { volume: '2' }],
    ['EOrder:Post only order', { price: '110000', oflags: 'post' }],
    ['EOrder:Tick size check failed', { pair: 'LTCUSD', volume: '1', price: '90.01' }],
    ['EService:Market in cancel_only mode', { pair: 'KSMUSD', type: 'sell', volume: '1', price: '20' }],
    ['EService:Market in post_only mode', { pair: 'XMRXBT', type: 'sell', volume: '1', price: '1' }],
    ['EService:Market in limit_only mode', { pair: 'DASHUSD', ordertype: 'market', type: 'sell', volume: '1' }],
  ])('responds with %s to an order with %j and holds no funds', async (error, change) => {
    const before = await sandbox.ledger(account);
    await expect(add(change)).rejects.toThrow(error);
    expect(await sandbox.ledger(account)).toEqual(before);
  });

  it('responds with EOrder:Unknown order to an unknown id, and to the id of another account', async () => {
    const other = sandbox.ccxt(await sandbox.open({ balances: { BTC: '1' } }));
    const id = await placeAt(other, 'BTC/USD', 'limit', 'sell', 0.1, 200000);
    for (const txid of [id, 'OAAAAA-BBBBB-CCCCCC']) {
      await expect(client.privatePostQueryOrders({ txid })).rejects.toThrow('EOrder:Unknown order');
      await expect(client.privatePostCancelOrder({ txid })).rejects.toThrow('EOrder:Unknown order');
    }
  });

  it('requires the permission for open or for closed orders, depending on the state of the order', async () => {
    const keyed = await sandbox.open({ balances: { BTC: '1' }, permissions: ['modify-trades', 'query-open-trades'] });
    const limited = sandbox.ccxt(keyed);
    const open = await placeAt(limited, 'BTC/USD', 'limit', 'sell', 0.1, 200000);
    const closed = await placeAt(limited, 'BTC/USD', 'market', 'sell', 0.1);
    await expect(limited.fetchOrder(open)).resolves.toMatchObject({ status: 'open' });
    await expect(limited.fetchOrder(closed)).rejects.toThrow('EGeneral:Permission denied');
  });

  it('lowers the fees of an account that traded much, and forgets its volume after 30 days', async () => {
    const rich = sandbox.ccxt(await sandbox.open({ balances: { BTC: '1' } }));
    const volume = async () =>
      (await rich.privatePostTradeVolume({ pair: 'XBTUSD' })) as { result: { volume: string; fees: unknown } };
    expect((await volume()).result).toMatchObject({ volume: '0.0000', fees: { XXBTZUSD: { fee: '0.4000' } } });
    await rich.createOrder('BTC/USD', 'market', 'sell', 0.5);
    expect((await volume()).result).toMatchObject({
      volume: '50000.0000',
      fees: { XXBTZUSD: { fee: '0.2400', tiervolume: '50000.0000', nextfee: '0.2200', nextvolume: '100000.0000' } },
      fees_maker: { XXBTZUSD: { fee: '0.1400', minfee: '0.0000', maxfee: '0.2500' } },
    });
    expect(await rich.fetchTradingFee('BTC/USD')).toMatchObject({ taker: 0.0024, maker: 0.0014 });
    sandbox.advance(31 * 24 * 60 * 60 * 1000);
    expect((await volume()).result.volume).toBe('0.0000');
  });
});
