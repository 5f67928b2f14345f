import { readFileSync } from 'node:fs';
import { InvalidConfig, VERSION, loadConfig } from './index.js';

describe('configuration', () => {
  it('has a default for every setting that not every process needs', () => {
    const config = loadConfig({});
    expect(config.values.PORT).toBe(8787);
    expect(config.values.EGRESS_IPS).toEqual([]);
    expect(config.isProduction).toBe(false);
  });

  it('reports every invalid setting at once, and never its value', () => {
    const load = () => loadConfig({ PORT: 'eighty', API_KEY_PEPPER: 'hunter2', LOG_LEVEL: 'loud' });
    expect(load).toThrow(InvalidConfig);
    expect(load).toThrow(/PORT[\s\S]*API_KEY_PEPPER|LOG_LEVEL[\s\S]*API_KEY_PEPPER/);
    expect(load).not.toThrow(/hunter2/);
  });

  it('has the release number of package.json', () => {
    const manifest = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8');
    expect(VERSION).toBe((JSON.parse(manifest) as { version: string }).version);
  });

  it('treats an empty variable as not set', () => {
    expect(loadConfig({ REDIS_URL: '' }).values.REDIS_URL).toBeUndefined();
  });

  it('reads overridden addresses of exchanges by exchange id', () => {
    expect(loadConfig({ EXCHANGE_KRAKEN_URL: 'http://127.0.0.1:9/' }).exchangeUrls).toEqual({
      kraken: 'http://127.0.0.1:9',
    });
    expect(() => loadConfig({ EXCHANGE_KRAKEN_URL: 'nowhere' })).toThrow(InvalidConfig);
  });
});
