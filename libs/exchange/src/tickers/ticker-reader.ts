import type { Clock } from '#platform/clock';
import { Cached } from '../cached.js';
import type { CallMeter } from '../call-meter.js';
import type { CallQueue } from '../call-queue.js';
import { loadAssetCodes } from '../ccxt/asset-codes.js';
import { parseBody, type ErrorDialect } from '../error-dialect.js';
import { readAnswer, withAnswer, withoutAnswer } from '../failed-read.js';
import type { HttpAnswer, Transport } from '../transport.js';
import { dollarPrices } from './dollar-prices.js';
import type { AssetCodes, DollarPairs, TickerList, TickerSource } from './ticker-source.js';

const HEADERS = { accept: 'application/json', 'user-agent': 'causeway' };
/** What a pair is does not change; only new ones come. */
const PAIRS_TTL_MS = 3_600_000;
const NO_PAIRS: DollarPairs = new Map();

/** What these lists say when there is none is told by their status, or is no list. */
const NO_CODES: ErrorDialect = { codesIn: () => [], refusesWith: () => false, meanings: {} };

interface ReaderParts {
  transport: Transport;
  clock: Clock;
  queue: CallQueue;
  meter: CallMeter;
  timeoutMs: number;
}

/** Reads the list of one exchange at one address. */
export class TickerReader {
  private readonly pairs: Cached<DollarPairs>;
  private lastPairs: DollarPairs = NO_PAIRS;
  private codes: Promise<AssetCodes> | null = null;

  constructor(
    private readonly source: TickerSource,
    private readonly baseUrl: string,
    private readonly parts: ReaderParts,
  ) {
    this.pairs = new Cached(parts.clock, PAIRS_TTL_MS, () => this.readPairs());
  }

  async read(): Promise<TickerList> {
    const { path, read } = this.source;
    const codeOf = await this.assetCodes();
    const pairs = await this.knownPairs();
    return this.call('tickers', path, (answer) => ({
      fetchedAt: this.parts.clock.now(),
      prices: notEmpty(dollarPrices(read(answer, pairs), codeOf)),
    }));
  }

  /** Those of an hour ago are better than no prices. */
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
    const { pairs } = this.source;
    if (pairs === undefined) return NO_PAIRS;
    const codeOf = await this.assetCodes();
    return this.call('pairs', pairs.path, (answer) => notEmpty(pairs.read(answer, codeOf)));
  }

  private call<T>(operation: string, path: string, read: (answer: unknown) => T): Promise<T> {
    const { id: exchange } = this.source;
    const { queue, transport, timeoutMs, meter } = this.parts;
    const request = { method: 'GET', url: `${this.baseUrl}${path}`, headers: HEADERS };
    return meter.read({ exchange, operation }, async (begin) => {
      const inTurn = (): Promise<HttpAnswer> => {
        begin();
        return transport.send(request, { timeoutMs });
      };
      const answer = await queue.run(inTurn).catch((error: unknown) => {
        throw withoutAnswer(exchange, error);
      });
      if (answer.status !== 200) throw withAnswer(exchange, NO_CODES, answer, { kind: 'unavailable' });
      return readAnswer(exchange, path, parseBody(answer.body), read);
    });
  }

  private assetCodes(): Promise<AssetCodes> {
    this.codes ??= loadAssetCodes(this.source.ccxtId);
    return this.codes;
  }
}

function notEmpty<T extends { size: number }>(found: T): T {
  if (found.size === 0) throw new Error('nothing in US dollars');
  return found;
}
