import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Clock } from '#platform/clock';
import { InvalidConfig, loadConfig, testOverrides } from '#platform/config';
import { InsideTransaction } from '#platform/database';
import { Secret } from '#platform/crypto';
import { eventually, databaseWithoutServer } from '#platform/testing';
import { exchangeIds } from './exchanges.js';
import { createExchanges } from '../testing/create-exchanges.js';
import { ExchangeHarness } from '../testing/exchange-harness.js';
import { documented, result } from '../testing/kraken-documentation.js';

/** Runs V8's garbage collector. The flag gives the function `gc` to contexts that are created afterwards. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
  setFlagsFromString('--no-expose-gc');
}

describe('Exchanges', () => {
  let harness: ExchangeHarness;

  beforeAll(async () => {
    harness = await ExchangeHarness.start(testOverrides({ EXCHANGE_SESSIONS_MAX: 2 }));
  });
  afterAll(() => harness.close());
  beforeEach(() => {
    harness.stub.calls.length = 0;
  });

  it('lists every declared exchange', () => {
    expect(harness.exchanges.specs().map(({ id }) => id)).toEqual(exchangeIds);
    expect(harness.exchanges.find('kraken')).toMatchObject({
      name: 'Kraken',
      credentialFields: ['apiKey', 'apiSecret'],
    });
    expect(harness.exchanges.find('toString')).toBeNull();
  });

  it('keeps the session of a credential, and opens another session for another credential', async () => {
    const target = harness.target();
    const session = await harness.exchanges.open(target);
    expect(await harness.exchanges.open(target)).toBe(session);
    expect(await harness.exchanges.open(harness.target())).not.toBe(session);
    expect(await harness.exchanges.openFresh(target)).not.toBe(session);
  });

  it('with `keep: false`, returns a kept session, but does not keep a new session', async () => {
    const target = harness.target();
    const passing = await harness.exchanges.open(target, { keep: false });
    const session = await harness.exchanges.open(target);
    expect(session).not.toBe(passing);
    await Promise.all([1, 2, 3].map(() => harness.exchanges.open(harness.target(), { keep: false })));
    expect(await harness.exchanges.open(target, { keep: false })).toBe(session);
  });

  it('keeps at most the configured number of sessions', async () => {
    const target = harness.target();
    const session = await harness.exchanges.open(target);
    await harness.open();
    await harness.open();
    expect(await harness.exchanges.open(target)).not.toBe(session);
  });

  it('sends the key of each session when two sessions make calls at the same time', async () => {
    // Each response contains the key of its request, so each session shows which key its calls had.
    harness.stub.on('GetApiKeyInfo', ({ headers }) =>
      result({ ...documented.GetApiKeyInfo, permissions: [headers['api-key']] }),
    );
    const open = (apiKey: string) =>
      harness.exchanges.open(
        harness.target({ credentials: { apiKey: new Secret(apiKey), apiSecret: new Secret('c2VjcmV0') } }),
      );
    const [a, b] = await Promise.all([open('of a'), open('of b')]);
    const infos = await Promise.all([a.keyInfo(), b.keyInfo(), a.keyInfo(), b.keyInfo()]);
    expect(infos.map(({ permissions }) => permissions)).toEqual([['of a'], ['of b'], ['of a'], ['of b']]);
    harness.stub.on('GetApiKeyInfo', () => result(documented.GetApiKeyInfo));
  });

  it('refuses a region that the exchange does not have, so that no key reaches another site', async () => {
    const target = (apiRegion: string) =>
      harness.target({
        exchange: 'okx',
        mode: 'live',
        credentials: {
          apiKey: new Secret('key'),
          apiSecret: new Secret('secret'),
          apiPassphrase: new Secret('passphrase'),
          apiRegion: new Secret(apiRegion),
        },
      });
    expect(await harness.exchanges.open(target('eea'))).toMatchObject({ exchange: 'okx' });
    await expect(harness.exchanges.open(target('mars'))).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('gives the calls of one key rising nonces, in the order of their arrival', async () => {
    const session = await harness.open();
    await Promise.all(Array.from({ length: 20 }, () => session.keyInfo()));
    const nonces = harness.stub.callsOf('GetApiKeyInfo').map(({ params }) => Number(params['nonce']));
    expect(nonces).toHaveLength(20);
    expect(new Set(nonces).size).toBe(20);
    expect(nonces).toEqual([...nonces].sort((x, y) => x - y));
  });

  it('never gives two sessions of one key the same nonce', async () => {
    const target = harness.target();
    const sessions = await Promise.all([harness.exchanges.open(target), harness.exchanges.openFresh(target)]);
    await Promise.all(sessions.flatMap((session) => [session.keyInfo(), session.keyInfo()]));
    expect(new Set(harness.stub.calls.map(({ params }) => params['nonce'])).size).toBe(4);
  });

  it('reads the assets of an exchange once for all its sessions', async () => {
    const fresh = await ExchangeHarness.start();
    const sessions = await Promise.all([fresh.open(), fresh.open()]);
    await Promise.all(sessions.map((session) => session.balances()));
    await sessions[0].balances();
    expect(fresh.stub.callsOf('BalanceEx')).toHaveLength(3);
    expect(fresh.stub.callsOf('Assets')).toHaveLength(1);
    await fresh.close();
  });

  it('refuses calls of one credential beyond the limit of waiting calls', async () => {
    const small = await ExchangeHarness.start(testOverrides({ EXCHANGE_QUEUE_MAX: 1 }));
    const session = await small.open();
    const calls = await Promise.allSettled([session.keyInfo(), session.keyInfo(), session.keyInfo()]);
    const refused = calls.flatMap((call) => (call.status === 'rejected' ? [call.reason as unknown] : []));
    expect(refused.length).toBeGreaterThan(0);
    for (const reason of refused) expect(reason).toMatchObject({ kind: 'rate_limited', reason: 'own_limit' });
    await small.close();
  });

  it('rejects a response that exceeds the size limit', async () => {
    const small = await ExchangeHarness.start(testOverrides({ EXCHANGE_RESPONSE_MAX_BYTES: 65_536 }));
    small.stub.on('GetApiKeyInfo', () => result({ ...documented.GetApiKeyInfo, apiKeyName: 'x'.repeat(70_000) }));
    const session = await small.open();
    await expect(session.keyInfo()).rejects.toMatchObject({ kind: 'unavailable', reason: 'unusable_answer' });
    await small.close();
  });

  it('shows neither key nor secret in its errors', async () => {
    harness.stub.on('GetApiKeyInfo', () => ({ error: ['EAPI:Invalid key'] }));
    const credentials = { apiKey: new Secret('visible-key'), apiSecret: new Secret('dmlzaWJsZS1zZWNyZXQ=') };
    const session = await harness.exchanges.open(harness.target({ credentials }));
    const error: unknown = await session.keyInfo().catch((thrown: unknown) => thrown);
    const texts = [error, error instanceof Error ? error.cause : null].map((each) =>
      each instanceof Error ? `${each.message} ${each.stack} ${JSON.stringify(each)}` : '',
    );
    expect(texts.join(' ')).toContain('EAPI:Invalid key');
    expect(texts.join(' ')).not.toMatch(/visible-key|dmlzaWJsZS1zZWNyZXQ/);
    harness.stub.on('GetApiKeyInfo', () => result(documented.GetApiKeyInfo));
  });

  it('opens a new session after the time to live of a kept session', async () => {
    const brief = await ExchangeHarness.start(testOverrides({ EXCHANGE_SESSION_SECONDS: 1 }));
    const target = brief.target();
    const first = await brief.exchanges.open(target);
    expect(await brief.exchanges.open(target)).toBe(first);
    const deadline = Date.now() + 5_000;
    while ((await brief.exchanges.open(target)) === first && Date.now() < deadline) await new Clock().sleep(50);
    expect(await brief.exchanges.open(target)).not.toBe(first);
    await brief.close();
  });

  it('keeps no session and no credentials in memory after the time to live of an unused session', async () => {
    const brief = await ExchangeHarness.start(testOverrides({ EXCHANGE_SESSION_SECONDS: 1 }));
    const open = async (exchange: string): Promise<WeakRef<object>[]> => {
      const credentials = { apiKey: new Secret('key'), apiSecret: new Secret('c2VjcmV0') };
      const session = await brief.exchanges.open(brief.target({ exchange, credentials }));
      return [session, credentials.apiKey].map((each) => new WeakRef(each));
    };
    const kept = [...(await open('kraken')), ...(await open('sandbox'))];
    await eventually(() => {
      collectGarbage();
      expect(kept.filter((each) => each.deref() !== undefined)).toEqual([]);
    });
    await brief.close();
  });

  it('names the missing setting SANDBOX_URL when a test project has no sandbox exchange', async () => {
    const exchanges = createExchanges(loadConfig({}));
    await expect(exchanges.open(harness.target())).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('SANDBOX_URL') as string,
    });
  });

  it.each(['KRAKN', 'KRAKEN_EU', 'SANDBOX'])(
    'does not start with an address for %s, which is no real exchange',
    (id) => {
      const config = loadConfig({ [`EXCHANGE_${id}_URL`]: harness.stub.url });
      expect(() => createExchanges(config)).toThrow(InvalidConfig);
      expect(() => createExchanges(config)).toThrow(
        new RegExp(`EXCHANGE_${id}_URL: is only for real exchanges \\(kraken, .*, bitget\\)$`),
      );
    },
  );

  it.each(['EXCHANGE_KRAKEN_URI', 'EXCHANGE_KRAKEN_BASE_URLS', 'EXCHANGE_KRAKEN', 'exchange_kraken_uri'])(
    'does not start with %s, because the address of the exchange would not be replaced',
    (name) => {
      const config = loadConfig({ [name]: harness.stub.url });
      const problem = `${name}: is not a setting; use EXCHANGE_KRAKEN_URL`;
      expect(() => createExchanges(config)).toThrow(new InvalidConfig([problem]));
    },
  );

  it('starts with variables of other programs that begin with EXCHANGE', () => {
    const names = ['EXCHANGE_RATE_API_KEY', 'EXCHANGES_KRAKEN_URI', 'EXCHANGE_KRAKENFUTURES_URI', 'EXCHANGE'];
    // Kubernetes sets these variables for a service with the name exchange-kraken.
    const ofService = ['SERVICE_HOST', 'SERVICE_PORT', 'SERVICE_PORT_HTTPS', 'PORT', 'PORT_443_TCP'];
    const ofPort = ['PORT_443_TCP_PROTO', 'PORT_443_TCP_PORT', 'PORT_443_TCP_ADDR'];
    const all = [...names, ...[...ofService, ...ofPort].map((ending) => `EXCHANGE_KRAKEN_${ending}`)];
    const config = loadConfig(Object.fromEntries(all.map((name) => [name, 'text'])));
    expect(() => createExchanges(config)).not.toThrow();
  });

  it.each(['coinbas:BTC:bitcoin', 'kraken:BTC:bitcoin', 'coinbase:BTC:bitcon'])(
    'does not start with an estimate of a withdrawal fee for %s, because it would have no effect',
    (estimate) => {
      const config = loadConfig({ WITHDRAWAL_FEE_ESTIMATES: `${estimate}=0.1` });
      expect(() => createExchanges(config)).toThrow(InvalidConfig);
      expect(() => createExchanges(config)).toThrow(`WITHDRAWAL_FEE_ESTIMATES: ${estimate} names `);
    },
  );

  it("never sends a live wallet's call to the sandbox exchange", async () => {
    const other = await ExchangeHarness.start();
    const settings = { SANDBOX_URL: harness.stub.url, EXCHANGE_KRAKEN_URL: other.stub.url };
    const exchanges = createExchanges(loadConfig(settings));
    await (await exchanges.open(harness.target({ mode: 'live' }))).keyInfo();
    expect([harness.stub.calls.length, other.stub.calls.length]).toEqual([0, 1]);
    await (await exchanges.open(harness.target())).keyInfo();
    expect([harness.stub.calls.length, other.stub.calls.length]).toEqual([1, 1]);
    await exchanges.onApplicationShutdown();
    await other.close();
  });

  it('refuses to be used inside a database transaction', async () => {
    const db = databaseWithoutServer();
    const session = await harness.open();
    const prepared = { request: {}, clientRef: null, submissionDeadline: null };
    const uses: (() => Promise<unknown>)[] = [
      () => harness.open(),
      () => harness.exchanges.openFresh(harness.target()),
      () => session.balances(),
      () => session.keyInfo(),
      () => session.withdrawals?.networks() ?? Promise.resolve(),
      () => session.withdrawals?.submit(prepared, { beforeSend: () => undefined }) ?? Promise.resolve(),
    ];
    for (const use of uses) await expect(db.transaction(use)).rejects.toThrow(InsideTransaction);
    expect(harness.stub.calls).toEqual([]);
  });
});
