import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { isTickerExchange } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { PreparedAnswer } from '#platform/http';
import { CurrentTickers } from './current-tickers.js';
import { PricesNotFound, TickersNotSupported } from './market.errors.js';
import { toTickersResponse } from './market.dto.js';
import { ageMs, type TickerSnapshot } from './ticker-snapshot.js';

/** The response bodies made from one snapshot. */
interface AnswersOf {
  snapshot: TickerSnapshot;
  all: PreparedAnswer;
  /** The key is the sorted list of the symbols that the caller asked for and the snapshot has. */
  filtered: LRUCache<string, PreparedAnswer>;
}

/** Serializes the tickers in memory once for all callers. Never asks the database. */
@Injectable()
export class TickerAnswers {
  private readonly byExchange = new Map<string, AnswersOf>();

  constructor(
    private readonly current: CurrentTickers,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * @param coins comma-separated symbols in any case; undefined = all.
   * @throws TickersNotSupported; PricesNotFound.
   */
  get(exchange: string, coins: string | undefined): { answer: PreparedAnswer; maxAgeSeconds: number } {
    if (!isTickerExchange(exchange)) throw new TickersNotSupported();
    const snapshot = this.current.findFresh(exchange);
    if (snapshot === null) throw new PricesNotFound(exchange);
    const answers = this.answersOf(snapshot);
    const answer = coins === undefined ? answers.all : this.filter(answers, coins);
    return { answer, maxAgeSeconds: this.maxAgeSeconds(snapshot) };
  }

  private answersOf(snapshot: TickerSnapshot): AnswersOf {
    let answers = this.byExchange.get(snapshot.exchange);
    if (answers?.snapshot !== snapshot) {
      answers = {
        snapshot,
        all: PreparedAnswer.json(toTickersResponse(snapshot)),
        filtered: new LRUCache({ max: this.config.values.TICKERS_FILTERS_MAX }),
      };
      this.byExchange.set(snapshot.exchange, answers);
    }
    return answers;
  }

  private filter({ snapshot, filtered }: AnswersOf, coins: string): PreparedAnswer {
    const asked = new Set(coins.split(',').map((coin) => coin.trim().toUpperCase()));
    const symbols = [...asked].filter((symbol) => snapshot.prices.has(symbol)).sort();
    const key = symbols.join(',');
    let answer = filtered.get(key);
    if (answer === undefined) {
      answer = PreparedAnswer.json(toTickersResponse(snapshot, symbols));
      filtered.set(key, answer);
    }
    return answer;
  }

  /** Seconds until the next refresh; 1 while a refresh is late. */
  private maxAgeSeconds(snapshot: TickerSnapshot): number {
    const age = ageMs(snapshot, this.clock.now()) / 1_000;
    const { TICKERS_REFRESH_SECONDS } = this.config.values;
    return Math.min(Math.max(1, Math.ceil(TICKERS_REFRESH_SECONDS - age)), TICKERS_REFRESH_SECONDS);
  }
}
