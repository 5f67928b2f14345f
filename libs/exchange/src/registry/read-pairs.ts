import type { TradedPair } from '../port/pair-list.js';
import { toTradedPair, type PairSource } from '../declaration/pair-source.js';

/** The pairs of an exchange's list that can be used, and the number of its unreadable entries. */
interface ReadPairs {
  /** The pairs in the order of their codes, which are unique. */
  readonly pairs: TradedPair[];
  readonly unreadable: number;
}

/** Reads each entry on its own. Broken and ambiguous entries are counted and do not affect the others. */
export function readPairs(source: PairSource, response: unknown): ReadPairs {
  const found = new Map<string, TradedPair[]>();
  let unreadable = 0;
  for (const entry of source.list(response)) {
    const pair = readPair(source, entry);
    if (pair === 'unreadable') unreadable++;
    else if (pair !== null) {
      const id = `${pair.base}-${pair.quote}`;
      found.set(id, [...(found.get(id) ?? []), pair]);
    }
  }
  const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, same]) => same);
  const pairs = sorted.flatMap((same) => onlyCandidate(same) ?? []);
  return { pairs, unreadable: unreadable + sorted.flat().length - pairs.length };
}

function readPair(source: PairSource, entry: unknown): TradedPair | 'unreadable' | null {
  try {
    const read = source.pair.parse(entry);
    return read === null ? null : toTradedPair(read, source.codeOf);
  } catch {
    return 'unreadable';
  }
}

/**
 * Chooses among pairs with the same codes: the pair that trades, or the only pair if none trades. If several pairs are
 * left, the pair of an order would be ambiguous, so the result is undefined.
 */
function onlyCandidate(same: TradedPair[]): TradedPair | undefined {
  const trading = same.filter((pair) => pair.isTradingEnabled);
  const candidates = trading.length > 0 ? trading : same;
  return candidates.length === 1 ? candidates[0] : undefined;
}
