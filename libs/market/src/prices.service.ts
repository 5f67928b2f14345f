import { Injectable } from '@nestjs/common';
import { isTickerExchange, tickerExchanges } from '#exchange';
import { Amount } from '#money';
import { Clock } from '#platform/clock';
import { Config, InvalidConfig } from '#platform/config';
import { CurrentTickers } from './current-tickers.js';
import { PriceHistory } from './price-history.js';

const ONE = Amount.of('1');

/** Asks for the price of an asset that was moved at an exchange at the given time. */
export interface PriceQuestion {
  exchange: string;
  asset: string;
  at: Date;
}

/** The value of PRICE_SOURCES that stands for all exchanges with a price list. */
const ALL = 'all';

/** Prices in US dollars of one unit of an asset; null = not known. The price of USD is always 1. */
@Injectable()
export class Prices {
  private readonly sources: readonly string[];

  constructor(
    private readonly current: CurrentTickers,
    private readonly history: PriceHistory,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {
    this.sources = config.values.PRICE_SOURCES.flatMap((id) => (id === ALL ? tickerExchanges : [id]));
    const unknown = this.sources.filter((id) => !isTickerExchange(id));
    if (unknown.length > 0)
      throw new InvalidConfig([`PRICE_SOURCES: Causeway reads no tickers from ${unknown.join(', ')}`]);
  }

  /**
   * Returns the present price from memory: the exchange's own, else the price of the first of PRICE_SOURCES that has a
   * price.
   */
  now(exchange: string, asset: string): Amount | null {
    if (asset === 'USD') return ONE;
    for (const source of this.sourcesFor(exchange)) {
      const price = this.current.findFresh(source)?.prices.get(asset);
      if (price !== undefined) return Amount.of(price);
    }
    return null;
  }

  /**
   * Returns one price for each of `questions`, with a few SQL statements for all of them. A price is the exchange's
   * own, else the price of the first of PRICE_SOURCES that has one within 30 minutes of `at`. If `at` is at most
   * TICKERS_STALE_SECONDS from now, the present price is used, if there is one.
   */
  async at(questions: readonly PriceQuestion[]): Promise<(Amount | null)[]> {
    const present = questions.map((question) => this.presentFor(question));
    const past = questions.filter((_, index) => present[index] === null);
    const kept = await this.history.nearest(
      past.map(({ exchange, asset, at }) => ({ exchanges: this.sourcesFor(exchange), asset, at })),
    );
    return present.map((price) => {
      if (price !== null) return price;
      const text = kept.shift() ?? null;
      return text === null ? null : Amount.of(text);
    });
  }

  private presentFor({ exchange, asset, at }: PriceQuestion): Amount | null {
    const farMs = Math.abs(this.clock.now().getTime() - at.getTime());
    const isPresent = farMs <= this.config.values.TICKERS_STALE_SECONDS * 1_000;
    return isPresent || asset === 'USD' ? this.now(exchange, asset) : null;
  }

  private sourcesFor(exchange: string): string[] {
    return [...new Set([exchange, ...this.sources])];
  }
}
