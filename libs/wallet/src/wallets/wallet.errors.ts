import { DomainError, errorCodes, InvalidRequest, type ErrorCode } from '#platform/errors';

/** The project has no connected wallet with this id; a deleted one and one of another project look the same. */
export class WalletNotFound extends DomainError {
  constructor() {
    super('WALLET_NOT_FOUND', 'Wallet not found');
  }
}

/**
 * The exchange has refused the credentials in two signed calls. `result.walletDeleted` says whether the wallet is gone
 * because of it; `result.deletionAt` (ISO 8601) when it is to be deleted at the earliest, null = it is not to be.
 */
export class WalletInvalidCredentials extends DomainError {
  constructor({ walletDeleted, deletionAt }: { walletDeleted: boolean; deletionAt: Date | null }, cause?: unknown) {
    super(
      'WALLET_INVALID_CREDENTIALS',
      'Invalid API credentials: the exchange says that they are invalid, revoked or expired',
      { details: { result: { walletDeleted, deletionAt: deletionAt?.toISOString() ?? null } }, cause },
    );
  }
}

/** What was begun with one version of the credentials is not gone on with under another: it may be another account. */
export class CredentialsReplaced extends InvalidRequest {
  constructor() {
    super(
      'The credentials of the wallet were replaced, and nothing was sent; ask again, for a withdrawal with a new quote',
      {
        status: 409,
        details: { result: { reason: 'credentials_replaced' } },
      },
    );
  }
}

/** A definite answer of the exchange about the request itself, under the interface's code for it. */
export class RefusedByExchange extends DomainError {
  constructor(code: ErrorCode, options: { reason?: string; cause?: unknown } = {}) {
    super(code, errorCodes[code].when, {
      details: options.reason === undefined ? undefined : { result: { reason: options.reason } },
      cause: options.cause,
    });
  }
}
