import { createTestDatabase, type TestDatabase } from '#platform/testing';
import { createAccessApp, send, type AccessApp, type Answer } from '../testing/access-app.js';

describe('a public route with a limit', () => {
  let database: TestDatabase;
  let api: AccessApp;

  beforeEach(async () => {
    database = await createTestDatabase();
    api = await createAccessApp(database.appUrl, { env: { TRUST_PROXY: 'true', TICKERS_RATE_PER_MINUTE: '2' } });
  });
  afterEach(async () => {
    await api.app.close();
    await database.drop();
  });

  const visit = (from: string, path = 'limited'): Promise<Answer> =>
    send(`${api.url}/probe/${path}`, { 'x-forwarded-for': from });
  const statuses = async (...addresses: string[]): Promise<number[]> => {
    const answers: Answer[] = [];
    for (const address of addresses) answers.push(await visit(address));
    return answers.map(({ status }) => status);
  };

  it('reports how many requests are left, and refuses a request over the limit with the time to wait', async () => {
    const first = await visit('192.0.2.1');
    expect(first.headers['ratelimit-policy']).toBe('"visits";q=2;w=60');
    expect(first.headers['ratelimit']).toMatch(/^"visits";r=1;t=(60|59)$/);
    expect((await visit('192.0.2.1')).headers['ratelimit']).toMatch(/^"visits";r=0;/);
    const refused = await visit('192.0.2.1');
    expect([refused.status, refused.body.type]).toEqual([429, 'GENERIC_RATE_LIMIT_EXCEEDED']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.headers['ratelimit']).toMatch(/^"visits";r=0;/);
  });

  it('counts each address separately, and both forms of an IPv4 address as the same', async () => {
    expect(await statuses('192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.1', '::ffff:192.0.2.1')).toEqual([
      200, 200, 200, 429, 429,
    ]);
  });

  it('uses the address that the proxy appended, not one that the client sent', async () => {
    expect(await statuses('6.6.6.1, 192.0.2.1', '6.6.6.2, 192.0.2.1', '6.6.6.3, 192.0.2.1', '192.0.2.2')).toEqual([
      200, 200, 429, 200,
    ]);
  });

  it('counts a /64 range of IPv6 as one address', async () => {
    expect(await statuses('2001:db8::1', '2001:db8::2', '2001:db8::ffff', '2001:db8:0:1::1')).toEqual([
      200, 200, 429, 200,
    ]);
  });

  it('lets pages of any origin read its responses, errors included', async () => {
    for (let visits = 0; visits < 3; visits++) {
      const { headers } = await visit('192.0.2.1');
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['access-control-expose-headers']).toContain('retry-after');
    }
  });

  it('leaves other public routes without a limit and readable only by their own origin', async () => {
    for (let visits = 0; visits < 4; visits++) {
      const { status, headers } = await visit('192.0.2.1', 'public');
      expect(status).toBe(200);
      expect(headers['ratelimit']).toBeUndefined();
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });
});
