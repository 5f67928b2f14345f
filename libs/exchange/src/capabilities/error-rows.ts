import type { ErrorCode } from '#platform/errors';
import type { ErrorMap, ErrorMeaning, MeaningsByMessage } from '../transport/error-map.js';

/** Rows of an error map: codes, separated by spaces, and their common meaning. */
export type ErrorRows = readonly (readonly [codes: string, meaning: ErrorMeaning | MeaningsByMessage])[];

/** A definite refusal. @param code the error code of our API; absent = a refusal without a specific code */
export const refused = (code?: ErrorCode, reason?: string): ErrorMeaning => ({ grade: 'refused', code, reason });

/**
 * A refusal that leaves the outcome of a submission unknown: an executed first copy of the request can cause this
 * refusal for the second copy, or the exchange documents this refusal only for reads.
 */
export const ifNew = (code?: ErrorCode, reason?: string): ErrorMeaning => ({ grade: 'refused_if_new', code, reason });

/** The error does not show whether the exchange executed the request. */
export const UNKNOWN: ErrorMeaning = { grade: 'unknown' };

/** The meanings of refusals that most exchanges have. */
export const usual = {
  /** The exchange does not serve the country from which we call. */
  locationBlocked: { grade: 'blocked', reason: 'location_blocked' },
  /** The exchange refuses calls from our address, whatever the key. */
  addressBlocked: { grade: 'blocked', reason: 'address_blocked' },
  /** The exchange is under maintenance. */
  maintenance: { grade: 'unknown', reason: 'maintenance' },
  /** The exchange does not offer the function in the country of the account's owner. */
  countryNotServed: ifNew(undefined, 'country_not_served'),
  invalidArguments: refused(undefined, 'invalid_arguments'),
  accountLocked: ifNew(undefined, 'account_locked'),
  notPermitted: ifNew(undefined, 'account_not_permitted'),
  /** An exchange may demand an identity after a first withdrawal, such as above a sum of withdrawals. */
  kycRequired: ifNew('WITHDRAWAL_KYC_REQUIRED'),
  /** Other data may be required after a first withdrawal, because some rules add up withdrawals. */
  travelRule: ifNew(undefined, 'travel_rule'),
  tooManyOrders: ifNew('GENERIC_INVALID_REQUEST', 'too_many_open_orders'),
  noBalanceForOrder: ifNew('GENERIC_INVALID_REQUEST', 'insufficient_balance'),
} as const satisfies Readonly<Record<string, ErrorMeaning>>;

/**
 * The meanings of a code that depend on the message beside it.
 * @param cases the meanings by parts of the message, which are separated by ` | `. The first part that the message
 *   contains gives the meaning.
 * @param otherwise the meaning of all other messages; absent = they do not show whether the exchange executed the
 *   request
 */
export function byMessage(cases: Readonly<Record<string, ErrorMeaning>>, otherwise?: ErrorMeaning): MeaningsByMessage {
  return {
    byMessage: Object.entries(cases).flatMap(([parts, meaning]) =>
      parts.split(' | ').map((includes) => ({ includes, meaning })),
    ),
    ...(otherwise !== undefined && { otherwise }),
  };
}

/** The meanings of all rows. @throws when a code is listed twice */
export function meaningsOf(...rows: ErrorRows): ErrorMap['meanings'] {
  const meanings: Record<string, ErrorMeaning | MeaningsByMessage> = {};
  for (const [codes, meaning] of rows) {
    for (const code of codes.split(' ')) {
      if (Object.hasOwn(meanings, code)) throw new Error(`the error ${code} is listed twice`);
      meanings[code] = meaning;
    }
  }
  return meanings;
}

/** The rows of an exchange's errors, by the calls that return them. */
export interface ErrorTable {
  /** Errors of all calls. */
  readonly general: ErrorRows;
  /** Errors of all calls but new orders. */
  readonly calls: ErrorRows;
  /** Errors of new orders. */
  readonly orders: ErrorRows;
}

/** The error maps of an exchange: for new orders, and for all other calls. */
export function errorMaps(
  errorsIn: ErrorMap['errorsIn'],
  { general, calls, orders }: ErrorTable,
  rest: Partial<Pick<ErrorMap, 'shorterCode' | 'refusesOnlyWith4xx'>> = {},
): { readonly calls: ErrorMap; readonly orders: ErrorMap } {
  const mapOf = (rows: ErrorRows): ErrorMap => ({
    ...rest,
    errorsIn,
    meanings: meaningsOf(...general, ...rows),
  });
  return { calls: mapOf(calls), orders: mapOf(orders) };
}
