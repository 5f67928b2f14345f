import pg from 'pg';
import { migrate } from '#platform/database';
import {
  eraseEmbeddedPostgres,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from '#platform/embedded-postgres';

const NAME = 'prove';
const RESTART_TIMEOUT_MS = 30_000;
const DISCONNECT_TIMEOUT_MS = 5_000;

/** A PostgreSQL server of our own, because it is killed. */
export class DatabaseServer {
  /** Resolves when it answers, rejects when it could not be started again. */
  running: Promise<void> = Promise.resolve();
  private pool: pg.Pool;

  private constructor(
    private readonly options: EmbeddedPostgresOptions,
    private postgres: EmbeddedPostgres,
  ) {
    this.pool = poolOf(postgres);
  }

  static async start(dir: string, port: number): Promise<DatabaseServer> {
    // What was committed must survive the end of the process.
    const options = { dir, port, nextFreePort: true, durable: true };
    try {
      const postgres = await startEmbeddedPostgres(options);
      await postgres.createDatabase(NAME);
      await migrate(postgres.ownerUrl(NAME));
      return new DatabaseServer(options, postgres);
    } catch (error) {
      eraseEmbeddedPostgres(options);
      throw error;
    }
  }

  get port(): number {
    return Number(new URL(this.postgres.ownerUrl(NAME)).port);
  }

  /** As the application role, through somebody who listens on another port. */
  appUrlAt(port: number): string {
    const url = new URL(this.postgres.appUrl(NAME));
    url.port = String(port);
    return url.toString();
  }

  /** As the owner. */
  async query<Row extends object>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>(sql, parameters)).rows;
  }

  /** Ends every connection of the service, and waits until they have ended. */
  async disconnect(): Promise<void> {
    await this.running;
    await this.query(
      `select pg_terminate_backend(pid, ${DISCONNECT_TIMEOUT_MS}) from pg_stat_activity where usename = 'causeway_app'`,
    );
  }

  /** `kill -9` of the server's main process; it is started on the same data again at once, and `running` tells when. */
  async kill(): Promise<void> {
    await this.running;
    const [row] = await this.query<{ pid: string }>(
      `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1) as pid`,
    );
    process.kill(Number(row?.pid), 'SIGKILL');
    this.running = this.startAgain();
  }

  /** Ends our own connections. */
  async close(): Promise<void> {
    await this.running;
    await this.pool.end();
  }

  /** Stops the server and deletes its data. */
  erase(): void {
    eraseEmbeddedPostgres(this.options);
  }

  /** Its orphaned backends need a moment to notice. */
  private async startAgain(): Promise<void> {
    const deadline = Date.now() + RESTART_TIMEOUT_MS;
    const orphaned = this.pool;
    for (;;) {
      try {
        this.postgres = await startEmbeddedPostgres(this.options);
        this.pool = poolOf(this.postgres);
        return await orphaned.end();
      } catch (error) {
        if (Date.now() > deadline) throw error;
      }
    }
  }
}

function poolOf(postgres: EmbeddedPostgres): pg.Pool {
  const pool = new pg.Pool({ connectionString: postgres.ownerUrl(NAME), max: 2 });
  // Of idle connections: the server was killed.
  pool.on('error', () => undefined);
  return pool;
}
