import { Injectable } from '@nestjs/common';
import type { ProjectIdentity } from '#access';
import type { AssetBalance } from '#exchange';
import { WalletBalances } from '../balances/wallet-balances.service.js';
import type { Wallet } from '../wallets/wallet.entity.js';
import { Wallets } from '../wallets/wallets.service.js';

export interface WalletWithBalances {
  wallet: Wallet;
  balances: AssetBalance[];
}

/** Returns a wallet and its balances as of the last sync; calls no exchange. */
@Injectable()
export class GetWallet {
  constructor(
    private readonly wallets: Wallets,
    private readonly balances: WalletBalances,
  ) {}

  /** @throws WalletNotFound */
  async execute(project: Pick<ProjectIdentity, 'id'>, externalWalletId: string): Promise<WalletWithBalances> {
    const wallet = await this.wallets.get(project, externalWalletId);
    return { wallet, balances: await this.balances.list(wallet) };
  }
}
