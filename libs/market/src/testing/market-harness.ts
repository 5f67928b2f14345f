import type { INestApplicationContext, Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { pino } from 'pino';
import { ExchangeModule } from '#exchange';
import { Amount } from '#money';
import { PlatformModule } from '#platform/app';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { NestLogger } from '#platform/logging';
import { createTestDatabase, RunningClock, testConfig, type TestDatabase } from '#platform/testing';
import { FollowTickers } from '../follow-tickers.js';
import { MarketModule } from '../market.module.js';
import { TickerStore } from '../ticker-store.js';

/** A process that keeps tickers in memory. */
export interface MarketProcess {
  get: <T>(type: Type<T>) => T;
  logLines: string[];
  close: () => Promise<void>;
}

/** A database with several processes that keep tickers in memory. */
export class MarketHarness {
  readonly clock = new RunningClock();
  private readonly running: INestApplicationContext[] = [];

  private constructor(readonly database: TestDatabase) {}

  static async create(): Promise<MarketHarness> {
    return new MarketHarness(await createTestDatabase());
  }

  /** @param providers what the process has beside its modules, such as `FollowTickers`. */
  async start(env: Record<string, string> = {}, providers: Type[] = [FollowTickers]): Promise<MarketProcess> {
    const config = testConfig(this.database, { METRICS_PORT: '0', ...env });
    const logLines: string[] = [];
    const logger = pino({ level: 'debug' }, { write: (line: string) => void logLines.push(line) });
    const testing = await Test.createTestingModule({
      imports: [PlatformModule.forRoot(config, logger, 'market-test'), ExchangeModule, MarketModule],
      providers,
    })
      .setLogger(new NestLogger(logger))
      .overrideProvider(Clock)
      .useValue(this.clock)
      .compile();
    const app = await testing.init();
    this.running.push(app);
    return { get: (type) => app.get(type, { strict: false }), logLines, close: () => this.stop(app) };
  }

  /** Stores prices as if the exchange had returned them `agoMs` ago. */
  save(process: MarketProcess, exchange: string, prices: Record<string, string>, agoMs = 0): Promise<boolean> {
    const fetchedAt = new Date(this.clock.now().getTime() - agoMs);
    const amounts = Object.entries(prices).map(([symbol, price]): [string, Amount] => [symbol, Amount.of(price)]);
    return process.get(TickerStore).save(exchange, { prices: new Map(amounts), fetchedAt });
  }

  db(process: MarketProcess): Database {
    return process.get(Database);
  }

  async close(): Promise<void> {
    for (const app of [...this.running]) await this.stop(app);
    await this.database.drop();
  }

  private async stop(app: INestApplicationContext): Promise<void> {
    const index = this.running.indexOf(app);
    if (index < 0) return;
    this.running.splice(index, 1);
    await app.close();
  }
}
