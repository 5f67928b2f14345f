import { until } from '#platform/testing';
import type { OrderItem } from '#trading';
import { TestApp, type TestProjectWithClient, type TestWallet } from '../../api/test/support/test-app.js';
import { CommandLine, type Outcome } from './command-line.js';

/** An order that stays open. */
const WAITING = { routeId: 'kraken:spot:BTC-USD', volume: '0.0125', price: '175000.5' };

let app: TestApp;
let project: TestProjectWithClient;
let wallet: TestWallet;
let cli: CommandLine;

beforeEach(async () => {
  app = await TestApp.create({
    worker: true,
    // A slow machine answers every call within this time.
    env: { EXCHANGE_TIMEOUT_MS: '10000', EXCHANGE_SUBMIT_TIMEOUT_MS: '10000' },
    overrides: { ORDER_FRESH_MS: 0 },
  });
  cli = new CommandLine(app.env);
  project = await app.project();
  wallet = await app.wallet(project, { balances: { BTC: '5', USD: '100000' } });
});
afterEach(() => app.close());

/** Places an order whose outcome is unknown, and that the worker no longer searches for. */
async function inReview(fault: 'answer_lost' | 'request_lost'): Promise<string> {
  const { apiKey } = wallet.account;
  // The first order of a wallet is sent only when its key may search for orders.
  await wallet.causeway.placeOrder({ ...WAITING, volume: '0.02' });
  await app.sandbox.arm({ endpoint: 'AddOrder', fault, apiKey });
  for (const endpoint of ['OpenOrders', 'ClosedOrders'])
    await app.sandbox.arm({ endpoint, fault: 'error_before', count: null, apiKey });
  const { orderId, status } = await wallet.causeway.placeOrder(WAITING);
  expect(status).toBe('unknown');
  expect(await list()).toEqual([]);
  await app.asOwner(`update orders set next_check_at = null where id = '${orderId}'`);
  return orderId;
}

const list = (...args: string[]): Promise<OrderItem[]> =>
  cli.json<OrderItem[]>('orders', 'list', '--wallet', wallet.walletId, ...args);
const settle = (id: string, ...args: string[]): Promise<Outcome> =>
  cli.run(['orders', 'settle', id, '--by', 'Ada', ...args]);
const refused = (text: RegExp): object => ({ code: 1, err: expect.stringMatching(text) as string });

describe('orders on the command line', () => {
  it('are listed, shown and settled as placed while they wait for an operator, and the worker then follows them', async () => {
    const id = await inReview('answer_lost');
    const made = (await app.sandbox.orders(wallet.account)).at(-1);
    const exchangeId = made?.id ?? '';
    expect(await list()).toMatchObject([{ id, state: 'unknown', isInReview: true, exchange: 'kraken' }]);
    const placed = ['--outcome', 'placed', '--exchange-id', exchangeId];
    expect((await cli.run(['orders', 'show', id])).out).toMatch(/THE EXCHANGE NOW\nthe exchange cannot be queried/);
    await app.sandbox.calm();
    expect((await cli.run(['orders', 'show', id])).out).toMatch(new RegExp(`ITS ORDER\n +exchange id +${exchangeId}`));
    const absent = ['--outcome', 'not_placed', '--reason', 'not there', '--confirm-not-placed'];
    expect(await settle(id, ...absent)).toMatchObject(refused(/The exchange shows the order as .* so it was placed/));
    expect(await settle(id, '--outcome', 'placed')).toMatchObject(refused(/exchangeId is required/));
    expect(await settle(id, '--outcome', 'placed', '--exchange-id', 'OXXXXX-XXXXX-XXXXXX')).toMatchObject(
      refused(/does not show the order .*; explain with --reason/),
    );
    expect(await settle(id, ...placed)).toMatchObject({ code: 0, err: '' });
    expect(await list()).toEqual([]);
    await app.sandbox.fillOrder(exchangeId);
    await until('the worker follows the order', async () => {
      const { status } = await wallet.causeway.getOrder({ orderId: id });
      return status === 'filled';
    });
    expect(await settle(id, ...placed)).toMatchObject(refused(/operators decide only orders in review/));
    expect(await cli.json('audit', 'list', project.organizationId, '--limit', '1')).toMatchObject([
      { actor: 'Ada', action: 'order.settled', subject: id, details: { outcome: 'placed', exchangeId } },
    ]);
    expect(await cli.run(['audit', 'verify'])).toMatchObject({ code: 0 });
  });

  it('are settled as not placed only with a reason, with a confirmation, and when the exchange can be queried', async () => {
    const id = await inReview('request_lost');
    const absent = ['--outcome', 'not_placed'];
    expect(await settle(id, ...absent)).toMatchObject(refused(/reason is required/));
    const reasoned = [...absent, '--reason', 'not there'];
    expect(await settle(id, ...reasoned)).toMatchObject(refused(/Make sure at the exchange/));
    const confirmed = [...reasoned, '--confirm-not-placed'];
    expect(await settle(id, ...confirmed)).toMatchObject(refused(/cannot be queried now/));
    await app.sandbox.calm();
    expect(await settle(id, ...confirmed)).toMatchObject({ code: 0, err: '' });
    expect(await wallet.causeway.getOrder({ orderId: id })).toMatchObject({
      status: 'canceled',
      rawStatus: 'not_placed',
    });
    expect((await wallet.causeway.placeOrder(WAITING)).status).toBe('open');
  });

  it('are not settled while the worker still searches for them', async () => {
    const { apiKey } = wallet.account;
    await app.sandbox.arm({ endpoint: 'AddOrder', fault: 'request_lost', apiKey });
    const { orderId } = await wallet.causeway.placeOrder(WAITING);
    expect(await settle(orderId, '--outcome', 'not_placed', '--reason', 'x', '--confirm-not-placed')).toMatchObject(
      refused(/The worker still searches for the order/),
    );
    expect(await list('--state', 'unknown')).toMatchObject([{ id: orderId, isInReview: false }]);
  });
});
