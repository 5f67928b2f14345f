import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ProjectIdentity } from '#access';
import type { AccountIdentity } from '#exchange';
import { Clock } from '#platform/clock';
import {
  rowsOfEachKey,
  SealedSamples,
  Vault,
  type SealContext,
  type SealedRecord,
  type SealedSample,
} from '#platform/crypto';
import { Database } from '#platform/database';
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
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly vault: Vault,
    private readonly wallets: Wallets,
    samples: SealedSamples,
  ) {
    samples.add('wallet_identities', () => this.listSamples());
  }

  /**
   * Returns the stored identity of a wallet's owner, without a call to the exchange.
   * @throws WalletNotFound @throws WalletIdentityNotFound
   * @throws CannotOpen when the record belongs to another wallet, was altered, or its key is missing.
   */
  async get(project: IdentityOwner['project'], externalWalletId: string): Promise<AccountIdentity> {
    const { id: walletId } = await this.wallets.get(project, externalWalletId);
    const [row] = await this.db.query<{ sealed: SealedRecord }>(
      `select sealed from wallet_identities where wallet_id = $1`,
      [walletId],
    );
    if (row === undefined) throw new WalletIdentityNotFound();
    return JSON.parse(this.vault.open(row.sealed, contextOf({ project, walletId }))) as AccountIdentity;
  }

  /**
   * Stores the identity that an exchange returned. Call it in the transaction that stores the credentials, after they
   * are stored, because storing credentials erases the identity of the earlier ones.
   */
  async store(tx: EntityManager, owner: IdentityOwner, identity: AccountIdentity): Promise<void> {
    const sealed = this.vault.seal(JSON.stringify(toStorableIdentity(identity)), contextOf(owner));
    await this.db.query(
      `insert into wallet_identities (wallet_id, sealed, created_at) values ($1, $2, $3)
       on conflict (wallet_id) do update set sealed = excluded.sealed, created_at = excluded.created_at`,
      [owner.walletId, JSON.stringify(sealed), this.clock.now()],
      tx,
    );
  }

  private async listSamples(): Promise<SealedSample[]> {
    const rows = await this.db.query<{ walletId: string; sealed: SealedRecord }>(
      `select wallet_id as "walletId", sealed from (${rowsOfEachKey('wallet_identities', 'sealed')}) found`,
    );
    const owned = await this.wallets.withProjects(rows);
    return owned.map(({ sealed, ...owner }) => ({ record: sealed, context: contextOf(owner) }));
  }
}

function contextOf({ project, walletId }: IdentityOwner): SealContext {
  return { organizationId: project.organizationId, projectId: project.id, walletId, field: 'identity' };
}
