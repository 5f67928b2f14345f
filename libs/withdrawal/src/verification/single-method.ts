import type { SubmitOptions, SubmitOutcome, VerificationMethod } from '#exchange';
import { errorCodes, type ErrorCode } from '#platform/errors';
import type { RecordedRefusal, Refusal } from '../withdrawals/refusal.js';
import { CodesLocked, MethodNotSupported, WRONG_CODES_MAX } from './verification.errors.js';
import { fieldOf, type CodeField } from './verification-report.js';

const METHODS: Partial<Record<ErrorCode, VerificationMethod>> = {
  WITHDRAWAL_2FA_REQUIRED_TOTP: 'GOOGLE',
  WITHDRAWAL_2FA_REQUIRED_SMS: 'SMS',
  WITHDRAWAL_2FA_REQUIRED_EMAIL: 'EMAIL',
  WITHDRAWAL_2FA_REQUIRED_FACE_RECOGNITION: 'FACE',
  WITHDRAWAL_2FA_REQUIRED_YUBIKEY: 'YUBIKEY',
  WITHDRAWAL_2FA_REQUIRED_PASSPHRASE: 'PASSPHRASE',
};

const WRONG_CODE = 'The code was wrong; execute the same quote with another code';

/** @throws MethodNotSupported for a code that the exchange is known not to ask for. */
export function checkMethods(
  given: readonly CodeField[],
  earlier: RecordedRefusal | null,
  ofExchange: readonly VerificationMethod[],
): void {
  const asked = earlier?.errorResult?.['method'] as VerificationMethod | undefined;
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
  const method = METHODS[outcome.code];
  const field = method === undefined ? null : fieldOf(method);
  const isWrong = field !== null && proof?.codes[field] !== undefined;
  const result = { exchangeCode: outcome.rawCode, ...(method !== undefined && { method }) };
  if (!isWrong) return { code: outcome.code, message: errorCodes[outcome.code].when, result };
  if (wrongBefore + 1 < WRONG_CODES_MAX) return { code: 'WITHDRAWAL_2FA_INVALID', message: WRONG_CODE, result };
  const { code, message } = new CodesLocked();
  return { code, message, result: { ...result, locked: true } };
}
