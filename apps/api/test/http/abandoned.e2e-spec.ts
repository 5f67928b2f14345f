import { MetricsServer } from '#platform/metrics';
import { until } from '#platform/testing';
import { refusalOf } from '../support/causeway-client.js';
import { Exposition } from '../support/exposition.js';
import { TestApp } from '../support/test-app.js';
import { btcQuote, settled } from '../support/withdrawal-client.js';

const EXECUTE = '/v0/wallet/withdraw/:quoteId/execute';
const SETTLE_STEP_MS = 5_000;

interface AccessLine {
  method?: string;
  route?: string;
  status?: number;
  ms: number;
}

describe('a request whose client leaves before the response', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.create({
      worker: true,
      env: { EXCHANGE_TIMEOUT_MS: '10000', EXCHANGE_SUBMIT_TIMEOUT_MS: '10000' },
      overrides: { METRICS_KEEP_MS: 0 },
    });
  });
  afterAll(() => app.close());

  const accessLines = (): AccessLine[] =>
    app.logLines
      .map((line) => JSON.parse(line) as AccessLine)
      .filter(({ method, route }) => method === 'PUT' && route === EXECUTE);

  it('has one log line and one measurement with the status 499, although the API finishes its work', async () => {
    const wallet = await app.wallet(await app.project());
    const { id: quoteId } = await btcQuote(wallet);
    const { apiKey } = wallet.account;
    await app.sandbox.arm({ endpoint: 'Withdraw', fault: 'slow', delayMs: 500, apiKey });
    const leaving = new AbortController();
    const execution = wallet.causeway.executeQuote({ quoteId }, { signal: leaving.signal });
    await until('a submission', async () => (await app.sandbox.countCalls(wallet.account, 'Withdraw')) > 0);
    leaving.abort(new Error('the person closed the page'));
    await expect(execution).rejects.toThrow('the person closed the page');
    await until('the log line', () => accessLines().length > 0);

    const { result } = await wallet.causeway.executeQuote({ quoteId });
    expect((await settled(app, wallet, result.transactionId, SETTLE_STEP_MS)).status).toBe('ok');
    expect(await app.sandbox.withdrawals(wallet.account)).toHaveLength(1);
    expect(accessLines().map(({ status }) => status)).toEqual([499, 200]);
    for (const { ms } of accessLines()) expect(ms).toBeGreaterThan(0);
    const url = await app.api.get(MetricsServer).listen(0, '127.0.0.1');
    const exposition = await Exposition.scrape(url);
    const counted = (status: string) =>
      exposition.value('causeway_http_request_seconds_count', { method: 'PUT', route: EXECUTE, status });
    expect([counted('499'), counted('200')]).toEqual([1, 1]);
  });

  it('is not logged with status 499 when it is an event stream', async () => {
    const { organizationId } = await app.project();
    const leaving = new AbortController();
    const stream = await fetch(`${app.url}/v0/oauth2/events?idem=idem-of-a-left-stream&orgId=${organizationId}`, {
      signal: leaving.signal,
    });
    expect(stream.status).toBe(200);
    leaving.abort();
    expect((await refusalOf((await app.project()).causeway.getWallet({ walletId: 'none' }))).status).toBe(404);
    expect(app.logLines.filter((line) => line.includes('"status":499') && line.includes('/events'))).toEqual([]);
  });
});
