import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ProjectIdentity } from '#access';
import { Clock } from '#platform/clock';
import { Database, type EntityStatement, type NamedStatement } from '#platform/database';
import { CredentialsReplaced, WalletNotFound } from './wallet.errors.js';
import { Wallet, type SyncProgress } from './wallet.entity.js';

/** A connected wallet by its project and external id, which are unique together. */
export const CONNECTED: EntityStatement<Wallet> = {
  name: 'connected wallet',
  of: Wallet,
  where: 'project_id = $1 and external_id = $2 and deleted_at is null',
};

const LOCK: NamedStatement = { name: 'lock wallet', text: 'select from wallets where id = $1 for no key update' };
const LOCK_CONNECTED: NamedStatement = {
  name: 'lock connected wallet',
  text: 'select from wallets where id = $1 and deleted_at is null for no key update',
};
const HOLD: NamedStatement = {
  name: 'hold credentials',
  text: `with kept as (select from wallet_credentials where wallet_id = $1 and sealed->>'id' = $3),
         held as (insert into credential_holds (wallet_id, holder, version, created_at)
                  select $1, $2, $3, $4 from kept on conflict do nothing)
         select from kept`,
};

/** Connected wallets, and the holds that keep credentials after a deletion or replacement. */
@Injectable()
export class Wallets {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the wallet that the project connected under this id.
   * @throws WalletNotFound also for deleted wallets and those of other projects.
   */
  async get(project: Pick<ProjectIdentity, 'id'>, externalWalletId: string): Promise<Wallet> {
    const wallet = await this.find(project, externalWalletId);
    if (wallet === null) throw new WalletNotFound();
    return wallet;
  }

  /** Returns the wallet that the project connected under this id; null = there is none. */
  async find(project: Pick<ProjectIdentity, 'id'>, externalWalletId: string): Promise<Wallet | null> {
    const [wallet] = await this.db.readEntities(CONNECTED, [project.id, externalWalletId]);
    return wallet ?? null;
  }

  /** Returns rows of wallets, also of deleted ones, with the wallets' projects. Leaves out rows of unknown wallets. */
  async withProjects<Row extends { walletId: string }>(
    rows: readonly Row[],
  ): Promise<(Row & { project: Pick<ProjectIdentity, 'id' | 'organizationId'> })[]> {
    const wallets = await this.db.query<{ walletId: string; id: string; organizationId: string }>(
      `select w.id as "walletId", p.id, p.organization_id as "organizationId"
         from wallets w join projects p on p.id = w.project_id where w.id = any($1)`,
      [rows.map(({ walletId }) => walletId)],
    );
    const projects = new Map(wallets.map(({ walletId, ...project }) => [walletId, project]));
    return rows.flatMap((row) => {
      const project = projects.get(row.walletId);
      return project === undefined ? [] : [{ ...row, project }];
    });
  }

  /**
   * Locks the row of a wallet until `tx` ends. A transaction that writes several rows of a wallet takes this lock
   * first, which prevents deadlocks.
   */
  async lock(tx: EntityManager, walletId: string): Promise<void> {
    await this.db.read(LOCK, [walletId], tx);
  }

  /**
   * Locks the row of a connected wallet until `tx` ends. The wallet cannot be deleted before that.
   * @throws WalletNotFound when the wallet was deleted.
   */
  async lockConnected(tx: EntityManager, walletId: string): Promise<void> {
    if (!(await this.lockIfConnected(tx, walletId))) throw new WalletNotFound();
  }

  /** Locks the row as `lockConnected` does. @returns false when the wallet was deleted. */
  async lockIfConnected(tx: EntityManager, walletId: string): Promise<boolean> {
    const connected = await this.db.read(LOCK_CONNECTED, [walletId], tx);
    return connected.length > 0;
  }

  /**
   * Keeps this version of the wallet's credentials through a deletion or replacement, until `release` with the same
   * holder. A repeated call changes nothing. `tx` has locked the wallet with `lockConnected`.
   * @param holder id (UUID) of the row that needs the credentials, such as an unsettled withdrawal.
   * @throws CredentialsReplaced when the wallet has other credentials now.
   */
  async hold(
    tx: EntityManager,
    wallet: Pick<Wallet, 'id'>,
    { holder, version }: { holder: string; version: string },
  ): Promise<void> {
    const current = await this.db.read(HOLD, [wallet.id, holder, version, this.clock.now()], tx);
    if (current.length === 0) throw new CredentialsReplaced();
  }

  /** Whether the credentials were replaced after `moment`. New credentials may open another account at the exchange. */
  async hasNewCredentials(walletId: string, moment: Date): Promise<boolean> {
    const rows = await this.db.query(`select from wallet_credentials where wallet_id = $1 and updated_at > $2`, [
      walletId,
      moment,
    ]);
    return rows.length > 0;
  }

  /**
   * Takes wallets whose history is not tracked: new wallets, and wallets with replaced credentials. The caller must
   * begin to track them in `tx`.
   */
  takeUntracked(tx: EntityManager, limit: number): Promise<{ id: string; createdAt: Date }[]> {
    return this.db.query(
      `update wallets set history_tracked = true
        where id in (select id from wallets where not history_tracked and deleted_at is null
                     order by id limit $1 for no key update skip locked)
        returning id, created_at as "createdAt"`,
      [limit],
      tx,
    );
  }

  /** Stores the progress of the first reading of the history. `tx` has locked the wallet. */
  async recordSyncProgress(tx: EntityManager, walletId: string, progress: SyncProgress): Promise<void> {
    await this.db.query(`update wallets set sync_progress = $2 where id = $1`, [walletId, progress], tx);
  }

  /** Whether the project has or had a wallet under this id. */
  async wasConnected(project: Pick<ProjectIdentity, 'id'>, externalWalletId: string): Promise<boolean> {
    // There are two conditions, because each has an index of its own.
    const rows = await this.db.query(
      `select where exists (select from wallets where project_id = $1 and external_id = $2 and deleted_at is null)
                 or exists (select from wallets where project_id = $1 and external_id = $2 and deleted_at is not null)`,
      [project.id, externalWalletId],
    );
    return rows.length > 0;
  }

  /** Whether this wallet of the project, which may have been deleted, was connected under this id of the caller. */
  async hasExternalId(
    project: Pick<ProjectIdentity, 'id'>,
    walletId: string,
    externalWalletId: string,
  ): Promise<boolean> {
    const rows = await this.db.query(`select from wallets where id = $1 and project_id = $2 and external_id = $3`, [
      walletId,
      project.id,
      externalWalletId,
    ]);
    return rows.length > 0;
  }

  /**
   * Ends a hold. If it was the last hold of credentials that were replaced, or whose wallet was deleted, these
   * credentials are erased. Credentials of a deleted wallet with a grant are erased by the next sweep, which also
   * revokes the grant at the exchange.
   */
  async release(tx: EntityManager, walletId: string, holder: string): Promise<void> {
    // The lock serializes two releases, or a release and a deletion: exactly one of them erases.
    const [wallet] = await this.db.query<{ deleted: boolean }>(
      `select deleted_at is not null as deleted from wallets where id = $1 for no key update`,
      [walletId],
      tx,
    );
    await this.db.query(`delete from credential_holds where wallet_id = $1 and holder = $2`, [walletId, holder], tx);
    await this.db.query(
      `delete from replaced_credentials r where wallet_id = $1
         and not exists (select from credential_holds h where h.wallet_id = $1 and h.version = r.version)`,
      [walletId],
      tx,
    );
    if (wallet?.deleted !== true) return;
    const unheld = `wallet_id = $1 and not exists (
      select from credential_holds h where h.wallet_id = $1 and h.version = wallet_credentials.sealed->>'id')`;
    await this.db.query(
      `delete from wallet_credentials where ${unheld}
         and not exists (select from wallet_grants where wallet_id = $1 and ended_at is null)`,
      [walletId],
      tx,
    );
    await this.db.query(
      `update wallet_credentials set erase_after = least(erase_after, $2) where ${unheld}`,
      [walletId, this.clock.now()],
      tx,
    );
  }
}
