import { pino } from 'pino';
import { Projects, type ProjectIdentity } from '#access';
import type { ExchangeCredentials } from '#exchange';
import type { Clock } from '#platform/clock';
import type { Config } from '#platform/config';
import type { Vault } from '#platform/crypto';
import type { Database } from '#platform/database';
import { Events } from '#platform/events';
import { DeleteWallet } from '../deleting/delete-wallet.js';
import { EraseKeptCredentials } from '../deleting/erase-kept-credentials.js';
import type { RevokeGrant } from '../grants/revoke-grant.js';
import { KeyDigests } from '../credentials/key-digests.js';
import { WalletCredentials } from '../credentials/wallet-credentials.service.js';
import type { Wallet } from '../wallets/wallet.entity.js';

export interface WalletWritesParts {
  db: Database;
  clock: Clock;
  config: Config;
  vault: Vault;
}

/**
 * Makes the database writes of connecting a wallet, replacing its credentials, deleting it and erasing kept
 * credentials, without calls to an exchange.
 */
export class WalletWrites {
  readonly credentials: WalletCredentials;
  private readonly deletion: DeleteWallet;
  private readonly erasure: EraseKeptCredentials;

  constructor(private readonly parts: WalletWritesParts) {
    const { db, clock, config, vault } = parts;
    const projects = new Projects(db);
    // Wallets that were connected with an API key have no grant, so there is nothing to revoke.
    const none: Pick<RevokeGrant, 'find' | 'execute'> = {
      find: () => Promise.resolve([]),
      execute: () => Promise.resolve(),
    };
    const revocation = none as RevokeGrant;
    const logger = pino({ level: 'silent' });
    this.credentials = new WalletCredentials(db, vault, projects, clock, config, new KeyDigests(config), logger);
    this.deletion = new DeleteWallet(db, clock, config, revocation, new Events(db, clock));
    this.erasure = new EraseKeptCredentials(db, clock, revocation);
  }

  /** @returns the version of the stored credentials. */
  async store(project: ProjectIdentity, walletId: string, credentials: ExchangeCredentials): Promise<string | null> {
    const sealer = await this.parts.vault.sealer(project);
    return this.parts.db.transaction(async (tx) => {
      await this.credentials.store(tx, { project, walletId }, credentials, sealer);
      return this.credentials.lock(tx, walletId);
    });
  }

  delete(
    project: Pick<ProjectIdentity, 'id'>,
    { externalId: externalWalletId }: Pick<Wallet, 'externalId'>,
  ): Promise<void> {
    return this.deletion.execute(project, externalWalletId);
  }

  async eraseKept(): Promise<void> {
    await this.erasure.execute();
  }
}
