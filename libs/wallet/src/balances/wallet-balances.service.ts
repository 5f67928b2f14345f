import { Injectable } from '@nestjs/common';
import { withOtherBalances, type AssetBalance, type UnreadAccount } from '#exchange';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { BalanceStore, type ReportedBalances } from './balance-store.js';
import { OtherAccounts } from './other-accounts.js';
import { toBalance, type BalanceRow } from './stored-balance.js';
import { WalletCredentials, type WalletTarget } from '../credentials/wallet-credentials.service.js';
import { WalletSessions, type UseOptions } from '../sessions/wallet-sessions.service.js';
import type { Wallet } from '../wallets/wallet.entity.js';

/**
 * The balances of one wallet, sorted by asset, as a column of a query of `wallets`; null = all balances are zero, or
 * there was no sync. The rows of a wallet without `last_sync_at` belong to replaced credentials. They are not returned,
 * and the next sync only compares its result with them.
 */
export const BALANCES_COLUMN = `(select json_agg(b order by b.asset) from
  (select asset, free::text, used::text, total::text, withdrawable::text, elsewhere,
          is_partial as "isPartial"
     from wallet_balances where wallet_id = wallets.id and wallets.last_sync_at is not null) b)`;

const OF_WALLET = {
  name: 'balances of a wallet',
  text: `select ${BALANCES_COLUMN} as balances from wallets where id = $1`,
};

/** Balances of wallets, stored or fresh. Assets with a balance of zero are left out. */
@Injectable()
export class WalletBalances {
  constructor(
    private readonly db: Database,
    private readonly credentials: WalletCredentials,
    private readonly sessions: WalletSessions,
    private readonly store: BalanceStore,
    private readonly others: OtherAccounts,
    private readonly clock: Clock,
  ) {}

  /** Returns the balances of the last sync, sorted by asset; calls no exchange. */
  async list({ id }: Pick<Wallet, 'id'>): Promise<AssetBalance[]> {
    const [row] = await this.db.read<{ balances: BalanceRow[] | null }>(OF_WALLET, [id]);
    return (row?.balances ?? []).map(toBalance);
  }

  /** Returns the accounts that the last sync could not read; calls no exchange. */
  unread(wallet: Pick<Wallet, 'id'>): Promise<UnreadAccount[]> {
    return this.others.unread(wallet);
  }

  /**
   * Reads the balances from the exchange and stores them with `lastSyncAt` and the time of the next sync. Clears the
   * flag of the wallet.
   * @throws the errors of `WalletSessions.use`, and WalletNotFound when the wallet was deleted.
   */
  async refresh(wallet: Pick<Wallet, 'id'>, options: UseOptions): Promise<AssetBalance[]> {
    const reported = await this.ask(await this.credentials.target(wallet.id, { deletedToo: false }), options);
    await this.store.record(reported);
    // For a partial balance the store has kept the amounts of an earlier reading.
    return reported.balances.some(({ isPartial }) => isPartial === true) ? this.list(wallet) : reported.balances;
  }

  /** Reads the balances from the exchange, and stores nothing. @throws the errors of `WalletSessions.use` */
  async ask(target: WalletTarget, options: UseOptions): Promise<ReportedBalances> {
    const askedAt = this.clock.now();
    const answer = await this.sessions.useTarget(target, options, async (session, version) => {
      const own = await session.balances();
      return withOtherBalances(own, await this.others.read(session, { walletId: target.walletId, version }, own));
    });
    const balances = answer
      .filter(({ total, elsewhere, isPartial }) => !total.isZero() || elsewhere !== undefined || isPartial === true)
      .sort((a, b) => (a.asset < b.asset ? -1 : 1));
    return { target, balances, askedAt };
  }
}
