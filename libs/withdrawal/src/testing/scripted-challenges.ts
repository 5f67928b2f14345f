import {
  ExchangeError,
  type PreparedWithdrawal,
  type SubmitOptions,
  type SubmitOutcome,
  type VerificationCapability,
  type VerificationChallenge,
  type VerificationCodes,
  type VerificationMethod,
  type VerificationStep,
} from '#exchange';
import type { ManualClock } from '#platform/testing';
import { assertOutsideTransaction } from '#platform/database';
import type { Secret } from '#platform/crypto';

/** A verification step and its correct code. FACE has no code. */
export interface ScriptedStep {
  type: VerificationMethod;
  code?: string;
  required?: boolean;
}

const FIELDS: Partial<Record<VerificationMethod, keyof VerificationCodes>> = {
  GOOGLE: 'twofa',
  EMAIL: 'emailCode',
  SMS: 'smsCode',
};

/**
 * The verification of the scripted exchange: it keeps one challenge for each withdrawal, and the codes that it has
 * received.
 */
export class ScriptedChallenges implements VerificationCapability {
  private required: ScriptedStep[] = [];
  private relation: VerificationChallenge['relation'] = 'AND';
  private mode: VerificationChallenge['mode'] = 'step_by_step';
  private readonly challenges = new Map<string, VerificationChallenge>();
  private readonly byWithdrawal = new Map<string, VerificationChallenge>();
  /** The codes in the order of their arrival, such as `GOOGLE 123456`. */
  readonly received: string[] = [];
  opened = 0;
  /** true: the exchange accepts no more codes. */
  isLocked = false;
  /** Every read of a challenge awaits this hook, so that a test can act or delay the read. */
  onRead: () => void | Promise<void> = () => undefined;
  /** Every check of a code awaits this promise, so that a test can delay the check. */
  gate: Promise<void> = Promise.resolve();

  constructor(
    private readonly clock: ManualClock,
    private readonly throwIfDown: () => void,
  ) {}

  get isRequired(): boolean {
    return this.required.length > 0;
  }

  /** Resets the challenges and requires these steps from now on. */
  require(
    steps: ScriptedStep[],
    { relation = 'AND', mode = 'step_by_step' }: Partial<VerificationChallenge> = {},
  ): void {
    this.required = steps;
    this.relation = relation;
    this.mode = mode;
    this.opened = 0;
    this.isLocked = false;
    this.gate = Promise.resolve();
    this.expire();
    this.received.length = 0;
  }

  async open({ request }: PreparedWithdrawal): Promise<VerificationChallenge | null> {
    await this.arrive();
    const about = JSON.stringify(request);
    const open = this.byWithdrawal.get(about);
    if (open !== undefined) return structuredClone(open);
    this.opened += 1;
    const id = `biz-${this.opened}`;
    const steps = this.required.map(({ type, required = this.relation === 'AND' }): VerificationStep => {
      const metadata = type === 'EMAIL' ? { email: 'd***@example.test', emailSent: true } : undefined;
      return { type, status: 'pending', required, ...(metadata && { metadata }) };
    });
    const challenge = { id, relation: this.relation, mode: this.mode, steps, expiresAt: this.inTenMinutes() };
    this.challenges.set(id, challenge);
    this.byWithdrawal.set(about, challenge);
    return structuredClone(challenge);
  }

  async read(challengeId: string): Promise<VerificationChallenge | null> {
    await this.arrive();
    await this.onRead();
    return structuredClone(this.challenges.get(challengeId)) ?? null;
  }

  async verify(challengeId: string, method: VerificationMethod, code: Secret): Promise<VerificationChallenge> {
    await this.arrive();
    await this.gate;
    if (this.isLocked) {
      throw new ExchangeError('refused', 'kraken', 'locked', { code: 'WITHDRAWAL_2FA_INVALID' });
    }
    const challenge = this.challengeOf(challengeId);
    this.look(challenge, method, code);
    return structuredClone(challenge);
  }

  /** Records that the person has confirmed a step in the exchange's own app. */
  confirmFace(success = true): void {
    this.confirm('FACE', success);
  }

  /** Records that the person has verified a step without our service. */
  confirm(method: VerificationMethod, success = true): void {
    for (const { steps } of this.challenges.values()) {
      for (const step of steps) if (step.type === method) step.status = success ? 'success' : 'failure';
    }
  }

  /** Drops the open challenges, as an exchange does after some time. */
  expire(): void {
    this.byWithdrawal.clear();
    this.challenges.clear();
  }

  /** The response to a submission while a step is missing; null = nothing is missing. */
  refusalOf(proof: SubmitOptions['proof']): Extract<SubmitOutcome, { kind: 'verification_required' }> | null {
    if (!this.isRequired) return null;
    const challenge = this.challenges.get(proof?.challengeId ?? '');
    if (challenge !== undefined && this.mode === 'all_at_once') this.lookAtAll(challenge, proof?.codes ?? {});
    if (challenge !== undefined && this.isVerified(challenge)) return null;
    return {
      kind: 'verification_required',
      code: 'WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS',
      rawCode: 'verification_required',
      challenge: structuredClone(challenge),
      answer: {},
    };
  }

  private lookAtAll(challenge: VerificationChallenge, codes: VerificationCodes): void {
    for (const { type, status } of structuredClone(challenge.steps)) {
      const code = codes[FIELDS[type] ?? 'twofa'];
      if (status !== 'success' && code !== undefined) this.look(challenge, type, code);
    }
  }

  private isVerified({ steps }: VerificationChallenge): boolean {
    if (this.relation === 'OR') return steps.some(({ status }) => status === 'success');
    return steps.every((step) => step.status === 'success' || !step.required);
  }

  private look(challenge: VerificationChallenge, method: VerificationMethod, code: Secret): void {
    this.received.push(`${method} ${code.reveal()}`);
    const step = challenge.steps.find(({ type }) => type === method);
    const expected = this.required.find(({ type }) => type === method)?.code;
    if (step !== undefined) step.status = code.reveal() === expected ? 'success' : 'failure';
  }

  private challengeOf(id: string): VerificationChallenge {
    const challenge = this.challenges.get(id);
    if (challenge === undefined) throw new ExchangeError('refused', 'kraken', `the challenge ${id} does not exist`);
    return challenge;
  }

  private inTenMinutes(): Date {
    return new Date(this.clock.trueNow().getTime() + 600_000);
  }

  private async arrive(): Promise<void> {
    assertOutsideTransaction('calling an exchange');
    await Promise.resolve();
    this.throwIfDown();
  }
}
