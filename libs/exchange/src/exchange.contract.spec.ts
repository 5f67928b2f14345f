import { assertTame, loadCcxtClass } from './ccxt/ccxt-class.js';
import { meaningOf } from './ccxt/error-dialect.js';
import { exchanges } from './exchanges.js';
import { ExchangeBed } from './testing/exchange-bed.js';

const BASE_URL = 'http://127.0.0.1:9';

/** What holds for every declared exchange; a new one is checked by being in the registry. */
describe.each(Object.entries(exchanges))('%s', (id, exchange) => {
  const wire = { send: () => Promise.reject(new Error('nothing is sent')), nextNonce: () => 1 };

  it('is declared under its own id, in lower case', () => {
    expect(exchange.spec.id).toBe(id);
    expect(id).toMatch(/^[a-z0-9]+$/);
    expect(exchange.spec.credentialFields).toEqual(expect.arrayContaining(['apiKey', 'apiSecret']));
  });

  it('has real addresses that are https', () => {
    expect(new URL(exchange.liveUrl).protocol).toBe('https:');
    expect(exchange.liveUrl).not.toMatch(/\/$/);
  });

  it('has a class in the library that does what it is told and no more', async () => {
    const { version, ...loaded } = await loadCcxtClass(exchange.ccxtId);
    const instance = loaded.create({ urls: { api: exchange.apiUrls(BASE_URL) } }, wire);
    expect(() => assertTame(instance, BASE_URL)).not.toThrow();
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(instance.enableLastHttpResponse || instance.enableLastJsonResponse).toBe(false);
  });

  it('does not start with a library that repeats, waits by itself, or keeps an address of its own', async () => {
    const loaded = await loadCcxtClass(exchange.ccxtId);
    const fresh = () => loaded.create({ urls: { api: exchange.apiUrls(BASE_URL) } }, wire);
    const repeating = fresh();
    repeating.options['maxRetriesOnFailure'] = 1;
    const waiting = fresh();
    waiting.enableRateLimit = true;
    const elsewhere = loaded.create({}, wire);
    for (const instance of [repeating, waiting, elsewhere]) expect(() => assertTame(instance, BASE_URL)).toThrow();
  });

  it('reads its own error codes, each with a code of the interface where it is a withdrawal’s', () => {
    for (const [code, meaning] of Object.entries(exchange.errors.meanings)) {
      expect(meaningOf(exchange.errors, code)).toBe(meaning);
      expect(meaningOf(exchange.errors, `${code}:tail`)).toBe(meaning);
      expect(meaning.code === undefined || meaning.kind === 'refused').toBe(true);
    }
    expect(meaningOf(exchange.errors, 'never seen')).toBeNull();
    expect(exchange.errors.codesIn(undefined)).toEqual([]);
  });

  it('names what it offers', async () => {
    const bed = await ExchangeBed.start();
    const session = await bed.exchanges.open(bed.target({ exchange: id }));
    expect(session.exchange).toBe(id);
    expect(session.connectorVersion).toMatch(new RegExp(`^${id} \\d+ \\(ccxt [\\d.]+\\)$`));
    if (session.withdrawals !== undefined) expect(['A', 'B', 'C']).toContain(session.withdrawals.class);
    await bed.close();
  });
});
