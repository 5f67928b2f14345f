import type { Answer } from '../support/documented-responses.js';
import type { PairStatus } from '../support/sandbox.js';
import { TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';

const ROUTE = 'kraken:spot:ETH-USD';
const PAIR = 'ETHUSD';
const DEADLINE_MS = 15_000;
const NONE = { status: 409, type: 'TRADING_ROUTE_UNAVAILABLE' };

interface Body {
  type?: string;
  result?: { status?: string; orderTypes?: string[] };
}

/**
 * The catalogue shows a new status of a market only minutes after the exchange has changed it. An order must get the
 * same response before and after the catalogue shows the new status.
 */
describe('an order on a route that is not fully open', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let wallet: TestWallet;

  beforeAll(async () => {
    app = await TestApp.create({ env: { ORDER_RATE_PER_MINUTE: '1000' }, overrides: { CATALOGUE_FORCED_SECONDS: 1 } });
    project = await app.project();
    wallet = await app.wallet(project, { balances: { ETH: '100', USD: '100000' } });
  });
  afterEach(() => moveTo('online'));
  afterAll(() => app.close());

  const place = async (price: string | null, key?: string) => {
    const body = { routeId: ROUTE, volume: '0.1', ...(price !== null && { price }) };
    const http = wallet.http.with(key === undefined ? {} : { 'idempotency-key': key });
    const answer: Answer<Body> = await http.post('/v0/wallet/trade/order', { body });
    const { result = {}, type } = answer.body;
    return { status: answer.status, type, result: { status: result.status, orderTypes: result.orderTypes } };
  };
  const statusOfRoute = async (): Promise<string | undefined> => {
    const { body } = await project.http.get<{ routes: { status: string }[] }>('/v0/wallet/trade/tradable-assets', {
      query: { exchange: 'kraken', source: 'ETH', destination: 'USD' },
      headers: { 'cache-control': 'no-cache' },
    });
    return body.routes[0]?.status;
  };
  /** Sets the status of the market, and waits until the catalogue shows it. */
  async function moveTo(status: PairStatus): Promise<void> {
    await app.sandbox.setPairStatus(PAIR, status);
    const deadline = Date.now() + DEADLINE_MS;
    while ((await statusOfRoute()) !== status) {
      app.clock.advance(1_000);
      if (Date.now() > deadline) throw new Error(`the catalogue does not show ${status}`);
    }
  }

  it.each([
    ['cancel_only', 'market', null, { ...NONE, result: { status: 'cancel_only' } }],
    ['cancel_only', 'limit', '9000.01', { ...NONE, result: { status: 'cancel_only' } }],
    ['post_only', 'market', null, { ...NONE, result: { status: 'post_only' } }],
    ['post_only', 'limit', '9000.01', { ...NONE, result: { status: 'post_only' } }],
    ['reduce_only', 'market', null, { ...NONE, result: { status: 'reduce_only' } }],
    ['reduce_only', 'limit', '9000.01', { ...NONE, result: { status: 'reduce_only' } }],
    [
      'limit_only',
      'market',
      null,
      { status: 400, type: 'TRADING_ORDER_TYPE_NOT_SUPPORTED', result: { orderTypes: ['limit'] } },
    ],
    ['limit_only', 'limit', '9000.01', { status: 200, result: {} }],
  ] as const)(
    'gets the same response before and after the catalogue shows the status %s: %s order',
    async (status, _type, price, expected) => {
      await moveTo('online');
      await app.sandbox.setPairStatus(PAIR, status);
      expect(await place(price)).toEqual(expected);
      await moveTo(status);
      expect(await place(price)).toEqual(expected);
    },
  );

  it('can succeed under the same Idempotency-Key after a temporary refusal that was decided before it was sent', async () => {
    await moveTo('limit_only');
    expect(await place(null, 'patient')).toMatchObject({ type: 'TRADING_ORDER_TYPE_NOT_SUPPORTED' });
    await moveTo('online');
    expect(await place(null, 'patient')).toMatchObject({ status: 200 });
  });

  it('keeps the refusal of the exchange under its Idempotency-Key, because the order was sent', async () => {
    await moveTo('online');
    await app.sandbox.setPairStatus(PAIR, 'limit_only');
    expect(await place(null, 'sent')).toMatchObject({ type: 'TRADING_ORDER_TYPE_NOT_SUPPORTED' });
    await app.sandbox.setPairStatus(PAIR, 'online');
    expect(await place(null, 'sent')).toMatchObject({ type: 'TRADING_ORDER_TYPE_NOT_SUPPORTED' });
    expect(await place(null, 'new')).toMatchObject({ status: 200 });
  });
});
