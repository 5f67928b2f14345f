import type { AccountBook } from '../../ledger/state.js';
import type { ChallengeStep } from '../../ledger/partner-records.js';
import { totpStep } from '../../totp.js';

/** The passphrase of every account with the method PASSPHRASE. It is valid for any number of withdrawals. */
export const PASSPHRASE = 'open sesame';
/** The format of a YubiKey code: 44 characters of modhex, starting with the public id. */
const YUBIKEY = /^cccccc[cbdefghijklnrtuv]{38}$/;

export interface CheckedCode {
  right: boolean;
  /** The code that must not be accepted again; null when the code may be used again. */
  spent: string | null;
}

/** Checks a code for a step of the account's verification at `now`. */
export function checkCode(
  book: AccountBook,
  { method, code: sent }: ChallengeStep,
  given: string,
  now: Date,
): CheckedCode {
  switch (method) {
    case 'GOOGLE': {
      const secret = book.profile?.totpSecret ?? null;
      const step = secret === null ? null : totpStep(secret, given, now);
      return step === null ? WRONG : once(book, `totp ${step}`);
    }
    case 'YUBIKEY':
      return YUBIKEY.test(given) ? once(book, `yubikey ${given}`) : WRONG;
    case 'EMAIL':
    case 'SMS':
      return { right: sent !== null && given === sent, spent: null };
    case 'PASSPHRASE':
      return { right: given === PASSPHRASE, spent: null };
    case 'FACE':
      return WRONG;
  }
}

const WRONG: CheckedCode = { right: false, spent: null };

function once(book: AccountBook, code: string): CheckedCode {
  return book.spentCodes.has(code) ? WRONG : { right: true, spent: code };
}
