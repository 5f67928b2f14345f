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
import { StoreIdentity } from '#kyc';
import { Clock } from '#platform/clock';
import { DomainError, RateLimitExceeded, logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { ConnectWallet, StoreGrant } from '#wallet';
import { KeyLeftAtExchange, toConnectError, SessionMoved } from '../session/connect.errors.js';
import { SessionLifecycle } from '../session/session-lifecycle.js';
import { SessionPermission } from '../session/session-permission.js';
import { SessionStore, type ConnectSession } from '../session/session-store.js';

/** What an attempt has brought: by the exchange's word, or pasted. */
export type Obtained = Pick<Authorized, 'credentials'> & Partial<Authorized>;

/** Between the live calls with what was authorized: it cannot be had again, and the exchange may be away for a moment. */
const RETRY_PAUSES_MS: readonly number[] = [500, 1_000, 2_000];

interface Attempt {
  claimed: ConnectSession;
  /** null: nothing yet. */
  obtained: Obtained | null;
  /** The session as its end left it; null: nothing was stored. */
  connected: ConnectSession | null;
}

/** Makes a wallet of what an attempt brings, in the time of its lease, and ends the attempt either way. */
@Injectable()
export class ConnectAccount {
  constructor(
    private readonly exchanges: Exchanges,
    private readonly authorizations: Authorizations,
    private readonly connectWallet: ConnectWallet,
    private readonly storeGrant: StoreGrant,
    private readonly storeIdentity: StoreIdentity,
    private readonly lifecycle: SessionLifecycle,
    private readonly permission: SessionPermission,
    private readonly store: SessionStore,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @param seen from where it is claimed for connecting.
   * @param obtain gets the credentials; null: they wait for a word of the person, and the session has been moved there.
   * @returns why nothing was connected; null: it was, or waits.
   * @throws SessionMoved when somebody else was faster.
   */
  async execute(
    seen: ConnectSession,
    way: ConnectMethod,
    obtain: (claimed: ConnectSession) => Promise<Obtained | null>,
  ): Promise<Error | null> {
    const claimed = await this.lifecycle.claim(seen, way);
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
   * What can be refused before the exchange makes anything for it.
   * @throws InvalidRequest, NoLongerAllowed
   */
  async check(claimed: ConnectSession): Promise<void> {
    const { project, exchange, externalWalletId, mayReplace } = claimed;
    await this.connectWallet.check(project, { exchange, externalWalletId, onlyNew: !mayReplace });
    await this.permission.check(claimed);
  }

  /** For people and callers; what was not expected goes to the log. */
  toDomain(session: ConnectSession, error: unknown): Error {
    if (error instanceof DomainError) return error;
    const facts = { projectId: session.project.id, exchange: session.exchange, sessionId: session.id };
    if (error instanceof AuthorizationError) {
      logFailedWork(this.logger, error, 'an authorization did not come about', facts);
      return toConnectError(error, this.exchanges.find(session.exchange)?.name ?? session.exchange);
    }
    logFailedWork(this.logger, error, 'connecting an account failed', facts);
    return error instanceof Error ? error : new Error('connecting failed', { cause: error });
  }

  private async connect(attempt: Attempt, obtained: Obtained): Promise<void> {
    const { claimed } = attempt;
    const { project, externalWalletId, exchange } = claimed;
    const isAuthorized = obtained.scopes !== undefined;
    // What it told to the token that is forgotten now it may not tell to a key.
    const identity = obtained.identity ?? (isAuthorized ? await this.readIdentity(claimed, obtained) : null);
    const connectOnce = () =>
      this.connectWallet.execute(project, {
        externalWalletId,
        exchange,
        credentials: { ...obtained.credentials },
        authorized: isAuthorized,
        onlyNew: !claimed.mayReplace,
        also: async (tx, { walletId }) => {
          await this.permission.require(tx, claimed);
          const owner = { project, walletId };
          await this.storeGrant.execute(tx, owner, obtained.grant ?? null, obtained.scopes ?? []);
          if (identity !== null) await this.storeIdentity.execute(tx, owner, identity);
          attempt.connected = await this.finish(tx, claimed);
        },
      });
    await (isAuthorized ? this.persist(claimed, connectOnce) : connectOnce());
  }

  /** Tries again what the exchange did not answer, while the lease lasts. Nothing is stored before it has answered. */
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
    // The lease was over, and the attempt counts as failed: what is stored here must not stand.
    if (moved === null) throw new SessionMoved();
    await this.lifecycle.tell(tx, moved, { success: true });
    return moved;
  }

  /** An account can be connected without: the exchange may not tell it to everybody. */
  private async readIdentity(claimed: ConnectSession, { credentials }: Obtained): Promise<AccountIdentity | null> {
    const { id, exchange, project } = claimed;
    try {
      const target = { exchange, mode: project.mode, credentials, credentialId: `connect:${id}` };
      const session = await this.exchanges.openFresh(target);
      return (await session.identity?.read()) ?? null;
    } catch (error) {
      logFailedWork(this.logger, error, 'the identity of an account was not told', { projectId: project.id, exchange });
      return null;
    }
  }

  private async giveUp({ claimed, obtained, connected }: Attempt, error: Error): Promise<Error | null> {
    const isFinal = error instanceof DomainError && error.code === 'GENERIC_INVALID_REQUEST';
    // Where nothing can have been stored, what is left behind is known before the failure is told.
    const isOfNoUse = obtained !== null && connected === null;
    const left = isOfNoUse ? await this.discardUnused(claimed, obtained) : null;
    const told = left === null ? error : new KeyLeftAtExchange(error, left);
    // The exchange was not asked: the person has not used up an attempt.
    const isCounted = error instanceof RateLimitExceeded ? true : undefined;
    const failed = await this.lifecycle.fail(claimed, told, { isFinal, isCounted });
    // What was stored stays, whatever could not be done after it.
    if (failed === null && connected !== null && (await this.isAsLeft(connected))) return null;
    if (obtained !== null && !isOfNoUse) await this.discardUnused(claimed, obtained);
    return told;
  }

  /** Another attempt may have connected since: then it is not as this one left it. */
  private async isAsLeft({ id, updatedAt }: ConnectSession): Promise<boolean> {
    const now = await this.store.find('id', id);
    return now?.state === 'connected' && now.updatedAt.getTime() === updatedAt.getTime();
  }

  /**
   * What nobody will use should open nothing; when the exchange does not hear it, its own expiry remains.
   * @returns the name of a key that may be left at the exchange, where only its owner can delete it; null: there is none.
   */
  async discardUnused({ exchange, project }: ConnectSession, obtained: Obtained): Promise<string | null> {
    const { grant = null, madeKey } = obtained;
    try {
      await this.authorizations.discard({ exchange, mode: project.mode }, { grant, madeKey });
      return null;
    } catch (error) {
      const keyName = madeKey?.name ?? null;
      logFailedWork(this.logger, error, 'an authorization that is of no use was not given back', { exchange, keyName });
      return keyName;
    }
  }
}

/** The exchange has not said no: it may answer in a moment. */
function isTransient(error: unknown): boolean {
  const cause = error instanceof DomainError ? error.cause : error;
  return cause instanceof ExchangeError && (cause.kind === 'unavailable' || cause.kind === 'rate_limited');
}
