import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  AuthorizationError,
  Authorizations,
  ExchangeError,
  Exchanges,
  type AccountIdentity,
  type Authorized,
  type ConnectMethod,
} from '#exchange';
import { Identities } from '#kyc';
import { Clock } from '#platform/clock';
import { DomainError, RateLimitExceeded, logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { subscriberOf } from '#platform/http';
import { ConnectWallet, StoreGrant, type ConnectClient } from '#wallet';
import { KeyLeftAtExchange, toConnectError, SessionMoved } from '../session/connect.errors.js';
import { SessionLifecycle } from '../session/session-lifecycle.js';
import { SessionPermission } from '../session/session-permission.js';
import { SessionStore, type ChosenSession, type ConnectSession } from '../session/session-store.js';

/** The credentials of an attempt: authorized by the exchange, or pasted by `client`. */
export type Obtained = Pick<Authorized, 'credentials'> & Partial<Authorized> & { client?: ConnectClient };

/**
 * Pauses before the repeats of a failed connect with credentials from an authorization. The exchange returns such
 * credentials only once, so a short outage must not lose them.
 */
const RETRY_PAUSES_MS: readonly number[] = [500, 1_000, 2_000];

interface Attempt {
  claimed: ChosenSession;
  /** The credentials of the attempt; null = it has not obtained any yet. */
  obtained: Obtained | null;
  /** The session after its successful end; null when nothing was stored. */
  connected: ConnectSession | null;
}

/** Creates the wallet from the credentials of an attempt to connect, while the session is leased; ends the attempt. */
@Injectable()
export class ConnectAccount {
  constructor(
    private readonly exchanges: Exchanges,
    private readonly authorizations: Authorizations,
    private readonly connectWallet: ConnectWallet,
    private readonly storeGrant: StoreGrant,
    private readonly identities: Identities,
    private readonly lifecycle: SessionLifecycle,
    private readonly permission: SessionPermission,
    private readonly store: SessionStore,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Connects the account and ends the attempt.
   * @param seen the session as the caller has read it
   * @param obtain gets the credentials. It returns null after it has moved the session to wait for the person's
   *   confirmation.
   * @returns the reason why nothing was connected; null after success, and while the person must confirm
   * @throws SessionMoved when a concurrent request has moved the session
   */
  async execute(
    seen: ChosenSession,
    method: ConnectMethod,
    obtain: (claimed: ChosenSession) => Promise<Obtained | null>,
  ): Promise<Error | null> {
    const claimed = await this.lifecycle.claim(seen, method);
    const attempt: Attempt = { claimed, obtained: null, connected: null };
    try {
      attempt.obtained = await obtain(claimed);
      if (attempt.obtained !== null) await this.connect(attempt, attempt.obtained);
      return null;
    } catch (error) {
      return await this.giveUp(attempt, this.toDomain(claimed, error));
    }
  }

  /**
   * Checks everything that can be checked before the exchange creates credentials.
   * @throws InvalidRequest, NoLongerAllowed
   */
  async check(claimed: ChosenSession): Promise<void> {
    const { project, exchange, externalWalletId, mayReplace } = claimed;
    await this.connectWallet.check(project, { exchange, externalWalletId, onlyNew: !mayReplace });
    await this.permission.check(claimed);
  }

  /** Converts an error into one that people and callers may see. Unexpected errors are logged. */
  toDomain(session: ChosenSession, error: unknown): Error {
    if (error instanceof DomainError) return error;
    const facts = { projectId: session.project.id, exchange: session.exchange, sessionId: session.id };
    if (error instanceof AuthorizationError) {
      logFailedWork(this.logger, error, 'an authorization failed', facts);
      return toConnectError(error, this.nameOf(session));
    }
    logFailedWork(this.logger, error, 'connecting an account failed', facts);
    return error instanceof Error ? error : new Error('the account could not be connected', { cause: error });
  }

  /** The display name of the exchange. */
  nameOf({ exchange }: ChosenSession): string {
    return this.exchanges.find(exchange)?.name ?? exchange;
  }

  private async connect(attempt: Attempt, obtained: Obtained): Promise<void> {
    const { claimed } = attempt;
    const { project, externalWalletId, exchange } = claimed;
    const isAuthorized = obtained.scopes !== undefined;
    // The identity is read with the OAuth token, because an exchange may refuse it to the API key that replaces the
    // token.
    const identity = obtained.identity ?? (isAuthorized ? await this.readIdentity(claimed, obtained) : null);
    const connectOnce = () =>
      this.connectWallet.execute(project, {
        externalWalletId,
        exchange,
        credentials: { ...obtained.credentials },
        authorized: isAuthorized,
        client: obtained.client,
        onlyNew: !claimed.mayReplace,
        also: async (tx, { walletId, sealer }) => {
          await this.permission.require(tx, claimed);
          const owner = { project, walletId, sealer };
          await this.storeGrant.execute(tx, owner, obtained.grant ?? null, obtained.scopes ?? []);
          if (identity !== null) await this.identities.store(tx, owner, identity);
          attempt.connected = await this.finish(tx, claimed);
        },
      });
    await (isAuthorized ? this.persist(claimed, connectOnce) : connectOnce());
  }

  /**
   * Repeats the call after temporary failures, while the lease lasts. A repeat is safe, because nothing is stored
   * before the exchange has responded.
   */
  private async persist({ leaseUntil }: ConnectSession, connectOnce: () => Promise<unknown>): Promise<void> {
    for (const pauseMs of RETRY_PAUSES_MS) {
      try {
        await connectOnce();
        return;
      } catch (error) {
        const nextAt = this.clock.now().getTime() + pauseMs;
        if (!isTransient(error) || leaseUntil === null || nextAt >= leaseUntil.getTime()) throw error;
        await this.clock.sleep(pauseMs);
      }
    }
    await connectOnce();
  }

  private async finish(tx: EntityManager, claimed: ConnectSession): Promise<ConnectSession> {
    const moved = await this.store.move(claimed, { state: 'connected' }, tx);
    // The lease has ended and the attempt counts as failed, so this transaction must be rolled back.
    if (moved === null) throw new SessionMoved();
    await this.lifecycle.publish(tx, moved, { success: true });
    return moved;
  }

  /**
   * Reads the identity of the account; null = the exchange reports none, or the read failed. The account can be
   * connected without an identity.
   */
  private async readIdentity(claimed: ChosenSession, { credentials }: Obtained): Promise<AccountIdentity | null> {
    const { id, exchange, project } = claimed;
    try {
      const target = { exchange, mode: project.mode, credentials, credentialId: `connect:${id}` };
      const session = await this.exchanges.openFresh(target);
      return (await session.identity?.read()) ?? null;
    } catch (error) {
      logFailedWork(this.logger, error, 'the identity of an account could not be read', {
        projectId: project.id,
        exchange,
      });
      return null;
    }
  }

  private async giveUp({ claimed, obtained, connected }: Attempt, error: Error): Promise<Error | null> {
    const isFinal = error instanceof DomainError && error.code === 'GENERIC_INVALID_REQUEST';
    // When nothing can have been stored, the authorization is revoked before the failure is published, so that the
    // message can name a key that is left at the exchange.
    const isOfNoUse = obtained !== null && connected === null;
    const left = isOfNoUse ? await this.discardUnused(claimed, obtained) : null;
    const failure = left === null ? error : new KeyLeftAtExchange(error, left);
    // An attempt that our own rate limit refused before any call to the exchange must not count. `isCounted: true`
    // leaves the number of attempts unchanged.
    const isCounted = error instanceof RateLimitExceeded ? true : undefined;
    const failed = await this.lifecycle.fail(claimed, failure, { isFinal, isCounted });
    // If the session still counts as connected by this attempt, the wallet is stored, and the attempt was successful.
    if (failed === null && connected !== null && (await this.isAsLeft(connected))) return null;
    if (obtained !== null && !isOfNoUse) await this.discardUnused(claimed, obtained);
    return failure;
  }

  /** Whether the session is unchanged since this attempt connected it. Another attempt may have connected it again. */
  private async isAsLeft({ id, updatedAt }: ConnectSession): Promise<boolean> {
    const now = await this.store.find('id', id);
    return now?.state === 'connected' && now.updatedAt.getTime() === updatedAt.getTime();
  }

  /**
   * Revokes an authorization that will not be used. When the call does not reach the exchange, the authorization stays
   * valid until it expires.
   * @returns the name of a key that may remain at the exchange, where only its owner can delete it; else null
   */
  async discardUnused({ exchange, project }: ChosenSession, obtained: Obtained): Promise<string | null> {
    const { grant = null, madeKey } = obtained;
    try {
      await this.authorizations.discard({ exchange, mode: project.mode }, { grant, madeKey });
      return null;
    } catch (error) {
      const keyName = madeKey?.name ?? null;
      logFailedWork(this.logger, error, 'an unused authorization could not be revoked', { exchange, keyName });
      return keyName;
    }
  }
}

/** Returns the client for which a failed connect is counted. @param address the network address of the browser */
export function clientOf({ apiKeyId, externalWalletId }: ConnectSession, address: string): ConnectClient {
  return apiKeyId === null
    ? { isKeyless: true, name: subscriberOf(address) }
    : { isKeyless: false, name: externalWalletId };
}

/** Whether the failure is temporary, so that the exchange may accept the same call a moment later. */
function isTransient(error: unknown): boolean {
  const cause = error instanceof DomainError ? error.cause : error;
  return cause instanceof ExchangeError && (cause.kind === 'unavailable' || cause.kind === 'rate_limited');
}
