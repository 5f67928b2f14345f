import { DomainError } from '#platform/errors';

/** The wallet was connected with an API key, or its exchange returns no identities. */
export class WalletIdentityNotFound extends DomainError {
  constructor() {
    super('WALLET_IDENTITY_NOT_FOUND', 'Identity not found: the wallet has no linked identity');
  }
}
