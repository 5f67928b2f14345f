import type { VerificationMethod } from '#exchange';
import { DomainError, ValidationFailed } from '#platform/errors';

/** Wrong codes that lock a quote. */
export const WRONG_CODES_MAX = 5;

/** Too many wrong codes: the quote cannot be executed any more. */
export class CodesLocked extends DomainError {
  constructor() {
    super('WITHDRAWAL_2FA_INVALID', 'Too many wrong codes; ask for a new quote', {
      details: { result: { locked: true } },
    });
  }
}

/** A code for a step that the exchange does not ask for. */
export class MethodNotSupported extends DomainError {
  constructor(valid: readonly VerificationMethod[]) {
    const message = `The exchange does not ask for this code; it asks for: ${valid.join(', ') || 'none'}`;
    super('WITHDRAWAL_2FA_METHOD_NOT_SUPPORTED', message, { details: { result: { valid2FAMethods: valid } } });
  }
}

/** The business number is not that of the challenge that is open. */
export function wrongBizNo(message: string): ValidationFailed {
  return new ValidationFailed([{ field: 'bizNo', message }]);
}
