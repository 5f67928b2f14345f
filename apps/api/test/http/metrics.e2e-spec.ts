import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { MetricsServer } from '#platform/metrics';
import { withoutRules } from '#platform/testing';
import { Exposition } from '../support/exposition.js';
import { TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';

const IN_BOTH = [
  'causeway_build_info',
  'causeway_database_clock_difference_seconds',
  'causeway_database_pool',
  'causeway_database_silence_seconds',
  'causeway_database_writable',
  'causeway_enrichments_total',
  'causeway_exchange_callers',
  'causeway_exchange_clock_difference_seconds',
  'causeway_exchange_pause_left_seconds',
  'causeway_exchange_pauses',
  'causeway_exchange_request_seconds',
  'causeway_exchange_unreadable_entries_total',
  'causeway_http_request_seconds',
  'causeway_periodic_task_failing_seconds',
  'causeway_ticker_age_seconds',
  'nodejs_eventloop_lag_p99_seconds',
];
const IN_WORKER = [
  'causeway_disputed_refusals',
  'causeway_event_oldest_seconds',
  'causeway_queue_jobs',
  'causeway_queue_lag_seconds',
  'causeway_ticker_refreshes_total',
  'causeway_transaction_records_total',
  'causeway_transaction_syncs_overdue',
  'causeway_transaction_syncs_total',
  'causeway_unmatched_records',
  'causeway_wallet_sync_lag_seconds',
  'causeway_wallet_syncs_total',
  'causeway_wallets_overdue',
  'causeway_webhook_dispatch_lag_seconds',
  'causeway_webhook_oldest_due_seconds',
  'causeway_withdrawal_oldest_unresolved_seconds',
  'causeway_withdrawals',
];
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-/i;

describe('the metrics of API and worker', () => {
  let app: TestApp;
  let urls: { api: string; worker: string };
  let project: TestProjectWithClient;
  let wallet: TestWallet;
  let transactionId: string;

  beforeAll(async () => {
    app = await TestApp.create({
      worker: true,
      env: { EXCHANGE_TIMEOUT_MS: '10000', EXCHANGE_SUBMIT_TIMEOUT_MS: '10000' },
      overrides: { METRICS_KEEP_MS: 0 },
    });
    const serve = (of: typeof app.api) => of.get(MetricsServer).listen(0, '127.0.0.1');
    urls = { api: await serve(app.api), worker: await serve(app.worker) };
    project = await app.project();
    wallet = await app.wallet(project, { settle: 'manual' });
    transactionId = await withdraw();
    await wallet.http.get(`/v0/wallet/transaction/${transactionId}`);
    await wallet.http.get('/v0/wallet/no-such-thing');
  });
  afterAll(() => app.close());

  async function withdraw(): Promise<string> {
    const [address] = wallet.account.withdrawalAddresses.filter(
      ({ asset, network }) => asset === 'BTC' && network === 'Bitcoin',
    );
    const order = { asset: 'BTC', network: 'bitcoin', amount: '0.01', address: address?.address };
    const quote = await wallet.http.post<{ id: string }>('/v0/wallet/withdraw/quote', { body: order });
    const done = await wallet.http.put<{ result: { transactionId: string } }>(
      `/v0/wallet/withdraw/${quote.body.id}/execute`,
      { body: {} },
    );
    return done.body.result.transactionId;
  }

  const both = () => Promise.all([Exposition.scrape(urls.api), Exposition.scrape(urls.worker)]);

  it('are valid line by line in the text format of Prometheus, and have the expected names', async () => {
    const [api, worker] = await both();
    expect([...api.types.keys()]).toEqual(expect.arrayContaining(IN_BOTH));
    expect([...worker.types.keys()]).toEqual(expect.arrayContaining([...IN_BOTH, ...IN_WORKER]));
    expect([...api.types.keys()].filter((name) => IN_WORKER.includes(name))).toEqual([]);
  });

  it('have no id, wallet, address or secret in any label', async () => {
    const { apiKey, apiSecret, accountId, withdrawalAddresses } = wallet.account;
    const secrets = [apiKey, apiSecret, accountId, wallet.walletId, transactionId, ...Object.values(project.headers)];
    const forbidden = [...secrets, ...withdrawalAddresses.map(({ address }) => address)];
    const labels = (await both()).flatMap(({ samples }) => samples.flatMap((one) => Object.values(one.labels)));
    expect(labels.filter((label) => UUID.test(label))).toEqual([]);
    expect(labels.filter((label) => forbidden.some((text) => label.includes(text)))).toEqual([]);
  });

  it('count requests by route pattern, and all unknown routes as one', async () => {
    const api = await Exposition.scrape(urls.api);
    const count = (labels: Record<string, string>) => api.value('causeway_http_request_seconds_count', labels);
    const route = '/v0/wallet/transaction/:transactionId';
    expect(count({ method: 'GET', route, status: '200' })).toBe(1);
    expect(count({ route: 'none', status: '404' })).toBe(1);
    expect(api.samples.filter(({ labels }) => labels.route?.includes('no-such-thing'))).toEqual([]);
  });

  it('count calls to exchanges in the process that makes them', async () => {
    const api = await Exposition.scrape(urls.api);
    const count = (operation: string) =>
      api.value('causeway_exchange_request_seconds_count', { exchange: 'kraken', operation, outcome: 'ok' });
    expect(count('POST /0/private/Withdraw')).toBe(1);
    expect(count('POST /0/private/GetApiKeyInfo')).toBeGreaterThan(0);
  });

  it('of the worker show the open withdrawals and their age', async () => {
    app.clock.advance(60_000);
    const worker = await Exposition.scrape(urls.worker);
    expect(worker.value('causeway_withdrawals', { state: 'submitted' })).toBe(1);
    expect(worker.value('causeway_withdrawals')).toBe(1);
    const age = worker.value('causeway_withdrawal_oldest_unresolved_seconds', { state: 'submitted' });
    expect(age).toBeGreaterThan(60);
    expect(worker.value('causeway_withdrawal_oldest_unresolved_seconds', { state: 'unknown' })).toBe(0);
    expect((await Exposition.scrape(urls.api)).value('causeway_withdrawals')).toBeNull();
  });

  it('of the worker show how many records of a restored database wait for an operator', async () => {
    const count = async () => (await Exposition.scrape(urls.worker)).value('causeway_unmatched_records');
    expect(await count()).toBe(0);
    await app.db.query(
      `insert into unmatched_records (id, project_id, wallet_id, external_wallet_id, exchange, exchange_id, asset,
         amount_no_fee, status, occurred_at, found_at)
       select gen_random_uuid(), project_id, id, external_id, exchange, exchange_id, 'BTC', 1, 'completed', now(), now()
         from wallets, unnest(array['X1', 'X2']) as exchange_id where external_id = $1`,
      [wallet.walletId],
    );
    expect(await count()).toBe(2);
    await withoutRules(app.ownerUrl, `update unmatched_records set settled_at = now() where exchange_id = 'X1'`);
    expect(await count()).toBe(1);
  });

  it('show the age of the oldest event, and the use of the pool of database connections', async () => {
    const [api, worker] = await both();
    expect(worker.value('causeway_event_oldest_seconds')).not.toBeNull();
    for (const each of [api, worker]) {
      expect(each.value('causeway_database_pool', { state: 'total' })).toBeGreaterThan(0);
      expect(each.value('causeway_database_pool', { state: 'waiting' })).toBe(0);
      expect(each.value('causeway_build_info', { node: process.version })).toBe(1);
      expect(each.value('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
    }
  });

  it('are served only by GET /metrics', async () => {
    const { origin } = new URL(urls.api);
    const statusOf = async (path: string, method = 'GET') => (await fetch(`${origin}${path}`, { method })).status;
    expect(await statusOf('/')).toBe(404);
    expect(await statusOf('/metrics/x')).toBe(404);
    expect(await statusOf('/metrics', 'POST')).toBe(405);
    expect(await statusOf('/metrics?debug=1')).toBe(200);
    expect((await fetch(`${app.url}/metrics`)).status).toBe(404);
  });

  it('leave out the counts of withdrawals, but not the use of the pool, while the table of withdrawals is locked', async () => {
    const held = await app.holdTable('withdrawals');
    const worker = await Exposition.scrape(urls.worker);
    await held.release();
    expect(worker.value('causeway_withdrawals')).toBeNull();
    expect(worker.value('causeway_database_pool', { state: 'total' })).toBeGreaterThan(0);
  });

  it('cannot be served while another process uses their port, and the error names the port', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await expect(app.api.get(MetricsServer).listen(port, '127.0.0.1')).rejects.toThrow(
      `127.0.0.1:${port} is in use by another process`,
    );
    other.close();
  });
});
