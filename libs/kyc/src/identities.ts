import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ProjectIdentity } from '#access';
import type { AccountIdentity } from '#exchange';
import { Clock } from '#platform/clock';
import {
  rowsOfEachKey,
  SealedTables,
  Vault,
  type SealContext,
  type Sealer,
  type SealedRecord,
  type SealedSample,
} from '#platform/crypto';
import { Database, SealedRows } from '#platform/database';
import { Wallets } from '#wallet';
import { WalletIdentityNotFound } from './kyc.errors.js';
import { toStorableIdentity } from './storable-identity.js';

/**
 * The wallet and project that a sealed identity belongs to. The identity cannot be opened for any other wallet, not
 * even for a later wallet with the same external id.
 */
export interface IdentityOwner {
  project: Pick<ProjectIdentity, 'id' | 'organizationId'>;
  /** Our id of the wallet (`Wallet.id`). */
  walletId: string;
}

/** The identities of the owners of wallets, stored encrypted. */
@Injectable()
export class Identities {
  private readonly rows: SealedRows;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly vault: Vault,
    private readonly wallets: Wallets,
    tables: SealedTables,
  ) {
    this.rows = new SealedRows(db, { table: 'wallet_identities', id: 'wallet_id', record: 'sealed' });
    tables.add('wallet_identities', {
      samples: () => this.listSamples(),
      countByKey: () => this.rows.countByKey(),
      rows: {
        countOther: (keyId) => this.rows.countOther(keyId),
        listOther: (keyId, after, limit) => this.rows.listOther(keyId, after, limit),
        reseal: (walletId) => this.reseal(walletId),
      },
    });
  }

  /**
   * Returns the stored identity of a wallet's owner, without a call to the exchange.
   * @throws WalletNotFound @throws WalletIdentityNotFound
   * @throws CannotOpen when the record belongs to another wallet, was altered, or its key is missing.
   */
  async get(project: IdentityOwner['project'], externalWalletId: string): Promise<AccountIdentity> {
    const { id: walletId } = await this.wallets.get(project, externalWalletId);
    const [row] = await this.db.query<{ sealed: SealedRecord; version: string }>(
      `select i.sealed, c.version from wallet_identities i join current_credentials c on c.wallet_id = i.wallet_id
        where i.wallet_id = $1`,
      [walletId],
    );
    if (row === undefined) throw new WalletIdentityNotFound();
    const text = await this.vault.open(row.sealed, contextOf({ project, walletId }, row.version));
    return JSON.parse(text) as AccountIdentity;
  }

  /**
   * Stores the identity that an exchange returned. Call it in the transaction that stores the credentials, after they
   * are stored, because storing credentials erases the identity of the earlier ones.
   */
  async store(tx: EntityManager, owner: IdentityOwner & { sealer: Sealer }, identity: AccountIdentity): Promise<void> {
    const [credentials] = await this.db.query<{ version: string }>(
      `select version from current_credentials where wallet_id = $1`,
      [owner.walletId],
      tx,
    );
    if (credentials === undefined) throw new Error('the credentials of the identity are not stored');
    const text = JSON.stringify(toStorableIdentity(identity));
    const sealed = owner.sealer.seal(text, contextOf(owner, credentials.version));
    await this.db.query(
      `insert into wallet_identities (wallet_id, sealed, created_at) values ($1, $2, $3)
       on conflict (wallet_id) do update set sealed = excluded.sealed`,
      [owner.walletId, JSON.stringify(sealed), this.clock.now()],
      tx,
    );
  }

  private async reseal(walletId: string): Promise<boolean> {
    const rows = await this.db.query<{ walletId: string; version: string; sealed: SealedRecord }>(
      `select i.wallet_id as "walletId", c.version, i.sealed
         from wallet_identities i join current_credentials c on c.wallet_id = i.wallet_id where i.wallet_id = $1`,
      [walletId],
    );
    const [row] = await this.wallets.withProjects(rows);
    if (row === undefined) return false;
    const { project, version, sealed: old } = row;
    const sealer = await this.vault.sealer(project);
    const sealed = await this.vault.reseal(old, contextOf({ project, walletId }, version), sealer);
    return await this.rows.replace(walletId, old, sealed);
  }

  private async listSamples(): Promise<SealedSample[]> {
    const rows = await this.db.query<{ walletId: string; version: string; sealed: SealedRecord }>(
      `select found.wallet_id as "walletId", found.sealed, c.version
         from (${rowsOfEachKey('every_wallet_identities', 'sealed')}) found
              join current_credentials c on c.wallet_id = found.wallet_id`,
    );
    const owned = await this.wallets.withProjects(rows);
    return owned.map(({ sealed, version, ...owner }) => ({ record: sealed, context: contextOf(owner, version) }));
  }
}

/** @param version of the credentials with which the identity was read. Others may belong to another person. */
function contextOf({ project, walletId }: IdentityOwner, version: string): SealContext {
  return { organizationId: project.organizationId, projectId: project.id, walletId, field: 'identity', version };
}
