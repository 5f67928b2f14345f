import type { DynamicModule, Provider, Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { pino } from 'pino';
import { DataSource, type Logger as QueryLogger } from 'typeorm';
import { Projects, type ProjectIdentity, type ProjectMode } from '#access';
import { createProject } from '#access/testing';
import { Authorizations, Exchanges } from '#exchange';
import { PlatformModule } from '#platform/app';
import { Clock } from '#platform/clock';
import { Secret, Vault } from '#platform/crypto';
import { Database, DatabaseClock } from '#platform/database';
import {
  createTestDatabase,
  testConfig,
  RunningClock,
  TestDatabaseClock,
  type TestClock,
  type TestDatabase,
  until,
} from '#platform/testing';
import { ConnectWallet } from '../connecting/connect-wallet.js';
import type { Wallet } from '../wallets/wallet.entity.js';
import { WalletModule } from '../wallet.module.js';
import { ScriptedAuthorizations } from './scripted-authorizations.js';
import { ScriptedExchanges } from './scripted-exchanges.js';

/** A running clock that a test can set ahead. Each reading is later than the one before. */
export class StrictClock extends RunningClock {
  private last = 0;

  override trueNow(): Date {
    this.last = Math.max(super.trueNow().getTime(), this.last + 1);
    return new Date(this.last);
  }

  /**
   * Advances the clock. `last` may be ahead of the machine's clock after many readings within one millisecond. It is
   * advanced, too, so that the next reading is at least `ms` later than the last one.
   */
  override advance(ms: number): void {
    super.advance(ms);
    this.last += ms;
  }
}

export type MovableClock = TestClock & { advance(ms: number): void };

export interface WalletHarnessOptions {
  /** Settings in addition to the usual settings for tests. */
  settings?: Record<string, string>;
  /** Modules in addition to the wallet module. */
  imports?: DynamicModule[];
  providers?: Provider[];
  /**
   * An existing harness. The new harness then acts as another process with the same database, exchanges and clock.
   */
  beside?: WalletHarness;
  /** Default: a running clock. */
  clock?: MovableClock;
}

/** The wallet module on its own database, with scripted exchanges. */
export interface WalletHarness {
  db: Database;
  vault: Vault;
  clock: MovableClock;
  exchanges: ScriptedExchanges;
  authorizations: ScriptedAuthorizations;
  database: TestDatabase;
  get<T>(type: Type<T>): T;
  project(mode: ProjectMode): Promise<ProjectIdentity>;
  /** An id that changes with the stored credentials; null when there are none. */
  credentialId(walletId: string): Promise<string | null>;
  replaceCredentials(project: ProjectIdentity, wallet: Wallet): Promise<void>;
  /** Returns the SQL statements that `work` runs. */
  statementsOf(work: () => Promise<void>): Promise<string[]>;
  /** Resolves once a statement waits for a lock. */
  untilBlocked(): Promise<void>;
  close(): Promise<void>;
}

export async function createWalletHarness({
  settings = {},
  imports = [],
  providers = [],
  beside,
  clock = beside?.clock ?? new StrictClock(),
}: WalletHarnessOptions = {}): Promise<WalletHarness> {
  const database = beside?.database ?? (await createTestDatabase());
  const config = testConfig(database, { ...settings });
  const exchanges = beside?.exchanges ?? new ScriptedExchanges();
  const authorizations = beside?.authorizations ?? new ScriptedAuthorizations();
  const module = await Test.createTestingModule({
    imports: [PlatformModule.forRoot(config, pino({ level: 'silent' }), 'test'), WalletModule, ...imports],
    providers,
  })
    .overrideProvider(Exchanges)
    .useValue(exchanges)
    .overrideProvider(Authorizations)
    .useValue(authorizations)
    .overrideProvider(Clock)
    .useValue(clock)
    .overrideProvider(DatabaseClock)
    .useFactory({ factory: (db: Database) => new TestDatabaseClock(db, clock, config), inject: [Database] })
    .compile();
  const db = module.get(Database, { strict: false });
  return {
    db,
    database,
    exchanges,
    authorizations,
    vault: module.get(Vault, { strict: false }),
    clock,
    get: (type) => module.get(type, { strict: false }),
    project: async (mode) => {
      const { projectId } = await createProject(module, { mode });
      return module.get(Projects, { strict: false }).getContext(projectId);
    },
    credentialId: async (walletId) => {
      const [row] = await db.query<{ id: string }>(
        `select concat_ws(':', wallet_id, sealed->>'id', sealed->>'revision') as id from wallet_credentials where wallet_id = $1`,
        [walletId],
      );
      return row?.id ?? null;
    },
    replaceCredentials: async (project, { externalId: externalWalletId, exchange }) => {
      const { keyInfo } = exchanges;
      exchanges.keyInfo = new ScriptedExchanges().keyInfo;
      const credentials = { apiKey: new Secret('new-key'), apiSecret: new Secret('new-secret') };
      await module.get(ConnectWallet, { strict: false }).execute(project, { externalWalletId, exchange, credentials });
      exchanges.keyInfo = keyInfo;
    },
    statementsOf: (work) => recordStatements(module.get(DataSource, { strict: false }), work),
    untilBlocked: () => untilBlocked(db),
    close: async () => {
      await module.close();
      if (beside === undefined) await database.drop();
    },
  };
}

async function recordStatements(dataSource: DataSource, work: () => Promise<void>): Promise<string[]> {
  const statements: string[] = [];
  const original = dataSource.logger;
  const ignore = (): void => undefined;
  const recorder: QueryLogger = {
    logQuery: (query) => void statements.push(query),
    logQueryError: ignore,
    logQuerySlow: ignore,
    logSchemaBuild: ignore,
    logMigration: ignore,
    log: ignore,
  };
  dataSource.logger = recorder;
  try {
    await work();
  } finally {
    dataSource.logger = original;
  }
  return statements;
}

function untilBlocked(db: Database): Promise<void> {
  const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return until('a statement waits for a lock', async () => (await db.query(waiting)).length > 0, 1_000);
}
