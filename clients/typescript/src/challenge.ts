import { isCausewayError, type CausewayError } from './errors.js';
import type { components } from './generated/types.js';

export type VerificationReport = components['schemas']['VerificationReportResponse'];
type VerificationStep = VerificationReport['steps'][number];

/** The codes that a person has typed. */
export interface Codes {
  /** The code of an authenticator or a hardware key, or the passphrase. */
  twofa?: string;
  emailCode?: string;
  smsCode?: string;
}

/** One verification that is still missing. */
export interface ChallengeStep {
  type: VerificationStep['type'];
  /** The member of `Codes` for its code; null for a face check, which happens in the app of the exchange. */
  field: keyof Codes | null;
  /** Whether the last code for this step was wrong. */
  wasWrong: boolean;
  /** Hints for the person, such as the masked address that the code was sent to. */
  metadata: NonNullable<VerificationStep['metadata']>;
}

/** The verification that the exchange requires before it executes the withdrawal. No money has moved. */
export interface Challenge {
  quoteId: string;
  /** AND: every step is needed; OR: one of the steps is enough. */
  relation: 'AND' | 'OR';
  /** The steps that are still missing. */
  steps: ChallengeStep[];
  /** The service's text for people. */
  message: string;
  /** The `bizNo` of the verification, when the exchange has made one. */
  bizNo: string | null;
}

const FIELDS: Record<VerificationStep['type'], keyof Codes | null> = {
  GOOGLE: 'twofa',
  YUBIKEY: 'twofa',
  PASSPHRASE: 'twofa',
  EMAIL: 'emailCode',
  SMS: 'smsCode',
  FACE: null,
};

/** The codes of errors that ask for exactly one verification. */
const SINGLE_STEPS = {
  WITHDRAWAL_2FA_REQUIRED_TOTP: 'GOOGLE',
  WITHDRAWAL_2FA_REQUIRED_YUBIKEY: 'YUBIKEY',
  WITHDRAWAL_2FA_REQUIRED_PASSPHRASE: 'PASSPHRASE',
  WITHDRAWAL_2FA_REQUIRED_EMAIL: 'EMAIL',
  WITHDRAWAL_2FA_REQUIRED_SMS: 'SMS',
  WITHDRAWAL_2FA_REQUIRED_FACE_RECOGNITION: 'FACE',
} as const;

/** Returns the verification that an execution requires, or null when the error requires none. */
export function challengeOf(quoteId: string, error: CausewayError, before: Challenge | null): Challenge | null {
  if (isCausewayError(error, 'WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS', 'WITHDRAWAL_2FA_INCOMPLETE'))
    return error.result === undefined ? null : ofReport(quoteId, error.message, error.result);
  if (isCausewayError(error, 'WITHDRAWAL_2FA_INVALID') && error.result?.locked !== true) {
    const types = error.result?.method === undefined ? typesOf(before) : [error.result.method];
    return types.length === 0 ? null : ofTypes(quoteId, error.message, types, true);
  }
  const type = SINGLE_STEPS[error.code as keyof typeof SINGLE_STEPS] as VerificationStep['type'] | undefined;
  return type === undefined ? null : ofTypes(quoteId, error.message, [type], false);
}

function ofReport(quoteId: string, message: string, { bizNo, relation, steps }: VerificationReport): Challenge {
  const missing = steps.filter(({ status, required }) => status !== 'success' && (required || relation === 'OR'));
  const open = missing.map(({ type, status, metadata = {} }) => ({
    type,
    field: FIELDS[type],
    wasWrong: status === 'failure',
    metadata,
  }));
  return { quoteId, relation, steps: open, message, bizNo };
}

function ofTypes(quoteId: string, message: string, types: VerificationStep['type'][], wasWrong: boolean): Challenge {
  const steps = types.map((type) => ({ type, field: FIELDS[type], wasWrong, metadata: {} }));
  return { quoteId, relation: 'OR', steps, message, bizNo: null };
}

function typesOf(challenge: Challenge | null): VerificationStep['type'][] {
  return challenge?.steps.map(({ type }) => type) ?? [];
}
