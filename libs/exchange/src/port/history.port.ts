import type { Amount } from '#money';

export type HistoryKind = 'deposit' | 'withdrawal';

/** A deposit or withdrawal in the exchange's history. */
export interface HistoryRecord {
  kind: HistoryKind;
  /** The exchange's own id, unique among the account's records of the kind. */
  exchangeId: string;
  status: 'pending' | 'ok' | 'failed' | 'canceled';
  rawStatus: string;
  asset: string;
  /** The exchange's own id of the asset, which a renaming does not change; absent = it is `asset`. */
  assetId?: string;
  /** The amount that arrives, without the fee. */
  amount: Amount;
  /** The fee; null = not reported. */
  fee: Amount | null;
  /** Asset of the fee; null exactly where `fee` is null. */
  feeAsset: string | null;
  /** Our network id; null = not reported, or a network that we do not know. */
  network: string | null;
  /** The exchange's name of the network, or of the method if it names no network; null = it names neither. */
  exchangeNetwork: string | null;
  /** The receiving address. */
  address: string | null;
  tag: string | null;
  hash: string | null;
  /** For a withdrawal: our reference; absent = the exchange keeps none, or another program made the withdrawal. */
  clientRef?: string;
  at: Date;
}

/** Up to which record a page, with the pages before it, has the records of its range. */
export interface PageFacts {
  /**
   * All records of the range that are later than this are on this page or on the pages before it; absent = those that
   * are later than the oldest record of this page, because the exchange lists the newest records first.
   */
  readonly reachedAt?: Date;
  /** true = the pages that follow contain the records of this page again. */
  readonly isRepeated?: true;
  /** The exchange may have more records of this moment than it lists; absent = no record is missing. */
  readonly unlistedAt?: Date;
}

/** One page of a history. The newest records come first, as far as the exchange documents its order. */
export interface HistoryPage extends PageFacts {
  records: HistoryRecord[];
  /** Number of entries that could not be read. They are reported and do not stop the reading. */
  unreadable: number;
  /** Requests the next page; null = this is the last page, and the range has been read. */
  nextCursor: string | null;
}

/** The deposits and withdrawals of one account, in pages. */
export interface HistoryCapability {
  readonly kinds: readonly HistoryKind[];
  /** The exchange has no records before this moment. */
  readonly begins: Date;
  /**
   * The exchange may select records by another time than the time in the record. `lateByMs` is the maximum by which the
   * time in the record is later; absent = the two times are equal.
   */
  readonly lateByMs?: number;
  /**
   * Returns the newest page of the range, or the page at `cursor`. The range includes both ends, as whole seconds where
   * the exchange counts in seconds. A cursor is valid only for its kind and range.
   * @throws ExchangeError; `refused` with reason `invalid_cursor` when the exchange no longer knows the cursor.
   */
  page(kind: HistoryKind, range: { since: Date; until: Date }, cursor: string | null): Promise<HistoryPage>;
}
