import { InvalidConfig } from '#platform/config';
import { CountryCodeInvalid, CountryNotDetected, CountryNotSupported } from './connect.errors.js';

/** What CDNs send where they do not know, or will not tell (Tor). */
const UNKNOWN = new Set(['', 'XX', 'T1']);

/**
 * The codes that ISO 3166-1 assigns. Not what the runtime has a name for: that includes codes that were withdrawn (SU) or
 * are only reserved (UK), and by another name of itself an excluded country would be let in.
 */
const COUNTRIES: ReadonlySet<string> = new Set(
  `
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ
  BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ
  CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ
  DE DJ DK DM DO DZ
  EC EE EG EH ER ES ET
  FI FJ FK FM FO FR
  GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY
  HK HM HN HR HT HU
  ID IE IL IM IN IO IQ IR IS IT
  JE JM JO JP
  KE KG KH KI KM KN KP KR KW KY KZ
  LA LB LC LI LK LR LS LT LU LV LY
  MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ
  NA NC NE NF NG NI NL NO NP NR NU NZ
  OM
  PA PE PF PG PH PK PL PM PN PR PS PT PW PY
  QA
  RE RO RS RU RW
  SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ
  TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ
  UA UG UM US UY UZ
  VA VC VE VG VI VN VU
  WF WS
  YE YT
  ZA ZM ZW
  `
    .trim()
    .split(/\s+/),
);

/** `kraken:US|KP` */
const EXCLUSION = /^([a-z0-9]+):([A-Za-z]{2}(?:\|[A-Za-z]{2})*)$/;

export interface CountrySources {
  /** What the caller says. */
  given: string | null;
  /** What the CDN in front says; null = there is none that is believed. */
  detected: string | null;
}

/** The code in its normal form, or null when it is no ISO 3166-1 alpha-2 code. */
export function normalCountry(text: string): string | null {
  const code = text.toUpperCase();
  return COUNTRIES.has(code) ? code : null;
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

/**
 * Which countries are excluded at which exchange, by `kraken:US|KP,coinbase:KP`.
 * @throws InvalidConfig for whatever would exclude nothing: an exchange that there is not, a country that there is not
 */
export function readExclusions(setting: string, exchanges: readonly string[]): Map<string, string[]> {
  const excluded = new Map<string, string[]>();
  for (const entry of setting === '' ? [] : setting.split(',')) {
    const [, exchange = '', list = ''] = EXCLUSION.exec(entry.trim()) ?? [];
    const countries = list.split('|').map((text) => normalCountry(text));
    if (!exchanges.includes(exchange) || countries.includes(null)) {
      const form = `each entry must be like kraken:US|KP, with one of ${exchanges.join(', ')} and ISO 3166-1 alpha-2 codes`;
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
