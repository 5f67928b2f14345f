import { Injectable } from '@nestjs/common';
import type { ProjectIdentity } from '#access';
import type { AccountIdentity } from '#exchange';
import { Vault, type SealedRecord } from '#platform/crypto';
import { Database } from '#platform/database';
import { Wallets } from '#wallet';
import { WalletIdentityNotFound } from './kyc.errors.js';
import { openIdentity } from './sealed-identity.js';

/** Returns the stored identity of a wallet's owner, without a call to the exchange. */
@Injectable()
export class GetIdentity {
  constructor(
    private readonly db: Database,
    private readonly vault: Vault,
    private readonly wallets: Wallets,
  ) {}

  /** @throws WalletNotFound @throws WalletIdentityNotFound */
  async execute(
    project: Pick<ProjectIdentity, 'id' | 'organizationId'>,
    externalWalletId: string,
  ): Promise<AccountIdentity> {
    const { id: walletId } = await this.wallets.get(project, externalWalletId);
    const [row] = await this.db.query<{ sealed: SealedRecord }>(
      `select sealed from wallet_identities where wallet_id = $1`,
      [walletId],
    );
    if (row === undefined) throw new WalletIdentityNotFound();
    return openIdentity(this.vault, { project, walletId }, row.sealed);
  }
}
