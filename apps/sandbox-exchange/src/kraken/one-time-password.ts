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
 * Takes the code of a key that has two-factor; each counts once.
 * https://docs.kraken.com/exchange/guides/rest/authentication names the parameter `otp` and no error. Kraken's article on
 * two-factor of API keys (support.kraken.com, 360000714526) says that an app which sends none is told
 * `EAPI:Invalid signature`, and that every call needs a code; clients also report errors that name the OTP. So a key of
 * the sandbox can be told either. That a code counts once, and when it is looked at, is not documented.
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
