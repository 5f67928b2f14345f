import pg from 'pg';
import { Overloaded } from '#platform/errors';
import { currentLoad, type Client } from '#platform/load';
import { currentProject } from './project-scope.js';
import { closeReadOnlySessions } from './read-only-sessions.js';

type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, done: Release) => void;
type Release = (release?: Error | boolean) => void;

/** The project that a connection has named to PostgreSQL; none = it has named no project yet. */
const projectOf = new WeakMap<pg.PoolClient, string>();

/**
 * The two pools of a process: one for executions and orders, so that their results are stored even when reads wait, and
 * one for everything else. TypeORM takes its connections here, too, because it knows only this pool.
 */
export class DatabasePools extends pg.Pool {
  private readonly money: pg.Pool;

  /** @param config `max` is the size of the pool for everything else; the other one has half as many connections. */
  constructor(config: pg.PoolConfig) {
    super(config);
    this.money = new pg.Pool({ ...config, max: Math.ceil((config.max ?? 1) / 2) });
    this.money.on('error', (error, client) => this.emit('error', error, client));
    for (const pool of [this, this.money]) {
      // While the pool hands a connection out, the connection has no other error listener, and an error without a
      // listener ends the process. The error can be ignored, because the next statement of the connection fails.
      pool.on('connect', (client) => client.on('error', () => undefined));
      closeReadOnlySessions(pool);
    }
  }

  /** How many connections both pools have, how many of them are idle, and how many calls wait for one. */
  get usage(): { total: number; idle: number; waiting: number } {
    const { money } = this;
    return {
      total: this.totalCount + money.totalCount,
      idle: this.idleCount + money.idleCount,
      waiting: this.waitingCount + money.waitingCount,
    };
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | void {
    const taking = this.take();
    if (callback === undefined) return taking;
    taking.then(
      (client) => callback(undefined, client, client.release.bind(client)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
  }

  override end(): Promise<void>;
  override end(callback: (error?: Error) => void): void;
  override end(callback?: (error?: Error) => void): Promise<void> | void {
    const ended = Promise.all([this.money.end(), super.end()]).then(() => undefined);
    if (callback === undefined) return ended;
    ended.then(() => callback(), callback);
  }

  /** Takes a connection for the load of the current request, and names its project to PostgreSQL. */
  private async take(): Promise<pg.PoolClient> {
    const { loadClass, client: caller } = currentLoad() ?? {};
    const client = await (loadClass === 'money' ? this.money.connect() : super.connect());
    try {
      if (caller?.hasLeft === true) throw new Overloaded();
      await nameProject(client, currentProject() ?? '');
    } catch (error) {
      // The connection is closed when it may have the project of an earlier request.
      client.release(!(error instanceof Overloaded));
      throw error;
    }
    if (caller !== undefined) this.cancelWhenLeft(client, caller);
    return client;
  }

  /**
   * Cancels the statement of the connection when the HTTP client disconnects. Before the connection goes back to the
   * pool, `release` waits for a cancellation in progress, which could otherwise hit the connection's next statement.
   */
  private cancelWhenLeft(client: pg.PoolClient, caller: Client): void {
    const { processID } = client as pg.PoolClient & { processID: number };
    const release = client.release.bind(client);
    let cancelling: Promise<void> | null = null;
    const forget = caller.whenLeft(() => {
      cancelling = this.cancel(processID);
    });
    // The pool sets this method anew whenever it hands out the connection.
    client.release = (error) => {
      forget();
      if (cancelling === null) release(error);
      else void cancelling.then(() => release(error));
    };
  }

  /** Sends the cancellation on a connection outside of the pools, because they may be full. Never rejects. */
  private async cancel(processID: number): Promise<void> {
    const client = new pg.Client(this.options);
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('select pg_cancel_backend($1)', [processID]);
    } catch {
      // The cancellation has failed, so the statement runs until its time-out.
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/**
 * Names the project to PostgreSQL, whose policies then let the API's role see only the rows of this project, and refuse
 * every row when there is no project. A connection keeps its project until it gets another one.
 */
async function nameProject(client: pg.PoolClient, project: string): Promise<void> {
  if ((projectOf.get(client) ?? '') === project) return;
  // `set` takes no parameters. A SELECT of `set_config` would be the first query of a transaction, which could then not
  // choose its isolation any more.
  await client.query(`set causeway.project_id to ${pg.escapeLiteral(project)}`);
  projectOf.set(client, project);
}
