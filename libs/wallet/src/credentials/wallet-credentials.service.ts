import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';
import { Projects, ProjectSuspended, type ProjectIdentity } from '#access';
import type { ExchangeCredentials, SessionTarget } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { NotCurrent, Vault, type Sealer } from '#platform/crypto';
import { Database, type NamedStatement } from '#platform/database';
import { logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { KeyDigests } from './key-digests.js';
import {
  areSealed,
  openCredentials,
  sealCredentials,
  type CredentialOwner,
  type CredentialWrite,
  type SealedCredentials,
} from './sealed-credentials.js';
import type { Wallet } from '../wallets/wallet.entity.js';
import { WalletNotFound } from '../wallets/wallet.errors.js';

/**
 * Maximum number of projects whose organization and mode are kept in memory. These never change, so an entry is never
 * outdated.
 */
const PROJECTS_KEPT = 1_000;

/** The target and credentials of a wallet's session, and the state of the wallet when they were read. */
export interface WalletTarget extends SessionTarget {
  walletId: string;
  projectId: string;
  /** Version of the credentials (`SealedCredentials.id`). */
  version: string;
  /** Revision of the tokens (`SealedCredentials.revision`). */
  revision: string | null;
  /** The grant that renews the credentials; null = nothing renews them. */
  grant: TargetGrant | null;
  seen: Pick<Wallet, 'invalidApi' | 'updatedAt' | 'lastSyncAt' | 'nextSyncAt'>;
}

/** A due wallet that this process has taken. */
export interface TakenWallet {
  walletId: string;
  /** Opens the credentials. @throws CannotOpen when they were sealed for another wallet. */
  open: () => Promise<WalletTarget>;
}

interface TargetGrant {
  /** Revision of the grant (`wallet_grants.revision`). */
  revision: string;
  /** null = the exchange does not report it. */
  accessExpiresAt: Date | null;
  /** null = the tokens have never been renewed. */
  renewedAt: Date | null;
  /** true: the exchange has answered that it will issue no more tokens. */
  isEnded: boolean;
  /**
   * true: we may have used up the refresh token ourselves, because a renewal got no response or a restored database has
   * lost a renewal. Then the exchange's answer does not prove that the grant has ended.
   */
  isEndInDoubt: boolean;
}

interface TargetRow {
  id: string;
  exchange: string;
  project_id: string;
  invalid_api: boolean;
  updated_at: Date;
  last_sync_at: Date | null;
  next_sync_at: Date;
  /** The number of the last write; for replaced credentials the number of their own write. */
  credentials_sequence: number;
  sealed: SealedCredentials;
  grant_revision: string | null;
  access_expires_at: Date | null;
  renewed_at: Date | null;
  grant_ended: boolean;
  grant_end_in_doubt: boolean;
}

const TARGET_COLUMNS = `
  w.id, w.exchange, w.project_id, w.invalid_api, w.updated_at, w.last_sync_at, w.next_sync_at,
  w.credentials_sequence, c.sealed, g.revision as grant_revision, g.access_expires_at, g.renewed_at, g.ended_at is not null as grant_ended,
  case when g.ended_at is null then false
       else g.unanswered > 1 or coalesce(g.renewed_at, g.created_at) <= database_restored_at()
  end as grant_end_in_doubt`;

const TARGET: NamedStatement = {
  name: 'target of a wallet',
  text: `select ${TARGET_COLUMNS}, exists (select from stopped_projects s where s.id = w.project_id) as stopped
         from wallets w join wallet_credentials c on c.wallet_id = w.id
              left join wallet_grants g on g.wallet_id = w.id
        where w.id = $1 and ($2 or w.deleted_at is null)`,
};

const TAKE_DUE: NamedStatement = {
  name: 'take due wallets',
  text: `with w as (update wallets set next_sync_at = $2
                     where id in (select id from wallets due
                                   where deleted_at is null and next_sync_at <= $1
                                     and not exists (select from stopped_projects s where s.id = due.project_id)
                                   order by next_sync_at limit $3
                                     for no key update skip locked)
                    returning *)
       select ${TARGET_COLUMNS}
         from w join wallet_credentials c on c.wallet_id = w.id
              left join wallet_grants g on g.wallet_id = w.id`,
};

/** The credentials of wallets. They are sealed at rest and opened only for a session with an exchange. */
@Injectable()
export class WalletCredentials {
  private readonly projectsKept = new LRUCache<string, ProjectIdentity>({ max: PROJECTS_KEPT });

  constructor(
    private readonly db: Database,
    private readonly vault: Vault,
    private readonly projects: Projects,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly digests: KeyDigests,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Seals and stores the credentials of a wallet in place of its current ones. Does nothing for equal credentials,
   * because all other code assumes that replaced credentials may open another account.
   * @param sealer of the project, from before the transaction.
   */
  async store(
    tx: EntityManager,
    owner: CredentialOwner,
    credentials: ExchangeCredentials,
    sealer: Sealer,
  ): Promise<void> {
    const [kept] = await this.db.query<{ sealed: SealedCredentials; sequence: number }>(
      `select c.sealed, w.credentials_sequence as sequence
         from wallet_credentials c join wallets w on w.id = c.wallet_id where c.wallet_id = $1 for update of c`,
      [owner.walletId],
      tx,
    );
    if (kept !== undefined && (await areSealed(this.vault, owner, kept, credentials))) return;
    if (kept !== undefined) await this.keepHeld(tx, owner.walletId, kept.sealed);
    const sequence = await this.nextSequence(tx, owner.walletId);
    const sealed = sealCredentials(sealer, owner, credentials, { id: this.clock.newId(), sequence });
    await this.db.query(
      `insert into wallet_credentials (wallet_id, sealed, key_digest, created_at, updated_at) values ($1, $2, $4, $3, $3)
       on conflict (wallet_id) do update set sealed = excluded.sealed, key_digest = excluded.key_digest,
         updated_at = excluded.updated_at`,
      [owner.walletId, JSON.stringify(sealed), this.clock.now(), this.digests.ofKey(credentials.apiKey)],
      tx,
    );
    // The grant belongs to the replaced credentials.
    await this.db.query(`delete from wallet_grants where wallet_id = $1`, [owner.walletId], tx);
    // The new credentials may open another account. So the history is read again from the beginning, and no balances
    // are shown before the next sync.
    await this.db.query(
      `update wallets set history_tracked = false, sync_progress = null, last_sync_at = null
        where id = $1 and (history_tracked or last_sync_at is not null)`,
      [owner.walletId],
      tx,
    );
  }

  /** Keeps the replaced credentials while a hold needs them: the new ones may open another account. */
  private async keepHeld(tx: EntityManager, walletId: string, sealed: SealedCredentials): Promise<void> {
    const now = this.clock.now();
    const eraseAfter = new Date(now.getTime() + this.config.constants.CREDENTIALS_KEEP_SECONDS * 1_000);
    await this.db.query(
      `insert into replaced_credentials (wallet_id, version, sealed, replaced_at, erase_after)
       select $1, $2, $3, $4, $5 where exists (select from credential_holds where wallet_id = $1 and version = $2)`,
      [walletId, sealed.id, JSON.stringify(sealed), now, eraseAfter],
      tx,
    );
  }

  /**
   * Locks the credentials until `tx` ends.
   * @returns their `SealedCredentials.id`; null = the wallet has no credentials.
   */
  async lock(tx: EntityManager, walletId: string): Promise<string | null> {
    const [kept] = await this.db.query<{ id: string }>(
      `select sealed->>'id' as id from wallet_credentials where wallet_id = $1 for update`,
      [walletId],
      tx,
    );
    return kept?.id ?? null;
  }

  /** Begins a write of the wallet's credentials: credentials of earlier writes open no more. */
  async nextSequence(tx: EntityManager, walletId: string): Promise<number> {
    const [wallet] = await this.db.query<{ sequence: number }>(
      `update wallets set credentials_sequence = credentials_sequence + 1 where id = $1
       returning credentials_sequence as sequence`,
      [walletId],
      tx,
    );
    if (wallet === undefined) throw new WalletNotFound();
    return wallet.sequence;
  }

  /** Returns the last write of the wallet's credentials; null = the wallet has none. */
  async lastWrite(walletId: string, tx?: EntityManager): Promise<CredentialWrite | null> {
    const [write] = await this.db.query<CredentialWrite>(
      `select c.sealed->>'id' as id, w.credentials_sequence as sequence
         from wallet_credentials c join wallets w on w.id = c.wallet_id where c.wallet_id = $1`,
      [walletId],
      tx,
    );
    return write ?? null;
  }

  /**
   * Stores renewed tokens of the same account; `tx` has locked the credentials. Leaves `updated_at` unchanged, because
   * a renewal is no replacement.
   */
  async renew(
    tx: EntityManager,
    owner: CredentialOwner,
    credentials: ExchangeCredentials,
    { sealer, ...write }: Required<Omit<SealedCredentials, 'fields'>> & { sealer: Sealer },
  ): Promise<void> {
    const sealed = sealCredentials(sealer, owner, credentials, write);
    await this.db.query(
      `update wallet_credentials set sealed = $2, key_digest = $3 where wallet_id = $1`,
      [owner.walletId, JSON.stringify(sealed), this.digests.ofKey(credentials.apiKey)],
      tx,
    );
  }

  /**
   * Returns the target for a session with the current credentials. A stopped project is refused: only the settling of
   * open withdrawals and orders, which also works for deleted wallets, may still use the credentials of its wallets.
   * @param options.deletedToo true: also for a deleted wallet whose credentials are kept.
   * @throws WalletNotFound when the wallet has no credentials.
   * @throws ProjectSuspended
   * @throws CannotOpen when the credentials were sealed for another wallet.
   */
  async target(walletId: string, options: { deletedToo: boolean }): Promise<WalletTarget> {
    const [row] = await this.db.read<TargetRow & { stopped: boolean }>(TARGET, [walletId, options.deletedToo]);
    if (row === undefined) throw new WalletNotFound();
    if (row.stopped && !options.deletedToo) throw new ProjectSuspended();
    return this.targetOf(row);
  }

  /**
   * Takes wallets that are due at `now`, the longest overdue first. They are not due again until `leaseEnd`, and other
   * workers take other wallets.
   */
  async takeDue(now: Date, leaseEnd: Date, limit: number): Promise<TakenWallet[]> {
    const rows = await this.db.read<TargetRow>(TAKE_DUE, [now, leaseEnd, limit]);
    return rows.map((row) => ({ walletId: row.id, open: () => this.targetOf(row) }));
  }

  /**
   * Returns the target for a session with one version of the credentials: the current version, also of a deleted
   * wallet, or a replaced version that a hold keeps.
   * @throws WalletNotFound when that version is erased.
   * @throws CannotOpen
   */
  async targetOfVersion(walletId: string, version: string): Promise<WalletTarget> {
    // Looks for replaced credentials twice, because the current credentials may be replaced between the two statements.
    const replaced = await this.replacedTarget(walletId, version);
    if (replaced !== null) return replaced;
    const target = await this.target(walletId, { deletedToo: true }).catch((error: unknown) => {
      if (!(error instanceof WalletNotFound)) throw error;
      return null;
    });
    if (target?.version === version) return target;
    const lately = await this.replacedTarget(walletId, version);
    if (lately === null) throw new WalletNotFound();
    return lately;
  }

  private async replacedTarget(walletId: string, version: string): Promise<WalletTarget | null> {
    const [replaced] = await this.db.query<TargetRow>(
      `select w.id, w.exchange, w.project_id, w.invalid_api, w.updated_at, w.last_sync_at, w.next_sync_at, r.sealed,
              (r.sealed->>'sequence')::integer as credentials_sequence,
              null as grant_revision
         from wallets w join replaced_credentials r on r.wallet_id = w.id
        where w.id = $1 and r.version = $2`,
      [walletId, version],
    );
    return replaced === undefined ? null : this.targetOf(replaced);
  }

  private async targetOf(row: TargetRow): Promise<WalletTarget> {
    const { id: walletId } = row;
    const project = await this.projectOf(row.project_id);
    const { id, revision = null } = row.sealed;
    return {
      walletId,
      projectId: project.id,
      version: id,
      revision,
      grant: grantOf(row),
      exchange: row.exchange,
      mode: project.mode,
      credentials: await this.open({ project, walletId }, row),
      // The id contains the wallet id, so that two wallets never share a session.
      credentialId: [walletId, id, ...(revision === null ? [] : [revision])].join(':'),
      seen: {
        invalidApi: row.invalid_api,
        updatedAt: row.updated_at,
        lastSyncAt: row.last_sync_at,
        nextSyncAt: row.next_sync_at,
      },
    };
  }

  private async open(owner: CredentialOwner, row: TargetRow): Promise<ExchangeCredentials> {
    const { sealed, credentials_sequence: sequence } = row;
    try {
      return await openCredentials(this.vault, owner, sealed, { id: sealed.id, sequence });
    } catch (error) {
      if (error instanceof NotCurrent)
        logFailedWork(this.logger, error, 'earlier credentials of a wallet were put back', { wallet: owner.walletId });
      throw error;
    }
  }

  private async projectOf(projectId: string): Promise<ProjectIdentity> {
    const kept = this.projectsKept.get(projectId);
    if (kept !== undefined) return kept;
    const project = await this.projects.getContext(projectId);
    this.projectsKept.set(projectId, project);
    return project;
  }
}

function grantOf({ grant_revision: revision, grant_ended: isEnded, ...row }: TargetRow): TargetGrant | null {
  if (revision === null) return null;
  return {
    revision,
    accessExpiresAt: row.access_expires_at,
    renewedAt: row.renewed_at,
    isEnded,
    isEndInDoubt: row.grant_end_in_doubt,
  };
}
