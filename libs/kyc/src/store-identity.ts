import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AccountIdentity } from '#exchange';
import { Clock } from '#platform/clock';
import { Vault } from '#platform/crypto';
import { Database } from '#platform/database';
import { sealIdentity, type IdentityOwner } from './sealed-identity.js';
import { toStorableIdentity } from './storable-identity.js';

/** Stores the identity that an exchange returned, encrypted. */
@Injectable()
export class StoreIdentity {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly vault: Vault,
  ) {}

  /**
   * Call it in the transaction that stores the credentials, after they are stored, because storing credentials erases
   * the identity of the earlier ones.
   */
  async execute(tx: EntityManager, owner: IdentityOwner, identity: AccountIdentity): Promise<void> {
    const sealed = sealIdentity(this.vault, owner, toStorableIdentity(identity));
    await this.db.query(
      `insert into wallet_identities (wallet_id, sealed, created_at) values ($1, $2, $3)
       on conflict (wallet_id) do update set sealed = excluded.sealed, created_at = excluded.created_at`,
      [owner.walletId, JSON.stringify(sealed), this.clock.now()],
      tx,
    );
  }
}
