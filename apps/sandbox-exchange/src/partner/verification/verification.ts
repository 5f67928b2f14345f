import type { Challenge, ChallengeStep, VerificationMethod } from '../../ledger/partner-records.js';
import {
  challengeRecord,
  findChallenge,
  getChallenge,
  isSatisfied,
  openChallenge,
  tryCode,
  unlocked,
  type Subject,
} from './challenge.js';
import type { PartnerCaller } from '../handler.js';
import { PartnerError } from '../partner-error.js';

/** Codes by their source; `authenticator` also carries the codes of hardware keys and passphrases. */
export interface Codes {
  authenticator?: string | undefined;
  email?: string | undefined;
  sms?: string | undefined;
}

interface Proof {
  challengeId?: string | undefined;
  codes: Codes;
}

/**
 * Checks the codes of a withdrawal, and records their results even when the verification is not complete.
 * @throws PartnerError unless the account requires no verification, or the verification is now complete
 */
export function verify(caller: PartnerCaller, subject: Subject, { challengeId, codes }: Proof): void {
  const { mode, methods } = caller.profile.verification;
  if (mode === 'none') return;
  if (mode === 'inline') return verifyInline(caller, subject, { method: methods[0], codes });
  const challenge = challengeId === undefined ? null : unlocked(getChallenge(caller, challengeId));
  if (challenge === null) throw required(caller, openChallenge(caller, subject));
  if (challenge.reference !== subject.reference || challenge.payload !== subject.payload) {
    throw new PartnerError('challenge_mismatch', 'the challenge was opened for another withdrawal');
  }
  if (isSatisfied(challenge)) return;
  if (mode === 'step_by_step') throw required(caller, challenge);
  verifyAllAtOnce(caller, challenge, codes);
}

function verifyAllAtOnce(caller: PartnerCaller, challenge: Challenge, codes: Codes): void {
  checkMethods(challenge, codes);
  const given = challenge.steps.filter(
    (step) => step.status !== 'success' && codeFor(step.method, codes) !== undefined,
  );
  const missing = challenge.steps.filter((step) => step.status !== 'success' && !given.includes(step));
  // Codes are checked only when all required ones are present; otherwise valid codes would be used up in vain.
  if (given.length === 0 || (challenge.relation === 'AND' && missing.length > 0)) throw required(caller, challenge);
  const after = given.reduce<Challenge>(
    (current, step) =>
      current.lockedAt !== null || isSatisfied(current)
        ? current
        : tryCode(caller, current, step, codeFor(step.method, codes) ?? ''),
    challenge,
  );
  if (isSatisfied(after)) return;
  throw new PartnerError('verification_failed', 'a code was wrong', {
    challenge: challengeRecord(after, caller.profile),
  });
}

function checkMethods({ steps }: Challenge, codes: Codes): void {
  const taken = new Set(steps.map(({ method }) => codeNameOf(method)));
  const foreign = codeNames.find((name) => codes[name] !== undefined && !taken.has(name));
  if (foreign !== undefined)
    throw new PartnerError('method_not_in_challenge', `the challenge has no step for a ${foreign} code`);
}

function required({ profile }: PartnerCaller, challenge: Challenge): PartnerError {
  return new PartnerError('verification_required', 'the withdrawal requires verification', {
    challenge: challengeRecord(challenge, profile),
  });
}

/** Verifies with one method, in the withdrawal call itself. */
function verifyInline(
  caller: PartnerCaller,
  subject: Subject,
  { method, codes }: { method: VerificationMethod | undefined; codes: Codes },
): void {
  if (method === undefined) throw new Error('an account with inline verification has no method');
  if (method === 'FACE') return verifyFace(caller);
  const isNew = findChallenge(caller, subject) === null;
  const challenge = openChallenge(caller, subject);
  if (isSatisfied(challenge)) return;
  const [step] = challenge.steps as [ChallengeStep];
  const code = codeFor(method, codes);
  // A code that arrives before the exchange has sent one cannot be valid.
  if (code === undefined || (isNew && step.code !== null)) {
    throw new PartnerError('verification_required', `the withdrawal needs a code: ${method}`, { method });
  }
  if (!isSatisfied(tryCode(caller, challenge, step, code))) {
    throw new PartnerError('verification_failed', 'the code was wrong', { method });
  }
}

/** The result of a face check, which the control API sets, counts for one withdrawal. */
function verifyFace({ exchange, profile }: PartnerCaller): void {
  const method = 'FACE';
  if (profile.face === null)
    throw new PartnerError('verification_required', 'the face check is not confirmed yet', { method });
  exchange.commit({ profile: { ...profile, face: null } });
  if (profile.face === 'failure') throw new PartnerError('verification_failed', 'the face check failed', { method });
}

const codeNames = ['authenticator', 'email', 'sms'] as const;

function codeNameOf(method: VerificationMethod): keyof Codes | null {
  switch (method) {
    case 'EMAIL':
      return 'email';
    case 'SMS':
      return 'sms';
    case 'GOOGLE':
    case 'YUBIKEY':
    case 'PASSPHRASE':
      return 'authenticator';
    case 'FACE':
      return null;
  }
}

function codeFor(method: VerificationMethod, codes: Codes): string | undefined {
  const name = codeNameOf(method);
  return name === null ? undefined : codes[name];
}
