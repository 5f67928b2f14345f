import { randomUUID } from 'node:crypto';
import type { OrderBody, PlacedBody } from '../support/order-client.js';
import type { SandboxAccount } from '../support/sandbox.js';
import { TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';
import { execute, quote, settled, type ErrorBody } from '../support/withdrawal-client.js';

interface ThinExchange {
  id: string;
  /** Keys of one account begin with it. */
  keyPrefix?: string;
  passphrase?: string;
  /** The route of bitcoin. */
  route: string;
  /** The permissions that a ping shows. */
  permissions: string[];
}

const thinExchanges: readonly ThinExchange[] = [
  { id: 'bitget', passphrase: 'sandbox', route: 'BTC-USDT', permissions: ['readonly', 'wwow', 'trade'] },
  // The API of Gate and Bitstamp does not report the permissions of a key.
  { id: 'gate', route: 'BTC-USDT', permissions: [] },
  { id: 'gemini', keyPrefix: 'account-', route: 'BTC-USD', permissions: ['FundManager', 'Trader'] },
  { id: 'bitstamp', route: 'BTC-USD', permissions: [] },
];

interface Listing {
  transactions: { exchangeTransactionId: string; amount: number }[];
}

const DAY_MS = 86_400_000;
const READ_WITHIN_MS = 40_000;
/** Reads of a busy machine may be late. */
const PATIENT = { EXCHANGE_TIMEOUT_MS: '10000' };

/** Wallets at exchanges of which the sandbox exchange speaks a part: everything but most withdrawals. */
describe.each(thinExchanges)('a wallet at $id', ({ id, keyPrefix = '', passphrase, route, permissions }) => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let count = 0;

  beforeAll(async () => {
    app = await TestApp.create({
      ...{ worker: true, env: PATIENT },
      overrides: { TRANSACTION_SYNC_SWEEP_MS: 50, TRANSACTION_SYNC_PAGE_PAUSE_MS: 0, QUEUE_LEASE_MS: 500 },
    });
    project = await app.project();
  });
  afterEach(() => app.sandbox.calm());
  afterAll(() => app.close());

  const open = (): Promise<SandboxAccount> =>
    app.sandbox.open({
      balances: { BTC: '5', USD: '100000', USDT: '100000' },
      ...(keyPrefix !== '' && { apiKey: `${keyPrefix}${randomUUID()}` }),
    });

  function connect({ apiKey, apiSecret }: Pick<SandboxAccount, 'apiKey' | 'apiSecret'>) {
    const walletId = `${id}-${++count}`;
    const http = project.http.with({ 'x-svc-wallet-id': walletId });
    const body = { apiKey, apiSecret, ...(passphrase !== undefined && { apiPassphrase: passphrase }) };
    return { walletId, http, answer: http.post<ErrorBody>(`/v0/wallet/${id}/connect`, { body }) };
  }

  async function wallet(): Promise<TestWallet> {
    const account = await open();
    const { walletId, http, answer } = connect(account);
    const { status, body } = await answer;
    expect([status, body]).toEqual([201, expect.anything()]);
    return { walletId, account, http };
  }

  it('is connected, and shows its balances and what its key may do', async () => {
    const { http } = await wallet();
    const { body } = await http.get<{ balances: Record<string, { total: number }> }>('/v0/wallet');
    expect(body.balances['BTC']).toMatchObject({ total: 5 });
    const ping = await http.get<{ status: string; permissions: string[] }>('/v0/wallet/ping');
    expect([ping.status, ping.body]).toEqual([200, expect.objectContaining({ status: 'SUCCESS' })]);
    expect(ping.body.permissions).toEqual(permissions);
  });

  it('is not connected with another secret, nor with a revoked key', async () => {
    const account = await open();
    const refused = await connect({ ...account, apiSecret: Buffer.from('another').toString('base64') }).answer;
    expect([refused.status, refused.body.type]).toEqual([400, 'WALLET_INVALID_CREDENTIALS']);
    await app.sandbox.revoke(account);
    const revoked = await connect(account).answer;
    expect([revoked.status, revoked.body.type]).toEqual([400, 'WALLET_INVALID_CREDENTIALS']);
  });

  it('has deposit addresses, and the history of its account', async () => {
    const account = await open();
    const daysAgo = (days: number) => new Date(app.clock.now().getTime() - days * DAY_MS);
    const past = { from: daysAgo(240), to: daysAgo(90) };
    await app.sandbox.makeHistory(account, { deposits: 130, withdrawals: 120, asset: 'BTC', ...past });
    const { http, answer } = connect(account);
    expect((await answer).status).toBe(201);
    const address = await http.get<{ network: string }>('/v0/wallet/deposit/address?asset=ETH&network=ethereum');
    expect([address.status, address.body]).toEqual([200, expect.objectContaining({ network: 'ethereum' })]);
    const { deposits, withdrawals } = await app.sandbox.records(account);
    const deadline = Date.now() + READ_WITHIN_MS;
    const read = async () => (await http.get<Listing>('/v0/wallet/transactions', { query: { limit: 1000 } })).body;
    let shown = await read();
    while (shown.transactions.length < deposits.length + withdrawals.length) {
      expect(Date.now()).toBeLessThan(deadline);
      shown = await read();
    }
    const inOrder = (rows: unknown[]) => rows.toSorted((a, b) => String(a).localeCompare(String(b)));
    expect(inOrder(shown.transactions.map((one) => [one.exchangeTransactionId, one.amount]))).toEqual(
      inOrder([...deposits, ...withdrawals].map(({ refid, amount }) => [refid, Number(amount)])),
    );
  });

  it('places a limit order, which is found after its answer was lost', async () => {
    const { http, account } = await wallet();
    const endpoint = id === 'bitstamp' ? 'bitstamp.order.sell' : `${id}.order.place`;
    await app.sandbox.arm({ endpoint, fault: 'answer_lost', apiKey: account.apiKey });
    const placing = http.with({ 'idempotency-key': randomUUID() });
    const body = { routeId: `${id}:spot:${route}`, volume: '0.0125', side: 'sell', type: 'limit', price: '20000' };
    const first = await placing.post<PlacedBody>('/v0/wallet/trade/order', { body });
    expect([first.status, first.body]).toEqual([200, expect.objectContaining({ status: 'unknown' })]);
    await placing.post<PlacedBody>('/v0/wallet/trade/order', { body });
    const read = await http.get<OrderBody>(`/v0/wallet/trade/order/${first.body.orderId}`);
    expect(read.body).toMatchObject({ status: 'filled', executedVolume: '0.0125' });
    expect(await app.sandbox.orders(account)).toHaveLength(1);
  });
});

it('withdraws from Bitget over Lightning, the only network whose amount Bitget documents', async () => {
  const app = await TestApp.create({ worker: true, env: PATIENT });
  try {
    const project = await app.project();
    const account = await app.sandbox.open({ balances: { BTC: '5' } });
    const http = project.http.with({ 'x-svc-wallet-id': 'lightning' });
    const { apiKey, apiSecret } = account;
    await http.post('/v0/wallet/bitget/connect', { body: { apiKey, apiSecret, apiPassphrase: 'sandbox' } });
    const [saved] = account.withdrawalAddresses.filter(
      ({ asset, network }) => asset === 'BTC' && network === 'Lightning',
    );
    const address = saved?.address ?? '';
    const made = await quote({ http }, { asset: 'BTC', network: 'lightning', amount: '0.01', address });
    expect([made.status, made.body]).toEqual([200, expect.anything()]);
    const { body } = await execute({ http }, made.body.id);
    const done = await settled(app, { http }, body.result.transactionId, 5_000);
    expect(done).toMatchObject({ status: 'ok', network: 'lightning' });
    expect(await app.sandbox.withdrawals(account)).toMatchObject([{ amount: '0.01', status: 'Success' }]);
    const elsewhere = await quote({ http }, { asset: 'BTC', network: 'bitcoin', amount: '0.01', address });
    expect(elsewhere.body.type).toBe('WITHDRAWAL_NETWORK_NOT_SUPPORTED');
  } finally {
    await app.close();
  }
});
