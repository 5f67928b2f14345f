import { Injectable } from '@nestjs/common';
import type { AssetBalance } from '#exchange';
import { Amount } from '#money';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { BalanceStore } from './balance-store.js';
import { WalletCredentials, type WalletTarget } from '../credentials/wallet-credentials.service.js';
import { WalletSessions, type UseOptions } from '../sessions/wallet-sessions.service.js';
import type { Wallet } from '../wallets/wallet.entity.js';

interface BalanceRow {
  wallet_id: string;
  asset: string;
  free: string;
  used: string;
  total: string;
  withdrawable: string | null;
  elsewhere: { account: string; amount: string }[];
}

export interface RefreshedBalances {
  balances: AssetBalance[];
  /** Whether they differ from the stored ones. */
  isChanged: boolean;
}

/** Balances of wallets, stored or fresh. Assets of which nothing is held are left out. */
@Injectable()
export class WalletBalances {
  constructor(
    private readonly db: Database,
    private readonly credentials: WalletCredentials,
    private readonly sessions: WalletSessions,
    private readonly store: BalanceStore,
    private readonly clock: Clock,
  ) {}

  /** Returns the balances of the last sync, sorted by asset; calls no exchange. */
  async list(wallet: Pick<Wallet, 'id'>): Promise<AssetBalance[]> {
    return (await this.listAll([wallet])).get(wallet.id) ?? [];
  }

  /** Returns the balances of many wallets in one query, by `Wallet.id`. A wallet without holdings has no entry. */
  async listAll(wallets: Pick<Wallet, 'id'>[]): Promise<Map<string, AssetBalance[]>> {
    const rows = await this.db.query<BalanceRow>(
      `select wallet_id, asset, free, used, total, withdrawable, elsewhere from wallet_balances
        where wallet_id = any($1) order by asset`,
      [wallets.map(({ id }) => id)],
    );
    const byWallet = new Map<string, AssetBalance[]>();
    for (const row of rows) {
      byWallet.set(row.wallet_id, [...(byWallet.get(row.wallet_id) ?? []), toBalance(row)]);
    }
    return byWallet;
  }

  /**
   * Reads the balances from the exchange and stores them with `lastSyncAt` and the time of the next sync. Clears the
   * flag of the wallet.
   * @throws the errors of `WalletSessions.use`, and WalletNotFound when the wallet was deleted.
   */
  async refresh(wallet: Pick<Wallet, 'id'>, options: UseOptions): Promise<AssetBalance[]> {
    const target = await this.credentials.target(wallet.id, { deletedToo: false });
    return (await this.refreshTarget(target, options)).balances;
  }

  /** Does the same as `refresh`, with a target that was read already. */
  async refreshTarget(target: WalletTarget, options: UseOptions): Promise<RefreshedBalances> {
    const askedAt = this.clock.now();
    const answer = await this.sessions.useTarget(target, options, (session) => session.balances());
    const balances = answer
      .filter(({ free, used, total }) => ![free, used, total].every((amount) => amount.isZero()))
      .sort((a, b) => (a.asset < b.asset ? -1 : 1));
    return { balances, isChanged: await this.store.record(target, { balances, askedAt }) };
  }
}

function toBalance({ asset, free, used, total, withdrawable, elsewhere }: BalanceRow): AssetBalance {
  return {
    asset,
    free: Amount.of(free),
    used: Amount.of(used),
    total: Amount.of(total),
    ...(withdrawable !== null && { withdrawable: Amount.of(withdrawable) }),
    ...(elsewhere.length > 0 && {
      elsewhere: elsewhere.map(({ account, amount }) => ({ account, amount: Amount.of(amount) })),
    }),
  };
}
