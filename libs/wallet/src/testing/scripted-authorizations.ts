import {
  AuthorizationError,
  type AuthorizationFailure,
  type Authorizations,
  type AuthorizationTarget,
  type Authorized,
  type Grant,
} from '#exchange';
import { Secret } from '#platform/crypto';
import { assertOutsideTransaction } from '#platform/database';

/** The result of an authorization: a bearer token, and the grant that renews it. */
export function authorizedAs(name: string, grant: Partial<Grant> | null = {}): Authorized {
  return {
    credentials: { apiKey: new Secret(`access-${name}`) },
    grant: grant && {
      refreshToken: new Secret(`refresh-${name}`),
      accessExpiresAt: null,
      refreshExpiresAt: null,
      ...grant,
    },
    scopes: ['read'],
  };
}

/** Authorizations that respond as the test sets them, and record the refresh tokens of their calls. */
export class ScriptedAuthorizations implements Pick<Authorizations, 'clientId' | 'refresh' | 'revoke'> {
  /** Refresh tokens in the order of the calls. */
  refreshed: string[] = [];
  revoked: string[] = [];
  /** The configured OAuth client id. */
  registeredAs: string | null = null;
  onRefresh: (refreshToken: string) => Authorized | Promise<Authorized>;
  onRevoke: (refreshToken: string) => void | Promise<void>;

  constructor() {
    this.reset();
  }

  reset(): void {
    this.refreshed = [];
    this.revoked = [];
    this.registeredAs = 'client';
    this.onRefresh = authorizationFails('unavailable');
    this.onRevoke = () => undefined;
  }

  clientId(): string | null {
    return this.registeredAs;
  }

  async refresh(
    _target: AuthorizationTarget,
    refreshToken: Secret,
    { beforeSend = () => undefined }: { beforeSend?: () => void } = {},
  ): Promise<Authorized> {
    assertOutsideTransaction('renewing a token');
    try {
      beforeSend();
    } catch (error) {
      throw new AuthorizationError('unavailable', 'kraken', 'not sent', { cause: error, sent: false });
    }
    this.refreshed.push(refreshToken.reveal());
    return this.onRefresh(refreshToken.reveal());
  }

  async revoke(_target: AuthorizationTarget, refreshToken: Secret): Promise<void> {
    assertOutsideTransaction('revoking a grant');
    this.revoked.push(refreshToken.reveal());
    await this.onRevoke(refreshToken.reveal());
  }
}

/** Returns a function that responds with a failure. */
export function authorizationFails(failure: AuthorizationFailure, { sent = true } = {}): () => never {
  return () => {
    throw new AuthorizationError(failure, 'kraken', `scripted ${failure}`, { sent });
  };
}
