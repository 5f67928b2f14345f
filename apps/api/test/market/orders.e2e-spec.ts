import { randomUUID } from 'node:crypto';
import type { Input, Output } from '#client';
import { until, withoutRules } from '#platform/testing';
import type { Answer } from '../support/documented-responses.js';
import { refusalOf } from '../support/causeway-client.js';
import { PartnerSandbox } from '../support/partner-sandbox.js';
import { TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';
import type { ErrorBody } from '../support/withdrawal-client.js';

type Order = Output<'getOrder'>;
type Placed = Output<'placeOrder'>;

const ORDER = '/v0/wallet/trade/order';
/** A limit price far above the market, so that the order stays open. */
const WAITING = { routeId: 'kraken:spot:BTC-USD', volume: '0.0125', price: '175000.5' };

describe('orders', () => {
  let app: TestApp;
  let project: TestProjectWithClient;

  beforeAll(async () => {
    app = await TestApp.create({
      worker: true,
      env: {
        ORDER_RATE_PER_MINUTE: '4',
        EXCHANGE_TIMEOUT_MS: '10000',
        EXCHANGE_SUBMIT_TIMEOUT_MS: '10000',
      },
      overrides: {
        ORDER_SWEEP_MS: 50,
        ORDER_CHECK_SECONDS: 1,
        ORDER_CHECK_MAX_SECONDS: 1,
        ORDER_FRESH_MS: 0,
        ORDER_DEADLINE_SECONDS: 10,
        ORDER_SETTLE_SECONDS: 50,
        ORDER_LEASE_MS: 12_000,
        ORDER_SPACING_SECONDS: 0,
        CATALOGUE_FORCED_SECONDS: 1,
      },
    });
    project = await app.project();
  });
  afterEach(() => app.sandbox.calm());
  afterAll(() => app.close());

  const trader = (balances = { BTC: '5', USD: '100000' }): Promise<TestWallet> => app.wallet(project, { balances });
  const place = (
    { http }: Pick<TestWallet, 'http'>,
    terms: Record<string, unknown> = {},
    key?: string,
  ): Promise<Answer<Placed & ErrorBody>> =>
    http.with(key === undefined ? {} : { 'idempotency-key': key }).post(ORDER, { body: { ...WAITING, ...terms } });
  const placed = ({ causeway }: TestWallet, terms: Partial<Input<'placeOrder'>> = {}): Promise<Placed> =>
    causeway.placeOrder({ ...WAITING, ...terms });
  const read = ({ causeway }: TestWallet, orderId: string): Promise<Order> => causeway.getOrder({ orderId });
  const told = async (orderId: string): Promise<Record<string, unknown>[]> => {
    const rows = await app.db.query<{ data: Record<string, unknown> }>(
      `select data from events where type = 'order.updated' and subject = $1 order by id`,
      [orderId],
    );
    return rows.map(({ data }) => data);
  };
  /** Places an order at the exchange and loses the response. */
  const lose = async (wallet: TestWallet, fault: string): Promise<Placed & { terms: { volume: string } }> => {
    const terms = { volume: '0.0125' };
    await app.sandbox.arm({ endpoint: 'AddOrder', fault, apiKey: wallet.account.apiKey });
    const { status, body } = await place(wallet, terms);
    expect([status, body.status, body.txid, body.rawResponse]).toEqual([200, 'unknown', [], {}]);
    expect(body.description).toBe(`sell ${terms.volume} BTC/USD @ limit 175000.5`);
    return { ...body, terms };
  };
  /** Returns the number of calls that place orders, and the number of orders at the exchange. */
  const countsAt = async ({ account }: TestWallet): Promise<[number, number]> => [
    await app.sandbox.countCalls(account, 'AddOrder'),
    (await app.sandbox.orders(account)).length,
  ];

  describe('at the exchange', () => {
    it('of the type market are filled at once', async () => {
      const wallet = await trader();
      const body = await placed(wallet, { price: undefined, routeId: 'kraken:spot:BTC/USD' });
      const [made] = await app.sandbox.orders(wallet.account);
      expect(body).toEqual({
        orderId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        txid: [made?.id],
        exchange: 'kraken',
        routeId: 'kraken:spot:BTC-USD',
        description: 'sell 0.01250000 XBTUSD @ market',
        rawResponse: expect.objectContaining({ error: [], result: expect.objectContaining({ txid: [made?.id] }) }),
        status: 'open',
      });
      const order = await read(wallet, body.orderId);
      expect(order).toMatchObject({
        orderId: body.orderId,
        exchange: 'kraken',
        status: 'filled',
        rawStatus: 'closed',
        volume: '0.0125',
        executedVolume: '0.0125',
        description: { pair: 'XBTUSD', side: 'sell', type: 'market' },
      });
      for (const name of ['cost', 'fee', 'averagePrice'] as const) {
        expect([name, Number(order[name])]).toEqual([name, Number(made?.[name])]);
        expect(order[name]).toMatch(/^[1-9]\d*(\.\d+)?$|^0\.\d+$/);
      }
      const now = app.clock.now().getTime() / 1_000;
      for (const seconds of [order.openedAt, order.closedAt]) expect(Math.abs((seconds ?? 0) - now)).toBeLessThan(60);
      expect(order.rawResponse).toMatchObject({ status: 'closed', cl_ord_id: made?.clientOrderId });
    });

    it('with a limit stay open, can be filled in part, and keep the filled part when they are canceled', async () => {
      const wallet = await trader();
      const { orderId, txid } = await placed(wallet, { side: 'buy', price: '20000.1', volume: '0.5' });
      expect(await read(wallet, orderId)).toMatchObject({
        status: 'open',
        rawStatus: 'open',
        executedVolume: '0',
        averagePrice: '0',
        closedAt: null,
      });
      await app.sandbox.fillOrder(txid[0] ?? '', { volume: '0.2' });
      expect(await read(wallet, orderId)).toMatchObject({
        status: 'open',
        executedVolume: '0.2',
        averagePrice: '20000.1',
      });
      await app.sandbox.moveOrder(txid[0] ?? '', 'cancel');
      const order = await read(wallet, orderId);
      expect(order).toMatchObject({ status: 'canceled', rawStatus: 'canceled', volume: '0.5', executedVolume: '0.2' });
      expect(order.closedAt).not.toBeNull();
    });

    it('are followed by the worker until they are final, with one event for each change', async () => {
      const wallet = await trader();
      const filled = await placed(wallet);
      const expired = await placed(wallet, { price: '180000' });
      await app.sandbox.moveOrder(expired.txid[0] ?? '', 'pend');
      await until('the event pending', async () => (await told(expired.orderId)).at(-1)?.['rawStatus'] === 'pending');
      await app.sandbox.fillOrder(filled.txid[0] ?? '');
      await app.sandbox.moveOrder(expired.txid[0] ?? '', 'expire');
      await until('the event filled', async () => (await told(filled.orderId)).at(-1)?.['status'] === 'filled');
      await until('the event expired', async () => (await told(expired.orderId)).at(-1)?.['status'] === 'expired');
      const last = (await told(filled.orderId)).at(-1);
      const order = await read(wallet, filled.orderId);
      expect(last).toEqual({ ...order, walletId: wallet.walletId, routeId: 'kraken:spot:BTC-USD' });
      const statuses = (await told(expired.orderId)).map(({ rawStatus }) => rawStatus);
      expect(statuses.filter((status, index) => status === statuses[index - 1] && status !== 'open')).toEqual([]);

      // The API returns final orders from its own table.
      await app.sandbox.arm({ endpoint: '*', fault: 'error_before', count: null, apiKey: wallet.account.apiKey });
      expect((await read(wallet, filled.orderId)).status).toBe('filled');
    });
  });

  describe('whose response is lost', () => {
    it('have the status unknown until they are found, and exist once at the exchange', async () => {
      const wallet = await trader();
      const { orderId, terms } = await lose(wallet, 'answer_lost');
      await until('the order is found', async () => (await read(wallet, orderId)).status !== 'unknown');
      const order = await read(wallet, orderId);
      expect(order).toMatchObject({ status: 'open', rawStatus: 'open', ...terms });
      expect(await app.sandbox.orders(wallet.account)).toHaveLength(1);
    });

    it('are also found by the worker, and block identical orders until they are found', async () => {
      const wallet = await trader();
      const { apiKey } = wallet.account;
      // The first order of a wallet is sent only when its key may search for orders.
      await placed(wallet, { volume: '0.02' });
      await app.sandbox.arm({ endpoint: 'OpenOrders', fault: 'error_before', count: null, apiKey });
      const { orderId, terms } = await lose(wallet, 'malformed_after');
      const unread = await refusalOf(read(wallet, orderId));
      expect([unread.status, unread.code]).toEqual([502, 'TRADING_PROVIDER_ERROR']);
      const { status, body } = await place(wallet, terms);
      expect([status, body.type, body.result]).toEqual([409, 'GENERIC_INVALID_REQUEST', { orderId }]);
      await app.sandbox.calm();
      await until('the event open', async () => (await told(orderId)).at(-1)?.['status'] === 'open');
      expect(await app.sandbox.orders(wallet.account)).toHaveLength(2);
      expect((await place(wallet, terms)).status).toBe(200);
    });

    it('are declared not placed when the exchange can no longer place them', async () => {
      const wallet = await trader();
      await app.sandbox.arm({ endpoint: 'AddOrder', fault: 'request_lost', apiKey: wallet.account.apiKey });
      const { body } = await place(wallet);
      expect([body.status, (await read(wallet, body.orderId)).status]).toEqual(['unknown', 'unknown']);
      app.clock.advance(65_000);
      await until('the order is found', async () => (await read(wallet, body.orderId)).status !== 'unknown');
      const order = await read(wallet, body.orderId);
      expect(order).toMatchObject({ status: 'canceled', rawStatus: 'not_placed', executedVolume: '0', closedAt: null });
      expect(await countsAt(wallet)).toEqual([1, 0]);
    });
  });

  describe('under an Idempotency-Key', () => {
    it('are placed once, and every repeat gets the first response', async () => {
      const wallet = await trader();
      const key = randomUUID();
      const [first, second] = [await place(wallet, {}, key), await place(wallet, {}, key)];
      expect(second.body).toEqual(first.body);
      expect(second.headers['idempotent-replayed']).toBe('true');
      expect((await place(wallet, { volume: '0.02' }, key)).status).toBe(422);
      expect(await countsAt(wallet)).toEqual([1, 1]);
    });

    it('are returned from the table of orders when the stored response is missing', async () => {
      const wallet = await trader();
      const key = randomUUID();
      const first = await place(wallet, {}, key);
      await app.asOwner(`delete from idempotent_responses where key = '${key}'`);
      const second = await place(wallet, {}, key);
      expect(second.body).toEqual(first.body);
      expect(await countsAt(wallet)).toEqual([1, 1]);
    });

    it('are returned from the table of orders even after an earlier repeat was refused', async () => {
      const wallet = await trader();
      const key = randomUUID();
      const first = await place(wallet, {}, key);
      await app.asOwner(`delete from idempotent_responses where key = '${key}'`);
      const row = `id = (select wallet_id from orders where id = '${first.body.orderId}')`;
      await app.asOwner(`update wallets set deleted_at = now() where ${row}`);
      expect((await place(wallet, {}, key)).body.type).toBe('WALLET_NOT_FOUND');
      await withoutRules(app.ownerUrl, `update wallets set deleted_at = null where ${row}`);
      expect((await place(wallet, {}, key)).body).toEqual(first.body);
      expect(await countsAt(wallet)).toEqual([1, 1]);
    });

    it('get the same refusal again when the exchange has refused them', async () => {
      const wallet = await trader({ BTC: '0.01', USD: '1' });
      const key = randomUUID();
      const refused = [await place(wallet, {}, key), await place(wallet, {}, key)];
      for (const { status, body } of refused) {
        expect([status, body.type, body.result?.reason]).toEqual([
          400,
          'GENERIC_INVALID_REQUEST',
          'insufficient_balance',
        ]);
      }
      expect(await countsAt(wallet)).toEqual([1, 0]);
    });
  });

  describe('are refused', () => {
    const refused = async (wallet: Pick<TestWallet, 'http'>, terms: Record<string, unknown>): Promise<unknown[]> => {
      const { status, body } = await place(wallet, terms);
      return [status, body.type];
    };

    it('at an exchange without trading, when they are placed and when they are read', async () => {
      const wallet = await new PartnerSandbox(app, project).wallet({ mode: 'none', methods: [], relation: 'AND' });
      expect(await refused(wallet, {})).toEqual([400, 'TRADING_EXCHANGE_NOT_SUPPORTED']);
      const { status, body } = await wallet.http.get<ErrorBody>(`${ORDER}/${randomUUID()}`);
      expect([status, body.type]).toEqual([400, 'TRADING_EXCHANGE_NOT_SUPPORTED']);
    });

    it('for invalid fields, unknown routes and broken rules of the route, without a call to the exchange', async () => {
      const wallet = await trader();
      for (const terms of [
        ...[{ volume: '1e-7' }, { volume: '-1' }, { volume: '0' }, { volume: 0.01 }, { volume: undefined }],
        ...[{ volume: '0.00001' }, { volume: '0.000000001' }],
      ]) {
        const { status, body } = await place(wallet, terms);
        expect([status, body.type]).toEqual([400, 'GENERIC_VALIDATION_ERROR']);
        expect(new Set(body.result?.fields?.map(({ field }) => field))).toEqual(new Set(['volume']));
      }
      for (const terms of [
        { price: '175000.55' },
        { price: 'NaN' },
        { type: 'market' },
        { type: 'limit', price: undefined },
      ]) {
        const { body } = await place(wallet, terms);
        expect(body.result?.fields?.map(({ field }) => field)).toContain('price');
      }
      for (const side of ['short', null]) {
        expect(await refused(wallet, { side })).toEqual([400, 'GENERIC_VALIDATION_ERROR']);
      }
      for (const type of ['stop', null]) {
        expect(await refused(wallet, { type })).toEqual([400, 'GENERIC_VALIDATION_ERROR']);
      }
      for (const routeId of ['kraken:spot:BTC-XYZ', 'gemini:spot:BTC-USD', 'kraken:margin:BTC-USD', '*']) {
        expect(await refused(wallet, { routeId })).toEqual([404, 'TRADING_ROUTE_NOT_FOUND']);
      }
      expect(await refused(wallet, { routeId: '' })).toEqual([400, 'GENERIC_VALIDATION_ERROR']);
      expect(await countsAt(wallet)).toEqual([0, 0]);
    });

    it('for a price of null, unless the type is market, because the client may have lost the price', async () => {
      const wallet = await trader();
      for (const terms of [{ price: null }, { price: null, type: 'limit' }]) {
        const { status, body } = await place(wallet, terms);
        expect([status, body.type]).toEqual([400, 'GENERIC_VALIDATION_ERROR']);
        expect(body.result?.fields).toEqual([
          { field: 'price', message: expect.stringMatching(/leave price out or send "type": "market"/) },
        ]);
      }
      expect(await countsAt(wallet)).toEqual([0, 0]);
      expect((await place(wallet, { price: null, type: 'market' })).status).toBe(200);
    });

    it('when the route accepts no orders or not this order type, even before the catalogue shows this', async () => {
      const wallet = await trader();
      const eth = { routeId: 'kraken:spot:ETH-USD', price: '9000.01', volume: '0.1' };
      // The catalogue still shows the pair as open, so the refusal comes from the exchange.
      await app.sandbox.setPairStatus('ETHUSD', 'cancel_only');
      const key = randomUUID();
      const early = await place(wallet, { ...eth, side: 'buy' }, key);
      expect([early.status, early.body.type]).toEqual([409, 'TRADING_ROUTE_UNAVAILABLE']);
      const route = async (): Promise<string | undefined> =>
        (
          await project.causeway.getTradableAssets(
            { exchange: 'kraken', source: 'ETH', destination: 'USD' },
            { cacheControl: 'no-cache' },
          )
        ).routes[0]?.status;
      await until('the route is cancel_only', async () => (await route()) === 'cancel_only');
      const calls = await countsAt(wallet);
      expect(await refused(wallet, eth)).toEqual([409, 'TRADING_ROUTE_UNAVAILABLE']);
      await app.sandbox.setPairStatus('ETHUSD', 'limit_only');
      await until('the route is limit_only', async () => (await route()) === 'limit_only');
      expect(await refused(wallet, { ...eth, price: null, type: 'market' })).toEqual([
        400,
        'TRADING_ORDER_TYPE_NOT_SUPPORTED',
      ]);
      expect(await countsAt(wallet)).toEqual(calls);
      await app.sandbox.setPairStatus('ETHUSD', 'online');
      // The refusal is stored for the Idempotency-Key, because the order was sent.
      expect((await place(wallet, { ...eth, side: 'buy' }, key)).status).toBe(409);
      expect((await place(wallet, { ...eth, side: 'buy' }, randomUUID())).status).toBe(200);
    });

    it('with an error code for each kind of refusal by the exchange', async () => {
      const readOnly = await app.wallet(project, { balances: { BTC: '5' }, permissions: ['query-funds'] });
      const missing = await place(readOnly);
      expect([missing.status, missing.body.type, missing.body.result?.reason]).toEqual([
        422,
        'TRADING_PROVIDER_ERROR',
        'permission_missing',
      ]);
      const wallet = await trader();
      const busy = { fault: 'definite_refusal', error: 'EOrder:Rate limit exceeded' };
      await app.sandbox.arm({ endpoint: 'AddOrder', ...busy, apiKey: wallet.account.apiKey });
      const paused = await place(wallet);
      expect([paused.status, paused.body.type, paused.headers['retry-after']]).toEqual([
        429,
        'GENERIC_RATE_LIMIT_EXCEEDED',
        '10',
      ]);
      await app.sandbox.revoke(wallet.account);
      expect(await refused(wallet, {})).toEqual([400, 'WALLET_INVALID_CREDENTIALS']);
      expect((await wallet.causeway.getWallet()).invalidApi).toBe(true);
    });

    it('above the limit of orders for each wallet and minute', async () => {
      const wallet = await trader();
      for (let count = 0; count < 4; count++) await placed(wallet);
      const { status, body, headers } = await place(wallet);
      expect([status, body.type, headers['retry-after']]).toEqual([429, 'GENERIC_RATE_LIMIT_EXCEEDED', '60']);
    });
  });

  it('are not found from another wallet or project or by a wrong id, and require the scope trade', async () => {
    const wallet = await trader();
    const { orderId } = await placed(wallet);
    const stranger = await app.project();
    const theirs = await app.wallet(stranger);
    for (const http of [(await trader()).http, theirs.http]) {
      const { status, body } = await http.get<ErrorBody>(`${ORDER}/${orderId}`);
      expect([status, body.type]).toEqual([404, 'TRADING_ORDER_NOT_FOUND']);
    }
    for (const id of [randomUUID(), 'x', '0', `${orderId}0`]) {
      const { status, body } = await wallet.http.get<ErrorBody>(`${ORDER}/${id}`);
      expect([id, status, body.type]).toEqual([id, 404, 'TRADING_ORDER_NOT_FOUND']);
    }
    const foreign = stranger.http.with({ 'x-svc-wallet-id': wallet.walletId });
    for (const { status, body } of [
      await place({ http: foreign }),
      await foreign.get<ErrorBody>(`${ORDER}/${orderId}`),
    ]) {
      expect([status, body.type]).toEqual([404, 'WALLET_NOT_FOUND']);
    }
    const reader = await app.project({ scopes: ['read', 'quote', 'withdrawal'] });
    const unscoped = reader.http.with({ 'x-svc-wallet-id': wallet.walletId });
    for (const { status, body } of [
      await place({ http: unscoped }),
      await unscoped.get<ErrorBody>(`${ORDER}/${orderId}`),
    ]) {
      expect([status, body.type, body.missing]).toEqual([403, 'APIKEY_INSUFFICIENT_PERMISSIONS', ['trade']]);
    }
    expect((await project.http.post<ErrorBody>(ORDER, { body: WAITING })).body.type).toBe('GENERIC_VALIDATION_ERROR');
    expect(await countsAt(wallet)).toEqual([1, 1]);
  });
});
