import pg from 'pg';
import type { ProjectIdentity } from '#access';
import { DataSource, type EntityMetadata } from 'typeorm';
import { ApplyValueTransformers } from 'typeorm/util/ApplyValueTransformers.js';
import type { Clock } from '#platform/clock';
import type { Config } from '#platform/config';
import { Secret, type Vault } from '#platform/crypto';
import { Database, type DatabaseClock } from '#platform/database';
import type { Logger } from '#platform/logging';
import { Transaction } from '#transaction';
import { historySyncPorts } from '#transaction/testing';
import { Wallet } from '#wallet';
import { WalletWrites } from '#wallet/testing';
import { Quote, Withdrawal, WithdrawalAttempt } from '#withdrawal';
import { databaseOnlyPorts, databasePorts, type WithdrawalPorts } from '#withdrawal/testing';
import { Records } from '../world/records.js';
import { PostgresTables } from './postgres-tables.js';
import {
  noRows,
  type DatabaseOnly,
  type OwnerPort,
  type RealDatabase,
  type Rows,
  type SimulatedStore,
} from './simulated-store.js';

/** Matches the labels of calls that change nothing, by the method name at their end. */
const READS = /\.(find\w*|get|count\w*|has\w*|is\w*|quoteExpiry|rivalry|oldestPending|knownRecords)$/;
/** Matches the labels of calls to the database. */
const DATABASE =
  /^(store|transitions|corrections|refusals|challenges|locks|db|operatorTransitions|unmatchedRecords|restoredDatabase|epochChecks|syncStore)\./;
/** Reads all rows in one round trip, because these statements run after every step that may have changed a row. */
const ALL_ROWS = `select * from withdrawals; select * from withdrawal_attempts; select * from transactions;
  select exchange_id from unmatched_records;
  select count(*)::int + (select count(*) from database_epochs where epoch like 'an epoch before%')::int
      - (select count(*) from database_epochs where not is_original and epoch = current_database_epoch())::int as open
    from epoch_checks c join wallets w on w.id = c.wallet_id where c.checked_at is null and w.deleted_at is null`;
type Result = pg.QueryResult<Record<string, unknown>>;
type Column = EntityMetadata['columns'][number];
type Field = [name: string, value: unknown];

/** The database of runs on a real PostgreSQL, which also test the SQL. It is empty at the start of each run. */
export class PostgresStore implements SimulatedStore {
  rows: Rows = noRows;
  readonly real: RealDatabase;
  private readonly db: Database;
  private readonly tables: PostgresTables;
  /** Whether the rows were changed outside a step. */
  private isStale = false;

  private constructor(
    private readonly owner: pg.Client,
    private readonly dataSource: DataSource,
    private readonly config: Config,
    private readonly vault: Vault,
  ) {
    this.db = new Database(dataSource);
    this.tables = new PostgresTables(owner);
    this.real = {
      db: this.db,
      portsOf: (clock, time, logger) => this.onlyPortsOf(clock, time, logger),
      backUp: () => this.tables.backUp(),
      restore: () => {
        this.isStale = true;
        return this.tables.restore();
      },
    };
  }

  /** @param urls of a migrated database that only this store uses. */
  static async open(urls: { owner: string; app: string }, config: Config, vault: Vault): Promise<PostgresStore> {
    const owner = new pg.Client(urls.owner);
    await owner.connect();
    const entities = [Wallet, Transaction, Quote, Withdrawal, WithdrawalAttempt];
    const dataSource = new DataSource({ type: 'postgres', url: urls.app, entities, poolSize: 4 });
    await dataSource.initialize();
    return new PostgresStore(owner, dataSource, config, vault);
  }

  async close(): Promise<void> {
    await this.dataSource.destroy();
    await this.owner.end();
  }

  async clear(): Promise<void> {
    await this.tables.clear();
    this.rows = noRows;
    this.isStale = false;
  }

  portsOf(clock: Clock, time: DatabaseClock): WithdrawalPorts {
    const { config, vault } = this;
    return databasePorts(this.db, { clock, time, config, vault, logger: new Records().logger() });
  }

  private onlyPortsOf(clock: Clock, time: DatabaseClock, logger: Logger): DatabaseOnly {
    const { db, config } = this;
    const parts = { clock, time, config, logger };
    return { ...historySyncPorts(db, parts), ...databaseOnlyPorts(db, parts) };
  }

  ownerOf(clock: Clock, projects: readonly ProjectIdentity[]): OwnerPort {
    const { db, config, vault } = this;
    const projectOf = ({ projectId }: Wallet): ProjectIdentity => {
      const project = projects.find(({ id }) => id === projectId);
      if (project === undefined) throw new Error(`the run has no project ${projectId}`);
      return project;
    };
    const writes = new WalletWrites({ db, clock, config, vault });
    return {
      connect: async (wallet, apiKey) => {
        const project = projectOf(wallet);
        await this.insert(project, wallet);
        const version = await writes.store(project, wallet.id, { apiKey: new Secret(apiKey) });
        if (version === null) throw new Error('the credentials were not stored');
        return version;
      },
      delete: (wallet) => writes.delete(projectOf(wallet), wallet),
      eraseKept: async () => {
        await this.tables.ageKeptCredentials();
        await writes.eraseKept();
      },
    };
  }

  private async insert({ id: projectId, organizationId, mode }: ProjectIdentity, wallet: Wallet): Promise<void> {
    await this.owner.query(`insert into organizations (id, name) values ($1, 'simulated') on conflict do nothing`, [
      organizationId,
    ]);
    await this.owner.query(
      `insert into projects (id, organization_id, name, mode) values ($1, $2, 'simulated', $3) on conflict do nothing`,
      [projectId, organizationId, mode],
    );
    const wallets = this.dataSource.getRepository(Wallet);
    if (!(await wallets.existsBy({ id: wallet.id }))) await wallets.insert(wallet);
  }

  async addQuote(quote: Quote): Promise<void> {
    await this.dataSource.getRepository(Quote).insert(quote);
  }

  async look(label: string): Promise<boolean> {
    if (!this.isStale && (!DATABASE.test(label) || READS.test(label))) return false;
    this.isStale = false;
    // The driver returns a list of results for several statements. Its types do not declare this.
    const results: unknown = await this.owner.query(ALL_ROWS);
    const [withdrawals, attempts, transactions, unmatchedRecords, checks] = results as Result[];
    this.rows = {
      withdrawals: this.entitiesIn(withdrawals, Withdrawal),
      attempts: this.entitiesIn(attempts, WithdrawalAttempt),
      transactions: this.entitiesIn(transactions, Transaction),
      unmatchedRecords: unmatchedRecords?.rows.map((row) => String(row['exchange_id'])) ?? [],
      openChecks: Number(checks?.rows[0]?.['open']),
    };
    return true;
  }

  private entitiesIn<Entity extends object>(result: Result | undefined, type: new () => Entity): Entity[] {
    const { columns } = this.dataSource.getMetadata(type);
    const fieldOf = (row: Result['rows'][number], { databaseName, propertyName, transformer }: Column): Field => {
      const stored = row[databaseName];
      return [
        propertyName,
        transformer === undefined ? stored : ApplyValueTransformers.transformFrom(transformer, stored),
      ];
    };
    const entityOf = (row: Result['rows'][number]): Entity =>
      Object.assign(new type(), Object.fromEntries(columns.map((column) => fieldOf(row, column))));
    return result?.rows.map(entityOf) ?? [];
  }
}
