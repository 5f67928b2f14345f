import { DomainError } from '#platform/errors';

/** Connected by an API key, or to an exchange that tells nothing of its users. */
export class WalletIdentityNotFound extends DomainError {
  constructor() {
    super('WALLET_IDENTITY_NOT_FOUND', 'Identity not found: the wallet has no linked identity');
  }
}
