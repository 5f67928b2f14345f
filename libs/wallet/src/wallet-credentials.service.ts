import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Projects } from '#access';
import type { ExchangeCredentials, SessionTarget } from '#exchange';
import { Clock } from '#platform/clock';
import { Vault } from '#platform/crypto';
import { Database } from '#platform/database';
import {
  areSealed,
  openCredentials,
  sealCredentials,
  type CredentialOwner,
  type SealedCredentials,
} from './sealed-credentials.js';
import { WalletNotFound } from './wallet.errors.js';

/** Where the session of a wallet goes to, and with which of its credentials. */
export interface WalletTarget extends SessionTarget {
  walletUuid: string;
  /** `SealedCredentials.id` */
  version: string;
}

/** The credentials of wallets: sealed at rest, open only on the way to an exchange. */
@Injectable()
export class WalletCredentials {
  constructor(
    private readonly db: Database,
    private readonly vault: Vault,
    private readonly projects: Projects,
    private readonly clock: Clock,
  ) {}

  /**
   * Seals and stores the credentials of a wallet in place of those it had. Equal ones stay as they are: a replacement
   * says that the account at the exchange may be another one.
   */
  async store(tx: EntityManager, owner: CredentialOwner, credentials: ExchangeCredentials): Promise<void> {
    const [kept] = await this.db.query<{ sealed: SealedCredentials }>(
      `select sealed from wallet_credentials where wallet_id = $1 for update`,
      [owner.walletUuid],
      tx,
    );
    if (kept !== undefined && areSealed(this.vault, owner, kept.sealed, credentials)) return;
    const sealed = sealCredentials(this.vault, owner, credentials, this.clock.newId());
    await this.db.query(
      `insert into wallet_credentials (wallet_id, sealed, created_at, updated_at) values ($1, $2, $3, $3)
       on conflict (wallet_id) do update set sealed = excluded.sealed, updated_at = excluded.updated_at`,
      [owner.walletUuid, JSON.stringify(sealed), this.clock.now()],
      tx,
    );
  }

  /**
   * What opens a session with the stored credentials.
   * @param options.deletedToo also for a deleted wallet whose credentials are kept.
   * @throws WalletNotFound when there are no (more) credentials. @throws CannotOpen when they are not this wallet's.
   */
  async target(walletUuid: string, options: { deletedToo: boolean }): Promise<WalletTarget> {
    const [row] = await this.db.query<{ exchange: string; project_id: string; sealed: SealedCredentials }>(
      `select w.exchange, w.project_id, c.sealed
         from wallets w join wallet_credentials c on c.wallet_id = w.id
        where w.id = $1 and ($2 or w.deleted_at is null)`,
      [walletUuid, options.deletedToo],
    );
    if (row === undefined) throw new WalletNotFound();
    const project = await this.projects.getContext(row.project_id);
    return {
      walletUuid,
      version: row.sealed.id,
      exchange: row.exchange,
      mode: project.mode,
      credentials: openCredentials(this.vault, { project, walletUuid }, row.sealed),
      // Prefixed with the wallet, so that no two wallets can come to share a session.
      credentialId: `${walletUuid}:${row.sealed.id}`,
    };
  }

  /** A live call has shown that these credentials are valid: takes a mark of the opposite off, unless they were replaced. */
  async markValid(tested: WalletTarget): Promise<void> {
    await this.db.query(
      `update wallets w set invalid_api = false, updated_at = $3
         from wallet_credentials c
        where w.id = $1 and w.deleted_at is null and w.invalid_api
          and c.wallet_id = w.id and c.sealed->>'id' = $2`,
      [tested.walletUuid, tested.version, this.clock.now()],
    );
  }
}
