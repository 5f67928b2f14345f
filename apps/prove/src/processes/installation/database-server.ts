import pg from 'pg';
import { migrate, type ProcessRole } from '#platform/database';
import {
  eraseEmbeddedPostgres,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from '#platform/embedded-postgres';

const NAME = 'prove';
const RESTART_TIMEOUT_MS = 30_000;
const DISCONNECT_TIMEOUT_MS = 5_000;

/** The PostgreSQL server of one installation. No other program uses it, because the schedules kill it. */
export class DatabaseServer {
  /** Resolves when the server answers, and rejects when it could not be started again. */
  running: Promise<void> = Promise.resolve();
  private pool: pg.Pool;

  private constructor(
    private readonly options: EmbeddedPostgresOptions,
    private postgres: EmbeddedPostgres,
  ) {
    this.pool = poolOf(postgres);
  }

  static async start(dir: string, port: number): Promise<DatabaseServer> {
    // Committed data must survive when a schedule kills the server.
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

  /** The database's address for the role of a process, with the port of a relay. */
  urlAt(port: number, role: ProcessRole): string {
    const url = new URL(this.postgres.roleUrl(role, NAME));
    url.port = String(port);
    return url.toString();
  }

  /** Runs a statement as the owner of the tables. */
  async query<Row extends object>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>(sql, parameters)).rows;
  }

  /** Ends every connection of the service, and waits until they have ended. */
  async disconnect(): Promise<void> {
    await this.running;
    await this.query(
      `select pg_terminate_backend(pid, ${DISCONNECT_TIMEOUT_MS}) from pg_stat_activity 
        where usename in ('causeway_api', 'causeway_worker', 'causeway_cli')`,
    );
  }

  /**
   * Kills the server's main process with SIGKILL and starts it again on the same data; `running` resolves when it
   * answers.
   */
  async kill(): Promise<void> {
    await this.running;
    const [row] = await this.query<{ pid: string }>(
      `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1) as pid`,
    );
    process.kill(Number(row?.pid), 'SIGKILL');
    this.running = this.startAgain();
  }

  /** Closes this program's own connections to the server. */
  async close(): Promise<void> {
    await this.running;
    await this.pool.end();
  }

  /** Stops the server and deletes its data. */
  erase(): void {
    eraseEmbeddedPostgres(this.options);
  }

  /** Tries until the server starts. It cannot start before the child processes of the killed server have ended. */
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
  // Killing the server causes errors of idle connections. Without a listener, an error would end this process.
  pool.on('error', () => undefined);
  return pool;
}
