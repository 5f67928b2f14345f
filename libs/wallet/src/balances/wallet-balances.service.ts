import { Injectable } from '@nestjs/common';
import type { AccountAmount, AssetBalance } from '#exchange';
import { Amount } from '#money';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { BalanceStore, type ReportedBalances } from './balance-store.js';
import { WalletCredentials, type WalletTarget } from '../credentials/wallet-credentials.service.js';
import { WalletSessions, type UseOptions } from '../sessions/wallet-sessions.service.js';
import type { Wallet } from '../wallets/wallet.entity.js';

/** A stored balance. Amounts are texts, because JSON numbers may lose digits. */
export interface BalanceRow {
  asset: string;
  free: string;
  used: string;
  total: string;
  withdrawable: string | null;
  /** Rows of earlier versions have no kinds, and their amounts are free. */
  elsewhere: { account: string; kind?: AccountAmount['kind']; amount: string }[];
}

/**
 * The balances of one wallet, sorted by asset, as a column of a query of `wallets`; null = all balances are zero, or
 * there was no sync. The rows of a wallet without `last_sync_at` belong to replaced credentials. They are not returned,
 * and the next sync only compares its result with them.
 */
export const BALANCES_COLUMN = `(select json_agg(b order by b.asset) from
  (select asset, free::text, used::text, total::text, withdrawable::text, elsewhere
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
    private readonly clock: Clock,
  ) {}

  /** Returns the balances of the last sync, sorted by asset; calls no exchange. */
  async list({ id }: Pick<Wallet, 'id'>): Promise<AssetBalance[]> {
    const [row] = await this.db.read<{ balances: BalanceRow[] | null }>(OF_WALLET, [id]);
    return (row?.balances ?? []).map(toBalance);
  }

  /**
   * Reads the balances from the exchange and stores them with `lastSyncAt` and the time of the next sync. Clears the
   * flag of the wallet.
   * @throws the errors of `WalletSessions.use`, and WalletNotFound when the wallet was deleted.
   */
  async refresh(wallet: Pick<Wallet, 'id'>, options: UseOptions): Promise<AssetBalance[]> {
    const reported = await this.ask(await this.credentials.target(wallet.id, { deletedToo: false }), options);
    await this.store.record(reported);
    return reported.balances;
  }

  /** Reads the balances from the exchange, and stores nothing. @throws the errors of `WalletSessions.use` */
  async ask(target: WalletTarget, options: UseOptions): Promise<ReportedBalances> {
    const askedAt = this.clock.now();
    const answer = await this.sessions.useTarget(target, options, (session) => session.balances());
    const balances = answer
      .filter(({ total, elsewhere }) => !total.isZero() || elsewhere !== undefined)
      .sort((a, b) => (a.asset < b.asset ? -1 : 1));
    return { target, balances, askedAt };
  }
}

export function toBalance({ asset, free, used, total, withdrawable, elsewhere }: BalanceRow): AssetBalance {
  return {
    asset,
    free: Amount.of(free),
    used: Amount.of(used),
    total: Amount.of(total),
    ...(withdrawable !== null && { withdrawable: Amount.of(withdrawable) }),
    ...(elsewhere.length > 0 && {
      elsewhere: elsewhere.map(({ account, kind = 'free', amount }) => ({ account, kind, amount: Amount.of(amount) })),
    }),
  };
}
