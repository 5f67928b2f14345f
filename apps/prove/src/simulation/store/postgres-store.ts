import pg from 'pg';
import type { ProjectIdentity } from '#access';
import { DataSource, type EntityMetadata } from 'typeorm';
import { ApplyValueTransformers } from 'typeorm/util/ApplyValueTransformers.js';
import type { Clock } from '#platform/clock';
import type { Config } from '#platform/config';
import { Secret, type Vault } from '#platform/crypto';
import { Database, type DatabaseClock } from '#platform/database';
import { Transaction } from '#transaction';
import { Wallet } from '#wallet';
import { WalletWrites } from '#wallet/testing';
import { Quote, Withdrawal, WithdrawalAttempt } from '#withdrawal';
import { databasePorts, type WithdrawalPorts } from '#withdrawal/testing';
import { Records } from '../world/records.js';
import type { OwnerPort, Rows, SimulatedStore } from './simulated-store.js';

/** Calls that change nothing, by the end of their labels. */
const READS = /\.(find\w*|get|count\w*|has\w*|is\w*|unlinked|quoteExpiry)$/;
/** Everything else is no call of the database. */
const DATABASE = /^(store|ledger|challenges|turns|owner)\./;
/** What the schema itself needs. */
const KEPT = ['migrations', 'withdrawal_transitions', 'database_epochs'];
/** In one round trip: it is asked after every step that may have changed something. */
const ALL_ROWS = 'select * from withdrawals; select * from withdrawal_attempts; select * from transactions';
type Result = pg.QueryResult<Record<string, unknown>>;
type Column = EntityMetadata['columns'][number];
type Field = [name: string, value: unknown];
const NOTHING: Rows = { withdrawals: [], attempts: [], transactions: [] };

/** A real PostgreSQL: what the memory cannot show, such as the SQL itself. Each run finds it empty. */
export class PostgresStore implements SimulatedStore {
  rows: Rows = NOTHING;

  private readonly db: Database;

  private constructor(
    private readonly owner: pg.Client,
    private readonly dataSource: DataSource,
    private readonly config: Config,
    private readonly vault: Vault,
  ) {
    this.db = new Database(dataSource);
  }

  /** @param urls of a migrated database that nobody else uses. */
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
    const { rows } = await this.owner.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename <> all($1)`,
      [KEPT],
    );
    const deletions = rows.map(({ name }) => `delete from ${name}`).join('; ');
    // Faster than to truncate many small tables; and no trigger of theirs keeps a row.
    await this.owner.query(`begin; set local session_replication_role = replica; ${deletions}; commit`);
    this.rows = NOTHING;
  }

  portsOf(clock: Clock, time: DatabaseClock): WithdrawalPorts {
    const { config, vault } = this;
    return databasePorts(this.db, { clock, time, config, vault, logger: new Records().logger() });
  }

  ownerOf(clock: Clock): OwnerPort {
    const { db, config, vault } = this;
    const writes = new WalletWrites({ db, clock, config, vault });
    return {
      connect: async (wallet, apiKey) => {
        await this.insert(wallet);
        const version = await writes.store(projectOf(wallet), wallet.id, { apiKey: new Secret(apiKey) });
        if (version === null) throw new Error('the credentials were not stored');
        return version;
      },
      delete: (wallet) => writes.delete(projectOf(wallet), wallet),
      eraseKept: () => writes.eraseKept(),
    };
  }

  private async insert(wallet: Wallet): Promise<void> {
    const { id, projectId } = wallet;
    await this.owner.query(`insert into organizations (id, name) values ($1, 'simulated') on conflict do nothing`, [
      projectId,
    ]);
    await this.owner.query(
      `insert into projects (id, organization_id, name, mode) values ($1, $1, 'simulated', 'test') on conflict do nothing`,
      [projectId],
    );
    const wallets = this.dataSource.getRepository(Wallet);
    if (!(await wallets.existsBy({ id }))) await wallets.insert(wallet);
  }

  async addQuote(quote: Quote): Promise<void> {
    await this.dataSource.getRepository(Quote).insert(quote);
  }

  async look(label: string): Promise<boolean> {
    if (!DATABASE.test(label) || READS.test(label)) return false;
    // The driver answers several statements with a list, which its types do not say.
    const results: unknown = await this.owner.query(ALL_ROWS);
    const [withdrawals, attempts, transactions] = results as Result[];
    this.rows = {
      withdrawals: this.entitiesIn(withdrawals, Withdrawal),
      attempts: this.entitiesIn(attempts, WithdrawalAttempt),
      transactions: this.entitiesIn(transactions, Transaction),
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

/** Organization and project of a run have the same id. */
function projectOf({ projectId: id }: Wallet): ProjectIdentity {
  return { id, organizationId: id, mode: 'test' };
}
