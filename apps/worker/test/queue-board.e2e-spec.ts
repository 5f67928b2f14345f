import { WorkerBench } from './worker-bench.js';
import { ADMIN_TOKEN } from '../../api/test/test-app.js';

const TIMEOUT_MS = 60_000;
const basic = (password: string): string => `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;

describe('the page of the queues', () => {
  let bench: WorkerBench;
  let url: string;

  const get = (path: string, authorization?: string, method = 'GET'): Promise<Response> =>
    fetch(`${url}${path}`, { method, headers: authorization === undefined ? {} : { authorization } });

  beforeAll(async () => {
    bench = await WorkerBench.start({ AUTH_FAILURES_PER_MINUTE: '5' });
    url = await (await bench.worker()).address();
  }, TIMEOUT_MS);
  afterAll(() => bench.close());

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

  it('names every queue, all of them to be looked at only', async () => {
    const list = await get('/queues/api/queues', `Bearer ${ADMIN_TOKEN}`);
    const { queues } = (await list.json()) as { queues: { name: string; readOnlyMode: boolean }[] };
    expect(queues.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['ticker.refresh', 'transaction.sync', 'wallet.sync', 'withdrawal.reconcile']),
    );
    expect(queues.every(({ readOnlyMode }) => readOnlyMode)).toBe(true);
  });

  it('changes nothing', async () => {
    for (const path of ['/queues/api/queues/wallet.sync/pause', '/queues/api/queues/pause', '/queues/']) {
      const refused = await get(path, `Bearer ${ADMIN_TOKEN}`, 'PUT');
      expect([400, 404]).toContain(refused.status);
    }
    expect(await (await get('/queues/api/queues', `Bearer ${ADMIN_TOKEN}`)).text()).not.toContain('"isPaused":true');
  });

  it('has headers that keep it from being framed, sniffed, kept or fed from elsewhere', async () => {
    const { headers } = await get('/queues', `Bearer ${ADMIN_TOKEN}`);
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('is not there when there is no admin token', async () => {
    const open = await (await bench.worker({ ADMIN_TOKEN: '' })).address();
    expect((await fetch(`${open}/queues`)).status).toBe(404);
    expect((await fetch(`${open}/readyz`)).status).toBe(200);
  });

  it('asks whoever comes without the token for it, and stops to listen after too many failures', async () => {
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
