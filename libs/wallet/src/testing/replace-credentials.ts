import type { Type } from '@nestjs/common';
import { v7 } from 'uuid';
import type { ProjectIdentity } from '#access';
import { Secret } from '#platform/crypto';
import { Database } from '#platform/database';
import { WalletCredentials } from '../wallet-credentials.service.js';
import type { Wallet } from '../wallet.entity.js';
import { Wallets } from '../wallets.service.js';

/** What gives the providers of a module. */
interface Injector {
  get<T>(type: Type<T>): T;
}

/** Stores other credentials for a wallet, as connecting does, without asking an exchange. @returns their version. */
export async function replaceCredentials(
  bed: Injector,
  project: Pick<ProjectIdentity, 'id' | 'organizationId'>,
  { id: walletId }: Pick<Wallet, 'id'>,
): Promise<string> {
  const credentials = { apiKey: new Secret(`key-${v7()}`), apiSecret: new Secret('secret') };
  await bed.get(Database).transaction(async (tx) => {
    await bed.get(Wallets).lock(tx, walletId);
    await bed.get(WalletCredentials).store(tx, { project, walletId }, credentials);
  });
  return credentialVersionOf(bed.get(Database), walletId);
}

/** Version of the credentials that a wallet has now. */
export async function credentialVersionOf(db: Database, walletId: string): Promise<string> {
  const [row] = await db.query<{ version: string }>(
    `select sealed->>'id' as version from wallet_credentials where wallet_id = $1`,
    [walletId],
  );
  if (row === undefined) throw new Error('the wallet has no credentials');
  return row.version;
}

/** Holds the credentials that a wallet has now. */
export async function holdCredentials(bed: Injector, wallet: Pick<Wallet, 'id'>, holder: string = v7()): Promise<void> {
  const version = await credentialVersionOf(bed.get(Database), wallet.id);
  await bed.get(Database).transaction(async (tx) => {
    await bed.get(Wallets).lockConnected(tx, wallet.id);
    await bed.get(Wallets).hold(tx, wallet, { holder, version });
  });
}
