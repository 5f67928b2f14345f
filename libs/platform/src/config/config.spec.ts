import { readFileSync } from 'node:fs';
import { InvalidConfig, VERSION, loadConfig } from './index.js';

describe('configuration', () => {
  it('has a default for everything that one process may live without', () => {
    const config = loadConfig({});
    expect(config.values.PORT).toBe(8787);
    expect(config.values.EGRESS_IPS).toEqual([]);
    expect(config.isProduction).toBe(false);
  });

  it('names every invalid key at once and no value', () => {
    const load = () => loadConfig({ PORT: 'eighty', API_KEY_PEPPER: 'hunter2', LOG_LEVEL: 'loud' });
    expect(load).toThrow(InvalidConfig);
    expect(load).toThrow(/PORT[\s\S]*API_KEY_PEPPER|LOG_LEVEL[\s\S]*API_KEY_PEPPER/);
    expect(load).not.toThrow(/hunter2/);
  });

  it('names the release that package.json names', () => {
    const manifest = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8');
    expect(VERSION).toBe((JSON.parse(manifest) as { version: string }).version);
  });

  it('treats an empty variable as not set', () => {
    expect(loadConfig({ REDIS_URL: '' }).values.REDIS_URL).toBeUndefined();
  });

  it('reads the addresses of exchanges by their id', () => {
    expect(loadConfig({ EXCHANGE_KRAKEN_URL: 'http://127.0.0.1:9/' }).exchangeUrls).toEqual({
      kraken: 'http://127.0.0.1:9',
    });
    expect(() => loadConfig({ EXCHANGE_KRAKEN_URL: 'nowhere' })).toThrow(InvalidConfig);
  });
});
