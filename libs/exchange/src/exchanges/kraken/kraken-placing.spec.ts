import fc from 'fast-check';
import { Amount } from '#money';
import { ExchangeHarness } from '../../testing/exchange-harness.js';
import { documented, refusal, result } from '../../testing/kraken-documentation.js';
import type { Behaviour, ReceivedCall, StubExchange } from '../../testing/stub-exchange.js';
import type { OrderInstruction, OrderOutcome, PreparedOrder, TradingCapability } from '../../port/trading.port.js';

const [TXID] = documented.AddOrder.txid;
const notBefore = new Date(0);

/** An exchange that creates each order once, even when the response is lost, and lists the orders. */
class OrderBook {
  readonly made: ReceivedCall['params'][] = [];

  constructor(private readonly stub: StubExchange) {
    stub.on('OpenOrders', ({ params }) => result({ open: this.listed(params['cl_ord_id']) }));
    stub.on('ClosedOrders', () => result({ closed: {} }));
    this.response(() => result(documented.AddOrder));
  }

  response(behaviour: Behaviour): void {
    this.stub.on('AddOrder', (call, response) => {
      this.made.push(call.params);
      return behaviour(call, response);
    });
  }

  private listed(clientOrderId: string | undefined): object {
    const template = documented.OpenOrders.open['OQCGAF-YRMIQ-AMJTNJ'];
    const orders = this.made
      .map((params, at) => ({ id: at === 0 ? TXID : `${TXID}-${at}`, params }))
      .filter(({ params }) => params['cl_ord_id'] === clientOrderId);
    return Object.fromEntries(
      orders.map(({ id, params }) => [id, { ...template, cl_ord_id: clientOrderId, vol: params['volume'] }]),
    );
  }
}

describe('placing an order at Kraken', () => {
  let harness: ExchangeHarness;
  let trading: TradingCapability;
  let book: OrderBook;
  let sent: number;

  beforeAll(async () => {
    harness = await ExchangeHarness.start({ EXCHANGE_TIMEOUT_MS: '400', EXCHANGE_SUBMIT_TIMEOUT_MS: '300' });
    trading = await harness.trading();
  });
  afterAll(() => harness.close());
  beforeEach(() => {
    harness.stub.calls.length = 0;
    book = new OrderBook(harness.stub);
    sent = 0;
  });

  const prepare = (rest: Partial<OrderInstruction> = {}): PreparedOrder =>
    trading.prepare({
      exchangeSymbol: 'XBTUSD',
      side: 'buy',
      type: 'limit',
      volume: Amount.of('2.1234'),
      price: Amount.of('25000.1'),
      clientOrderId: trading.newClientOrderId(),
      submissionDeadline: new Date(Date.now() + 30_000),
      ...rest,
    });
  const place = (prepared: PreparedOrder): Promise<OrderOutcome> =>
    trading.place(prepared, { beforeSend: () => void sent++ });
  const idOf = ({ request }: PreparedOrder): string => request['cl_ord_id'] ?? '';

  it('returns the ids and the description of the accepted order', async () => {
    expect(await place(prepare())).toEqual({
      kind: 'accepted',
      exchangeIds: [TXID],
      description: 'buy 2.12340000 XBTUSD @ limit 25000.1 with 2:1 leverage',
      answer: { status: 200, body: result(documented.AddOrder) },
    });
    expect(sent).toBe(1);
  });

  it('needs no description in the response', async () => {
    book.response(() => result({ txid: [TXID, 'O-2'] }));
    expect(await place(prepare())).toMatchObject({ exchangeIds: [TXID, 'O-2'], description: null });
  });

  it('sends exactly the prepared parameters, once, on a dedicated connection', async () => {
    const prepared = prepare();
    await trading.read({ exchangeId: 'O-1', request: prepared.request, notBefore: new Date() }).catch(() => undefined);
    await place(prepared);
    const [before, add] = harness.stub.calls;
    expect(add?.params).toEqual({ ...prepared.request, nonce: expect.any(String) as string });
    expect(add?.connection).not.toBe(before?.connection);
    expect(harness.stub.callsOf('AddOrder')).toHaveLength(1);
  });

  const responsesThatProveNothing: [string, Behaviour][] = [
    ['a connection that is dropped', (_call, { socket }) => void socket?.destroy()],
    ['success with an empty id', () => result({ txid: [''] })],
    ['success with an id that is not a list', () => result({ txid: TXID })],
    [
      'a response with both an id and an error',
      () => ({ ...refusal('EOrder:Insufficient funds'), result: documented.AddOrder }),
    ],
    ['a used nonce, because the request was delivered twice', () => refusal('EAPI:Invalid nonce')],
    ['an id that is in use', () => refusal('EGeneral:Invalid arguments:cl_ord_id not unique')],
  ];
  it.each(responsesThatProveNothing)(
    'has an unknown outcome after %s, and our id finds the order',
    async (_what, behaviour) => {
      const prepared = prepare();
      book.response(behaviour);
      expect(await place(prepared)).toMatchObject({ kind: 'unknown' });
      expect([sent, book.made.length, harness.stub.callsOf('AddOrder').length]).toEqual([1, 1, 1]);

      const found = await trading.find({ clientOrderId: idOf(prepared), request: prepared.request, notBefore });
      expect(found).toMatchObject({ exchangeId: TXID, status: 'open', volume: Amount.of('2.1234') });
      const sought = { clientOrderId: trading.newClientOrderId(), request: prepared.request, notBefore };
      expect(await trading.find(sought)).toBeNull();
    },
  );

  it('has an unknown outcome when Kraken calls the key invalid', async () => {
    book.response(() => refusal('EAPI:Invalid key'));
    expect(await place(prepare())).toMatchObject({ kind: 'unknown' });
  });

  describe('an order amount at Kraken', () => {
    /** The decimal without an exponent or a needless zero, computed without the tested code. */
    const decimal = (units: bigint, places: number): string => {
      const digits = units.toString().padStart(places + 1, '0');
      const whole = digits.slice(0, digits.length - places);
      const fraction = digits.slice(digits.length - places).replace(/0+$/, '');
      return fraction === '' ? whole : `${whole}.${fraction}`;
    };
    const sentWith = async (volume: string, price: string): Promise<string[]> => {
      harness.stub.calls.length = 0;
      await place(prepare({ volume: Amount.of(volume), price: Amount.of(price) }));
      const params = harness.stub.callsOf('AddOrder')[0]?.params;
      return [params?.['volume'] ?? '', params?.['price'] ?? ''];
    };
    /** Amounts as [units of the last decimal place, number of decimal places], with at most 38 digits. */
    const amounts = fc.tuple(fc.bigInt({ min: 1n, max: 10n ** 38n - 1n }), fc.integer({ min: 0, max: 18 }));
    /** Tick sizes, among them some that are not powers of ten. */
    const ticks = fc.constantFrom<[bigint, number]>([5n, 1], [25n, 2], [25n, 4], [125n, 3], [3n, 0], [7n, 8], [1n, 18]);

    it.each([
      ['1e-7', '0.0000001'],
      ['1E-18', '0.000000000000000001'],
      ['0.10', '0.1'],
      ['1e3', '1000'],
      ['12345678901234567890.123456789012345678', '12345678901234567890.123456789012345678'],
    ])('of %s is sent as %s', async (text, expected) => {
      expect(await sentWith(text, text)).toEqual([expected, expected]);
    });

    it('is sent as its exact decimal, for every volume and every multiple of every tick', async () => {
      const cases = fc.record({ volume: amounts, tick: ticks, count: fc.bigInt({ min: 1n, max: 10n ** 15n }) });
      const property = fc.asyncProperty(cases, async ({ volume: [units, places], tick: [tick, scale], count }) => {
        const expected = [decimal(units, places), decimal(tick * count, scale)] as const;
        expect(await sentWith(...expected)).toEqual(expected);
      });
      await fc.assert(property);
    });
  });
});
