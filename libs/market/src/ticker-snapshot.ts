/** The last valid price list of an exchange, as it is stored. */
export interface TickerSnapshot {
  readonly exchange: string;
  /** US dollars as plain decimals, by asset symbol. */
  readonly prices: ReadonlyMap<string, string>;
  /** When the exchange responded. */
  readonly fetchedAt: Date;
}

/** A row of `ticker_snapshots` or `price_points`. */
export interface PriceRow {
  exchange: string;
  prices: Record<string, string>;
}

/** Milliseconds since the exchange responded. */
export function ageMs({ fetchedAt }: TickerSnapshot, now: Date): number {
  return now.getTime() - fetchedAt.getTime();
}
