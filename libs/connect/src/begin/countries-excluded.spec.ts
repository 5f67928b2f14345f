import { createExchanges } from '#exchange/testing';
import { InvalidConfig, loadConfig } from '#platform/config';
import { CountriesExcluded } from './countries-excluded.js';

describe('CountriesExcluded', () => {
  const read = (env: Record<string, string>) => {
    const config = loadConfig(env);
    return new CountriesExcluded(config, createExchanges(config));
  };

  it('knows the exchanges that there are', () => {
    const excluded = read({ CONNECT_COUNTRIES_EXCLUDED: 'kraken:US|KP' });
    expect([excluded.of('kraken'), excluded.of('coinbase')]).toEqual([['US', 'KP'], []]);
    expect(() => read({ CONNECT_COUNTRIES_EXCLUDED: 'krakn:US' })).toThrow(InvalidConfig);
  });
});
