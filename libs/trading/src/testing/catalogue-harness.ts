import type { INestApplicationContext, Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import pg from 'pg';
import { pino } from 'pino';
import { ExchangeModule } from '#exchange';
import { StubExchange } from '#exchange/testing';
import { PlatformModule } from '#platform/app';
import { Clock } from '#platform/clock';
import { Metrics } from '#platform/metrics';
import { createTestDatabase, RunningClock, testConfig, type TestDatabase } from '#platform/testing';
import { CatalogueRoutes } from '../catalogue/catalogue-routes.js';
import { CatalogueStore } from '../catalogue/catalogue-store.js';
import { CurrentCatalogues } from '../catalogue/current-catalogues.js';
import { FollowCatalogues } from '../catalogue/follow-catalogues.js';
import { ReadCatalogue } from '../catalogue/read-catalogue.js';
import { RefreshCatalogue } from '../catalogue/refresh-catalogue.js';

const parts = [CatalogueRoutes, CatalogueStore, CurrentCatalogues, FollowCatalogues, ReadCatalogue, RefreshCatalogue];

/** A process that keeps catalogues in memory. */
export interface CatalogueProcess {
  get: <T>(type: Type<T>) => T;
  logLines: string[];
  refreshes: (outcome: string) => Promise<number>;
  close: () => Promise<void>;
}

/** A database, a stub in place of Kraken, and any number of processes. */
export class CatalogueHarness {
  readonly clock = new RunningClock();
  private readonly running: INestApplicationContext[] = [];

  private constructor(
    private readonly database: TestDatabase,
    readonly kraken: StubExchange,
  ) {}

  static async create(): Promise<CatalogueHarness> {
    return new CatalogueHarness(await createTestDatabase(), await StubExchange.start());
  }

  async start(env: Record<string, string> = {}): Promise<CatalogueProcess> {
    const config = testConfig(this.database, {
      METRICS_PORT: '0',
      CATALOGUE_EXCHANGES: 'kraken',
      EXCHANGE_KRAKEN_URL: this.kraken.url,
      EXCHANGE_TIMEOUT_MS: '200',
      EXCHANGE_CALLS_PER_SECOND: '1000',
      EXCHANGE_CALLS_BURST: '1000',
      ...env,
    });
    const logLines: string[] = [];
    const logger = pino({ level: 'debug' }, { write: (line: string) => void logLines.push(line) });
    const testing = await Test.createTestingModule({
      imports: [PlatformModule.forRoot(config, logger, 'trading-test'), ExchangeModule],
      providers: parts,
    })
      .overrideProvider(Clock)
      .useValue(this.clock)
      .compile();
    const app = await testing.init();
    this.running.push(app);
    return {
      get: (type) => app.get(type, { strict: false }),
      logLines,
      refreshes: (outcome) => refreshesOf(app.get(Metrics, { strict: false }), outcome),
      close: () => this.stop(app),
    };
  }

  /** Stops all processes and deletes stored catalogues and recorded calls. */
  async reset(): Promise<void> {
    for (const app of [...this.running]) await this.stop(app);
    await this.asOwner('truncate trading_catalogues');
    this.kraken.calls.splice(0);
  }

  /** Runs statements as the owner of the tables. */
  async asOwner(sql: string): Promise<void> {
    const owner = new pg.Client(this.database.ownerUrl);
    await owner.connect();
    await owner.query(sql);
    await owner.end();
  }

  async close(): Promise<void> {
    for (const app of [...this.running]) await this.stop(app);
    await this.database.drop();
    await this.kraken.close();
  }

  private async stop(app: INestApplicationContext): Promise<void> {
    const index = this.running.indexOf(app);
    if (index < 0) return;
    this.running.splice(index, 1);
    await app.close();
  }
}

async function refreshesOf({ registry }: Metrics, outcome: string): Promise<number> {
  const text = await registry.getSingleMetricAsString('causeway_catalogue_refreshes_total');
  return Number(new RegExp(`outcome="${outcome}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
}
