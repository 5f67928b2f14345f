import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { SelectQueryBuilder } from 'typeorm';
import type { ProjectContext } from '#access';
import { resolveNetworkId } from '#exchange';
import { Database } from '#platform/database';
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
    const offset = page * limit;
    const matching = this.matching(project, filter);
    const transactions = await this.page(matching, offset, limit);
    // A page that is not full is the last one, so no count is needed.
    const isLast = transactions.length < limit && (transactions.length > 0 || page === 0);
    const totalCount = isLast ? offset + transactions.length : await this.count(matching);
    const isUnknown =
      totalCount === 0 &&
      externalWalletId !== undefined &&
      !(await this.wallets.wasConnected(project, externalWalletId));
    if (isUnknown) throw new WalletNotFound();
    return { transactions, totalCount };
  }

  /** Selects the ids of the page from the index alone, however far away the page is. Only these rows are read. */
  private page(matching: SelectQueryBuilder<Transaction>, offset: number, limit: number): Promise<Transaction[]> {
    const ids = matching
      .clone()
      .select('t.id', 'id')
      .orderBy('t.occurredAt', 'DESC')
      .addOrderBy('t.id', 'DESC')
      .offset(offset)
      .limit(limit);
    return this.db
      .repository(Transaction)
      .createQueryBuilder('one')
      .innerJoin(`(${ids.getQuery()})`, 'page', 'page.id = one.id')
      .setParameters(ids.getParameters())
      .orderBy('one.occurredAt', 'DESC')
      .addOrderBy('one.id', 'DESC')
      .getMany();
  }

  private async count(matching: SelectQueryBuilder<Transaction>): Promise<number> {
    const key = JSON.stringify(matching.getQueryAndParameters());
    const kept = this.counts.get(key);
    if (kept !== undefined) return kept;
    const count = await matching.getCount();
    if (count > COUNT_KEPT_FROM) this.counts.set(key, count);
    return count;
  }

  private matching(project: Pick<ProjectContext, 'id'>, filter: TransactionFilter): SelectQueryBuilder<Transaction> {
    const { externalWalletId, sinceDate, beforeDate, asset, type, status, direction, network } = filter;
    const query = this.db
      .repository(Transaction)
      .createQueryBuilder('t')
      .where('t.projectId = :projectId and t.supersededBy is null', { projectId: project.id });
    const conditions: [sql: string, parameters: Record<string, unknown>][] = [
      ['t.externalWalletId = :externalWalletId', { externalWalletId }],
      ['t.occurredAt >= :sinceDate', { sinceDate }],
      ['t.occurredAt < :beforeDate', { beforeDate }],
      // Almost all symbols are in capitals; a few exchanges use lower case in some.
      ['t.asset = any(:asset)', { asset: asset && [asset, asset.toUpperCase()] }],
      ['t.type = :type', { type }],
      ['t.status = :status', { status }],
      ['t.direction = :direction', { direction }],
      ['t.network = :network', { network: network && (resolveNetworkId(network) ?? normalNetworkName(network)) }],
    ];
    for (const [sql, parameters] of conditions) {
      if (Object.values(parameters).every((value) => value !== undefined)) query.andWhere(sql, parameters);
    }
    return query;
  }
}
