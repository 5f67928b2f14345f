import { Injectable } from '@nestjs/common';
import {
  ExchangeError,
  type PreparedWithdrawal,
  type SubmitOptions,
  type SubmitOutcome,
  type VerificationCapability,
  type VerificationChallenge,
  type VerificationCodes,
  type VerificationMethod,
} from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import type { Secret } from '#platform/crypto';
import { generalMessageOf, InvalidRequest, ValidationFailed, type ErrorCode } from '#platform/errors';
import { waitOutside } from '#platform/load';
import type { Refusal } from '../withdrawals/refusal.js';
import { ChallengeStore, type StoredChallenge } from './challenge-store.js';
import { CollectedCodes } from './collected-codes.js';
import { checkMethods, dryRunRefusal, singleRefusal } from './single-method.js';
import { codeFields, fieldOf, isComplete, toReport, type VerificationReport } from './verification-report.js';
import { CodesLocked, MethodNotSupported, WRONG_CODES_MAX, wrongBizNo } from './verification.errors.js';
import type { VerificationSubject } from './verification-subject.js';

/** Pause between two attempts to take a challenge that another call holds. */
const POLL_MS = 100;
/**
 * A call holds a challenge for HOLD_TIMEOUTS × EXCHANGE_TIMEOUT_MS. It sends no code in the last CODE_TIMEOUTS ×
 * EXCHANGE_TIMEOUT_MS, so that every response arrives while it holds the challenge.
 */
const HOLD_TIMEOUTS = 6;
const CODE_TIMEOUTS = 2;

const WHERE_IT_IS = 'GET /v0/wallet/withdraw/{quoteId} returns the right bizNo';

export type Proof = NonNullable<SubmitOptions['proof']>;

/** The part of an execution's request that concerns verification. */
export interface Given {
  bizNo?: string;
  codes: VerificationCodes;
  /**
   * A dry run opens the first challenge of a quote, but no second one, because that would send another email. Where a
   * code is part of the submission, a dry run reports what the submission is known to need.
   */
  dryRun: boolean;
}

/** Either the verification is complete, or `refusal` names what is missing. */
export type Verification =
  { isReady: true; proof?: Proof; report: VerificationReport | null } | { isReady: false; refusal: Refusal };

type VerificationRequired = Extract<SubmitOutcome, { kind: 'verification_required' }>;

/**
 * Advances the verification of one withdrawal before anything is claimed or sent. There are three kinds of exchanges:
 * - Some verify step by step: each code is sent once.
 * - Some want all codes in one call: the codes are stored, sealed, until none is missing.
 * - Some ask for a code only in response to a submission: the next submission carries the code.
 *
 * The challenge is read again from the exchange at every call, so that a crash loses nothing.
 */
@Injectable()
export class VerifyWithdrawal {
  constructor(
    private readonly challenges: ChallengeStore,
    private readonly collected: CollectedCodes,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * Continues the verification with the codes of the request. Opens a challenge first if the exchange requires one.
   * @param check makes the checks that must pass before a person is asked for codes; it runs before a challenge is
   *   opened.
   * @throws CodesLocked, MethodNotSupported, ValidationFailed for the bizNo or the tag.
   */
  async advance(
    subject: VerificationSubject,
    given: Given,
    check: () => Promise<PreparedWithdrawal>,
  ): Promise<Verification> {
    const verification = subject.session.withdrawals?.verification;
    const stored = verification === undefined ? null : await this.challenges.find(subject.quote.id);
    if (stored !== null) checkEcho(stored, given, subject.tag);
    else if (given.bizNo !== undefined)
      throw wrongBizNo('bizNo: no verification with this bizNo is open; execute the quote without bizNo');
    if (verification === undefined) return withSubmission(subject, given);
    if (stored === null) {
      const opened = await verification.open(await check());
      if (opened === null) return withSubmission(subject, given);
      await this.challenges.insert(subject.quote, subject.tag, opened, subject.time.now());
    }
    return this.holding(subject, async (challenge, until) => {
      if (stored !== null) await this.refresh(verification, challenge, given.dryRun ? null : check);
      if (given.bizNo !== undefined && given.bizNo !== challenge.bizNo) {
        throw wrongBizNo(
          'bizNo: the verification has expired; execute the quote without bizNo to begin a new verification',
        );
      }
      await this.tryCodes(verification, challenge, { subject, given, until });
      return this.conclude(challenge, subject);
    });
  }

  /**
   * Makes the refusal for a submission that lacked a verification, and stores the exchange's new state of the
   * challenge.
   */
  async refusal(
    subject: VerificationSubject,
    outcome: VerificationRequired,
    proof: Proof | undefined,
  ): Promise<Refusal> {
    const { quote, wrongCodes, time } = subject;
    if (proof?.challengeId === undefined) return singleRefusal(outcome, proof, wrongCodes);
    const now = time.now();
    const until = this.holdUntil(now);
    // When another call holds the challenge, this call neither waits nor saves, because the other call reads the
    // challenge from the exchange and saves it.
    const held = await this.challenges.take(quote.id, now, until);
    const challenge = held ?? (await this.challenges.find(quote.id));
    if (challenge === null) return singleRefusal(outcome, proof, wrongCodes);
    if (outcome.challenge === undefined) forgetProgress(challenge);
    else update(challenge, outcome.challenge);
    const tried = challenge.steps.filter(({ type, status }) => status !== 'pending' && hasCode(proof, type));
    for (const { type, status } of tried) this.note(challenge, type, status === 'success');
    const wrong = tried.filter(({ status }) => status === 'failure').length;
    challenge.wrongCodes = await this.challenges.countWrongCodes(quote.id, wrong);
    challenge.sealedCodes = {};
    if (held !== null) await this.challenges.save(challenge, until, time.now());
    if (isLocked(challenge)) return toRefusal(new CodesLocked());
    return refusalWith(codeFor(challenge), reportOf(challenge));
  }

  /** Erases the codes after they were sent. When that fails, the sweep erases them later. */
  async forget(quoteId: string, proof: Proof | undefined): Promise<void> {
    const hasCodes = codeFields.some((field) => proof?.codes[field] !== undefined);
    if (proof?.challengeId === undefined || !hasCodes) return;
    await this.challenges.eraseCodes(quoteId).catch(() => undefined);
  }

  /** Returns the last known state of a quote's challenge; null = the quote has no challenge. */
  async describe(quoteId: string): Promise<{ report: VerificationReport; isLocked: boolean } | null> {
    const challenge = await this.challenges.find(quoteId);
    return challenge === null ? null : { report: reportOf(challenge), isLocked: isLocked(challenge) };
  }

  /** Runs `work` while this call alone holds the challenge. Saves the challenge afterwards, even when `work` throws. */
  private async holding<T>(
    { quote, time, deadline }: VerificationSubject,
    work: (challenge: StoredChallenge, until: Date) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      const now = time.now();
      const until = this.holdUntil(now);
      const challenge = await this.challenges.take(quote.id, now, until);
      if (challenge !== null) {
        try {
          return await work(challenge, until);
        } finally {
          await this.challenges.save(challenge, until, time.now());
        }
      }
      if (now.getTime() >= deadline) throw busy();
      await waitOutside(() => this.clock.sleep(POLL_MS));
    }
  }

  private holdUntil(now: Date): Date {
    return new Date(now.getTime() + HOLD_TIMEOUTS * this.config.values.EXCHANGE_TIMEOUT_MS);
  }

  private async refresh(
    verification: VerificationCapability,
    challenge: StoredChallenge,
    check: (() => Promise<PreparedWithdrawal>) | null,
  ): Promise<void> {
    const known = await verification.read(challenge.bizNo);
    if (known === null && check === null) return forgetProgress(challenge);
    const seen = known ?? (check === null ? null : await verification.open(await check()));
    // The exchange no longer asks for a verification, so the challenge is complete.
    if (seen === null) challenge.steps = challenge.steps.map((step) => ({ ...step, status: 'success' }));
    else update(challenge, seen);
  }

  private async tryCodes(
    verification: VerificationCapability,
    challenge: StoredChallenge,
    { subject, given: { codes }, until }: { subject: VerificationSubject; given: Given; until: Date },
  ): Promise<void> {
    const tries = codeFields.flatMap((field) => {
      const code = codes[field];
      if (code === undefined) return [];
      const step = challenge.steps.find(({ type }) => fieldOf(type) === field);
      if (step === undefined) throw new MethodNotSupported(challenge.steps.map(({ type }) => type));
      return [{ field, method: step.type, code }];
    });
    for (const { field, method, code } of tries) {
      if (isLocked(challenge)) throw new CodesLocked();
      if (statusOf(challenge, method) === 'success') continue;
      if (challenge.mode === 'all_at_once') {
        challenge.sealedCodes[field] = await this.collected.seal(subject, field, code);
        continue;
      }
      // With less time left, another call could take the challenge before the exchange responds.
      const isLate =
        until.getTime() - subject.time.now().getTime() < CODE_TIMEOUTS * this.config.values.EXCHANGE_TIMEOUT_MS;
      if (isLate) throw busy();
      await this.tryCode(verification, challenge, method, code);
    }
    if (isLocked(challenge)) throw new CodesLocked();
  }

  /** Counts the code as wrong before sending it, so that the guess counts even when its response is lost. */
  private async tryCode(
    verification: VerificationCapability,
    challenge: StoredChallenge,
    method: VerificationMethod,
    code: Secret,
  ): Promise<void> {
    challenge.wrongCodes = await this.challenges.countWrongCodes(challenge.quoteId, 1);
    try {
      update(challenge, await verification.verify(challenge.bizNo, method, code));
      const isRight = statusOf(challenge, method) === 'success';
      if (isRight) challenge.wrongCodes = await this.challenges.countWrongCodes(challenge.quoteId, -1);
      this.note(challenge, method, isRight);
    } catch (error) {
      if (!(error instanceof ExchangeError) || error.code !== 'WITHDRAWAL_2FA_INVALID') throw error;
      // The exchange accepts no more codes for this challenge, so the quote is locked.
      challenge.wrongCodes = await this.challenges.countWrongCodes(challenge.quoteId, WRONG_CODES_MAX);
      throw new CodesLocked();
    }
  }

  private async conclude(challenge: StoredChallenge, subject: VerificationSubject): Promise<Verification> {
    const report = reportOf(challenge);
    if (!isComplete(report)) {
      return { isReady: false, refusal: refusalWith(codeFor(challenge), report) };
    }
    const codes = await this.collected.open(subject, challenge.sealedCodes);
    return { isReady: true, proof: { challengeId: challenge.bizNo, codes }, report };
  }

  private note(challenge: StoredChallenge, method: VerificationMethod, success: boolean): void {
    const createdAt = this.clock.now().getTime();
    challenge.attempts.push({ method, status: success ? 'success' : 'failure', createdAt, success });
  }
}

/** Sends the codes with the submission, because this exchange asks for codes only in response to a submission. */
function withSubmission(subject: VerificationSubject, { codes, dryRun }: Given): Verification {
  const { session, earlier } = subject;
  const given = codeFields.filter((field) => codes[field] !== undefined);
  if (given.length > 0) checkMethods(given, earlier, session.withdrawals?.methods ?? []);
  const refusal = dryRun ? dryRunRefusal(subject, given) : null;
  if (refusal !== null) return { isReady: false, refusal };
  if (given.length === 0) return { isReady: true, report: null };
  return { isReady: true, proof: { codes }, report: null };
}

/** Checks that a call has the tag and the bizNo of the challenge. Until the first code, the bizNo may be missing. */
function checkEcho(challenge: StoredChallenge, { bizNo }: Given, tag: string | null): void {
  if (bizNo !== undefined && bizNo !== challenge.bizNo) {
    throw wrongBizNo(`bizNo differs from the bizNo of the open verification of this quote; ${WHERE_IT_IS}`);
  }
  if (bizNo === undefined && hasBegun(challenge)) {
    throw wrongBizNo(`bizNo is required: the verification of this quote has begun; ${WHERE_IT_IS}`);
  }
  if (tag !== challenge.tag) {
    throw new ValidationFailed([
      {
        field: 'tag',
        message:
          'tag differs from the tag of the call that opened the verification; send that tag, or request a quote with the other tag',
      },
    ]);
  }
}

function update(challenge: StoredChallenge, { id, mode, relation, steps, expiresAt }: VerificationChallenge): void {
  if (id !== challenge.bizNo) forgetProgress(challenge);
  Object.assign(challenge, { bizNo: id, mode, relation, steps, expiresAt });
  // The code of a verified step is deleted, so that it is not sent again.
  for (const { type, status } of steps) {
    const field = fieldOf(type);
    if (field !== null && status === 'success') delete challenge.sealedCodes[field];
  }
}

/** Resets the progress for a new challenge. The count of wrong codes stays, because it limits the tries for a quote. */
function forgetProgress(challenge: StoredChallenge): void {
  const steps = challenge.steps.map((step) => ({ ...step, status: 'pending' as const }));
  Object.assign(challenge, { steps, attempts: [], sealedCodes: {} });
}

function codeFor(challenge: StoredChallenge): ErrorCode {
  return hasBegun(challenge) ? 'WITHDRAWAL_2FA_INCOMPLETE' : 'WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS';
}

function hasCode({ codes }: Proof, method: VerificationMethod): boolean {
  const field = fieldOf(method);
  return field !== null && codes[field] !== undefined;
}

function busy(): InvalidRequest {
  const message = 'Another call is verifying this withdrawal; try again';
  return new InvalidRequest(message, { status: 409, retryAfterSeconds: 1 });
}

function hasBegun({ attempts, steps, sealedCodes }: StoredChallenge): boolean {
  return attempts.length > 0 || Object.keys(sealedCodes).length > 0 || steps.some(({ status }) => status === 'success');
}

function isLocked({ wrongCodes }: StoredChallenge): boolean {
  return wrongCodes >= WRONG_CODES_MAX;
}

function statusOf({ steps }: StoredChallenge, method: VerificationMethod): string | undefined {
  return steps.find(({ type }) => type === method)?.status;
}

/** Reports a collected code as `success` with `collected: true`, because the person need not send it again. */
function reportOf({ bizNo, relation, attempts, steps, sealedCodes }: StoredChallenge): VerificationReport {
  const shown = steps.map((step) => {
    const field = fieldOf(step.type);
    const isCollected = step.status !== 'success' && field !== null && sealedCodes[field] !== undefined;
    if (!isCollected) return step;
    return { ...step, status: 'success' as const, metadata: { ...step.metadata, collected: true } };
  });
  return toReport({ bizNo, relation, attempts }, shown);
}

function toRefusal({ code, message, details }: CodesLocked): Refusal {
  return { code, message, result: details?.result ?? null };
}

function refusalWith(code: ErrorCode, report: VerificationReport): Refusal {
  return { code, message: generalMessageOf(code), result: { ...report } };
}
