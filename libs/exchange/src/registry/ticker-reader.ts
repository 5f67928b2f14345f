import type { Clock } from '#platform/clock';
import { Cached } from '../transport/cached.js';
import type { PublicCalls } from '../transport/public-calls.js';
import { dollarPrices } from './dollar-prices.js';
import type { DollarPairs, TickerList, TickerSource } from '../declaration/ticker-source.js';

/**
 * How long the pairs are kept. The time is long, because the assets of a pair never change and exchanges only add
 * pairs.
 */
const PAIRS_TTL_MS = 3_600_000;
const NO_PAIRS: DollarPairs = new Map();

/** Reads the price list of one exchange at one address. */
export class TickerReader {
  private readonly pairs: Cached<DollarPairs>;
  private lastPairs: DollarPairs = NO_PAIRS;

  constructor(
    private readonly source: TickerSource,
    private readonly calls: PublicCalls,
    private readonly clock: Clock,
  ) {
    this.pairs = new Cached(clock, PAIRS_TTL_MS, () => this.readPairs());
  }

  async read(): Promise<TickerList> {
    const { path, read, codeOf } = this.source;
    const pairs = await this.knownPairs();
    return this.calls.get({
      operation: 'tickers',
      path,
      read: (response) => ({
        fetchedAt: this.clock.now(),
        prices: notEmpty(dollarPrices(read(response, pairs), codeOf)),
      }),
    });
  }

  /** Returns the pairs, or the last known pairs when the exchange does not return them. */
  private async knownPairs(): Promise<DollarPairs> {
    if (this.source.pairs === undefined) return NO_PAIRS;
    try {
      this.lastPairs = await this.pairs.get();
    } catch (error) {
      if (this.lastPairs.size === 0) throw error;
    }
    return this.lastPairs;
  }

  private async readPairs(): Promise<DollarPairs> {
    const { pairs, codeOf } = this.source;
    if (pairs === undefined) return NO_PAIRS;
    const { path, read } = pairs;
    return this.calls.get({ operation: 'pairs', path, read: (response) => notEmpty(read(response, codeOf)) });
  }
}

function notEmpty<T extends { size: number }>(found: T): T {
  if (found.size === 0) throw new Error('the list has no entry in US dollars');
  return found;
}
