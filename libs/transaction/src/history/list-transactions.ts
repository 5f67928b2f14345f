import { Inject, Injectable } from '@nestjs/common';
import type { ProjectContext } from '#access';
import { resolveNetworkId } from '#exchange';
import { Clock } from '#platform/clock';
import { Database, joinConditions, type Conditions, type EntityStatement } from '#platform/database';
import { LISTED_MAX } from '#platform/http';
import { LOGGER, type Logger } from '#platform/logging';
import { WalletNotFound, Wallets } from '#wallet';
import { findAsset, type SoughtAsset } from './find-assets.js';
import { COUNT_KEPT_FROM, KeptCounts } from './kept-counts.js';
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
  /** Inclusive lower limit of the time. */
  sinceDate?: Date;
  /** Exclusive upper limit of the time. */
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

export interface TransactionPage {
  transactions: Transaction[];
  /**
   * Number of matching transactions on all pages. A count above 500 may be a second old, and one above 10,000 ten
   * minutes.
   */
  totalCount: number;
}

/** Lists the transactions of a project, newest first; calls no exchange. */
@Injectable()
export class ListTransactions {
  private readonly counts: KeptCounts;

  constructor(
    private readonly db: Database,
    private readonly wallets: Wallets,
    clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.counts = new KeptCounts(clock, logger);
  }

  /**
   * @throws WalletNotFound for a walletId that the project has never connected, and ValidationFailed for an asset that
   * names several ones.
   */
  async execute(project: Pick<ProjectContext, 'id'>, filter: TransactionFilter): Promise<TransactionPage> {
    const { externalWalletId, asset } = filter;
    const sought = asset === undefined ? null : await findAsset(this.db, project.id, asset);
    const page = await this.read(matching(project, filter, sought), filter);
    const isUnknown =
      page.totalCount === 0 &&
      externalWalletId !== undefined &&
      !(await this.wallets.wasConnected(project, externalWalletId));
    if (isUnknown) throw new WalletNotFound();
    return page;
  }

  private async read(conditions: Matching, filter: TransactionFilter): Promise<TransactionPage> {
    const { page, limit } = filter;
    const name = JSON.stringify([conditions.mask, conditions.values]);
    const values = [...conditions.values, limit, page * limit];
    const count = (): Promise<number> => this.count(conditions);
    const kept = this.counts.find(name, count);
    let found: Transaction[] | null = null;
    if (kept === undefined) {
      const ofKind = isOfKind(filter);
      const statement = ofKind ? pageOfKind(conditions, filter) : countedPageOf(conditions, filter);
      const few = await this.db.readEntities<Transaction, Few>(statement, values);
      // Each row contains the count. Without a row, the count is 0 for the first page and unknown for a later one.
      const fewCount = few[0]?.fewCount ?? (page === 0 ? 0 : null);
      if (fewCount !== null && fewCount <= COUNT_KEPT_FROM) {
        this.counts.keepBriefly(name, fewCount);
        return { transactions: few, totalCount: fewCount };
      }
      // More than COUNT_KEPT_FROM rows match. `pageOfKind` has read only the first of them in the order of its index,
      // so it may not have read the newest ones.
      if (!ofKind) found = few;
    }
    const counted = kept ?? (await this.counts.count(name, count));
    const transactions = found ?? (await this.db.readEntities(pageOf(conditions, filter), values));
    // A page that is not full is the last page, so the exact count is known.
    const isLast = transactions.length < limit && (transactions.length > 0 || page === 0);
    return { transactions, totalCount: isLast ? page * limit + transactions.length : counted };
  }

  private async count({ mask, sql, values, isRare }: Matching): Promise<number> {
    const text = `select count(*)::int4 as "totalCount" from transactions where ${sql}`;
    const [row] = await this.db.read<{ totalCount: number }>(
      { name: `count of transactions ${mask}`, text, isRare },
      values,
    );
    return row?.totalCount ?? 0;
  }
}

/** The conditions of a filter. `isRare`: the filter has so many fields that connections do not keep its statement. */
interface Matching extends Conditions {
  isRare: boolean;
}

/** Maximum number of filters, beside the project, in statements that the connections to PostgreSQL keep. */
const FILTERS_KEPT = 2;

interface Few {
  /** Number of matching transactions on all pages; COUNT_KEPT_FROM + 1 = there are more than COUNT_KEPT_FROM. */
  fewCount: number;
}

const NEWEST_FIRST = 'occurred_at desc, id desc';

/**
 * Whether the filter selects by more than wallet, asset and time. The indexes that are sorted by time then also contain
 * rows that do not match, so `pageOfKind` reads a page of such a filter.
 */
function isOfKind({ type, status, direction, network }: TransactionFilter): boolean {
  return [type, status, direction, network].some((value) => value !== undefined);
}

const FEW = `limit ${COUNT_KEPT_FROM + 1}`;

/** Selects the page, and counts the matching rows when they are few. Page and count are read from the same index. */
function countedPageOf(conditions: Matching, filter: TransactionFilter): EntityStatement<Transaction> {
  const page = pageOf(conditions, filter);
  const few = `select from transactions where ${conditions.sql} order by ${NEWEST_FIRST} ${FEW}`;
  return { ...page, name: `counted ${page.name}`, also: `(select count(*)::int4 from (${few}) as few) as "fewCount"` };
}

/**
 * Counts the matching rows and selects the page, for filters by type, status, direction or network. The page is right
 * only if at most COUNT_KEPT_FROM rows match. For a filter without a wallet that finds nothing, or only old rows,
 * PostgreSQL would read a whole index that is sorted by time. Sorting by the columns of the index
 * `transactions_of_kind` makes PostgreSQL use this index, whatever its statistics are. A filter with a wallet reads the
 * index of this wallet.
 */
function pageOfKind({ mask, sql, values, isRare }: Matching, filter: TransactionFilter): EntityStatement<Transaction> {
  const order = filter.externalWalletId === undefined ? 'status, type, direction, network, asset' : NEWEST_FIRST;
  const few = `select id, occurred_at from transactions where ${sql} order by ${order} ${FEW}`;
  const page = `select id from few order by ${NEWEST_FIRST} limit $${values.length + 1} offset $${values.length + 2}`;
  return {
    name: `few transactions ${mask}`,
    isRare,
    of: Transaction,
    with: `few as materialized (${few})`,
    where: `id = any(array(${page})) order by ${NEWEST_FIRST}`,
    also: `(select count(*)::int4 from few) as "fewCount"`,
  };
}

/**
 * The values of the inner limit in `pageOf`, which must cover all rows from the newest to the last row of the page.
 * 100,100 covers all pages of up to 100 rows, and LISTED_MAX covers larger pages. The values are few, because each of
 * them makes a statement that the connections to PostgreSQL keep in memory.
 */
const REACHES = [100, 1_000, 10_000, 100_100] as const;

/**
 * Selects the ids of the page from the index alone, however far away the page is. Only rows with these ids are read
 * from the table. The SQL contains the inner limit as a number: the lowest of REACHES that covers the page, or else
 * LISTED_MAX. If the limit were a parameter, PostgreSQL would expect a tenth of all rows, and start parallel workers
 * even for the first page.
 */
function pageOf(
  { mask, sql, values, isRare }: Matching,
  { page, limit }: TransactionFilter,
): EntityStatement<Transaction> {
  const reach = REACHES.find((rows) => rows >= (page + 1) * limit) ?? LISTED_MAX;
  const reached = `select id, occurred_at from transactions where ${sql} order by ${NEWEST_FIRST} limit ${reach}`;
  const ids = `select id from (${reached}) as reached order by ${NEWEST_FIRST} limit $${values.length + 1} offset $${values.length + 2}`;
  return {
    name: `${reach} transactions ${mask}`,
    isRare,
    of: Transaction,
    where: `id = any(array(${ids})) order by ${NEWEST_FIRST}`,
  };
}

function matching(
  project: Pick<ProjectContext, 'id'>,
  filter: TransactionFilter,
  sought: SoughtAsset | null,
): Matching {
  const { externalWalletId, sinceDate, beforeDate, type, status, direction, network } = filter;
  const hasOtherNames = sought !== null && sought.otherNames.length > 0;
  const conditions = joinConditions([
    ['superseded_by is null and project_id = $', project.id],
    ['external_wallet_id = $', externalWalletId],
    ['occurred_at >= $', sinceDate],
    ['occurred_at < $', beforeDate],
    ['asset = $', hasOtherNames ? undefined : sought?.code],
    ["array[asset, exchange || ' ' || asset] && $", hasOtherNames ? [sought.code, ...sought.otherNames] : undefined],
    ['type = $', type],
    ['status = $', status],
    ['direction = $', direction],
    ['network = $', network && (resolveNetworkId(network) ?? normalNetworkName(network))],
  ]);
  return { ...conditions, isRare: conditions.values.length > 1 + FILTERS_KEPT };
}
