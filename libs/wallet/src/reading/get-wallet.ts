import { Injectable } from '@nestjs/common';
import type { ProjectIdentity } from '#access';
import type { AssetBalance, UnreadAccount } from '#exchange';
import { Database, type EntityStatement } from '#platform/database';
import { UNREAD_COLUMN } from '../balances/other-accounts.js';
import { toBalance, type BalanceRow } from '../balances/stored-balance.js';
import { BALANCES_COLUMN } from '../balances/wallet-balances.service.js';
import { CONNECTED } from '../wallets/wallets.service.js';
import { WalletNotFound } from '../wallets/wallet.errors.js';
import type { Wallet } from '../wallets/wallet.entity.js';

export interface WalletWithBalances {
  wallet: Wallet;
  /** The balances of the last sync, sorted by asset. */
  balances: AssetBalance[];
  /** The accounts at the exchange that the last sync could not read. */
  unread: UnreadAccount[];
}

const WITH_BALANCES: EntityStatement<Wallet> = {
  ...CONNECTED,
  name: 'connected wallet with balances',
  also: `${BALANCES_COLUMN} as balances, ${UNREAD_COLUMN} as unread`,
};

/** Returns a wallet and its balances as of the last sync; calls no exchange. */
@Injectable()
export class GetWallet {
  constructor(private readonly db: Database) {}

  /** @throws WalletNotFound */
  async execute(project: Pick<ProjectIdentity, 'id'>, externalWalletId: string): Promise<WalletWithBalances> {
    const [wallet] = await this.db.readEntities<Wallet, StoredBalances>(WITH_BALANCES, [project.id, externalWalletId]);
    if (wallet === undefined) throw new WalletNotFound();
    return { wallet, balances: (wallet.balances ?? []).map(toBalance), unread: wallet.unread ?? [] };
  }
}

interface StoredBalances {
  balances: BalanceRow[] | null;
  unread: UnreadAccount[] | null;
}
