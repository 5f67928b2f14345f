import { CountryCodeInvalid, CountryNotDetected, CountryNotSupported } from './connect.errors.js';
import { excludedCountries, normalCountry, requireCountry } from './country.js';

describe('normalCountry', () => {
  it.each(['DE', 'us', 'Gb', 'KP', 'XK', 'TW'])('knows %s', (code) =>
    expect(normalCountry(code)).toBe(code.toUpperCase()),
  );

  it.each(['', 'D', 'DEU', 'ZZ', 'XX', 'T1', 'EU', 'UN', 'AA', 'QX', 'D€', 'D ', 'ı1'])('does not know %j', (code) =>
    expect(normalCountry(code)).toBeNull(),
  );
});

describe('requireCountry', () => {
  const given = (country: string | null) => ({ given: country, detected: null });
  const detected = (country: string | null) => ({ given: null, detected: country });

  it('needs none where the exchange is offered everywhere', () => {
    expect(requireCountry('Kraken', [], given(null))).toBeNull();
    expect(requireCountry('Kraken', [], detected('T1'))).toBeNull();
    expect(requireCountry('Kraken', [], given('de'))).toBe('DE');
  });

  it('refuses what is no country, wherever the exchange is offered', () => {
    expect(() => requireCountry('Kraken', [], given('ZZ'))).toThrow(CountryCodeInvalid);
    expect(() => requireCountry('Kraken', ['US'], given('ZZ'))).toThrow(CountryCodeInvalid);
  });

  it('needs one where it is not', () => {
    for (const unknown of [null, '', 'XX', 'xx', 'T1', 'nonsense']) {
      expect(() => requireCountry('Kraken', ['US'], detected(unknown))).toThrow(CountryNotDetected);
    }
    expect(requireCountry('Kraken', ['US'], detected('de'))).toBe('DE');
    expect(() => requireCountry('Kraken', ['US'], detected('us'))).toThrow(CountryNotSupported);
    expect(requireCountry('Kraken', ['US'], { given: 'DE', detected: 'US' })).toBe('DE');
  });
});

describe('excludedCountries', () => {
  it('reads the setting', () => {
    const setting = 'kraken:US|kp, coinbase:KP,kraken:IR';
    expect(excludedCountries(setting, 'kraken')).toEqual(['US', 'KP', 'IR']);
    expect(excludedCountries(setting, 'coinbase')).toEqual(['KP']);
    expect(excludedCountries(setting, 'sandbox')).toEqual([]);
    expect(excludedCountries('', 'kraken')).toEqual([]);
  });
});
