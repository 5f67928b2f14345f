import type { VerificationChallenge, VerificationMethod, VerificationStep } from '#exchange';

/** One code that the exchange has checked. */
export interface CodeAttempt {
  method: VerificationMethod;
  status: 'success' | 'failure';
  /** Epoch milliseconds. */
  createdAt: number;
  success: boolean;
}

/** The state of a challenge as callers see it. */
export interface VerificationReport {
  bizNo: string;
  steps: VerificationStep[];
  relation: VerificationChallenge['relation'];
  mfa: {
    bizNo: string;
    /** true = verified; false = the last code was wrong; absent = not tried. */
    verified: Partial<Record<VerificationMethod, boolean>>;
    attempts: CodeAttempt[];
  };
}

/** The field of an execution's body that carries the code of a method. */
export type CodeField = 'twofa' | 'emailCode' | 'smsCode';
export const codeFields: readonly CodeField[] = ['twofa', 'emailCode', 'smsCode'];

const FIELDS: Readonly<Record<VerificationMethod, CodeField | null>> = {
  GOOGLE: 'twofa',
  YUBIKEY: 'twofa',
  PASSPHRASE: 'twofa',
  EMAIL: 'emailCode',
  SMS: 'smsCode',
  FACE: null,
};

/** Returns null when the method has no code, because the person verifies in the exchange's own app. */
export function fieldOf(method: VerificationMethod): CodeField | null {
  return FIELDS[method];
}

/** Whether the person has completed the verification. */
export function isComplete({ relation, steps }: Pick<VerificationChallenge, 'relation' | 'steps'>): boolean {
  const isDone = ({ status }: VerificationStep): boolean => status === 'success';
  if (relation === 'OR') return steps.some(isDone);
  const required = steps.filter((step) => step.required);
  return (required.length > 0 ? required : steps).every(isDone);
}

export function toReport(
  { bizNo, relation, attempts }: Pick<VerificationReport, 'bizNo' | 'relation'> & { attempts: CodeAttempt[] },
  steps: VerificationStep[],
): VerificationReport {
  const tried = steps.filter(({ status }) => status !== 'pending');
  const verified = Object.fromEntries(tried.map(({ type, status }) => [type, status === 'success']));
  return { bizNo, steps: steps.map(toShown), relation, mfa: { bizNo, verified, attempts } };
}

/**
 * Returns the members in a fixed order, because stored steps have another order than steps that were just read. Drops
 * empty metadata.
 */
function toShown({ type, status, required, metadata = {} }: VerificationStep): VerificationStep {
  return { type, status, required, ...(Object.keys(metadata).length > 0 && { metadata }) };
}
