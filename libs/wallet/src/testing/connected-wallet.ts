import { v7 } from 'uuid';
import type { ProjectIdentity } from '#access';
import type { ExchangeCredentials } from '#exchange';
import { Secret, type Vault } from '#platform/crypto';
import type { Database } from '#platform/database';
import { sealCredentials } from '../credentials/sealed-credentials.js';
import { Wallet } from '../wallets/wallet.entity.js';

export interface ConnectedWalletOptions {
  externalWalletId?: string;
  exchange?: string;
  /** Seals the credentials. Without a vault the wallet has no credentials, and no session opens for it. */
  vault?: Vault;
  credentials?: ExchangeCredentials;
  /** Stored balances as decimal text, `free + used = total`. A wallet with balances counts as synced. */
  balances?: Record<string, { free: string; used: string; total: string }>;
  invalidApi?: boolean;
  createdAt?: Date;
  lastSyncAt?: Date | null;
}

/** Stores a wallet of the project as a connect would, without calling an exchange. */
export async function connectedWallet(
  db: Database,
  project: Pick<ProjectIdentity, 'id' | 'organizationId'>,
  options: ConnectedWalletOptions = {},
): Promise<Wallet> {
  const createdAt = options.createdAt ?? new Date();
  const wallet = db.repository(Wallet).create({
    id: v7(),
    projectId: project.id,
    externalId: options.externalWalletId ?? `wallet-${v7()}`,
    exchange: options.exchange ?? 'kraken',
    invalidApi: options.invalidApi ?? false,
    createdAt,
    updatedAt: createdAt,
    lastSyncAt: options.lastSyncAt === undefined ? (options.balances ? createdAt : null) : options.lastSyncAt,
    deletedAt: null,
    nextSyncAt: createdAt,
    syncFailures: 0,
    historyTracked: false,
    syncProgress: null,
    credentialsSequence: 0,
  });
  await db.repository(Wallet).insert(wallet);
  if (options.vault !== undefined) {
    const credentials = options.credentials ?? { apiKey: new Secret('test-key'), apiSecret: new Secret('test-secret') };
    const sealer = await options.vault.sealer(project);
    const owner = { project, walletId: wallet.id };
    const sealed = sealCredentials(sealer, owner, credentials, { id: v7(), sequence: 0 });
    await db.query(
      `insert into wallet_credentials (wallet_id, sealed, created_at, updated_at) values ($1, $2, $3, $3)`,
      [wallet.id, JSON.stringify(sealed), createdAt],
    );
  }
  for (const [asset, { free, used, total }] of Object.entries(options.balances ?? {})) {
    await db.query(`insert into wallet_balances (wallet_id, asset, free, used, total) values ($1, $2, $3, $4, $5)`, [
      wallet.id,
      asset,
      free,
      used,
      total,
    ]);
  }
  return wallet;
}
