import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { publishPrices } from '#market/testing';
import { sendRaw, type RawAnswer } from '../support/raw-http.js';
import { TestApp } from '../support/test-app.js';

const TICKERS = '/v0/market/kraken/tickers';
/** The diagnostics channel on which Fastify publishes each request before it calls the handler. */
const HANDLED = 'tracing:fastify.request.handler:start';
/**
 * A header that means nothing for a GET request. Fastify and Nest handle a request with it, even when the response is
 * prepared.
 */
const WHOLE_PIPELINE = { 'content-length': '0' };
const ENCODINGS = ['identity', 'gzip', 'gzip, deflate, br'];
/** Enough prices for a body that the API compresses. */
const manyPrices = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`COIN${index}`, String(index + 1)]));

const apart = new Set(['date', 'x-request-id', 'ratelimit', 'cache-control']);

/** Returns the response without the parts that differ between any two requests. */
function stable({ status, headers, body }: RawAnswer): object {
  const kept = Object.entries(headers).filter(([name]) => !apart.has(name));
  const maxAge = headers['cache-control']?.replace(/\d+/, 'seconds');
  return {
    status,
    headers: Object.fromEntries(kept),
    names: Object.keys(headers).sort(),
    maxAge,
    body: body.toString('base64'),
  };
}

describe('a prepared route', () => {
  let app: TestApp;
  let handled = 0;
  const count = (): void => void (handled += 1);

  beforeAll(async () => {
    const env = {
      TICKERS_RATE_PER_MINUTE: '100000',
      TRUST_PROXY: 'true',
      DOCS_PER_MINUTE: '3',
      PUBLIC_READ_LOG_EVERY: '3',
    };
    app = await TestApp.create({ env });
    const prices = { BTC: '100000', ETH: '4000', ...manyPrices };
    await publishPrices((type) => app.api.get(type, { strict: false }), 'kraken', prices, app.db);
    subscribe(HANDLED, count);
  });
  afterAll(async () => {
    unsubscribe(HANDLED, count);
    await app.close();
  });

  const read = (path: string, headers: Record<string, string | string[]> = {}, method?: string): Promise<RawAnswer> =>
    sendRaw(`${app.url}${path}`, { connection: 'keep-alive', ...headers }, method);

  /**
   * Compares the response to the request with the response to the same request with WHOLE_PIPELINE. Returns how many of
   * the two requests Fastify handled.
   */
  async function compare(path: string, headers: Record<string, string>): Promise<number> {
    const before = handled;
    const direct = await read(path, headers);
    const whole = await read(path, { ...headers, ...WHOLE_PIPELINE });
    expect(stable(direct)).toEqual(stable(whole));
    for (const { headers } of [direct, whole]) expect(headers['x-request-id']).toMatch(/^[\w-]{1,128}$/);
    return handled - before;
  }

  it.each([TICKERS, `${TICKERS}?coins=BTC,eth`])('%s has the response of Nest’s whole pipeline', async (path) => {
    for (const encoding of ENCODINGS) {
      const { headers } = await read(path, { 'accept-encoding': encoding });
      for (const known of ['"other"', '*', headers.etag ?? '']) {
        const sent = { 'accept-encoding': encoding, 'if-none-match': known };
        expect([encoding, known, await compare(path, sent)]).toEqual([encoding, known, 1]);
      }
      expect(await compare(path, { 'accept-encoding': encoding, origin: 'https://shop.example' })).toBe(1);
    }
  });

  it.each(['/openapi.json', '/docs', '/v0/oauth2/exchanges', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js'])(
    '%s has the response of Nest’s whole pipeline',
    async (path) => {
      for (const [index, encoding] of ENCODINGS.entries()) {
        const sent = { 'accept-encoding': encoding, 'x-forwarded-for': `2001:db8:${path.length}:${index}::1` };
        expect(await compare(path, sent)).toBe(1);
      }
    },
  );

  it.each([
    '/v0/market/nope/tickers',
    `${TICKERS}?coins=`,
    `${TICKERS}?coins=BTC%2CETH`,
    `${TICKERS}?coins=A&coins=B`,
    `${TICKERS}?other=1`,
    '/docs/',
    '/docs/none',
  ])('is handled by Nest’s whole pipeline for the unusual address %s', async (path) => {
    const before = handled;
    await read(path, { 'x-forwarded-for': `198.51.100.${path.length}` });
    expect(handled - before).toBe(1);
  });

  it('redirects / to the documentation', async () => {
    const { status, headers } = await read('/', { 'x-forwarded-for': '198.51.100.250' });
    expect([status, headers.location]).toEqual([302, 'docs']);
  });

  it.each<Record<string, string | string[]>>([
    { expect: '100-continue' },
    { 'cache-control': 'only-if-cached' },
    { 'x-request-id': ['a', 'b'] },
    { 'if-none-match': ['"a"', '"b"'] },
    { connection: 'upgrade', upgrade: 'h2c' },
    { connection: 'close' },
  ])('is handled by Nest’s whole pipeline when the request has the headers %j', async (headers) => {
    const before = handled;
    expect((await read(TICKERS, headers)).status).toBe(200);
    expect(handled - before).toBe(1);
  });

  it('returns the caller’s request id, or an id of the service when the caller’s id is too long', async () => {
    expect((await read(TICKERS, { 'x-request-id': 'mine' })).headers['x-request-id']).toBe('mine');
    expect((await read(TICKERS, { 'x-request-id': 'x'.repeat(129) })).headers['x-request-id']).toMatch(
      /^[0-9a-f-]{36}$/,
    );
  });

  it('has one limit for each network address, which counts prepared and other responses together', async () => {
    const from = { 'x-forwarded-for': '6.6.6.6, 203.0.113.9' };
    const answers = [
      await read('/docs', from),
      await read('/docs', { ...from, ...WHOLE_PIPELINE }),
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
