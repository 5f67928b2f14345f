import { request } from 'node:http';
import { TestSandbox } from '../../test/sandbox.js';

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

const json = { 'content-type': 'application/json' };
const armed = JSON.stringify({ endpoint: 'Balance', fault: 'error_before' });

describe('the guard of the sandbox exchange against web pages that a developer visits', () => {
  let sandbox: TestSandbox;
  beforeEach(async () => {
    sandbox = await TestSandbox.start();
  });
  afterEach(() => sandbox.close());

  /** Sends a request as a browser or a command line does, with any Host header. */
  const send = (
    path: string,
    { method = 'GET', headers = {}, body }: Sent,
  ): Promise<{ status: number; text: string }> =>
    new Promise((resolve, reject) => {
      const sent = request(`${sandbox.url}${path}`, { method, headers, agent: false }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }));
      });
      sent.on('error', reject);
      sent.end(body);
    });
  const port = (): string => new URL(sandbox.url).port;
  const faults = async (): Promise<unknown> => (await sandbox.control('GET', 'faults')).body;

  it.each<[string, Sent]>([
    [
      'from the origin of another page',
      { method: 'POST', headers: { ...json, origin: 'https://page.example' }, body: armed },
    ],
    ['from a frame without an origin', { method: 'POST', headers: { ...json, origin: 'null' }, body: armed }],
    [
      'with a content type that needs no preflight',
      { method: 'POST', headers: { 'content-type': 'text/plain' }, body: armed },
    ],
    ['without a content type', { method: 'POST', body: armed }],
    ['across sites', { headers: { 'sec-fetch-site': 'cross-site' } }],
    ['from another port of this machine', { headers: { 'sec-fetch-site': 'same-site' } }],
    ['to a host name of the page that leads to this machine', { headers: { host: 'page.example' } }],
    ['to a host name that looks like a loopback address', { headers: { host: '127.0.0.1.page.example' } }],
    ['to the address of this machine in its network', { headers: { host: '192.168.1.2:8790' } }],
    ['with an unreadable host', { headers: { host: '127.0.0.1:x' } }],
  ])('refuses calls of the control API %s', async (_, sent) => {
    const { status, text } = await send('/control/faults', sent);
    expect([403, 415]).toContain(status);
    expect(JSON.parse(text)).toEqual({ error: expect.any(String) as string });
    expect(await faults()).toEqual({ faults: [] });
  });

  it('refuses a reset from another origin or to another host, although it has no body', async () => {
    const account = await sandbox.open();
    const foreign: Record<string, string>[] = [{ origin: 'https://page.example' }, { host: 'page.example' }];
    for (const headers of foreign) {
      expect((await send('/control/reset', { method: 'POST', headers })).status).toBe(403);
    }
    expect((await sandbox.ledger(account)).balances).toHaveProperty('BTC');
  });

  it.each<[string, (ownPort: string) => Record<string, string>]>([
    ['to 127.0.0.1', (own) => ({ host: `127.0.0.1:${own}` })],
    ['to localhost', (own) => ({ host: `localhost:${own}` })],
    ['to the loopback address of IPv6', (own) => ({ host: `[::1]:${own}` })],
    ['from the address bar of a browser', (own) => ({ host: `127.0.0.1:${own}`, 'sec-fetch-site': 'none' })],
    ['from the page of the exchange itself', (own) => ({ host: `127.0.0.1:${own}`, 'sec-fetch-site': 'same-origin' })],
  ])('admits calls of the control API %s', async (_, headers) => {
    expect((await send('/control/faults', { headers: headers(port()) })).status).toBe(200);
    const posted = { method: 'POST', headers: { ...json, ...headers(port()) }, body: armed };
    expect((await send('/control/faults', posted)).status).toBe(200);
  });

  it.each(['/price', '/face'])("accepts the form %s only from the exchange's own page", async (form) => {
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const own = `127.0.0.1:${port()}`;
    const foreign: Record<string, string>[] = [
      { origin: 'https://page.example' },
      { origin: 'http://127.0.0.1:1' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { host: 'page.example', origin: 'http://page.example' },
    ];
    for (const headers of foreign) {
      const sent = { method: 'POST', headers: { ...type, ...headers }, body: 'pair=XBTUSD&price=1' };
      expect((await send(form, sent)).status).toBe(403);
    }
    const headers = { ...type, host: own, origin: `http://${own}`, 'sec-fetch-site': 'same-origin' };
    expect((await send(form, { method: 'POST', headers, body: '' })).status).toBe(303);
  });
});
