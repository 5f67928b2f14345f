/** The last good answer of an exchange, as it is stored. */
export interface TickerSnapshot {
  readonly exchange: string;
  /** US dollars as plain decimals, by asset symbol. */
  readonly prices: ReadonlyMap<string, string>;
  /** When the exchange answered. */
  readonly fetchedAt: Date;
}

/** The row of a snapshot, or of a point of the history. */
export interface PriceRow {
  exchange: string;
  prices: Record<string, string>;
}

/** Milliseconds since the exchange answered. */
export function ageMs({ fetchedAt }: TickerSnapshot, now: Date): number {
  return now.getTime() - fetchedAt.getTime();
}
