import { Conflict, DomainError, generalMessageOf, type ErrorCode } from '#platform/errors';

/**
 * The project has no connected wallet with this id. Deleted wallets and those of other projects get the same response.
 */
export class WalletNotFound extends DomainError {
  constructor() {
    super('WALLET_NOT_FOUND', 'Wallet not found');
  }
}

interface RefusedCredentials {
  walletDeleted: boolean;
  deletionAt: Date | null;
  /** The fault of the credentials, such as `invalid_signature`; absent = the exchange does not say. */
  reason?: string;
}

/**
 * The exchange has refused the credentials in two signed calls. `result.walletDeleted` is true when the wallet was
 * deleted because of it. `result.deletionAt` (ISO 8601) is the earliest time of a planned deletion; null = none is
 * planned.
 */
export class WalletInvalidCredentials extends DomainError {
  constructor({ walletDeleted, deletionAt, reason }: RefusedCredentials, cause?: unknown) {
    super(
      'WALLET_INVALID_CREDENTIALS',
      reason === 'expired'
        ? 'Invalid API credentials: the exchange reports that the key has expired; create a new key at the exchange, and connect again'
        : 'Invalid API credentials: the exchange reports that they are invalid, revoked or expired',
      {
        result: {
          walletDeleted,
          deletionAt: deletionAt?.toISOString() ?? null,
          ...(reason !== undefined && { reason }),
        },
        cause,
      },
    );
  }
}

/**
 * The credentials were replaced after the operation began. The operation cannot continue, because the new credentials
 * may open another account.
 */
export class CredentialsReplaced extends Conflict {
  constructor() {
    super(
      'The credentials of the wallet were replaced, and nothing was sent; request a new quote for a withdrawal, or repeat any other request',
      { result: { reason: 'credentials_replaced' } },
    );
  }
}

/** The exchange has definitely refused the request, for a reason that has an error code. */
export class RefusedByExchange extends DomainError {
  /** @param options.message replaces the general message of the code. */
  constructor(
    code: ErrorCode,
    { reason, message, cause }: { reason?: string; message?: string; cause?: unknown } = {},
  ) {
    super(code, message ?? generalMessageOf(code), { result: reason === undefined ? undefined : { reason }, cause });
  }
}
