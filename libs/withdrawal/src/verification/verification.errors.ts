import type { VerificationMethod } from '#exchange';
import { DomainError, ValidationFailed } from '#platform/errors';

/** Number of wrong codes that locks a quote. */
export const WRONG_CODES_MAX = 5;

/** There were too many wrong codes, and the quote can no longer be executed. */
export class CodesLocked extends DomainError {
  constructor() {
    super('WITHDRAWAL_2FA_INVALID', 'Too many wrong codes were sent for this quote; request a new quote', {
      result: { locked: true },
    });
  }
}

/** The request has a code for a step that the exchange does not ask for. */
export class MethodNotSupported extends DomainError {
  constructor(valid: readonly VerificationMethod[]) {
    const message =
      valid.length === 0
        ? 'The exchange does not ask for a code; execute the quote without codes'
        : `The exchange does not ask for this code; it asks for: ${valid.join(', ')}`;
    super('WITHDRAWAL_2FA_METHOD_NOT_SUPPORTED', message, { result: { valid2FAMethods: valid } });
  }
}

/** Makes the error for a bizNo that is not the one of the open challenge. */
export function wrongBizNo(message: string): ValidationFailed {
  return new ValidationFailed([{ field: 'bizNo', message }]);
}
