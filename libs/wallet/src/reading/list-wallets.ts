import { Injectable } from '@nestjs/common';
import type { ProjectIdentity } from '#access';
import { Exchanges, type AssetBalance } from '#exchange';
import { Amount } from '#money';
import { Database, joinConditions, type Conditions, type EntityStatement } from '#platform/database';
import { ValidationFailed } from '#platform/errors';
import { Wallet } from '../wallets/wallet.entity.js';

/** An absent field does not filter. `Since` is inclusive, `Before` exclusive. */
export interface WalletFilter {
  exchange?: string;
  invalidApi?: boolean;
  createdSince?: Date;
  createdBefore?: Date;
  lastSyncSince?: Date;
  lastSyncBefore?: Date;
  /** The first page is 0. */
  page: number;
  limit: number;
}

/** A wallet of a page. */
export interface ListedWallet {
  wallet: Wallet;
  /** The balances of the last sync, sorted by asset. */
  balances: Pick<AssetBalance, 'asset' | 'total'>[];
}

export interface WalletPage {
  entries: ListedWallet[];
  /** Number of matching wallets on all pages. */
  totalCount: number;
}

/** Lists the connected wallets of a project, newest first, as of their last sync; calls no exchange. */
@Injectable()
export class ListWallets {
  constructor(
    private readonly db: Database,
    private readonly exchanges: Exchanges,
  ) {}

  /**
   * @param options.withBalances false: leaves `balances` empty and does not query them.
   * @throws ValidationFailed with `supportedExchanges` for an unknown exchange.
   */
  async execute(
    project: Pick<ProjectIdentity, 'id'>,
    filter: WalletFilter,
    options: { withBalances: boolean },
  ): Promise<WalletPage> {
    const { exchange, page, limit } = filter;
    if (exchange !== undefined && this.exchanges.find(exchange) === null) throw this.unknownExchange();
    const conditions = matching(project, filter);
    const statement = pageOf(conditions, options.withBalances);
    const values = [...conditions.values, limit, page * limit];
    const wallets = await this.db.readEntities<Wallet, Further>(statement, values);
    const entries = wallets.map((wallet) => ({ wallet, balances: toBalances(wallet.totals ?? {}) }));
    const count = (): Promise<number> => this.count(conditions);
    return { entries, totalCount: wallets[0]?.totalCount ?? (page === 0 ? 0 : await count()) };
  }

  private async count({ mask, sql, values }: Conditions): Promise<number> {
    const text = `select count(*)::int4 as "totalCount" from wallets where ${sql}`;
    const [row] = await this.db.read<Pick<Further, 'totalCount'>>({ name: `count of wallets ${mask}`, text }, values);
    return row?.totalCount ?? 0;
  }

  private unknownExchange(): ValidationFailed {
    const supportedExchanges = this.exchanges.specs().map(({ id }) => id);
    const message = `exchange must be one of ${supportedExchanges.join(', ')}, or null`;
    return new ValidationFailed([{ field: 'exchange', message }], { supportedExchanges });
  }
}

/**
 * SQL for the total of each asset of a wallet, as one object. A page can have a hundred thousand balances, so the
 * statement reads nothing else of them.
 */
const TOTALS = `(select json_object_agg(asset, total::text order by asset) from wallet_balances
  where wallet_id = wallets.id and wallets.last_sync_at is not null)`;

interface Further {
  /** The totals by asset, as decimal texts; null = the wallet has no balances. */
  totals?: Record<string, string> | null;
  /** Number of matching wallets on all pages. */
  totalCount: number;
}

/** Returns the statement that reads one page with its balances, and the total count. */
function pageOf({ mask, sql, values }: Conditions, withBalances: boolean): EntityStatement<Wallet> {
  const count = `(select count(*)::int4 from wallets where ${sql}) as "totalCount"`;
  return {
    name: `wallets ${mask}${withBalances ? ' with balances' : ''}`,
    of: Wallet,
    where: `${sql} order by created_at desc, id desc limit $${values.length + 1} offset $${values.length + 2}`,
    also: withBalances ? `${TOTALS} as totals, ${count}` : count,
  };
}

function toBalances(totals: Record<string, string>): ListedWallet['balances'] {
  return Object.entries(totals).map(([asset, total]) => ({ asset, total: Amount.of(total) }));
}

function matching(project: Pick<ProjectIdentity, 'id'>, filter: WalletFilter): Conditions {
  return joinConditions([
    ['deleted_at is null and project_id = $', project.id],
    ['exchange = $', filter.exchange],
    ['invalid_api = $', filter.invalidApi],
    ['created_at >= $', filter.createdSince],
    ['created_at < $', filter.createdBefore],
    ['last_sync_at >= $', filter.lastSyncSince],
    ['last_sync_at < $', filter.lastSyncBefore],
  ]);
}
