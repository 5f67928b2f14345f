import type { Amount } from '#money';

/** What is known of a transfer before the chain is asked. */
export interface ChainQuestion {
  /** As the exchange told it; null = the chain is to be searched for the transfer. */
  readonly hash: string | null;
  /** null = the exchange does not tell it. */
  readonly addressTo: string | null;
  /** What arrived, or arrives. */
  readonly amount: Amount;
  /** When it happened at the exchange. */
  readonly at: Date;
}

/** What a chain knows of a transfer. */
export interface ChainTransfer {
  readonly hash: string;
  /** The one address that it came from; null when there are several, or when it is not certain. */
  readonly addressFrom: string | null;
  /** The block that it is in; null = none yet. */
  readonly block: { readonly height: number; readonly at: Date } | null;
  /** It is in the block, but has moved nothing. */
  readonly isReverted: boolean;
}

/** A chain that can be asked. One look-up is a few calls, and all of them together take ENRICHMENT_TIMEOUT_MS at most. */
export interface Chain {
  /** Whether the question names enough to ask by. */
  canFind(question: ChainQuestion): boolean;
  /**
   * Null when the chain knows no such transfer (yet), or when it is not certain which one it is.
   * @throws EnrichmentTimeout, EnrichmentApiError
   */
  find(question: ChainQuestion): Promise<ChainTransfer | null>;
}
