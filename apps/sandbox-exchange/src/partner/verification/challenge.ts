import { randomInt, randomUUID } from 'node:crypto';
import type { Challenge, ChallengeStep, Message, PartnerProfile } from '../../ledger/partner-records.js';
import { maskedEmail, maskedPhone } from '../accounts/account.js';
import { checkCode } from './codes.js';
import type { PartnerCaller } from '../handler.js';
import { PartnerError } from '../partner-error.js';

const CHALLENGE_MS = 10 * 60_000;
/** Number of wrong codes after which a challenge is locked. */
const WRONG_CODES_MAX = 10;

/** The withdrawal that a challenge is opened for. */
export interface Subject {
  reference: string;
  payload: string;
}

/**
 * Finds the unexpired challenge of this reference, verified or not; null when there is none.
 * @throws PartnerError `challenge_mismatch`
 */
export function findChallenge(
  { exchange, account, now }: PartnerCaller,
  { reference, payload }: Subject,
): Challenge | null {
  const challenges = [...exchange.book(account).challenges.values()];
  const found = challenges.find((one) => one.reference === reference && one.expiresAt > now.getTime());
  if (found === undefined) return null;
  if (found.payload !== payload) {
    throw new PartnerError('challenge_mismatch', 'another withdrawal already has a challenge with this reference');
  }
  return found;
}

/**
 * Finds the challenge of a withdrawal, or opens one and sends its codes.
 * @throws PartnerError `challenge_mismatch`, `challenge_locked`
 */
export function openChallenge(caller: PartnerCaller, subject: Subject): Challenge {
  const found = findChallenge(caller, subject);
  if (found !== null) return unlocked(found);
  const { exchange, account, profile, now } = caller;
  const { mode, relation, methods } = profile.verification;
  if (mode === 'none') throw new Error('an account without verification has no challenges');
  const challenge: Challenge = {
    id: randomUUID(),
    accountId: account.id,
    ...subject,
    mode,
    relation,
    steps: methods.map((method) => ({ method, status: 'pending', code: isSent(method) ? newCode() : null })),
    wrongCodes: 0,
    lockedAt: null,
    openedAt: now.getTime(),
    expiresAt: now.getTime() + CHALLENGE_MS,
  };
  exchange.commit({ challenge, messages: messagesOf(challenge, profile) });
  return challenge;
}

const isSent = (method: ChallengeStep['method']): boolean => method === 'EMAIL' || method === 'SMS';
const newCode = (): string => String(randomInt(1_000_000)).padStart(6, '0');

function messagesOf({ id, accountId, steps, openedAt }: Challenge, { email, phone }: PartnerProfile): Message[] {
  return steps.flatMap(({ method, code }): Message[] => {
    if (code === null) return [];
    const [kind, to] = method === 'EMAIL' ? (['email', email] as const) : (['sms', phone] as const);
    return [{ accountId, kind, to, code, challengeId: id, at: openedAt }];
  });
}

/** @throws PartnerError `challenge_not_found` when it is unknown, belongs to another account, or has expired */
export function getChallenge({ exchange, account, now }: PartnerCaller, id: string): Challenge {
  const challenge = exchange.book(account).challenges.get(id);
  if (challenge === undefined || challenge.mode === 'inline' || challenge.expiresAt <= now.getTime()) {
    throw new PartnerError('challenge_not_found', 'the challenge is unknown or has expired');
  }
  return challenge;
}

/** @throws PartnerError `challenge_locked` */
export function unlocked(challenge: Challenge): Challenge {
  if (challenge.lockedAt === null) return challenge;
  throw new PartnerError('challenge_locked', 'the challenge is locked after too many wrong codes', {
    lockedAt: challenge.lockedAt,
  });
}

/** Returns whether the challenge is verified: all of its steps, or with OR any one. */
export function isSatisfied({ relation, steps }: Challenge): boolean {
  const done = ({ status }: ChallengeStep) => status === 'success';
  return relation === 'AND' ? steps.every(done) : steps.some(done);
}

/** Checks one code for a step that is not verified yet, records the result, and returns the new challenge. */
export function tryCode(caller: PartnerCaller, challenge: Challenge, step: ChallengeStep, code: string): Challenge {
  const { exchange, account, now } = caller;
  const { right, spent } = checkCode(exchange.book(account), step, code, now);
  const wrongCodes = challenge.wrongCodes + (right ? 0 : 1);
  const after: Challenge = {
    ...withStep(challenge, step, right ? 'success' : 'failure'),
    wrongCodes,
    lockedAt: wrongCodes >= WRONG_CODES_MAX ? now.getTime() : null,
  };
  exchange.commit({
    challenge: after,
    ...(spent === null ? {} : { spentCode: { accountId: account.id, code: spent } }),
  });
  return after;
}

export function withStep(challenge: Challenge, step: ChallengeStep, status: ChallengeStep['status']): Challenge {
  const steps = challenge.steps.map((one) => (one.method === step.method ? { ...one, status } : one));
  return { ...challenge, steps };
}

/** A challenge in the format of the partner API. */
export function challengeRecord(challenge: Challenge, { email, phone }: PartnerProfile): unknown {
  const { id, reference, mode, relation, steps, expiresAt, lockedAt } = challenge;
  const records = steps.map(({ method, status }) => ({
    method,
    status,
    required: relation === 'AND',
    ...(method === 'EMAIL' ? { email: maskedEmail(email), emailSent: true } : {}),
    ...(method === 'SMS' ? { phone: maskedPhone(phone), smsSent: true } : {}),
  }));
  return { id, reference, mode, relation, steps: records, expiresAt, lockedAt };
}
