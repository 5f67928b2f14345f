import pg from 'pg';
import { DataSource } from 'typeorm';
import type { Clock } from '#platform/clock';
import type { Config } from '#platform/config';
import { Database, type DatabaseClock } from '#platform/database';
import { Transaction } from '#transaction';
import { Wallet } from '#wallet';
import { Quote, Withdrawal, WithdrawalAttempt } from '#withdrawal';
import { databasePorts, type WithdrawalPorts } from '#withdrawal/testing';
import { FIRST_CREDENTIALS } from '../credentials.js';
import { Records } from '../records.js';
import type { Rows, SimulatedStore } from './simulated-store.js';

/** Calls that change nothing, by the end of their labels. */
const READS = /\.(find\w*|get|count\w*|has\w*|is\w*|unlinked|quoteExpiry)$/;
/** Everything else is no call of the database. */
const DATABASE = /^(store|ledger|challenges|turns)\./;
const NOTHING: Rows = { withdrawals: [], attempts: [], transactions: [] };

/** A real PostgreSQL: what the memory cannot show, such as the SQL itself. Each run finds it empty. */
export class PostgresStore implements SimulatedStore {
  rows: Rows = NOTHING;

  private constructor(
    private readonly owner: pg.Client,
    private readonly dataSource: DataSource,
    private readonly config: Config,
  ) {}

  /** @param ownerUrl, appUrl a migrated database that nobody else uses. */
  static async open(ownerUrl: string, appUrl: string, config: Config): Promise<PostgresStore> {
    const owner = new pg.Client(ownerUrl);
    await owner.connect();
    const entities = [Wallet, Transaction, Quote, Withdrawal, WithdrawalAttempt];
    const dataSource = new DataSource({ type: 'postgres', url: appUrl, entities, poolSize: 4 });
    await dataSource.initialize();
    return new PostgresStore(owner, dataSource, config);
  }

  async close(): Promise<void> {
    await this.dataSource.destroy();
    await this.owner.end();
  }

  async clear(): Promise<void> {
    await this.owner.query('truncate organizations, quote_turns cascade');
    this.rows = NOTHING;
  }

  portsOf(clock: Clock, time: DatabaseClock): WithdrawalPorts {
    return databasePorts(new Database(this.dataSource), clock, this.config, new Records().logger(), time);
  }

  async connect(wallet: Wallet): Promise<void> {
    const { id, projectId, createdAt } = wallet;
    await this.owner.query(`insert into organizations (id, name) values ($1, 'simulated')`, [projectId]);
    await this.owner.query(
      `insert into projects (id, organization_id, name, mode) values ($1, $1, 'simulated', 'test')`,
      [projectId],
    );
    await this.dataSource.getRepository(Wallet).insert(wallet);
    await this.owner.query(
      `insert into wallet_credentials (wallet_id, sealed, created_at, updated_at) values ($1, $3, $2, $2)`,
      [id, createdAt, JSON.stringify({ id: FIRST_CREDENTIALS, fields: {} })],
    );
  }

  async addQuote(quote: Quote): Promise<void> {
    await this.dataSource.getRepository(Quote).insert(quote);
  }

  async look(label: string): Promise<boolean> {
    if (!DATABASE.test(label) || READS.test(label)) return false;
    const [withdrawals, attempts, transactions] = await Promise.all([
      this.dataSource.getRepository(Withdrawal).find(),
      this.dataSource.getRepository(WithdrawalAttempt).find(),
      this.dataSource.getRepository(Transaction).find(),
    ]);
    this.rows = { withdrawals, attempts, transactions };
    return true;
  }
}
