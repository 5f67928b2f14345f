import type { Clock } from '#platform/clock';
import type { Config } from '#platform/config';
import { Secret } from '#platform/crypto';
import { WalletNotFound, type Wallet } from '#wallet';
import type { WalletCredentials, WalletTarget } from '#wallet/testing';
import type { CredentialsRow, MemoryTables } from './memory-tables.js';

/** Implements in memory the methods of `WalletCredentials` that sessions call. */
export class MemoryCredentials implements Pick<WalletCredentials, 'target' | 'targetOfVersion'> {
  constructor(private readonly tables: MemoryTables) {}

  async target(walletId: string, { deletedToo }: { deletedToo: boolean }): Promise<WalletTarget> {
    const wallet = this.tables.wallets.get(walletId);
    const credentials = this.tables.credentials.get(walletId);
    if (wallet === null || credentials === null) throw new WalletNotFound();
    if (wallet.deletedAt !== null && !deletedToo) throw new WalletNotFound();
    return targetOf(wallet, credentials);
  }

  async targetOfVersion(walletId: string, version: string): Promise<WalletTarget> {
    const wallet = this.tables.wallets.get(walletId);
    const replaced = this.tables.replaced.get(`${walletId} ${version}`);
    const credentials = replaced ?? this.tables.credentials.get(walletId);
    if (wallet === null || credentials?.version !== version) throw new WalletNotFound();
    return targetOf(wallet, credentials);
  }
}

function targetOf(wallet: Wallet, { version, apiKey }: CredentialsRow): WalletTarget {
  const { id: walletId, projectId, exchange, invalidApi, updatedAt, lastSyncAt, nextSyncAt } = wallet;
  return {
    walletId,
    projectId,
    version,
    revision: null,
    grant: null,
    exchange,
    mode: 'test',
    credentials: { apiKey: new Secret(apiKey) },
    credentialId: `${walletId}:${version}`,
    seen: { invalidApi, updatedAt, lastSyncAt, nextSyncAt },
  };
}

/** Connects, replaces, deletes and erases wallets and credentials in memory. */
export class MemoryWalletWrites {
  constructor(
    private readonly tables: MemoryTables,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  insert(wallet: Wallet): void {
    this.tables.wallets.insert(wallet.id, wallet);
  }

  /** Stores credentials. Unchanged credentials keep their version. @returns the version. */
  store(walletId: string, apiKey: string): string {
    const kept = this.tables.credentials.get(walletId);
    if (kept?.apiKey === apiKey) return kept.version;
    const version = this.clock.newId();
    this.tables.atomic(() => this.tables.storeCredentials({ walletId, version, apiKey }, this.keepUntil()));
    return version;
  }

  /** @throws WalletNotFound */
  delete({ id }: Pick<Wallet, 'id'>): void {
    const { wallets, holds, credentials } = this.tables;
    const wallet = wallets.get(id);
    if (wallet === null || wallet.deletedAt !== null) throw new WalletNotFound();
    const now = this.clock.now();
    this.tables.atomic(() => {
      wallets.update(id, { deletedAt: now, updatedAt: now });
      const isKept = holds.find(({ walletId }) => walletId === id) !== null;
      if (!isKept) credentials.delete(id);
      else if (credentials.get(id) !== null) credentials.update(id, { eraseAfter: this.keepUntil() });
    });
  }

  /** Erases the replaced credentials and the credentials of deleted wallets whose `eraseAfter` has passed. */
  eraseKept(): void {
    const now = this.clock.now();
    const isDue = ({ eraseAfter }: CredentialsRow): boolean => eraseAfter !== null && eraseAfter <= now;
    const { credentials, replaced } = this.tables;
    for (const { walletId } of credentials.filter(isDue)) credentials.delete(walletId);
    for (const { walletId, version } of replaced.filter(isDue)) replaced.delete(`${walletId} ${version}`);
  }

  private keepUntil(): Date {
    return new Date(this.clock.now().getTime() + this.config.constants.CREDENTIALS_KEEP_SECONDS * 1_000);
  }
}
