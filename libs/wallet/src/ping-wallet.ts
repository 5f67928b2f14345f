import { Injectable } from '@nestjs/common';
import type { ProjectIdentity } from '#access';
import { Exchanges, type KeyInfo } from '#exchange';
import { saysInvalid, toDomainError } from './exchange-refusal.js';
import { WalletGrants } from './grants/wallet-grants.service.js';
import { RecordInvalidCredentials } from './record-invalid-credentials.js';
import { WalletCredentials, type WalletTarget } from './wallet-credentials.service.js';
import type { Wallet } from './wallet.entity.js';
import { Wallets } from './wallets.service.js';

export interface PingedWallet {
  wallet: Wallet;
  /** null = the exchange says that the credentials are invalid. */
  keyInfo: KeyInfo | null;
}

/** Tests the stored credentials of a wallet by a live call, and marks the wallet by what it proves. */
@Injectable()
export class PingWallet {
  constructor(
    private readonly wallets: Wallets,
    private readonly credentials: WalletCredentials,
    private readonly exchanges: Exchanges,
    private readonly grants: WalletGrants,
    private readonly recordInvalid: RecordInvalidCredentials,
  ) {}

  /** @throws WalletNotFound @throws ProviderError when the call proves neither; the mark stays as it was. */
  async execute(project: Pick<ProjectIdentity, 'id'>, walletId: string): Promise<PingedWallet> {
    const wallet = await this.wallets.get(project, walletId);
    let target = await this.credentials.target(wallet.id, { deletedToo: false });
    try {
      target = await this.grants.fresh(target, { deletedToo: false });
      const session = await this.exchanges.openFresh(target);
      const keyInfo = await session.keyInfo();
      await this.credentials.markValid(target);
      return { wallet, keyInfo };
    } catch (error) {
      if (!saysInvalid(error)) throw toDomainError(error);
      await this.judge(target);
      await this.recordInvalid.execute(target, false);
      return { wallet, keyInfo: null };
    }
  }

  /** Returns unless the refused credentials have been renewed, or may be. */
  private async judge(target: WalletTarget): Promise<void> {
    try {
      await this.grants.judgeRefused(target);
    } catch (error) {
      throw toDomainError(error);
    }
  }
}
