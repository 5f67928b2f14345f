import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { AssetIndex, isTickerExchange } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { PreparedResponse } from '#platform/http';
import { CurrentTickers } from './current-tickers.js';
import { PricesNotFound, TickersNotSupported } from './market.errors.js';
import { toTickersResponse } from './market.dto.js';
import { ageMs, type TickerSnapshot } from './ticker-snapshot.js';

/** Maximum number of response bodies, and of values of `coins`, that one process keeps for each exchange. */
const FILTERS_MAX = 1_000;

/** The response bodies made from one snapshot. */
interface SnapshotResponses {
  snapshot: TickerSnapshot;
  index: AssetIndex;
  all: PreparedResponse;
  /** The key is the sorted list of the symbols that the caller asked for and the snapshot has. */
  filtered: LRUCache<string, PreparedResponse>;
  /** The same responses as in `filtered`. The key is `coins` as sent, because callers often repeat the same value. */
  byCoins: LRUCache<string, PreparedResponse>;
}

/** Serializes the tickers in memory once for all callers. Never queries the database. */
@Injectable()
export class TickerResponses {
  private readonly byExchange = new Map<string, SnapshotResponses>();

  constructor(
    private readonly current: CurrentTickers,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * @param coins comma-separated symbols; undefined = all. Other spellings count as in `AssetIndex.choose`.
   * @throws TickersNotSupported; PricesNotFound; ValidationFailed when a symbol is ambiguous.
   */
  get(exchange: string, coins: string | undefined): { response: PreparedResponse; maxAgeSeconds: number } {
    if (!isTickerExchange(exchange)) throw new TickersNotSupported();
    const snapshot = this.current.findFresh(exchange);
    if (snapshot === null) throw new PricesNotFound(exchange);
    const responses = this.responsesOf(snapshot);
    const response = coins === undefined ? responses.all : this.filter(responses, coins);
    return { response, maxAgeSeconds: this.maxAgeSeconds(snapshot) };
  }

  private responsesOf(snapshot: TickerSnapshot): SnapshotResponses {
    let responses = this.byExchange.get(snapshot.exchange);
    if (responses?.snapshot !== snapshot) {
      responses = {
        snapshot,
        index: new AssetIndex([...snapshot.prices.keys()].map((code) => ({ code, aliases: [] }))),
        all: PreparedResponse.json(toTickersResponse(snapshot)),
        filtered: new LRUCache({ max: FILTERS_MAX }),
        byCoins: new LRUCache({ max: FILTERS_MAX }),
      };
      this.byExchange.set(snapshot.exchange, responses);
    }
    return responses;
  }

  private filter(responses: SnapshotResponses, coins: string): PreparedResponse {
    let response = responses.byCoins.get(coins);
    if (response === undefined) {
      response = this.filterAnew(responses, coins);
      responses.byCoins.set(coins, response);
    }
    return response;
  }

  private filterAnew({ snapshot, index, filtered }: SnapshotResponses, coins: string): PreparedResponse {
    const named = coins.split(',').map((coin) => index.choose(coin.trim(), 'coins'));
    const symbols = [...new Set(named.filter((symbol) => symbol !== null))].sort();
    const key = symbols.join(',');
    let response = filtered.get(key);
    if (response === undefined) {
      response = PreparedResponse.json(toTickersResponse(snapshot, symbols));
      filtered.set(key, response);
    }
    return response;
  }

  /** Seconds until the next refresh; 1 while a refresh is late. */
  private maxAgeSeconds(snapshot: TickerSnapshot): number {
    const age = ageMs(snapshot, this.clock.now()) / 1_000;
    const { TICKERS_REFRESH_SECONDS } = this.config.values;
    return Math.min(Math.max(1, Math.ceil(TICKERS_REFRESH_SECONDS - age)), TICKERS_REFRESH_SECONDS);
  }
}
