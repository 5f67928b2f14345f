import { DomainError } from '#platform/errors';

/** The wallet was connected with an API key, or its exchange returns no identities. */
export class WalletIdentityNotFound extends DomainError {
  constructor() {
    super(
      'WALLET_IDENTITY_NOT_FOUND',
      'The wallet has no linked identity: it was connected with an API key, or its exchange reports no identity',
    );
  }
}
