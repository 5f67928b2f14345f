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
import { SessionStore, type ConnectSession } from './session-store.js';

/** What an attempt has brought: by the exchange's word, or pasted. */
export type Obtained = Pick<Authorized, 'credentials'> & Partial<Authorized>;

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
    let obtained: Obtained | null = null;
    try {
      obtained = await obtain(claimed);
      if (obtained !== null) await this.connect(claimed, obtained);
      return null;
    } catch (error) {
      return await this.giveUp(claimed, this.toDomain(claimed, error), obtained);
    }
  }

  /** For people and callers; what was not expected goes to the log. */
  toDomain(session: ConnectSession, error: unknown): Error {
    if (error instanceof DomainError) return error;
    const facts = { err: error, projectId: session.project.id, exchange: session.exchange, idem: session.idem };
    if (error instanceof AuthorizationError) {
      this.logger.info(facts, 'an authorization did not come about');
      return ofAuthorization(error, this.exchanges.find(session.exchange)?.name ?? session.exchange);
    }
    this.logger.error(facts, 'connecting an account failed');
    return error instanceof Error ? error : new Error('connecting failed', { cause: error });
  }

  private async connect(claimed: ConnectSession, obtained: Obtained): Promise<void> {
    const { project, walletId, exchange } = claimed;
    const isAuthorized = obtained.scopes !== undefined;
    const identity = isAuthorized ? await this.readIdentity(claimed, obtained) : null;
    await this.connectWallet.execute(project, {
      walletId,
      exchange,
      credentials: { ...obtained.credentials },
      authorized: isAuthorized,
      onlyNew: !claimed.mayReplace,
      also: async (tx, { walletUuid }) => {
        const owner = { project, walletUuid };
        await this.storeGrant.execute(tx, owner, obtained.grant ?? null, obtained.scopes ?? []);
        if (identity !== null) await this.storeIdentity.execute(tx, owner, identity);
        await this.finish(tx, claimed);
      },
    });
  }

  private async finish(tx: EntityManager, claimed: ConnectSession): Promise<void> {
    const moved = await this.store.move(claimed, { state: 'connected' }, tx);
    // The lease was over, and the attempt counts as failed: what is stored here must not stand.
    if (moved === null) throw new StepOutOfTurn();
    await this.life.tell(tx, moved, { success: true });
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

  private async giveUp(claimed: ConnectSession, error: Error, obtained: Obtained | null): Promise<Error | null> {
    const isFinal = error instanceof DomainError && error.code === 'GENERIC_INVALID_REQUEST';
    const failed = await this.life.fail(claimed, error, { isFinal });
    if (failed === null && (await this.store.find('id', claimed.id))?.state === 'connected') return null;
    const { exchange, project } = claimed;
    await this.revoke({ exchange, mode: project.mode }, obtained);
    return error;
  }

  /** What nobody will use should open nothing; when the exchange does not hear it, its own expiry remains. */
  private async revoke(target: AuthorizationTarget, obtained: Obtained | null): Promise<void> {
    const grant = obtained?.grant ?? null;
    if (grant === null) return;
    try {
      await this.authorizations.revoke(target, grant.refreshToken);
    } catch (error) {
      this.logger.warn({ err: error, exchange: target.exchange }, 'a grant that is of no use was not revoked');
    }
  }
}
