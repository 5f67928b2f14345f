import { Secret } from '#platform/crypto';
import type { CredentialField } from '../../port/exchange-spec.js';
import type { ExchangeCredentials } from '../../port/exchange.port.js';
import type { DocumentedRefusal, ListedEntry } from './exchange-contract.js';

/** Functions and constants for writing the contract of an exchange. */

/** Credentials of two accounts, such as `first-apiKey`. @param fields the exchange's fields beside `apiKey` */
export function accountsWith(
  ...fields: readonly Exclude<CredentialField, 'apiKey'>[]
): readonly [ExchangeCredentials, ExchangeCredentials] {
  const of = (account: string): ExchangeCredentials => ({
    apiKey: new Secret(`${account}-apiKey`),
    ...Object.fromEntries(fields.map((field) => [field, new Secret(`${account}-${field}`)])),
  });
  return [of('first'), of('second')];
}

/** The meaning that the documentation gives to a refusal. */
export type Meaning = Omit<DocumentedRefusal, 'reply' | 'name'>;

export const refused = (code?: Meaning['code'], reason?: string): Meaning => ({ grade: 'refused', code, reason });
/** A refusal that the second copy of a request can also get because the first copy was executed. */
export const ifNew = (code?: Meaning['code'], reason?: string): Meaning => ({ grade: 'refused_if_new', code, reason });
/** The refusal does not show whether the exchange executed the request. */
export const fault: Meaning = { grade: 'unknown' };
/** The meaning of a refusal that only orders get. */
export const order = (meaning: Meaning): Meaning => ({ ...meaning, of: 'order' });
/** The meaning of a refusal that every call can get. */
export const all = (meaning: Meaning): Meaning => ({ ...meaning, of: 'all' });

/** The entries of a period, newest first. Both ends are inclusive, in epoch milliseconds. */
export function newestIn(entries: readonly ListedEntry[], since: number, until: number): ListedEntry[] {
  return entries
    .filter(({ at }) => at.getTime() >= since && at.getTime() <= until)
    .sort((a, b) => b.at.getTime() - a.at.getTime());
}
