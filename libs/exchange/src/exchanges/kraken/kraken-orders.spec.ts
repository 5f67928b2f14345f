import { Amount } from '#money';
import { ExchangeHarness } from '../../testing/exchange-harness.js';
import { documented, refusal, result, speakKraken } from '../../testing/kraken-documentation.js';
import type { OrderInstruction, TradingCapability } from '../../port/trading.port.js';

const OPEN_ID = 'OQCGAF-YRMIQ-AMJTNJ';
const CLOSED_ID = 'O37652-RJWRT-IMO74O';
const QUERIED_ID = 'OBCMZD-JIEE7-77TH3F';
const open = documented.OpenOrders.open[OPEN_ID];
const closed = documented.ClosedOrders.closed[CLOSED_ID];
const queried = documented.QueryOrders[QUERIED_ID];
/** The parameters with which the order was placed. */
const request = { pair: 'XBTUSD' };
const notBefore = new Date('2023-06-30T18:08:13.900Z');

describe('orders at Kraken', () => {
  let harness: ExchangeHarness;
  let trading: TradingCapability;

  beforeAll(async () => {
    harness = await ExchangeHarness.start({ EXCHANGE_TIMEOUT_MS: '400' });
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    speakKraken(harness.stub);
    harness.stub.calls.length = 0;
    trading = await harness.trading();
  });

  describe('prepare():', () => {
    const instruction: OrderInstruction = {
      exchangeSymbol: 'XBTUSD',
      side: 'buy',
      type: 'limit',
      volume: Amount.of('1e-7'),
      price: Amount.of('37500.50'),
      clientOrderId: '6d1b345e-2821-40e2-ad83-4ecb18a06876',
      submissionDeadline: new Date('2026-11-21T19:00:30.900Z'),
    };

    it('returns exactly what will be sent: plain decimals, our id, and the deadline', () => {
      expect(trading.prepare(instruction)).toEqual({
        request: {
          pair: 'XBTUSD',
          type: 'buy',
          ordertype: 'limit',
          volume: '0.0000001',
          price: '37500.5',
          oflags: 'fciq',
          cl_ord_id: '6d1b345e-2821-40e2-ad83-4ecb18a06876',
          deadline: '2026-11-21T19:00:30Z',
        },
        submissionDeadline: new Date('2026-11-21T19:00:30Z'),
      });
    });

    it('returns no price for a market order', () => {
      const { request } = trading.prepare({ ...instruction, side: 'sell', type: 'market', price: null });
      expect(request).toMatchObject({ type: 'sell', ordertype: 'market' });
      expect(Object.keys(request)).not.toContain('price');
    });

    it('sends nothing to the exchange', () => {
      trading.prepare(instruction);
      expect(harness.stub.calls).toEqual([]);
    });
  });

  it('have client order ids in the documented form: random without a name, and equal for equal names', () => {
    const ids = Array.from({ length: 100 }, () => trading.newClientOrderId());
    ids.push(trading.newClientOrderId('a name'), trading.newClientOrderId('another'));
    expect(new Set(ids).size).toBe(102);
    expect(trading.newClientOrderId('a name')).toBe(ids[100]);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  describe('read():', () => {
    it("converts the order, and keeps Kraken's own entry", async () => {
      expect(await trading.read({ exchangeId: QUERIED_ID, request, notBefore })).toEqual({
        exchangeId: QUERIED_ID,
        clientOrderId: null,
        status: 'filled',
        rawStatus: 'closed',
        limitPrice: Amount.of('27500'),
        volume: Amount.of('1.25'),
        executedVolume: Amount.of('1.25'),
        cost: Amount.of('27526.2'),
        averagePrice: Amount.of('27500'),
        fees: [{ asset: null, amount: Amount.of('26.2') }],
        openedAt: new Date(1688665496781),
        closedAt: new Date(1688665499192),
        description: { pair: 'XBTUSD', side: 'buy', type: 'limit' },
        raw: queried,
      });
      expect(harness.stub.callsOf('QueryOrders')[0]?.params).toMatchObject({ txid: QUERIED_ID });
    });

    it.each([
      ['pending', 'open'],
      ['open', 'open'],
      ['closed', 'filled'],
      ['canceled', 'canceled'],
      ['expired', 'expired'],
      ['replaced', 'unknown'],
      ['constructor', 'unknown'],
    ])('converts the status %s to %s', async (rawStatus, status) => {
      const vol = status === 'open' ? '2.5' : queried.vol;
      harness.stub.on('QueryOrders', () => result({ [QUERIED_ID]: { ...queried, vol, status: rawStatus } }));
      expect(await trading.read({ exchangeId: QUERIED_ID, request, notBefore })).toMatchObject({ status, rawStatus });
    });

    it('reads an open order, which has no closing time', async () => {
      harness.stub.on('QueryOrders', () => result({ [OPEN_ID]: open }));
      expect(await trading.read({ exchangeId: OPEN_ID, request, notBefore })).toMatchObject({
        status: 'open',
        executedVolume: Amount.zero,
        averagePrice: Amount.zero,
        closedAt: null,
      });
    });

    it('keeps all 18 decimals', async () => {
      const vol = '123456789.123456789123456789';
      harness.stub.on('QueryOrders', () =>
        result({ [QUERIED_ID]: { ...queried, vol, vol_exec: vol, fee: '0.000000000000000001' } }),
      );
      const { volume, fees } = await trading.read({ exchangeId: QUERIED_ID, request, notBefore });
      expect([volume, fees?.[0]?.amount].map(String)).toEqual([vol, '0.000000000000000001']);
    });

    it('reports that there is no such order when Kraken calls the order unknown', async () => {
      harness.stub.on('QueryOrders', () => refusal('EOrder:Unknown order'));
      const expected = { kind: 'refused', code: 'TRADING_ORDER_NOT_FOUND', rawCode: 'EOrder:Unknown order' };
      await expect(trading.read({ exchangeId: QUERIED_ID, request, notBefore })).rejects.toMatchObject(expected);
    });

    it.each<[string, object]>([
      ['without the order, which the key may not be allowed to read', {}],
      ['of another order', { [OPEN_ID]: open }],
      ['without a status', { [QUERIED_ID]: { ...queried, status: '' } }],
      ['without a volume', { [QUERIED_ID]: { ...queried, vol: undefined } }],
      ['with an invalid volume', { [QUERIED_ID]: { ...queried, vol: 'a lot' } }],
      ['with a negative volume', { [QUERIED_ID]: { ...queried, vol_exec: '-1' } }],
      ['that is a list', [queried]],
    ])('refuses a response %s', async (_what, response) => {
      harness.stub.on('QueryOrders', () => result(response));
      await expect(trading.read({ exchangeId: QUERIED_ID, request, notBefore })).rejects.toMatchObject({
        name: 'ExchangeError',
        kind: 'unavailable',
      });
    });

    it.each([
      ['EAPI:Invalid key', { kind: 'credentials_invalid' }],
      ['EGeneral:Permission denied', { kind: 'permission_missing' }],
      ['EAPI:Rate limit exceeded', { kind: 'rate_limited' }],
      ['EService: Throttled: 1788471234', { kind: 'rate_limited' }],
      ['EService:Unavailable', { kind: 'unavailable' }],
    ])('fails after the refusal %s', async (rawCode, expected) => {
      harness.stub.on('QueryOrders', () => refusal(rawCode));
      await expect(trading.read({ exchangeId: QUERIED_ID, request, notBefore })).rejects.toMatchObject({
        ...expected,
        rawCode,
      });
    });
  });

  describe('find():', () => {
    const sought = { clientOrderId: closed.cl_ord_id, request, notBefore };
    const nothing = { open: {} };
    /** A page of closed orders with client order ids that are not ours. */
    const others = (from: number, count: number): object =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`O-${from + at}`, { ...closed, cl_ord_id: `other-${from + at}` }]),
      );

    it('finds an open order', async () => {
      const found = await trading.find({ clientOrderId: open.cl_ord_id, request, notBefore });
      expect(found).toMatchObject({ exchangeId: OPEN_ID, clientOrderId: open.cl_ord_id, status: 'open', raw: open });
      expect(harness.stub.callsOf('OpenOrders')[0]?.params).toMatchObject({ cl_ord_id: open.cl_ord_id });
    });

    it('finds a closed order in the list that begins in the second before `notBefore`', async () => {
      harness.stub.on('OpenOrders', () => result(nothing));
      expect(await trading.find(sought)).toMatchObject({ exchangeId: CLOSED_ID, status: 'canceled' });
      const [call] = harness.stub.callsOf('ClosedOrders');
      expect(call?.params).toMatchObject({ cl_ord_id: closed.cl_ord_id, start: '1688148492', ofs: '0' });
      expect(Object.keys(call?.params ?? {})).not.toContain('userref');
    });

    it('reads open orders before closed orders, to find an order that closes during the search', async () => {
      await trading.find(sought);
      expect(harness.stub.calls.map(({ endpoint }) => endpoint)).toEqual(['OpenOrders', 'ClosedOrders']);
    });

    it('reads every page, also where the exchange ignores the requested id', async () => {
      harness.stub.on('OpenOrders', () => result(nothing));
      const pages = new Map([
        ['0', others(0, 50)],
        ['50', { ...others(50, 49), [CLOSED_ID]: closed }],
      ]);
      harness.stub.on('ClosedOrders', ({ params }) => result({ closed: pages.get(params['ofs'] ?? '') ?? {} }));
      expect(await trading.find(sought)).toMatchObject({ exchangeId: CLOSED_ID });
    });

    it('returns null only after the last page', async () => {
      harness.stub.on('OpenOrders', () => result(nothing));
      const pages = new Map([
        ['0', others(0, 50)],
        ['50', others(50, 7)],
      ]);
      harness.stub.on('ClosedOrders', ({ params }) => result({ closed: pages.get(params['ofs'] ?? '') ?? {} }));
      expect(await trading.find(sought)).toBeNull();
      expect(harness.stub.callsOf('ClosedOrders').map(({ params }) => params['ofs'])).toEqual(['0', '50', '57']);
    });

    it('fails for an endless listing instead of returning null', async () => {
      harness.stub.on('OpenOrders', () => result(nothing));
      harness.stub.on('ClosedOrders', ({ params }) => result({ closed: others(Number(params['ofs']), 50) }));
      await expect(trading.find(sought)).rejects.toMatchObject({ kind: 'unavailable' });
    });

    const unclear: [string, object][] = [
      ['with an unreadable id', { ...closed, cl_ord_id: 7 }],
      ['with our id that is unreadable', { ...closed, vol: null }],
      ['with our id that contradicts itself', { ...closed, vol_exec: '0.002' }],
      ['without an id, which may be ours', { ...closed, cl_ord_id: null }],
    ];
    it.each(unclear)('fails because of an entry %s, instead of treating it as another order', async (_what, entry) => {
      harness.stub.on('OpenOrders', () => result(nothing));
      harness.stub.on('ClosedOrders', ({ params }) =>
        result({ closed: params['ofs'] === '0' ? { 'O-1': entry } : {} }),
      );
      await expect(trading.find(sought)).rejects.toMatchObject({ kind: 'unavailable' });
      harness.stub.on('ClosedOrders', () => result({ closed: {} }));
      harness.stub.on('OpenOrders', () => result({ open: { 'O-1': entry } }));
      await expect(trading.find(sought)).rejects.toMatchObject({ kind: 'unavailable' });
    });

    it('finds our order beside an unreadable entry', async () => {
      harness.stub.on('OpenOrders', () => result({ open: { 'O-1': {}, [CLOSED_ID]: closed } }));
      expect(await trading.find(sought)).toMatchObject({ exchangeId: CLOSED_ID });
    });

    it.each(['OpenOrders', 'ClosedOrders', 'GetApiKeyInfo'])(
      'needs the response of %s to prove that there is no order',
      async (endpoint) => {
        harness.stub.on('OpenOrders', () => result(nothing));
        harness.stub.on('ClosedOrders', () => result({ closed: {} }));
        expect(await trading.find(sought)).toBeNull();
        trading = await harness.trading();
        harness.stub.on(endpoint, () => refusal('EGeneral:Permission denied'));
        await expect(trading.find(sought)).rejects.toMatchObject({ kind: 'permission_missing' });
        harness.stub.on(endpoint, () => result(null));
        await expect(trading.find(sought)).rejects.toMatchObject({ kind: 'unavailable' });
      },
    );

    it.each<[string, object]>([
      ['until a moment that is past', { queryFrom: '0', queryTo: '1688148999' }],
      ['from a later moment on', { queryFrom: '1688148494', queryTo: '0' }],
      [
        'until a past moment, stated in snake_case',
        { queryFrom: undefined, queryTo: undefined, query_from: '0', query_to: '1688148999' },
      ],
      [
        'from a later moment on, stated in snake_case',
        { queryFrom: undefined, queryTo: undefined, query_from: 1688148494, query_to: 0 },
      ],
    ])('proves no absence with a key that may read only orders %s', async (_what, sight) => {
      harness.stub.on('OpenOrders', () => result(nothing));
      harness.stub.on('ClosedOrders', () => result({ closed: {} }));
      harness.stub.on('GetApiKeyInfo', () => result({ ...documented.GetApiKeyInfo, ...sight }));
      await expect(trading.find(sought)).rejects.toMatchObject({ kind: 'unavailable' });
    });

    it('reads the period that the key may read only if a proof is needed, and caches it', async () => {
      harness.stub.on('OpenOrders', () => result(nothing));
      harness.stub.on('ClosedOrders', () => result({ closed: {} }));
      expect(await trading.find({ ...sought, isProofNeeded: false })).toBeNull();
      expect(harness.stub.callsOf('GetApiKeyInfo')).toHaveLength(0);
      for (let looks = 0; looks < 3; looks++) expect(await trading.find(sought)).toBeNull();
      expect(harness.stub.callsOf('GetApiKeyInfo')).toHaveLength(1);
    });

    it('proves the absence with a key that may read the whole period', async () => {
      harness.stub.on('OpenOrders', () => result(nothing));
      harness.stub.on('ClosedOrders', () => result({ closed: {} }));
      const sight = { queryFrom: '1688148493', queryTo: '4102444800' };
      harness.stub.on('GetApiKeyInfo', () => result({ ...documented.GetApiKeyInfo, ...sight }));
      expect(await trading.find(sought)).toBeNull();
    });
  });
});
