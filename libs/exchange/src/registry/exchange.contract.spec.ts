import { Secret } from '#platform/crypto';
import { accessKinds } from '../port/authorization.port.js';
import { assertTame, loadCcxtClass } from '../ccxt/ccxt-class.js';
import type { CcxtExchange } from '../ccxt/ccxt-exchange.js';
import { meaningOf } from '../transport/error-map.js';
import type { ExchangeDeclaration } from '../declaration/exchange-declaration.js';
import type { ExchangeCredentials } from '../port/exchange.port.js';
import { exchanges } from './exchanges.js';
import { ExchangeHarness } from '../testing/exchange-harness.js';

const BASE_URL = 'http://127.0.0.1:9';
const entries: [string, ExchangeDeclaration & Partial<CcxtExchange>][] = Object.entries(exchanges);
const isOverCcxt = (
  exchange: ExchangeDeclaration & Partial<CcxtExchange>,
): exchange is CcxtExchange & typeof exchange => exchange.ccxtId !== undefined;

/** What holds for every declared exchange; a new one is checked by being in the registry. */
describe.each(entries)('%s', (id, exchange) => {
  const { spec, liveUrl, errors } = exchange;
  /** What a session needs besides `apiKey`, unless that is a token. */
  const bearer = exchange.acceptsBearer === true ? ['apiKey', 'apiSecret'] : ['apiKey'];

  it('is declared under its own id, in lower case', () => {
    expect(spec.id).toBe(id);
    expect(id).toMatch(/^[a-z0-9]+$/);
    expect(spec.credentialFields).toContain('apiKey');
  });

  it('has a real address that is https, unless it exists in the sandbox alone', () => {
    expect(liveUrl === undefined).toBe(spec.sandboxOnly);
    expect(spec.hasSandbox || !spec.sandboxOnly).toBe(true);
    if (liveUrl === undefined) return;
    expect(new URL(liveUrl).protocol).toBe('https:');
    expect(liveUrl).not.toMatch(/\/$/);
  });

  it('reads its own error codes, each with a code of the interface where it is a withdrawal’s', () => {
    for (const [code, meaning] of Object.entries(errors.meanings)) {
      expect(meaningOf(errors, code)).toBe(meaning);
      expect(meaningOf(errors, `${code}:tail`)).toBe(meaning);
      expect(meaning.code === undefined || meaning.kind === 'refused').toBe(true);
    }
    expect(meaningOf(errors, 'never seen')).toBeNull();
    expect(errors.codesIn(undefined)).toEqual([]);
    expect(errors.codesIn('<html></html>')).toEqual([]);
  });

  it('takes no word of its own from behind a failing gateway', () => {
    for (const status of [500, 502, 503, 504, 520]) expect(errors.refusesWith(status)).toBe(false);
  });

  const credentialsWithout = (left: string | null): ExchangeCredentials => ({
    apiKey: new Secret('key'),
    ...Object.fromEntries(
      spec.credentialFields.filter((field) => field !== left).map((field) => [field, new Secret('c2VjcmV0')]),
    ),
  });

  it('names what it offers, and asks nobody for it', async () => {
    const harness = await ExchangeHarness.start();
    const session = await harness.exchanges.open(
      harness.target({ exchange: id, credentials: credentialsWithout(null) }),
    );
    expect(session.exchange).toBe(id);
    expect(session.connectorVersion).toMatch(new RegExp(`^${id} \\d+ \\(.+\\)$`));
    if (session.withdrawals !== undefined)
      expect(['idempotent', 'by_reference', 'by_match']).toContain(session.withdrawals.class);
    const { deposits, trading, withdrawals } = session;
    const can = { read: session, deposit: deposits, trade: trading, withdrawal: withdrawals };
    expect(spec.access).toEqual(accessKinds.filter((kind) => can[kind] !== undefined));
    expect(harness.stub.calls).toEqual([]);
    await harness.close();
  });

  it('asks owners for what it can use, and for nothing else', () => {
    const { authorization } = exchange;
    if (authorization === undefined) return;
    expect(accessKinds.filter((kind) => authorization.scopes[kind] !== undefined)).toEqual(spec.access);
  });

  it('opens no session without one of its credentials', async () => {
    const harness = await ExchangeHarness.start();
    for (const field of spec.credentialFields.filter((one) => !bearer.includes(one))) {
      const target = harness.target({ exchange: id, credentials: credentialsWithout(field) });
      await expect(harness.exchanges.open(target)).rejects.toMatchObject({ kind: 'unavailable' });
      await expect(harness.exchanges.openFresh(target)).rejects.toThrow(field);
    }
    await harness.close();
  });
});

/** What holds beyond that for every exchange to which ccxt's class of it speaks. */
describe.each(entries.flatMap(([id, exchange]) => (isOverCcxt(exchange) ? [[id, exchange] as const] : [])))(
  '%s over ccxt',
  (_id, exchange) => {
    const wire = { send: () => Promise.reject(new Error('nothing is sent')), nonce: () => 1 };

    it('signs with a key and a secret', () => {
      expect(exchange.spec.credentialFields).toEqual(expect.arrayContaining(['apiKey', 'apiSecret']));
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
  },
);
