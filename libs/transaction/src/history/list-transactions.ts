import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { ProjectContext } from '#access';
import { resolveNetworkId } from '#exchange';
import { Database, joinConditions, type Conditions, type EntityStatement } from '#platform/database';
import { WalletNotFound, Wallets } from '#wallet';
import { normalNetworkName } from './network-name.js';
import {
  Transaction,
  type TransactionDirection,
  type TransactionStatus,
  type TransactionType,
} from './transaction.entity.js';

/** An absent field does not filter. */
export interface TransactionFilter {
  /** The caller's id of the wallet, which may have been deleted. */
  externalWalletId?: string;
  /** Inclusive. */
  sinceDate?: Date;
  /** Exclusive. */
  beforeDate?: Date;
  asset?: string;
  type?: TransactionType;
  status?: TransactionStatus;
  direction?: TransactionDirection;
  network?: string;
  /** The first page is 0. */
  page: number;
  limit: number;
}

/** Total counts above this number are cached for COUNT_MS, because counting is slow. */
const COUNT_KEPT_FROM = 10_000;
const COUNT_MS = 10_000;
/** Most total counts that one API process keeps. */
const COUNTS_MAX = 10_000;

export interface TransactionPage {
  transactions: Transaction[];
  /** Number of matching transactions on all pages. A count above 10,000 may be 10 seconds old. */
  totalCount: number;
}

/** Lists the transactions of a project, newest first; calls no exchange. */
@Injectable()
export class ListTransactions {
  private readonly counts = new LRUCache<string, number>({ max: COUNTS_MAX, ttl: COUNT_MS });

  constructor(
    private readonly db: Database,
    private readonly wallets: Wallets,
  ) {}

  /** @throws WalletNotFound for a walletId that the project has never connected. */
  async execute(project: Pick<ProjectContext, 'id'>, filter: TransactionFilter): Promise<TransactionPage> {
    const { externalWalletId, page, limit } = filter;
    const conditions = matching(project, filter);
    const countName = JSON.stringify([conditions.mask, conditions.values]);
    const keptCount = this.counts.get(countName);
    const statement = pageOf(conditions, keptCount === undefined);
    const values = [...conditions.values, limit, page * limit];
    const transactions = await this.db.readEntities<Transaction, Partial<Counted>>(statement, values);
    const counted = keptCount ?? transactions[0]?.totalCount ?? (page === 0 ? 0 : await this.count(conditions));
    if (counted > COUNT_KEPT_FROM && keptCount === undefined) this.counts.set(countName, counted);
    // A page that is not full is the last one, and shows the exact count.
    const isLast = transactions.length < limit && (transactions.length > 0 || page === 0);
    const totalCount = isLast ? page * limit + transactions.length : counted;
    const isUnknown =
      totalCount === 0 &&
      externalWalletId !== undefined &&
      !(await this.wallets.wasConnected(project, externalWalletId));
    if (isUnknown) throw new WalletNotFound();
    return { transactions, totalCount };
  }

  private async count({ mask, sql, values }: Conditions): Promise<number> {
    const text = `select count(*)::int4 as "totalCount" from transactions where ${sql}`;
    const [row] = await this.db.read<Counted>({ name: `count of transactions ${mask}`, text }, values);
    return row?.totalCount ?? 0;
  }
}

interface Counted {
  /** Number of matching transactions on all pages. */
  totalCount: number;
}

/** Selects the ids of the page from the index alone, however far away the page is. Only these rows are read. */
function pageOf({ mask, sql, values }: Conditions, isCounted: boolean): EntityStatement<Transaction> {
  const order = 'order by occurred_at desc, id desc';
  const page = `select id from transactions where ${sql} ${order} limit $${values.length + 1} offset $${values.length + 2}`;
  return {
    name: `transactions ${mask}${isCounted ? ' counted' : ''}`,
    of: Transaction,
    where: `id = any(array(${page})) ${order}`,
    ...(isCounted && { also: `(select count(*)::int4 from transactions where ${sql}) as "totalCount"` }),
  };
}

function matching(project: Pick<ProjectContext, 'id'>, filter: TransactionFilter): Conditions {
  const { externalWalletId, sinceDate, beforeDate, asset, type, status, direction, network } = filter;
  // Almost all symbols are in capitals; a few exchanges use lower case in some.
  const isCapital = asset === asset?.toUpperCase();
  return joinConditions([
    ['superseded_by is null and project_id = $', project.id],
    ['external_wallet_id = $', externalWalletId],
    ['occurred_at >= $', sinceDate],
    ['occurred_at < $', beforeDate],
    ['asset = $', isCapital ? asset : undefined],
    ['asset = any($)', isCapital || asset === undefined ? undefined : [asset, asset.toUpperCase()]],
    ['type = $', type],
    ['status = $', status],
    ['direction = $', direction],
    ['network = $', network && (resolveNetworkId(network) ?? normalNetworkName(network))],
  ]);
}
