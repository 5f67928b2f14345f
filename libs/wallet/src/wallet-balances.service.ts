import { Injectable } from '@nestjs/common';
import type { AssetBalance } from '#exchange';
import { Amount } from '#money';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { WalletSessions, type UseOptions } from './wallet-sessions.service.js';
import { WalletNotFound } from './wallet.errors.js';
import type { Wallet } from './wallet.entity.js';

interface BalanceRow {
  wallet_id: string;
  asset: string;
  free: string;
  used: string;
  total: string;
}

/** Holdings of wallets: as stored at the last sync, and asked anew. Assets of which nothing is held are left out. */
@Injectable()
export class WalletBalances {
  constructor(
    private readonly db: Database,
    private readonly sessions: WalletSessions,
    private readonly clock: Clock,
  ) {}

  /** As stored at the last sync, by asset; the exchange is not called. */
  async list(wallet: Pick<Wallet, 'id'>): Promise<AssetBalance[]> {
    return (await this.listAll([wallet])).get(wallet.id) ?? [];
  }

  /** The same for many wallets in one query, by their `id`; a wallet that holds nothing has no entry. */
  async listAll(wallets: Pick<Wallet, 'id'>[]): Promise<Map<string, AssetBalance[]>> {
    const rows = await this.db.query<BalanceRow>(
      `select wallet_id, asset, free, used, total from wallet_balances where wallet_id = any($1) order by asset`,
      [wallets.map(({ id }) => id)],
    );
    const byWallet = new Map<string, AssetBalance[]>();
    for (const row of rows) {
      const balance = {
        asset: row.asset,
        free: Amount.of(row.free),
        used: Amount.of(row.used),
        total: Amount.of(row.total),
      };
      byWallet.set(row.wallet_id, [...(byWallet.get(row.wallet_id) ?? []), balance]);
    }
    return byWallet;
  }

  /**
   * Asks the exchange and stores the answer, with `lastSyncAt`; the wallet counts as valid again.
   * @throws the errors of `WalletSessions.use`, and WalletNotFound when the wallet was deleted meanwhile.
   */
  async refresh(wallet: Pick<Wallet, 'id'>, options: UseOptions): Promise<AssetBalance[]> {
    const askedAt = this.clock.now();
    const answer = await this.sessions.use(wallet, options, (session) => session.balances());
    const balances = answer
      .filter(({ free, used, total }) => ![free, used, total].every((amount) => amount.isZero()))
      .sort((a, b) => (a.asset < b.asset ? -1 : 1));
    await this.store(wallet.id, balances, askedAt);
    return balances;
  }

  private store(walletUuid: string, balances: AssetBalance[], askedAt: Date): Promise<void> {
    return this.db.transaction(async (tx) => {
      const [wallet] = await this.db.query<{ last_sync_at: Date | null }>(
        `select last_sync_at from wallets where id = $1 and deleted_at is null for no key update`,
        [walletUuid],
        tx,
      );
      if (wallet === undefined) throw new WalletNotFound();
      // A slow answer to an earlier question must not replace the answer to a later one.
      if (wallet.last_sync_at !== null && wallet.last_sync_at > askedAt) return;
      await this.db.query(
        `update wallets set last_sync_at = $2, invalid_api = false,
                updated_at = case when invalid_api then $3 else updated_at end
          where id = $1`,
        [walletUuid, askedAt, this.clock.now()],
        tx,
      );
      await this.db.query(`delete from wallet_balances where wallet_id = $1`, [walletUuid], tx);
      await this.db.query(
        `insert into wallet_balances (wallet_id, asset, free, used, total)
         select $1, * from unnest($2::text[], $3::numeric[], $4::numeric[], $5::numeric[])`,
        [
          walletUuid,
          balances.map(({ asset }) => asset),
          balances.map(({ free }) => free.toString()),
          balances.map(({ used }) => used.toString()),
          balances.map(({ total }) => total.toString()),
        ],
        tx,
      );
    });
  }
}
