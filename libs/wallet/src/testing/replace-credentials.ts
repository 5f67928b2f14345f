import type { Type } from '@nestjs/common';
import { v7 } from 'uuid';
import type { ProjectIdentity } from '#access';
import { Secret, Vault } from '#platform/crypto';
import { Database } from '#platform/database';
import { withoutRules } from '#platform/testing';
import { WalletCredentials } from '../credentials/wallet-credentials.service.js';
import type { Wallet } from '../wallets/wallet.entity.js';
import { Wallets } from '../wallets/wallets.service.js';

/** Returns the providers of a module. */
interface Injector {
  get<T>(type: Type<T>): T;
}

/**
 * Stores other credentials for a wallet as a connect would, without calling an exchange.
 * @returns their version.
 */
export async function replaceCredentials(
  harness: Injector,
  project: Pick<ProjectIdentity, 'id' | 'organizationId'>,
  { id: walletId }: Pick<Wallet, 'id'>,
): Promise<string> {
  const credentials = { apiKey: new Secret(`key-${v7()}`), apiSecret: new Secret('secret') };
  const sealer = await harness.get(Vault).sealer(project);
  await harness.get(Database).transaction(async (tx) => {
    await harness.get(Wallets).lock(tx, walletId);
    await harness.get(WalletCredentials).store(tx, { project, walletId }, credentials, sealer);
  });
  return credentialVersionOf(harness.get(Database), walletId);
}

/** Returns the version of the wallet's current credentials. */
export async function credentialVersionOf(db: Database, walletId: string): Promise<string> {
  const [row] = await db.query<{ version: string }>(
    `select sealed->>'id' as version from wallet_credentials where wallet_id = $1`,
    [walletId],
  );
  if (row === undefined) throw new Error('the wallet has no credentials');
  return row.version;
}

/** Holds the wallet's current credentials. */
export async function holdCredentials(
  harness: Injector,
  wallet: Pick<Wallet, 'id'>,
  holder: string = v7(),
): Promise<void> {
  const version = await credentialVersionOf(harness.get(Database), wallet.id);
  await harness.get(Database).transaction(async (tx) => {
    await harness.get(Wallets).lockConnected(tx, wallet.id);
    await harness.get(Wallets).hold(tx, wallet, { holder, version });
  });
}

/** Erases the current credentials of a wallet, even of a connected one, and whatever holds them. */
export function eraseCredentials(ownerUrl: string, { id }: Pick<Wallet, 'id'>): Promise<void> {
  return withoutRules(
    ownerUrl,
    `delete from wallet_grants where wallet_id = '${id}'; delete from wallet_credentials where wallet_id = '${id}'`,
  );
}

/** Erases the replaced credentials of a wallet, whatever holds them. */
export function eraseReplacedCredentials(ownerUrl: string, { id }: Pick<Wallet, 'id'>): Promise<void> {
  return withoutRules(ownerUrl, `delete from replaced_credentials where wallet_id = '${id}'`);
}
