import type { ErrorCode } from '#platform/errors';
import type { Secret } from '#platform/crypto';
import { ExchangeError } from '../../port/exchange-error.js';
import type {
  PreparedWithdrawal,
  SubmitOptions,
  SubmitOutcome,
  VerificationCapability,
  VerificationChallenge,
  VerificationMethod,
} from '../../port/exchange.port.js';
import { readChallenge, readMissingVerification, readOpened } from './sandbox-responses.js';
import type { SandboxClient } from './sandbox-client.js';

/** Verification challenges of one account. */
export class SandboxVerification implements VerificationCapability {
  constructor(private readonly client: SandboxClient) {}

  open({ request }: PreparedWithdrawal): Promise<VerificationChallenge | null> {
    const { maxFee: _maxFee, validUntil: _validUntil, ...order } = request;
    return this.client.post('/challenges', order, readOpened);
  }

  async read(challengeId: string): Promise<VerificationChallenge | null> {
    try {
      return await this.client.get({ template: '/challenges/{id}', id: challengeId }, {}, readChallenge);
    } catch (error) {
      if (error instanceof ExchangeError && error.rawCode === 'challenge_not_found') return null;
      throw error;
    }
  }

  verify(challengeId: string, method: VerificationMethod, code: Secret): Promise<VerificationChallenge> {
    const path = { template: '/challenges/{id}/verify', id: challengeId };
    return this.client.post(path, { method, code: code.reveal() }, readChallenge);
  }
}

/** The fields of a submission that carry the proof. */
export function toProof(proof: SubmitOptions['proof']): object {
  if (proof === undefined) return {};
  const { challengeId, codes } = proof;
  const authenticator = codes.twofa?.reveal();
  const email = codes.emailCode?.reveal();
  const sms = codes.smsCode?.reveal();
  return { challengeId, codes: { authenticator, email, sms } };
}

const codeOf: Readonly<Record<VerificationMethod, ErrorCode>> = {
  GOOGLE: 'WITHDRAWAL_2FA_REQUIRED_TOTP',
  EMAIL: 'WITHDRAWAL_2FA_REQUIRED_EMAIL',
  SMS: 'WITHDRAWAL_2FA_REQUIRED_SMS',
  FACE: 'WITHDRAWAL_2FA_REQUIRED_FACE_RECOGNITION',
  YUBIKEY: 'WITHDRAWAL_2FA_REQUIRED_YUBIKEY',
  PASSPHRASE: 'WITHDRAWAL_2FA_REQUIRED_PASSPHRASE',
};

/** Adds the missing verification, which the response contains beside the error code: one method, or a challenge. */
export function withMissingVerification(outcome: SubmitOutcome): SubmitOutcome {
  if (outcome.kind !== 'verification_required') return outcome;
  const { method, challenge } = readMissingVerification(outcome.answer['body']);
  if (challenge !== undefined) return { ...outcome, challenge };
  return method === undefined ? outcome : { ...outcome, code: codeOf[method] };
}
