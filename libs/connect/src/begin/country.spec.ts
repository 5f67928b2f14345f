import { InvalidConfig } from '#platform/config';
import { CountryCodeInvalid, CountryNotDetected, CountryNotSupported } from '../session/connect.errors.js';
import { normalCountry, readExclusions, requireCountry } from './country.js';

describe('normalCountry', () => {
  it.each(['DE', 'us', 'Gb', 'KP', 'TW', 'AX'])('returns the normal form of %s', (code) =>
    expect(normalCountry(code)).toBe(code.toUpperCase()),
  );

  // These codes are withdrawn, reserved or user-assigned. Some are second codes of countries that an exchange may
  // exclude.
  it.each(['UK', 'SU', 'DD', 'YU', 'FX', 'AN', 'BU', 'ZR', 'TP', 'XK', 'AC', 'IC', 'CS', 'TA', 'EA'])(
    'does not accept %s',
    (code) => expect(normalCountry(code)).toBeNull(),
  );

  it.each(['', 'D', 'DEU', 'ZZ', 'XX', 'T1', 'EU', 'UN', 'AA', 'QX', 'D€', 'D ', 'ı1'])('does not accept %j', (code) =>
    expect(normalCountry(code)).toBeNull(),
  );
});

describe('requireCountry', () => {
  const given = (country: string | null) => ({ given: country, detected: null });
  const detected = (country: string | null) => ({ given: null, detected: country });

  it('requires no country where the exchange is offered everywhere', () => {
    expect(requireCountry('Kraken', [], given(null))).toBeNull();
    expect(requireCountry('Kraken', [], detected('T1'))).toBeNull();
    expect(requireCountry('Kraken', [], given('de'))).toBe('DE');
  });

  it('refuses an invalid code, wherever the exchange is offered', () => {
    expect(() => requireCountry('Kraken', [], given('ZZ'))).toThrow(CountryCodeInvalid);
    expect(() => requireCountry('Kraken', ['US'], given('ZZ'))).toThrow(CountryCodeInvalid);
  });

  it('requires a known country where the exchange excludes countries, and refuses an excluded country', () => {
    for (const unknown of [null, '', 'XX', 'xx', 'T1', 'nonsense']) {
      expect(() => requireCountry('Kraken', ['US'], detected(unknown))).toThrow(CountryNotDetected);
    }
    expect(requireCountry('Kraken', ['US'], detected('de'))).toBe('DE');
    expect(() => requireCountry('Kraken', ['US'], detected('us'))).toThrow(CountryNotSupported);
    expect(requireCountry('Kraken', ['US'], { given: 'DE', detected: 'US' })).toBe('DE');
  });
});

describe('readExclusions', () => {
  const read = (setting: string) => readExclusions(setting, ['kraken', 'coinbase']);

  it('reads the excluded countries of each exchange from all its entries', () => {
    expect(read('kraken:US|kp, coinbase:KP,kraken:IR')).toEqual(
      new Map([
        ['kraken', ['US', 'KP', 'IR']],
        ['coinbase', ['KP']],
      ]),
    );
    expect(read('')).toEqual(new Map());
  });

  it.each([
    'krakn:US',
    'kraken=US',
    'kraken:USA',
    'Kraken:US',
    'kraken:US,DE',
    'kraken:UK',
    'kraken:',
    'kraken',
    'kraken:US|',
    'kraken:US,',
    'kraken:US:DE',
  ])('refuses a malformed entry, an unknown exchange and an unknown country: %s', (setting) => {
    expect(() => read(setting)).toThrow(InvalidConfig);
  });
});
