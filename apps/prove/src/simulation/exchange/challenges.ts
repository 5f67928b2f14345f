import {
  ExchangeError,
  type PreparedWithdrawal,
  type SubmitOptions,
  type SubmitOutcome,
  type VerificationChallenge,
  type VerificationCodes,
  type VerificationMethod,
  type VerificationStep,
} from '#exchange';
import type { Secret } from '#platform/crypto';

/**
 * The verification that the exchange requires: nothing, one code with the submission, or a challenge of several steps.
 */
export type VerificationTraits =
  | { kind: 'none' }
  | { kind: 'totp' }
  | {
      kind: 'challenge';
      mode: VerificationChallenge['mode'];
      relation: VerificationChallenge['relation'];
      methods: readonly VerificationMethod[];
    };

/** The right codes; every other code is wrong. */
export const rightCodes: Readonly<Record<string, string>> = { GOOGLE: '111111', EMAIL: '222222', SMS: '333333' };

const FIELDS: Partial<Record<VerificationMethod, keyof VerificationCodes>> = {
  GOOGLE: 'twofa',
  EMAIL: 'emailCode',
  SMS: 'smsCode',
};

/** The verification of the exchange: one challenge for each withdrawal. */
export class Challenges {
  private readonly byId = new Map<string, VerificationChallenge>();
  private readonly byReference = new Map<string, VerificationChallenge>();
  /** Number of sent emails. */
  mails = 0;

  constructor(
    readonly traits: VerificationTraits,
    private readonly onViolation: (what: string) => void,
  ) {}

  open(prepared: PreparedWithdrawal): VerificationChallenge | null {
    if (this.traits.kind !== 'challenge') return null;
    const { mode, relation, methods } = this.traits;
    const reference = referenceOf(prepared);
    const opened = this.byReference.get(reference);
    if (opened !== undefined) return structuredClone(opened);
    const steps = methods.map((type): VerificationStep => ({ type, status: 'pending', required: relation === 'AND' }));
    const challenge: VerificationChallenge = {
      id: `biz-${this.byId.size + 1}`,
      mode,
      relation,
      steps,
      expiresAt: null,
    };
    if (methods.includes('EMAIL')) this.mails += 1;
    this.byId.set(challenge.id, challenge);
    this.byReference.set(reference, challenge);
    return structuredClone(challenge);
  }

  read(id: string): VerificationChallenge | null {
    return structuredClone(this.byId.get(id)) ?? null;
  }

  /** Called when a request to verify a step is sent. Reports a violation when the step is already verified. */
  checkUnverified(id: string, method: VerificationMethod): void {
    const step = this.byId.get(id)?.steps.find(({ type }) => type === method);
    if (step?.status === 'success') this.onViolation(`${method} of ${id} is sent again although it is verified`);
  }

  verify(id: string, method: VerificationMethod, code: Secret): VerificationChallenge {
    const challenge = this.byId.get(id);
    if (challenge === undefined) throw new ExchangeError('refused', 'kraken', `the challenge ${id} does not exist`);
    look(challenge, method, code);
    return structuredClone(challenge);
  }

  /** Completes the face check of every challenge, as the owner does at a real exchange. */
  confirmFaces(): void {
    for (const { steps } of this.byId.values()) {
      for (const step of steps) if (step.type === 'FACE') step.status = 'success';
    }
  }

  /**
   * The response to a submission whose verification is not complete; null = no step is missing.
   * @param isCopy true: the network delivers an earlier request again, with the same codes.
   */
  refusalOf(prepared: PreparedWithdrawal, proof: SubmitOptions['proof'], isCopy: boolean): SubmitOutcome | null {
    switch (this.traits.kind) {
      case 'none':
        return null;
      case 'totp':
        return proof?.codes.twofa?.reveal() === rightCodes['GOOGLE'] ? null : TOTP_REQUIRED;
      case 'challenge':
        return this.refusalOfChallenge(this.byReference.get(referenceOf(prepared)), proof, isCopy);
    }
  }

  private refusalOfChallenge(
    challenge: VerificationChallenge | undefined,
    proof: SubmitOptions['proof'],
    isCopy: boolean,
  ): SubmitOutcome | null {
    if (challenge === undefined || challenge.id !== proof?.challengeId) return challengeRequired(challenge);
    if (challenge.mode === 'all_at_once') this.lookAtAll(challenge, proof.codes, isCopy);
    return isVerified(challenge) ? null : challengeRequired(challenge);
  }

  private lookAtAll(challenge: VerificationChallenge, codes: VerificationCodes, isCopy: boolean): void {
    for (const { type } of challenge.steps) {
      const code = codes[FIELDS[type] ?? 'twofa'];
      if (FIELDS[type] === undefined || code === undefined) continue;
      if (!isCopy) this.checkUnverified(challenge.id, type);
      look(challenge, type, code);
    }
  }
}

const TOTP_REQUIRED: SubmitOutcome = {
  kind: 'verification_required',
  code: 'WITHDRAWAL_2FA_REQUIRED_TOTP',
  rawCode: 'EAPI:OTP required',
  answer: {},
};

function challengeRequired(challenge: VerificationChallenge | undefined): SubmitOutcome {
  return {
    kind: 'verification_required',
    code: 'WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS',
    rawCode: 'verification_required',
    challenge: structuredClone(challenge),
    answer: {},
  };
}

/** The key of a challenge: our reference, or else the details of the request. */
function referenceOf({ clientRef, request }: PreparedWithdrawal): string {
  return clientRef ?? JSON.stringify(request);
}

function isVerified({ relation, steps }: VerificationChallenge): boolean {
  const isDone = ({ status }: VerificationStep): boolean => status === 'success';
  return relation === 'OR' ? steps.some(isDone) : steps.every((step) => isDone(step) || !step.required);
}

function look({ steps }: VerificationChallenge, method: VerificationMethod, code: Secret): void {
  const step = steps.find(({ type }) => type === method);
  if (step !== undefined && step.status !== 'success') {
    step.status = code.reveal() === rightCodes[method] ? 'success' : 'failure';
  }
}
