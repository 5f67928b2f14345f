import type {
  SubmitOptions,
  SubmitOutcome,
  VerificationMethod,
  WithdrawalCapability,
  WithdrawalRequirement,
} from '#exchange';
import { generalMessageOf, type ErrorCode } from '#platform/errors';
import type { RecordedRefusal, Refusal } from '../withdrawals/refusal.js';
import { CodesLocked, MethodNotSupported, WRONG_CODES_MAX } from './verification.errors.js';
import { codeFields, fieldOf, type CodeField } from './verification-report.js';
import type { VerificationSubject } from './verification-subject.js';

const CODES = {
  GOOGLE: 'WITHDRAWAL_2FA_REQUIRED_TOTP',
  SMS: 'WITHDRAWAL_2FA_REQUIRED_SMS',
  EMAIL: 'WITHDRAWAL_2FA_REQUIRED_EMAIL',
  FACE: 'WITHDRAWAL_2FA_REQUIRED_FACE_RECOGNITION',
  YUBIKEY: 'WITHDRAWAL_2FA_REQUIRED_YUBIKEY',
  PASSPHRASE: 'WITHDRAWAL_2FA_REQUIRED_PASSPHRASE',
} as const satisfies Record<VerificationMethod, ErrorCode>;

/** The verification method for each requirement of a quote that a person must fulfil anew for each withdrawal. */
const REQUIRED: Partial<Record<WithdrawalRequirement['type'], VerificationMethod>> = {
  totp: 'GOOGLE',
  sms: 'SMS',
  email: 'EMAIL',
  face: 'FACE',
  yubikey: 'YUBIKEY',
  passphrase: 'PASSPHRASE',
};

const WRONG_CODE = 'The code was wrong; execute the same quote with another code';
const FACE_UNSEEN =
  'The exchange shows only to an execution whether the check is done, so execute the quote when it is done.';
const CODE_NOT_SENT =
  'The exchange sends this code only after an execution, so first execute the quote without a code.';
const CODE_UNCHECKED = 'The exchange checks the code only when the quote is executed.';
const CODE_UNSEEN = 'The exchange shows only to an execution whether it asks for a code.';

/** @throws MethodNotSupported for a code that the exchange is known not to ask for. */
export function checkMethods(
  given: readonly CodeField[],
  earlier: RecordedRefusal | null,
  ofExchange: readonly VerificationMethod[],
): void {
  const asked = askedMethod(earlier);
  const valid = asked === undefined ? ofExchange : [asked];
  if (!given.every((field) => valid.some((method) => fieldOf(method) === field))) throw new MethodNotSupported(valid);
}

/**
 * Makes the refusal for an exchange that asks for one code. When the exchange asks again after a code was sent, that
 * code was wrong.
 */
export function singleRefusal(
  outcome: Extract<SubmitOutcome, { kind: 'verification_required' }>,
  proof: SubmitOptions['proof'],
  wrongBefore: number,
): Refusal {
  const method = methodOf(outcome.code);
  const field = method === undefined ? null : fieldOf(method);
  const isWrong = field !== null && proof?.codes[field] !== undefined;
  const result = { exchangeCode: outcome.rawCode, ...(method !== undefined && { method }) };
  if (!isWrong) return { code: outcome.code, message: generalMessageOf(outcome.code), result };
  if (wrongBefore + 1 < WRONG_CODES_MAX) return { code: 'WITHDRAWAL_2FA_INVALID', message: WRONG_CODE, result };
  const { code, message } = new CodesLocked();
  return { code, message, result: { ...result, locked: true } };
}

/**
 * Makes the refusal of a dry run for an exchange that checks codes only in a submission. A dry run submits nothing, so
 * it knows only the response to an earlier submission and the requirements of the quote.
 * @returns null when no verification is known to be missing.
 */
export function dryRunRefusal(
  { quote, earlier }: Pick<VerificationSubject, 'quote' | 'earlier'>,
  given: readonly CodeField[],
): Refusal | null {
  const isGiven = (method: VerificationMethod): boolean => given.some((field) => field === fieldOf(method));
  const asked = askedMethod(earlier);
  if (asked !== undefined) return isGiven(asked) ? null : missing(asked);
  for (const { type, detail } of quote.requirements) {
    const method = REQUIRED[type];
    if (method === undefined) continue;
    if (method === 'FACE') return missing(method);
    // Before a submission, the exchange has sent no code for this withdrawal, so a given code cannot be right.
    if (method === 'EMAIL' || method === 'SMS')
      return missing(method, `${generalMessageOf(CODES[method])} ${CODE_NOT_SENT}`);
    if (!isGiven(method)) return missing(method, `This call has no code for a requirement of the quote. ${detail}`);
  }
  if (earlier === null || earlier.errorCode === null || given.length > 0) return null;
  return { code: earlier.errorCode, message: earlier.errorMessage ?? '', result: earlier.errorResult };
}

/** Returns what a complete dry run could not check, as a sentence for the caller; null = it checked everything. */
export function uncheckedByDryRun(
  proof: SubmitOptions['proof'],
  { methods = [], verification }: Partial<WithdrawalCapability> = {},
): string | null {
  if (codeFields.some((field) => proof?.codes[field] !== undefined)) return CODE_UNCHECKED;
  return verification === undefined && methods.length > 0 ? CODE_UNSEEN : null;
}

function missing(method: VerificationMethod, message?: string): Refusal {
  const code = CODES[method];
  const general = generalMessageOf(code);
  return { code, message: message ?? (method === 'FACE' ? `${general} ${FACE_UNSEEN}` : general), result: { method } };
}

/** Returns the method that the exchange asked for in its response to an earlier submission. */
function askedMethod(earlier: RecordedRefusal | null): VerificationMethod | undefined {
  return earlier?.errorResult?.['method'] as VerificationMethod | undefined;
}

function methodOf(code: ErrorCode): VerificationMethod | undefined {
  return (Object.keys(CODES) as VerificationMethod[]).find((method) => CODES[method] === code);
}
