import { Injectable } from '@nestjs/common';
import { Config } from '#platform/config';
import type { Secret } from '#platform/crypto';
import type {
  AccessKind,
  Authorized,
  ConnectWay,
  PendingAuthorization,
  PendingQrLogin,
  QrLoginState,
} from './authorization.port.js';
import { AuthorizationError } from './authorization.port.js';
import type { ProjectMode } from './exchange.port.js';
import { findExchange } from './exchanges.js';

/** Where an authorization takes place. */
export interface AuthorizationTarget {
  exchange: string;
  mode: ProjectMode;
}

/** What the exchange sent the browser back with. */
export interface AuthorizationReturn {
  /** Of the callback, as they came. */
  parameters: URLSearchParams;
  /** Exactly the one that `begin` was given. */
  redirectUri: string;
  pending: Pick<PendingAuthorization, 'state' | 'codeVerifier'>;
  access: readonly AccessKind[];
}

/** The ways by which a person lets us into an account. Calls of it are never made inside a transaction. */
@Injectable()
export class Authorizations {
  constructor(private readonly config: Config) {}

  /** Those that are open in this mode, the best first; none for an unknown exchange. */
  ways({ exchange }: AuthorizationTarget): ConnectWay[] {
    void this.config;
    return findExchange(exchange) === null ? [] : ['key'];
  }

  /** @throws AuthorizationError `unavailable` */
  begin(
    target: AuthorizationTarget,
    _options: { redirectUri: string; access: readonly AccessKind[] },
  ): Promise<PendingAuthorization> {
    return Promise.reject(new AuthorizationError('unavailable', target.exchange, 'no OAuth'));
  }

  /** @throws AuthorizationError */
  finish(target: AuthorizationTarget, _back: AuthorizationReturn): Promise<Authorized> {
    return Promise.reject(new AuthorizationError('unavailable', target.exchange, 'no OAuth'));
  }

  /** Uses the refresh token up. @throws AuthorizationError `grant_ended` on a definite refusal, else `unavailable` */
  refresh(target: AuthorizationTarget, _refreshToken: Secret): Promise<Authorized> {
    return Promise.reject(new AuthorizationError('unavailable', target.exchange, 'no OAuth'));
  }

  /** Tells the exchange that the grant is not wanted any more. @throws AuthorizationError `unavailable` */
  revoke(_target: AuthorizationTarget, _refreshToken: Secret): Promise<void> {
    return Promise.resolve();
  }

  /** @throws AuthorizationError `qr_unavailable` */
  beginQr(target: AuthorizationTarget, _options: { access: readonly AccessKind[] }): Promise<PendingQrLogin> {
    return Promise.reject(new AuthorizationError('qr_unavailable', target.exchange, 'no QR login'));
  }

  /** @throws AuthorizationError `unavailable` when its state cannot be had now. */
  readQr(target: AuthorizationTarget, _id: Secret): Promise<QrLoginState> {
    return Promise.reject(new AuthorizationError('unavailable', target.exchange, 'no QR login'));
  }
}
