import { WorkerHarness } from './worker-harness.js';
import { ADMIN_TOKEN } from '../../api/test/support/test-app.js';

const TIMEOUT_MS = 300_000;
const basic = (password: string): string => `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;

describe('the page of the queues', () => {
  let harness: WorkerHarness;
  let url: string;

  const get = (path: string, authorization?: string, method = 'GET'): Promise<Response> =>
    fetch(`${url}${path}`, { method, headers: authorization === undefined ? {} : { authorization } });

  beforeAll(async () => {
    harness = await WorkerHarness.start({ AUTH_FAILURES_PER_MINUTE: '5' });
    url = await (await harness.worker()).address();
  }, TIMEOUT_MS);
  afterAll(() => harness.close());

  it('is shown to the bearer of the admin token, and to a browser with the token as password', async () => {
    for (const authorization of [`Bearer ${ADMIN_TOKEN}`, basic(ADMIN_TOKEN)]) {
      const page = await get('/queues', authorization);
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      const html = await page.text();
      expect(html).toContain('<base href="/queues/" />');
      const script = /<script defer src="(static\/js\/main[^"]+)"/.exec(html)?.[1] ?? 'none';
      expect((await get(`/queues/${script}`, authorization)).status).toBe(200);
    }
  });

  it('lists every queue as read-only', async () => {
    const list = await get('/queues/api/queues', `Bearer ${ADMIN_TOKEN}`);
    const { queues } = (await list.json()) as { queues: { name: string; readOnlyMode: boolean }[] };
    expect(queues.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['ticker.refresh', 'transaction.sync', 'wallet.sync', 'withdrawal.reconcile']),
    );
    expect(queues.every(({ readOnlyMode }) => readOnlyMode)).toBe(true);
  });

  it('refuses requests that would change a queue', async () => {
    for (const path of ['/queues/api/queues/wallet.sync/pause', '/queues/api/queues/pause', '/queues/']) {
      const refused = await get(path, `Bearer ${ADMIN_TOKEN}`, 'PUT');
      expect([400, 404]).toContain(refused.status);
    }
    expect(await (await get('/queues/api/queues', `Bearer ${ADMIN_TOKEN}`)).text()).not.toContain('"isPaused":true');
  });

  it('has headers against framing, sniffing, caching and external content', async () => {
    const { headers } = await get('/queues', `Bearer ${ADMIN_TOKEN}`);
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('does not exist when no admin token is configured', async () => {
    const open = await (await harness.worker({ ADMIN_TOKEN: '' })).address();
    expect((await fetch(`${open}/queues`)).status).toBe(404);
    expect((await fetch(`${open}/readyz`)).status).toBe(200);
  });

  it('requires the admin token, and refuses even the right token after too many failures', async () => {
    for (const wrong of [undefined, `Bearer ${ADMIN_TOKEN}x`, basic('guess'), 'Basic !', 'Bearer']) {
      const refused = await get('/queues/api/queues', wrong);
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="Causeway queues"']);
      expect(await refused.text()).not.toContain('wallet.sync');
    }
    const tired = await get('/queues', `Bearer ${ADMIN_TOKEN}`);
    expect(tired.status).toBe(429);
    expect(Number(tired.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
