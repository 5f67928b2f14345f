import { CountryCodeInvalid, CountryNotDetected, CountryNotSupported } from './connect.errors.js';

/** What CDNs send where they do not know, or will not tell (Tor). */
const UNKNOWN = new Set(['', 'XX', 'T1']);

/** Knows the codes that are assigned: for others it has no name. `EU`, `UN` and their like are names of no country. */
const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const NOT_COUNTRIES = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']);

export interface CountrySources {
  /** What the caller says. */
  given: string | null;
  /** What the CDN in front says; null = there is none that is believed. */
  detected: string | null;
}

/** The code in its normal form, or null when it is no ISO 3166-1 alpha-2 code. */
export function normalCountry(text: string): string | null {
  const code = text.toUpperCase();
  if (!/^[A-Z]{2}$/.test(code) || NOT_COUNTRIES.has(code)) return null;
  return names.of(code) === undefined ? null : code;
}

/**
 * The country of a session, as far as it is known and allowed.
 * @param excluded from which the exchange is not offered; empty: everywhere, and no country is needed
 * @throws CountryCodeInvalid, CountryNotDetected, CountryNotSupported
 */
export function requireCountry(
  exchange: string,
  excluded: readonly string[],
  { given, detected }: CountrySources,
): string | null {
  const country = given === null ? detectedCountry(detected) : normalCountry(given);
  if (given !== null && country === null) throw new CountryCodeInvalid();
  if (excluded.length === 0) return country;
  if (country === null) throw new CountryNotDetected(exchange);
  if (excluded.includes(country)) throw new CountryNotSupported(exchange, country);
  return country;
}

/** `kraken:US|KP,coinbase:KP` */
export function excludedCountries(setting: string, exchange: string): string[] {
  return setting
    .split(',')
    .map((entry) => entry.trim().split(':'))
    .filter(([id]) => id === exchange)
    .flatMap(([, countries = '']) => countries.split('|').map((country) => country.trim().toUpperCase()));
}

function detectedCountry(detected: string | null): string | null {
  const code = (detected ?? '').toUpperCase();
  return UNKNOWN.has(code) ? null : normalCountry(code);
}
