import { isISO31661Alpha2 } from 'class-validator';
import { InvalidConfig } from '#platform/config';
import { CountryCodeInvalid, CountryNotDetected, CountryNotSupported } from '../session/connect.errors.js';

/** Values that CDNs send for an unknown country or for Tor. */
const UNKNOWN = new Set(['', 'XX', 'T1']);

/** Matches one entry of CONNECT_COUNTRIES_EXCLUDED, such as `<exchange>:US|KP`. */
const EXCLUSION = /^([a-z0-9]+):([A-Za-z]{2}(?:\|[A-Za-z]{2})*)$/;

export interface CountrySources {
  /** The country that the caller sent. */
  given: string | null;
  /** The country that the CDN reports; null when no CDN is trusted. */
  detected: string | null;
}

/**
 * Returns the code in upper case, or null when ISO 3166-1 does not assign it. Withdrawn and reserved codes (SU, UK) are
 * not accepted, because a person from an excluded country could connect with such a second code.
 */
export function normalCountry(text: string): string | null {
  return isISO31661Alpha2(text) ? text.toUpperCase() : null;
}

/**
 * Returns the country of a session; null when the country is unknown and not needed.
 * @param excluded countries in which the exchange is not offered. When the list is empty, no country is needed.
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

/**
 * Parses the setting CONNECT_COUNTRIES_EXCLUDED: `<exchange>:US|KP`, separated by commas.
 * @throws InvalidConfig for an entry with an unknown exchange or country, which would exclude nothing
 */
export function readExclusions(setting: string, exchanges: readonly string[]): Map<string, string[]> {
  const excluded = new Map<string, string[]>();
  for (const entry of setting === '' ? [] : setting.split(',')) {
    const [, exchange = '', list = ''] = EXCLUSION.exec(entry.trim()) ?? [];
    const countries = list.split('|').map((text) => normalCountry(text));
    if (!exchanges.includes(exchange) || countries.includes(null)) {
      const form = `each entry must be like ${exchanges[0]}:US|KP, with one of ${exchanges.join(', ')} and ISO 3166-1 alpha-2 codes`;
      throw new InvalidConfig([`CONNECT_COUNTRIES_EXCLUDED: ${form}`]);
    }
    excluded.set(exchange, [...(excluded.get(exchange) ?? []), ...countries.filter((code) => code !== null)]);
  }
  return excluded;
}

function detectedCountry(detected: string | null): string | null {
  const code = (detected ?? '').toUpperCase();
  return UNKNOWN.has(code) ? null : normalCountry(code);
}
