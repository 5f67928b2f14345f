import type { Amount } from '#money';

/** Largest distance between the time of a transaction and the time of its block when the chain is searched. */
export const SEARCH_WINDOW_MS = 12 * 3_600_000;

/** The known facts of a transfer, by which the chain is queried. */
export interface ChainQuestion {
  /** The hash that the exchange reported; null = the chain is searched for the transfer. */
  readonly hash: string | null;
  /** null = the exchange does not report it. */
  readonly addressTo: string | null;
  /** The amount that arrives. */
  readonly amount: Amount;
  /** The time of the transfer at the exchange. */
  readonly at: Date;
}

/** The facts of a transfer on its chain. */
export interface ChainTransfer {
  readonly hash: string;
  /** The only sending address; null when there are several, or when the sender is not certain. */
  readonly addressFrom: string | null;
  /** The block that contains the transfer; null = no block contains it yet. */
  readonly block: { readonly height: number; readonly at: Date } | null;
  /** Whether the transfer failed on the chain: its block contains it, but it has moved nothing. */
  readonly isReverted: boolean;
}

/** Maximum number of look-ups at the same time in one worker process, and of calls to one chain API. */
export const LOOK_UPS_MAX = 5;

/** A chain that can be queried. All calls of one look-up take ENRICHMENT_TIMEOUT_MS together at most. */
export interface Chain {
  /** Whether the known facts suffice for a query. */
  canFind(question: ChainQuestion): boolean;
  /**
   * Returns null when the chain has no such transfer yet, or when several transfers fit.
   * @throws EnrichmentTimeout, EnrichmentApiError
   */
  find(question: ChainQuestion): Promise<ChainTransfer | null>;
}
