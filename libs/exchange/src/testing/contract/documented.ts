import { Secret } from '#platform/crypto';
import type { CredentialField } from '../../port/exchange-spec.js';
import type { ExchangeCredentials } from '../../port/exchange.port.js';
import type { OrderSide, OrderType } from '../../port/trading.port.js';
import type { DocumentedRefusal, ListedEntry } from './exchange-contract.js';
import type { NetworkEvidence } from './network-names.js';

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

/** The contract of USDT that the exchange lists on a network. */
export const tether = (address: string): NetworkEvidence => ({ contract: ['USDT', address] });

/** The connector sent a request that means something else than an order of ours, or that is not documented. */
export class UndocumentedRequest extends Error {
  override readonly name = 'UndocumentedRequest';
}

/** Reads the side of an order from a parameter. @param names the exchange's names of the two sides */
export function sideIn(
  name: unknown,
  names: Readonly<Record<OrderSide, string>> = { buy: 'buy', sell: 'sell' },
): OrderSide {
  return memberIn(name, names);
}

/** Reads the type of an order from a parameter. @param names the exchange's names; absent = it has no such type */
export function typeIn(
  name: unknown,
  names: Readonly<Partial<Record<OrderType, string>>> = { market: 'market', limit: 'limit' },
): OrderType {
  return memberIn(name, names);
}

function memberIn<T extends string>(name: unknown, names: Readonly<Partial<Record<T, string>>>): T {
  const found = (Object.keys(names) as T[]).find((key) => names[key] === name);
  if (found === undefined) throw new UndocumentedRequest(`${JSON.stringify(name)} is not documented`);
  return found;
}

/** The entries of a period, newest first. Both ends are inclusive, in epoch milliseconds. */
export function newestIn(entries: readonly ListedEntry[], since: number, until: number): ListedEntry[] {
  return entries
    .filter(({ at }) => at.getTime() >= since && at.getTime() <= until)
    .sort((a, b) => b.at.getTime() - a.at.getTime());
}
