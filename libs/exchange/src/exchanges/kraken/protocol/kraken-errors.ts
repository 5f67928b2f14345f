import type { ErrorMap, ErrorMeaning } from '../../../transport/error-map.js';
import { readErrorCodes } from './kraken-responses.js';

type Meanings = ErrorMap['meanings'];

const INVALID_KEY: ErrorMeaning = { kind: 'credentials_invalid' };
/** Calls are counted by key and by address; that the nonce is compared before is not documented. */
const SLOW_DOWN: ErrorMeaning = { kind: 'rate_limited', beforeRepeatCheck: true };
const LOCKED: ErrorMeaning = { kind: 'refused', reason: 'account_locked' };
const UNKNOWN_ASSET: ErrorMeaning = { kind: 'refused', code: 'WITHDRAWAL_ASSET_NOT_SUPPORTED' };
const OTHER_ADDRESS: ErrorMeaning = { kind: 'refused', code: 'WITHDRAWAL_INVALID_ADDRESS' };
const NEEDS_TOTP: ErrorMeaning = { kind: 'refused', code: 'WITHDRAWAL_2FA_REQUIRED_TOTP' };
const MALFORMED: ErrorMeaning = { kind: 'refused', reason: 'invalid_arguments' };
/** The service itself failed: on a submission this proves nothing. */
const FAULT: ErrorMeaning = { kind: 'unavailable' };

/**
 * What is said before a request reaches what executes it, and when that fails; the same for every request. The codes:
 * https://docs.kraken.com/api/docs/guides/spot-errors
 */
const general: Meanings = {
  // Kraken answers this for good keys, too, during outages, and before it compares the nonce.
  'EAPI:Invalid key': { ...INVALID_KEY, beforeRepeatCheck: true },
  // A wrong secret; and, by Kraken's own article on two-factor for API keys, a key that has been given a second factor.
  'EAPI:Invalid signature': { ...INVALID_KEY, reason: 'invalid_signature' },
  // Says nothing about the key, and a key that is called invalid can cost a wallet.
  'EAPI:Feature disabled': { kind: 'refused', reason: 'feature_disabled' },
  // "Less than or equal to the last accepted nonce": what the second copy of an executed request is told.
  'EAPI:Invalid nonce': { kind: 'unavailable', again: true },
  'EAPI:Rate limit exceeded': SLOW_DOWN,
  'EAPI:Bad request': MALFORMED,
  'EAuth:Rate limit exceeded': SLOW_DOWN,
  'EAuth:Too many requests': SLOW_DOWN,
  'EAuth:Account temporary disabled': LOCKED,
  'EGeneral:Internal error': FAULT,
  'EGeneral:Invalid arguments': MALFORMED,
  'EGeneral:Permission denied': { kind: 'permission_missing' },
  'EGeneral:Temporary lockout': SLOW_DOWN,
  'EGeneral:Too many requests': SLOW_DOWN,
  'EGeneral:Unknown method': MALFORMED,
  'EService:Unavailable': FAULT,
  'EService:Busy': FAULT,
  // By https://docs.kraken.com/exchange/guides/general/errors an order may have been placed all the same.
  'EService:Deadline elapsed': FAULT,
  'EDatabase:Internal error': FAULT,
  'ETrade:User Locked': LOCKED,
};

/** Of the funding system: the reference of its endpoints, and what clients report. */
const funding: Meanings = {
  // How Kraken asks a key with two-factor for its code is not documented; these are the forms that clients report.
  'EAPI:Invalid OTP': NEEDS_TOTP,
  'EAPI:OTP required': NEEDS_TOTP,
  'EAuth:Account unconfirmed': { kind: 'refused', code: 'WITHDRAWAL_EMAIL_UNVERIFIED' },
  'EAccount:Invalid permissions': { kind: 'permission_missing' },
  'EBM:limit exceeded': { kind: 'refused', code: 'WITHDRAWAL_KYC_REQUIRED' },
  'EFunding:Duplicate withdraw key': { kind: 'refused', code: 'WITHDRAWAL_FUNDING_ADDRESS_CONFLICT' },
  'EFunding:Insufficient funds': { kind: 'refused', code: 'WITHDRAWAL_INSUFFICIENT_BALANCE' },
  'EFunding:Invalid address': OTHER_ADDRESS,
  'EFunding:Invalid withdrawal address': OTHER_ADDRESS,
  // Said of amounts that are too small; too large ones are "Insufficient funds" or over the limit of WithdrawInfo.
  'EFunding:Invalid amount': { kind: 'refused', code: 'WITHDRAWAL_AMOUNT_BELOW_MINIMUM', reason: 'invalid_amount' },
  'EFunding:Max fee exceeded': { kind: 'refused', reason: 'fee_changed' },
  'EFunding:No funding method': { kind: 'refused', code: 'WITHDRAWAL_NETWORK_NOT_SUPPORTED' },
  'EFunding:Too many addresses': { kind: 'refused', code: 'WITHDRAWAL_TOO_MANY_ADDRESSES' },
  'EFunding:Unknown asset': UNKNOWN_ASSET,
  'EFunding:Unknown withdraw key': { ...OTHER_ADDRESS, reason: 'address_not_allowlisted' },
  'EQuery:Unknown asset': UNKNOWN_ASSET,
};

/** How Kraken says no to one kind of request: as to every one, and in codes of its own. */
export function krakenErrorMap(own: Meanings): ErrorMap {
  return {
    codesIn: readErrorCodes,
    // Its own errors come with 200.
    refusesWith: (status) => status < 500,
    meanings: { ...general, ...own },
  };
}

/**
 * Every refusal of the funding system is definite: a withdrawal that got one was not made. Kraken compares the nonce
 * before a request reaches that system, so a second copy of an executed withdrawal is told `EAPI:Invalid nonce` and never
 * "insufficient funds". This holds for keys whose nonce window is 0: inside a window the documentation promises nothing
 * about a nonce that was used already.
 */
export const krakenErrors = krakenErrorMap(funding);
