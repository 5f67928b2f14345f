import { Secret } from '#platform/crypto';
import { accessKinds } from '../port/authorization.port.js';
import { meaningOf, type ErrorMeaning } from '../transport/error-map.js';
import { FILL_IN } from '../declaration/fill-in.js';
import type { ExchangeDeclaration } from '../declaration/exchange-declaration.js';
import type { ExchangeCredentials } from '../port/exchange.port.js';
import { exchanges } from './exchanges.js';
import { ExchangeHarness } from '../testing/exchange-harness.js';

const entries: [string, ExchangeDeclaration][] = Object.entries(exchanges);

/** Rules for every declared exchange. A new exchange is checked as soon as it is in the registry. */
describe.each(entries)('%s', (id, exchange) => {
  const { spec, liveUrl, errors } = exchange;
  const mode = spec.hasSandbox ? 'test' : 'live';
  /**
   * The fields without which no session opens, beside `apiKey`. At an exchange that accepts bearer tokens, an `apiKey`
   * without an `apiSecret` is such a token, so no credential is missing.
   */
  const needed = spec.credentialFields.filter(
    (field) => field !== 'apiKey' && !(field === 'apiSecret' && exchange.acceptsBearer === true),
  );

  it('is declared under its own id, in lower case', () => {
    expect(spec.id).toBe(id);
    expect(id).toMatch(/^[a-z0-9]+$/);
    expect(spec.credentialFields).toContain('apiKey');
  });

  it('has no placeholder of the template in its facts and its address', () => {
    expect(JSON.stringify([spec, liveUrl])).not.toContain(FILL_IN);
  });

  it('has a real https address, unless it exists only in the sandbox', () => {
    expect(liveUrl === undefined).toBe(spec.sandboxOnly);
    expect(spec.hasSandbox || !spec.sandboxOnly).toBe(true);
    if (liveUrl === undefined) return;
    expect(new URL(liveUrl).protocol).toBe('https:');
    expect(liveUrl).not.toMatch(/\/$/);
  });

  it('has regions, if any, with distinct ids and addresses, the usual region first', () => {
    const { regions } = spec;
    if (regions === undefined) return;
    expect(regions.length).toBeGreaterThan(1);
    expect(regions[0]?.url).toBe(liveUrl);
    for (const key of ['id', 'url'] as const)
      expect(new Set(regions.map((region) => region[key])).size).toBe(regions.length);
    for (const { url } of regions) expect(new URL(url)).toMatchObject({ protocol: 'https:', href: `${url}/` });
  });

  it('has a meaning for each error code and message that it lists, with a code of our API only for refusals', () => {
    const isRefusal = ({ code, grade }: ErrorMeaning): boolean => code === undefined || grade.startsWith('refused');
    for (const [code, listed] of Object.entries(errors.meanings)) {
      if (!('byMessage' in listed)) {
        expect(meaningOf(errors, { code })).toBe(listed);
        expect(isRefusal(listed)).toBe(true);
        continue;
      }
      const { byMessage, otherwise = null } = listed;
      for (const { includes: message, meaning } of byMessage) {
        expect(meaningOf(errors, { code, message })).toBe(meaning);
        expect(isRefusal(meaning)).toBe(true);
      }
      for (const message of ['a text that was never seen', undefined])
        expect(meaningOf(errors, { code, message })).toBe(otherwise);
      expect(otherwise === null || isRefusal(otherwise)).toBe(true);
    }
    expect(meaningOf(errors, { code: 'never seen' })).toBeNull();
    expect(errors.errorsIn(undefined)).toEqual([]);
    expect(errors.errorsIn('<html></html>')).toEqual([]);
  });

  it('reports a key as revoked only for codes that the documentation reserves for revoked keys', () => {
    // A wallet whose key is revoked is deleted at once (decision 19). OKX's 50119 "API key doesn't exist" is not such a
    // code: a site of OKX also returns it for keys of another site (github.com/okxapi/python-okx/issues/118).
    const reserved: Readonly<Record<string, string[]>> = { coinbase: ['revoked_token'], sandbox: ['token_revoked'] };
    const isRevoked = (listed: object): boolean => 'reason' in listed && listed.reason === 'revoked';
    const codes = Object.entries(errors.meanings).filter(([, listed]) => isRevoked(listed));
    expect(codes.map(([code]) => code)).toEqual(reserved[id] ?? []);
  });

  const credentialsWithout = (left: string | null): ExchangeCredentials => ({
    apiKey: new Secret('key'),
    ...Object.fromEntries(
      spec.credentialFields.filter((field) => field !== left).map((field) => [field, new Secret('c2VjcmV0')]),
    ),
  });

  it('opens sessions with the declared capabilities, without a call to the exchange', async () => {
    const harness = await ExchangeHarness.start();
    const session = await harness.exchanges.open(
      harness.target({ exchange: id, mode, credentials: credentialsWithout(null) }),
    );
    expect(session.exchange).toBe(id);
    expect(session.connectorVersion).toMatch(new RegExp(`^${id} \\d+`));
    expect(session.withdrawals?.class).toBe(spec.withdrawals?.class);
    const missing = accessKinds.filter((kind) => !spec.access.includes(kind));
    expect(Object.keys(spec.notOffered ?? {}).sort()).toEqual(missing.sort());
    expect(spec.access).toEqual(expect.arrayContaining(Object.keys(spec.partlyOffered ?? {})));
    const { deposits, trading, withdrawals } = session;
    const can = { read: session, deposit: deposits, trade: trading, withdrawal: withdrawals };
    expect(spec.access).toEqual(accessKinds.filter((kind) => can[kind] !== undefined));
    expect(harness.stub.calls).toEqual([]);
    await harness.close();
  });

  it('declares OAuth scopes, if any, for exactly the access that it supports', () => {
    const { authorization } = exchange;
    if (authorization === undefined) return;
    expect(accessKinds.filter((kind) => authorization.scopes[kind] !== undefined)).toEqual(spec.access);
  });

  it('opens a session with the API key alone exactly if it needs no other credential or accepts bearer tokens', async () => {
    const isEnough = exchange.acceptsBearer === true || spec.credentialFields.length === 1;
    const harness = await ExchangeHarness.start();
    const target = harness.target({ exchange: id, mode, credentials: { apiKey: new Secret('key') } });
    const opened = await Promise.allSettled([harness.exchanges.open(target), harness.exchanges.openFresh(target)]);
    expect(opened.map(({ status }) => status === 'fulfilled')).toEqual([isEnough, isEnough]);
    await harness.close();
  });

  if (needed.length > 0) {
    it.each(needed)('opens no session without the credential %s', async (field) => {
      const harness = await ExchangeHarness.start();
      const target = harness.target({ exchange: id, mode, credentials: credentialsWithout(field) });
      await expect(harness.exchanges.open(target)).rejects.toMatchObject({ kind: 'unavailable' });
      await expect(harness.exchanges.openFresh(target)).rejects.toThrow(field);
      await harness.close();
    });
  }
});
