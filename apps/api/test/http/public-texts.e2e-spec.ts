import { gunzipSync, brotliDecompressSync } from 'node:zlib';
import { publishPrices } from '#market/testing';
import { sendRaw, type RawAnswer } from '../support/raw-http.js';
import { TestApp } from '../support/test-app.js';

const TICKERS = '/v0/market/kraken/tickers';
/** Enough prices for a body that the API compresses. */
const manyPrices = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`COIN${index}`, String(index + 1)]));

const decoders: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: (body) => gunzipSync(body),
  br: (body) => brotliDecompressSync(body),
};

/** Returns the body as the API made it, before it was encoded. */
function textOf({ headers, body }: RawAnswer): string {
  const encoding = headers['content-encoding'];
  return (encoding === undefined ? body : (decoders[encoding]?.(body) ?? body)).toString();
}

describe('a text that many callers read', () => {
  let app: TestApp;

  beforeAll(async () => {
    const env = {
      TICKERS_RATE_PER_MINUTE: '100000',
      TRUST_PROXY: 'true',
      PUBLIC_READ_LOG_EVERY: '3',
    };
    app = await TestApp.create({ env, overrides: { DOCS_PER_MINUTE: 3 } });
    const prices = { BTC: '100000', ETH: '4000', ...manyPrices };
    await publishPrices((type) => app.api.get(type, { strict: false }), 'kraken', prices, app.db);
  });
  afterAll(() => app.close());

  const read = (path: string, headers: Record<string, string | string[]> = {}, method?: string): Promise<RawAnswer> =>
    sendRaw(`${app.url}${path}`, { connection: 'keep-alive', ...headers }, method);

  it.each([
    [TICKERS, 'application/json; charset=utf-8'],
    [`${TICKERS}?coins=BTC,eth`, 'application/json; charset=utf-8'],
    ['/v0/oauth2/exchanges', 'application/json; charset=utf-8'],
    ['/openapi.json', 'application/json; charset=utf-8'],
    ['/docs', 'text/html; charset=utf-8'],
    ['/docs/swagger-ui.css', 'text/css; charset=utf-8'],
  ])(
    '%s has one content and an ETag of its own in each encoding, and is 304 while the ETag matches',
    async (path, type) => {
      const from = (turn: string): string => `2001:db8:${path.length}:${turn.length}::1`;
      const plain = await read(path, { 'x-forwarded-for': from('') });
      for (const encoding of ['gzip', 'gzip, deflate, br']) {
        const accepts = { 'accept-encoding': encoding, 'x-forwarded-for': from(encoding) };
        const found = await read(path, accepts);
        expect(found).toMatchObject({ status: 200, headers: { 'content-type': type, vary: 'accept-encoding' } });
        expect(textOf(found)).toBe(textOf(plain));
        const { headers, status, body } = await read(path, { ...accepts, 'if-none-match': found.headers.etag ?? '' });
        expect([status, headers.etag, body.length]).toEqual([304, found.headers.etag, 0]);
        expect((await read(path, { ...accepts, 'if-none-match': '"other"' })).status).toBe(200);
      }
    },
  );

  it('has the security headers and may be cached, and prices may be read by pages of any origin', async () => {
    const { headers } = await read(TICKERS, { origin: 'https://shop.example' });
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['cache-control']).toMatch(/^public, max-age=\d+$/);
    expect(headers['access-control-allow-origin']).toBe('*');
  });

  it('redirects / and /docs/ to the documentation', async () => {
    const answers = [await read('/', { 'x-forwarded-for': '198.51.100.250' })];
    answers.push(await read('/docs/', { 'x-forwarded-for': '198.51.100.251' }));
    expect(answers.map(({ status, headers }) => [status, headers.location])).toEqual([
      [302, 'docs'],
      [308, '../docs'],
    ]);
  });

  it.each<[string, number]>([
    ['/v0/market/nope/tickers', 400],
    [`${TICKERS}?coins=`, 200],
    [`${TICKERS}?coins=BTC%2CETH`, 200],
    [`${TICKERS}?coins=A&coins=B`, 400],
    [`${TICKERS}?other=1`, 200],
    ['/docs/none', 404],
  ])('responds to the unusual address %s with %i', async (path, status) => {
    expect((await read(path, { 'x-forwarded-for': `198.51.100.${path.length}` })).status).toBe(status);
  });

  it('returns the caller’s request id, or an id of the service when the caller’s id is too long', async () => {
    expect((await read(TICKERS, { 'x-request-id': 'mine' })).headers['x-request-id']).toBe('mine');
    for (const given of ['x'.repeat(129), ['a', 'b']]) {
      expect((await read(TICKERS, { 'x-request-id': given })).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('has one limit for each network address, which counts all texts of a kind together', async () => {
    const from = { 'x-forwarded-for': '6.6.6.6, 203.0.113.9' };
    const answers = [
      await read('/docs', from),
      await read('/docs', from),
      await read('/openapi.json', { 'x-forwarded-for': '7.7.7.7, 203.0.113.9' }),
      await read('/docs', from),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers.map(({ headers }) => /r=\d+/.exec(headers['ratelimit'] ?? '')?.[0])).toEqual([
      'r=2',
      'r=1',
      'r=0',
      'r=0',
    ]);
    expect(answers[3]?.headers['retry-after']).toMatch(/^\d+$/);
  });

  it('logs one of PUBLIC_READ_LOG_EVERY successful requests, and every error', async () => {
    const lines = (status: number): string[] =>
      app.logLines.filter((line) => line.includes(`"route":"/v0/market/:exchange/tickers","status":${status}`));
    const before = { ok: lines(200).length, refused: lines(400).length };
    for (let reads = 0; reads < 9; reads++) await read(TICKERS);
    for (let reads = 0; reads < 3; reads++) await read('/v0/market/nope/tickers');
    expect(lines(400).length - before.refused).toBe(3);
    expect(lines(200).length - before.ok).toBe(3);
    expect(lines(200).at(-1)).toMatch(/"method":"GET".*"ms":[\d.]+,"sampled":3/);
  });
});
