import { loadConfig } from '#platform/config';
import { requireSettings } from './required-settings.js';

describe('the check of the settings at the start of a process', () => {
  const start = (env: Record<string, string>) => () =>
    requireSettings(
      loadConfig({
        DATABASE_URL: 'postgres://app@127.0.0.1/app',
        API_KEY_PEPPER: Buffer.alloc(32, 1).toString('base64'),
        VAULT_KEYS: `k1:${Buffer.alloc(32, 2).toString('base64')}`,
        VAULT_ALLOW_ENV_KEYS: 'true',
        ...env,
      }),
    );
  const production = { NODE_ENV: 'production' };

  it.each([
    { TICKERS_FROM_SANDBOX: 'true' },
    { DEMO_FILE: '/tmp/demo.json' },
    { WEBHOOK_ALLOW_PRIVATE: 'true' },
  ] as Record<string, string>[])('refuses %j in production', (setting) => {
    expect(start({ ...production, ...setting })).toThrow(`${Object.keys(setting)[0]}: refused in production`);
    expect(start(setting)).not.toThrow();
  });

  it('requires only a database, a pepper and a key of the vault, also in production', () => {
    expect(start({})).not.toThrow();
    expect(start(production)).not.toThrow();
  });

  it.each(['http://connect.example', 'http://127.0.0.1.example', 'http://localhost.example', 'HTTP://10.0.0.1:8787'])(
    'refuses the PUBLIC_URL %s in production',
    (PUBLIC_URL) => {
      expect(start({ ...production, PUBLIC_URL })).toThrow(/PUBLIC_URL: must begin with https:/);
      expect(start({ PUBLIC_URL })).not.toThrow();
    },
  );

  it.each(['https://connect.example/path', 'HTTPS://connect.example', 'http://127.0.0.1:8787', 'http://[::1]:8787'])(
    'accepts the PUBLIC_URL %s in production',
    (PUBLIC_URL) => {
      expect(start({ ...production, PUBLIC_URL })).not.toThrow();
    },
  );

  it.each([
    'javascript:alert(1)',
    'ftp://connect.example',
    'https://user@connect.example',
    'https://:word@connect.example',
    'https://connect.example/?a=b',
    'https://connect.example/?',
    'https://connect.example/#top',
  ])('refuses the PUBLIC_URL %s in every environment', (PUBLIC_URL) => {
    expect(start({ PUBLIC_URL })).toThrow(
      /PUBLIC_URL: must (be a URL that begins with https|have no user, query or fragment)/,
    );
  });

  it('refuses a CONNECT_COUNTRY_HEADER without TRUST_PROXY, because every client could send the header', () => {
    const header = { CONNECT_COUNTRY_HEADER: 'cf-ipcountry' };
    expect(start(header)).toThrow(/CONNECT_COUNTRY_HEADER: .*TRUST_PROXY/);
    expect(start({ ...header, TRUST_PROXY: 'true' })).not.toThrow();
  });

  it('refuses a TRUST_PROXY_HOPS without TRUST_PROXY, because it would have no effect', () => {
    const hops = { TRUST_PROXY_HOPS: '2' };
    expect(start(hops)).toThrow(/TRUST_PROXY_HOPS: .*TRUST_PROXY=true/);
    expect(start({ ...hops, TRUST_PROXY: 'true' })).not.toThrow();
    expect(start({ TRUST_PROXY_HOPS: '1' })).not.toThrow();
  });

  it('refuses a LISTENERS_MAX above half of CONNECTIONS_MAX', () => {
    expect(start({ LISTENERS_MAX: '6', CONNECTIONS_MAX: '11' })).toThrow(/LISTENERS_MAX: .*CONNECTIONS_MAX/);
    expect(start({ LISTENERS_MAX: '6', CONNECTIONS_MAX: '12' })).not.toThrow();
  });

  it('refuses a SHUTDOWN_TIMEOUT_MS that is too short for the longest execution', () => {
    expect(start({ SHUTDOWN_TIMEOUT_MS: '29200' })).toThrow(
      /SHUTDOWN_TIMEOUT_MS: must be above 29200, .*EXECUTE_WAIT_MS/,
    );
    expect(start({ SHUTDOWN_TIMEOUT_MS: '29201' })).not.toThrow();
    expect(start({ EXECUTE_WAIT_MS: '30000' })).toThrow(/SHUTDOWN_TIMEOUT_MS: must be above 34200/);
    expect(start({ EXECUTE_WAIT_MS: '30000', SHUTDOWN_TIMEOUT_MS: '40000' })).not.toThrow();
  });
});
