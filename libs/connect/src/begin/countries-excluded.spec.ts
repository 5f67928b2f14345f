import { createExchanges } from '#exchange/testing';
import { InvalidConfig, loadConfig } from '#platform/config';
import { CountriesExcluded } from './countries-excluded.js';

describe('CONNECT_COUNTRIES_EXCLUDED', () => {
  const read = (env: Record<string, string>) => {
    const config = loadConfig(env);
    return new CountriesExcluded(config, createExchanges(config));
  };

  it('excludes countries for the named exchange only, and is refused when it names an unknown exchange', () => {
    const excluded = read({ CONNECT_COUNTRIES_EXCLUDED: 'kraken:US|KP' });
    expect([excluded.of('kraken'), excluded.of('coinbase')]).toEqual([['US', 'KP'], []]);
    expect(() => read({ CONNECT_COUNTRIES_EXCLUDED: 'krakn:US' })).toThrow(InvalidConfig);
  });
});
