import type { WithdrawalRequirement } from '../../port/exchange.port.js';

/**
 * Countries by `kycRegion` (ISO 3166-1 alpha-3) whose accounts must send data about the recipient. Bybit's pages of 24
 * July 2026: withdraw ("kyc/kyb=KOR", "kyc=IND", "UAE users", "registered in" the sites of Turkey, Kazakhstan and
 * Indonesia), and withdraw/questionnaire (the zones EU, TUR, KAZ, BYBIT-IND and BYBIT-KOR). The European Economic Area
 * counts as the zone EU.
 */
const COUNTRIES: ReadonlySet<string> = new Set(
  [
    'KOR IND ARE TUR KAZ IDN',
    'AUT BEL BGR HRV CYP CZE DNK EST FIN FRA DEU GRC HUN IRL ITA LVA LTU LUX MLT NLD POL PRT ROU SVK SVN ESP SWE',
    'ISL LIE NOR',
  ]
    .join(' ')
    .split(' '),
);

/** The sites of these countries. */
const SITES: ReadonlySet<string> = new Set([
  'https://api.bybit.tr',
  'https://api.bybit.kz',
  'https://api.bybit.id',
  'https://api.bybit.ae',
  'https://api.bybit.nl',
]);

const RECIPIENT: WithdrawalRequirement = {
  type: 'travel_rule',
  detail: 'Bybit requires data about the recipient for withdrawals of this account, which this service does not send.',
};

/**
 * Returns the requirement of an account under a travel rule; null = it is under none. An account without a country is
 * judged by its site alone: Bybit then refuses a withdrawal without the data (131074).
 */
export function travelRuleOf(site: string, country: string | null): WithdrawalRequirement | null {
  return SITES.has(site) || COUNTRIES.has(country ?? '') ? RECIPIENT : null;
}
