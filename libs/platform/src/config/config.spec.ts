import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '#platform/testing';
import { InvalidConfig, VERSION, loadConfig, testOverrides } from './index.js';

describe('configuration', () => {
  it('has a default for every setting that only some processes need', () => {
    const config = loadConfig({});
    expect(config.values.PORT).toBe(8787);
    expect(config.values.EGRESS_IPS).toEqual([]);
    expect(config.isProduction).toBe(false);
  });

  it('reports every invalid setting at once, and never its value', () => {
    const load = () => loadConfig({ PORT: 'eighty', API_KEY_PEPPER: 'hunter2', LOG_LEVEL: 'loud' });
    expect(load).toThrow(InvalidConfig);
    for (const name of ['PORT', 'API_KEY_PEPPER', 'LOG_LEVEL']) expect(load).toThrow(new RegExp(`\\b${name}: `));
    expect(load).not.toThrow(/hunter2/);
  });

  it.each([
    ['PORT', 'eighty', 'must be a whole number'],
    ['PORT', '1.5', 'must be a whole number'],
    ['LOG_PRETTY', 'yes', 'must be true or false'],
    ['DATABASE_URL', 'localhost:5432', 'must be a URL that begins with postgres:// or postgresql://'],
    ['REDIS_URL', 'localhost:6379', 'must be a URL that begins with redis:// or rediss://'],
    ...['abc', '1abc', '1/2', '-1', '?db=abc'].map((end) => [
      'REDIS_URL',
      `redis://localhost:6379/${end}`,
      'must have no path except the number of a database, such as redis://localhost:6379/1',
    ]),
    ['VAULT_LOST_KEYS', `k1:${'A'.repeat(43)}=`, 'must be ids of keys such as k1, separated by commas'],
    ['PUBLIC_URL', 'connect.example.com', 'must be a URL that begins with https:// or http://'],
    ['PUBLIC_URL', 'https://connect.example.com/?a', 'must have no user, query or fragment'],
  ])('refuses %s=%s with one sentence that states the rule', (name, value, rule) => {
    expect(() => loadConfig({ [name]: value })).toThrow(new InvalidConfig([`${name}: ${rule}`]));
  });

  it.each([
    'nonsense,foo',
    '203.0.113.10,foo',
    '203.0.113.0/24',
    '203.0.113',
    '203.0.113.010',
    '203.0.113.256',
    '203.0.113.10:443',
    '203.0.113.10 203.0.113.11',
    'https://203.0.113.10',
    'fe80::1%eth0',
    '[2001:db8::1]',
  ])('refuses EGRESS_IPS=%s, because owners put these addresses into the allow-lists of their keys', (EGRESS_IPS) => {
    expect(() => loadConfig({ EGRESS_IPS })).toThrow(
      new InvalidConfig(['EGRESS_IPS: must be IP addresses such as 203.0.113.10, separated by commas']),
    );
  });

  it('reads IPv4 and IPv6 addresses from EGRESS_IPS', () => {
    const { EGRESS_IPS } = loadConfig({ EGRESS_IPS: '203.0.113.10, 2001:db8::1' }).values;
    expect(EGRESS_IPS).toEqual(['203.0.113.10', '2001:db8::1']);
  });

  it('has the release number of package.json', () => {
    const manifest = readFileSync(path.join(projectRoot, 'package.json'), 'utf8');
    expect(VERSION).toBe((JSON.parse(manifest) as { version: string }).version);
  });

  it('treats an empty variable as not set', () => {
    expect(loadConfig({ REDIS_URL: '' }).values.REDIS_URL).toBeUndefined();
  });

  it.each(['redis://localhost', 'redis://localhost:6379/', 'rediss://localhost/15?family=6', 'redis://localhost?db=2'])(
    'accepts the REDIS_URL %s',
    (REDIS_URL) => {
      expect(loadConfig({ REDIS_URL }).values.REDIS_URL).toBe(REDIS_URL);
    },
  );

  it('reads overridden addresses of exchanges by exchange id', () => {
    expect(loadConfig({ EXCHANGE_KRAKEN_URL: 'http://127.0.0.1:9/' }).exchangeUrls).toEqual({
      kraken: 'http://127.0.0.1:9',
    });
    expect(loadConfig({ EXCHANGE_OKX_EU_URL: 'https://okx.example' }).exchangeUrls).toEqual({
      'okx-eu': 'https://okx.example',
    });
  });

  it('reads OAuth clients by exchange id', () => {
    const settings = { OAUTH_KRAKEN_CLIENT_ID: 'a', OAUTH_OKX_CLIENT_ID: 'b', OAUTH_OKX_CLIENT_SECRET: 'c' };
    expect(loadConfig(settings).oauthClients).toEqual({
      kraken: { id: 'a', secret: null },
      okx: { id: 'b', secret: 'c' },
    });
  });

  it.each([
    ['EXCHANGE_KRAKEN_URL', 'nowhere', 'must be a URL that begins with https:// or http://'],
    ['EXCHANGE_KRAKEN_URL', 'ftp://kraken.example', 'must be a URL that begins with https:// or http://'],
    ['ENRICHMENT_BITCOIN_URL', 'file:///etc/passwd', 'must be a URL that begins with https:// or http://'],
    ['EXCHANGE_kraken_URL', 'https://kraken.example', 'must be written as EXCHANGE_KRAKEN_URL'],
    ['ENRICHMENT_bitcoin_URL', 'https://chain.example', 'must be written as ENRICHMENT_BITCOIN_URL'],
    ['OAUTH_kraken_CLIENT_ID', 'our-id', 'must be written as OAUTH_KRAKEN_CLIENT_ID'],
    ['exchange_kraken_url', 'https://kraken.example', 'must be written as EXCHANGE_KRAKEN_URL'],
    ['Exchange_Kraken_Url', 'https://kraken.example', 'must be written as EXCHANGE_KRAKEN_URL'],
    ['enrichment_bitcoin_url', 'https://chain.example', 'must be written as ENRICHMENT_BITCOIN_URL'],
    ['oauth_kraken_client_id', 'our-id', 'must be written as OAUTH_KRAKEN_CLIENT_ID'],
    ['oauth_kraken_client_secret', 'our-secret', 'must be written as OAUTH_KRAKEN_CLIENT_SECRET'],
    ['OAUTH_KRAKEN_CLIENT_SECRET', 'our-secret', 'has no effect without OAUTH_KRAKEN_CLIENT_ID'],
    ['OAUTH_KRAKEN_EU_CLIENT_SECRET', 'our-secret', 'has no effect without OAUTH_KRAKEN_EU_CLIENT_ID'],
  ])('refuses %s=%s, a setting with the id of an exchange or a network in its name', (name, value, rule) => {
    expect(() => loadConfig({ [name]: value })).toThrow(new InvalidConfig([`${name}: ${rule}`]));
  });

  it('reports invalid settings of exchanges together with all other invalid settings', () => {
    const load = () => loadConfig({ PORT: 'eighty', EXCHANGE_KRAKEN_URL: 'nowhere', EXCHANGE_OKX_URL: 'nowhere' });
    expect(load).toThrow(/PORT[\s\S]*EXCHANGE_KRAKEN_URL[\s\S]*EXCHANGE_OKX_URL/);
  });

  it.each(['http://kraken.example', 'HTTP://10.0.0.1', 'http://127.0.0.1.example'])(
    'refuses the address %s of an exchange in production, because the connection is not encrypted',
    (url) => {
      expect(() => loadConfig({ NODE_ENV: 'production', EXCHANGE_KRAKEN_URL: url })).toThrow(
        /EXCHANGE_KRAKEN_URL: must begin with https:\/\/ in production/,
      );
      expect(() => loadConfig({ EXCHANGE_KRAKEN_URL: url })).not.toThrow();
    },
  );

  it.each(['https://kraken.example', 'http://127.0.0.1:8790', 'http://localhost:8790', 'http://[::1]:8790'])(
    'accepts the address %s of an exchange in production',
    (url) => {
      const { exchangeUrls } = loadConfig({ NODE_ENV: 'production', EXCHANGE_KRAKEN_URL: url });
      expect(exchangeUrls).toEqual({ kraken: url });
    },
  );

  it('accepts a chain API without encryption in production, because nodes run in the operator’s own network', () => {
    const settings = { NODE_ENV: 'production', ENRICHMENT_BITCOIN_URL: 'http://node.internal:3000' };
    expect(() => loadConfig(settings)).not.toThrow();
  });
});

describe('test overrides', () => {
  it('replace a constant, and leave the other constants as production has them', () => {
    const { constants } = loadConfig(testOverrides({ ORDER_SWEEP_MS: 50 }));
    expect(constants.ORDER_SWEEP_MS).toBe(50);
    expect(constants.WALLET_SYNC_SWEEP_MS).toBe(loadConfig({}).constants.WALLET_SYNC_SWEEP_MS);
  });

  it('replace a setting, even with a value outside its bounds', () => {
    expect(loadConfig(testOverrides({ RESTORE_LOOKBACK_HOURS: 5 })).values.RESTORE_LOOKBACK_HOURS).toBe(5);
  });

  it.each(['production', 'development', undefined])('are refused with NODE_ENV=%s', (NODE_ENV) => {
    expect(() => loadConfig({ ...testOverrides({ ORDER_SWEEP_MS: 50 }), NODE_ENV })).toThrow(
      /TEST_OVERRIDES: refused unless NODE_ENV is test/,
    );
  });

  it.each(['{"ORDER_SWEEP_MS":"50"}', '{"ORDER_SWEEP_MS":0.5}', '{"ORDER_SWEEP_MS":-1}', '[1]', '50', '{'])(
    'are refused when TEST_OVERRIDES is %s',
    (text) => {
      expect(() => loadConfig({ NODE_ENV: 'test', TEST_OVERRIDES: text })).toThrow(InvalidConfig);
    },
  );

  it.each(['ORDER_SWEEPS', 'LOG_LEVEL', 'NODE_ENV', 'toString'])(
    'are refused for %s, which is neither a constant nor a setting that is a number',
    (name) => {
      const TEST_OVERRIDES = JSON.stringify({ [name]: 1 });
      expect(() => loadConfig({ NODE_ENV: 'test', TEST_OVERRIDES })).toThrow(new RegExp(`${name} is neither`));
    },
  );
});

describe('a safety interval', () => {
  it.each([
    ['WITHDRAWAL_UNCONFIRMED_SECONDS', 600],
    ['RESTORE_LOOKBACK_HOURS', 24],
  ])('%s is refused below its least safe value, which the error names', (name, least) => {
    expect(() => loadConfig({ [name]: String(least - 1) })).toThrow(`${name}: must be at least ${least}`);
    expect(loadConfig({ [name]: String(least) }).values).toMatchObject({ [name]: least });
  });

  it('WALLET_DELETE_AFTER is refused below ten minutes, which an outage of an exchange can last', () => {
    for (const text of ['599', '599s', '9m']) {
      expect(() => loadConfig({ WALLET_DELETE_AFTER: text })).toThrow(
        'WALLET_DELETE_AFTER: must be 600 to 2592000 seconds',
      );
    }
    for (const text of ['600', '10m']) {
      expect(loadConfig({ WALLET_DELETE_AFTER: text }).values.WALLET_DELETE_AFTER).toBe(600_000);
    }
  });

  it('is refused below its least safe value in every environment', () => {
    for (const NODE_ENV of ['test', 'development', 'production']) {
      expect(() => loadConfig({ NODE_ENV, RESTORE_LOOKBACK_HOURS: '1' })).toThrow(/RESTORE_LOOKBACK_HOURS: .*24/);
    }
  });
});
