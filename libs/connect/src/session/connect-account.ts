import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  AuthorizationError,
  Authorizations,
  Exchanges,
  type AccountIdentity,
  type Authorized,
  type AuthorizationTarget,
  type ConnectWay,
} from '#exchange';
import { StoreIdentity } from '#kyc';
import { DomainError } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { ConnectWallet, StoreGrant } from '#wallet';
import { ofAuthorization, StepOutOfTurn } from './connect.errors.js';
import { SessionLife } from './session-life.js';
import { SessionRight } from './session-right.js';
import { SessionStore, type ConnectSession } from './session-store.js';

/** What an attempt has brought: by the exchange's word, or pasted. */
export type Obtained = Pick<Authorized, 'credentials'> & Partial<Authorized>;

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
    private readonly life: SessionLife,
    private readonly right: SessionRight,
    private readonly store: SessionStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @param seen from where it is claimed for connecting.
   * @param obtain gets the credentials; null: they wait for a word of the person, and the session has been moved there.
   * @returns why nothing was connected; null: it was, or waits.
   * @throws StepOutOfTurn when somebody else was faster.
   */
  async execute(
    seen: ConnectSession,
    way: ConnectWay,
    obtain: (claimed: ConnectSession) => Promise<Obtained | null>,
  ): Promise<Error | null> {
    const claimed = await this.life.claim(seen, way);
    const attempt: Attempt = { claimed, obtained: null, connected: null };
    try {
      attempt.obtained = await obtain(claimed);
      if (attempt.obtained !== null) await this.connect(attempt, attempt.obtained);
      return null;
    } catch (error) {
      return await this.giveUp(attempt, this.toDomain(claimed, error));
    }
  }

  /** For people and callers; what was not expected goes to the log. */
  toDomain(session: ConnectSession, error: unknown): Error {
    if (error instanceof DomainError) return error;
    const facts = { err: error, projectId: session.project.id, exchange: session.exchange, sessionId: session.id };
    if (error instanceof AuthorizationError) {
      this.logger.info(facts, 'an authorization did not come about');
      return ofAuthorization(error, this.exchanges.find(session.exchange)?.name ?? session.exchange);
    }
    this.logger.error(facts, 'connecting an account failed');
    return error instanceof Error ? error : new Error('connecting failed', { cause: error });
  }

  private async connect(attempt: Attempt, obtained: Obtained): Promise<void> {
    const { claimed } = attempt;
    const { project, walletId, exchange } = claimed;
    const isAuthorized = obtained.scopes !== undefined;
    // What it told to the token that is forgotten now it may not tell to a key.
    const identity = obtained.identity ?? (isAuthorized ? await this.readIdentity(claimed, obtained) : null);
    await this.connectWallet.execute(project, {
      walletId,
      exchange,
      credentials: { ...obtained.credentials },
      authorized: isAuthorized,
      onlyNew: !claimed.mayReplace,
      also: async (tx, { walletUuid }) => {
        await this.right.require(tx, claimed);
        const owner = { project, walletUuid };
        await this.storeGrant.execute(tx, owner, obtained.grant ?? null, obtained.scopes ?? []);
        if (identity !== null) await this.storeIdentity.execute(tx, owner, identity);
        attempt.connected = await this.finish(tx, claimed);
      },
    });
  }

  private async finish(tx: EntityManager, claimed: ConnectSession): Promise<ConnectSession> {
    const moved = await this.store.move(claimed, { state: 'connected' }, tx);
    // The lease was over, and the attempt counts as failed: what is stored here must not stand.
    if (moved === null) throw new StepOutOfTurn();
    await this.life.tell(tx, moved, { success: true });
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
      this.logger.warn({ err: error, projectId: project.id, exchange }, 'the identity of an account was not told');
      return null;
    }
  }

  private async giveUp({ claimed, obtained, connected }: Attempt, error: Error): Promise<Error | null> {
    const isFinal = error instanceof DomainError && error.code === 'GENERIC_INVALID_REQUEST';
    const failed = await this.life.fail(claimed, error, { isFinal });
    // What was stored stays, whatever could not be done after it.
    if (failed === null && connected !== null && (await this.isAsLeft(connected))) return null;
    if (obtained !== null) await this.giveBack(claimed, obtained);
    return error;
  }

  /** Another attempt may have connected since: then it is not as this one left it. */
  private async isAsLeft({ id, updatedAt }: ConnectSession): Promise<boolean> {
    const now = await this.store.find('id', id);
    return now?.state === 'connected' && now.updatedAt.getTime() === updatedAt.getTime();
  }

  /** What nobody will use should open nothing; when the exchange does not hear it, its own expiry remains. */
  async giveBack({ exchange, project }: ConnectSession, { grant = null }: Obtained): Promise<void> {
    if (grant === null) return;
    const target: AuthorizationTarget = { exchange, mode: project.mode };
    try {
      await this.authorizations.revoke(target, grant.refreshToken);
    } catch (error) {
      this.logger.warn({ err: error, exchange: target.exchange }, 'a grant that is of no use was not revoked');
    }
  }
}
