import type { Amount } from '#money';
import type { PartnerBooking } from '../../ledger/partner-records.js';
import type { PartnerErrorCode } from '../partner-error.js';

const HOUR_MS = 3_600_000;

/** The special effect of an amount on a withdrawal that passes every check. */
export type MagicEffect =
  | { kind: 'refuse'; code: PartnerErrorCode }
  /** The withdrawal is booked with the changes of `booking`. `response` replaces the usual response. */
  | { kind: 'book'; booking?: (now: Date) => Partial<PartnerBooking>; response?: 'internal_error' | 'dropped' | 'late' }
  | { kind: 'drop' };

const refuse = (code: PartnerErrorCode): MagicEffect => ({ kind: 'refuse', code });

const effects: Readonly<Record<string, MagicEffect>> = {
  '01': refuse('insufficient_funds'),
  '02': refuse('insufficient_funds_for_fee'),
  '03': refuse('invalid_address'),
  '04': refuse('too_many_addresses'),
  '05': refuse('funding_address_conflict'),
  '06': refuse('kyc_required'),
  '07': refuse('email_unverified'),
  '08': refuse('rate_limited'),
  '09': refuse('account_on_hold'),
  '10': refuse('network_not_supported'),
  '11': refuse('asset_not_supported'),
  '12': refuse('amount_below_minimum'),
  '13': refuse('amount_above_maximum'),
  '14': refuse('fee_changed'),
  '15': refuse('unavailable'),
  '16': { kind: 'book', response: 'internal_error' },
  '17': { kind: 'book', response: 'dropped' },
  '18': { kind: 'drop' },
  '19': { kind: 'book', response: 'late' },
  '20': { kind: 'book', booking: () => ({ end: 'failed' }) },
  '21': { kind: 'book', booking: () => ({ end: 'canceled' }) },
  '22': { kind: 'book', booking: () => ({ delayMs: 60_000 }) },
  '23': { kind: 'book', booking: (now) => ({ hiddenUntil: now.getTime() + 30_000 }) },
};

/** Delay of the response to a withdrawal with `response: 'late'`. */
export const LATE_RESPONSE_MS = 20_000;

/** The value of `holdUntil` in the error of a magic amount lies this far in the future. */
export const magicHoldMs = HOUR_MS;
export const magicRetryAfterSeconds = 30;

/**
 * The effect of an amount whose fraction ends in `666NN`; null when there is none. Amounts have no trailing zeros, so
 * `…66610` can also be written `…6661`.
 */
export function magicEffect(amount: Amount): MagicEffect | null {
  const [, fraction = ''] = amount.toString().split('.');
  const digits = /666(\d\d)$/.exec(fraction)?.[1];
  const shortened = /666(\d)$/.exec(fraction)?.[1];
  return effects[digits ?? ''] ?? (shortened === undefined ? null : (effects[`${shortened}0`] ?? null));
}
