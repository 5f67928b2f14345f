import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ProjectIdentity } from '#access';
import type { AccountIdentity } from '#exchange';
import { Clock } from '#platform/clock';
import { Vault } from '#platform/crypto';
import { Database } from '#platform/database';

/** Keeps what an exchange supplied of a person. */
@Injectable()
export class StoreIdentity {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly vault: Vault,
  ) {}

  /** In the transaction that stores the credentials, after them: they erase the identity of those before. */
  async execute(
    tx: EntityManager,
    owner: { project: Pick<ProjectIdentity, 'id' | 'organizationId'>; walletUuid: string },
    identity: AccountIdentity,
  ): Promise<void> {
    const { project, walletUuid } = owner;
    const sealed = this.vault.seal(JSON.stringify(identity), {
      organizationId: project.organizationId,
      projectId: project.id,
      walletId: walletUuid,
      field: 'identity',
    });
    await this.db.query(
      `insert into wallet_identities (wallet_id, sealed, created_at) values ($1, $2, $3)
       on conflict (wallet_id) do update set sealed = excluded.sealed, created_at = excluded.created_at`,
      [walletUuid, JSON.stringify(sealed), this.clock.now()],
      tx,
    );
  }
}
