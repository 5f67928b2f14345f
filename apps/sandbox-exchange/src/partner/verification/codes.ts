import type { AccountBook } from '../ledger/state.js';
import type { ChallengeStep } from '../ledger/partner-records.js';
import { totpStep } from '../totp.js';

/** The same for every account whose factor it is; the only one that may be used again. */
export const PASSPHRASE = 'open sesame';
/** What every YubiKey of the sandbox writes: 44 characters of modhex, the public id first. */
const YUBIKEY = /^cccccc[cbdefghijklnrtuv]{38}$/;

export interface CheckedCode {
  right: boolean;
  /** What may never be accepted again. */
  spent: string | null;
}

/** Whether `code` proves the step, of an account and at a time. */
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
