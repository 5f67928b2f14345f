import type { Exchange } from '../exchange.js';
import type { ApiKey } from '../ledger/records.js';
import { totpStep } from '../totp.js';
import { KrakenError } from './handler.js';

interface Guarded {
  endpoint: string;
  /** The payload parameter `otp`. */
  otp: string | undefined;
}

/**
 * Verifies the code of a key with two-factor authentication; each code works once.
 * https://docs.kraken.com/exchange/guides/rest/authentication names the parameter `otp` and no error. Kraken's article
 * on two-factor authentication of API keys (support.kraken.com, 360000714526) names the error `EAPI:Invalid signature`
 * for a missing code, and requires a code for every call. Clients also report errors that name the OTP, so the refusal
 * is a setting of the key. Not documented: that each code works once, and at which point Kraken checks the code.
 * @throws KrakenError
 */
export function takeOneTimePassword(exchange: Exchange, key: ApiKey, { endpoint, otp }: Guarded, now: Date): void {
  if (key.otp === undefined || (key.otp.scope === 'withdrawals' && endpoint !== 'Withdraw')) return;
  const { secret, refusal } = key.otp;
  const refuse = (named: string) => new KrakenError(refusal === 'named' ? named : 'EAPI:Invalid signature');
  if (otp === undefined || otp === '') throw refuse('EAPI:OTP required');
  const step = totpStep(secret, otp, now);
  const code = `otp ${step}`;
  if (step === null || exchange.bookOf(key.accountId).spentCodes.has(code)) throw refuse('EAPI:Invalid OTP');
  exchange.commit({ spentCode: { accountId: key.accountId, code } });
}
