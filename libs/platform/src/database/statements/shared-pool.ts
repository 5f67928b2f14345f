import pg from 'pg';
import { Overloaded } from '#platform/errors';
import type { Batched, NamedSelect } from './named-select.js';
import { closeReadOnlySessions } from './read-only-sessions.js';
import { nameProject, sendSettingFirst } from './project-setting.js';
import { currentProject } from '../project-scope.js';
import { SelectBatch } from './select-batch.js';
import { currentLoad, type Client, type Load, type LoadClass } from '#platform/load';

/** Share of the connections that requests of the class `list` may use. */
const LIST_SHARE = 0.4;
/** Share of the connections that the requests of all classes except `money` may use together. */
const OTHERS_SHARE = 0.6;
/** Maximum number of statements that wait because the share of their class is in use. */
const WAITING_MAX = 200;
/** How long a statement may wait because the share of its class is in use. */
const WAIT_MS = 1_000;

type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, done: Release) => void;
type Release = (release?: Error | boolean) => void;

type ClassedLoad = Load & { loadClass: LoadClass };

interface Waiter {
  load: ClassedLoad;
  enter: (leave: (() => void) | null) => void;
  timer: NodeJS.Timeout;
}

/**
 * Divides the connections of a pool among the load classes, so that results of withdrawals and orders are stored even
 * when reads wait. Requests for lists may be slow, so those with one API key use at most half of the share of lists
 * (rounded up). Among waiting statements, the API key with the fewest connections goes first.
 */
class PoolShares {
  private readonly used = new Set<ClassedLoad>();
  private readonly waiters = new Set<Waiter>();

  constructor(private readonly connections: number) {}

  get waiting(): number {
    return this.waiters.size;
  }

  /**
   * Calls `enter` when the share of the load class allows one more connection, with the function that gives the
   * connection back to the share. Calls it with null when too many statements wait, or after WAIT_MS.
   */
  ask(asking: ClassedLoad, enter: (leave: (() => void) | null) => void): void {
    const load = { ...asking };
    if (this.hasRoom(load)) return this.admit(load, enter);
    if (this.waiters.size >= WAITING_MAX) return enter(null);
    const timer = setTimeout(() => {
      this.waiters.delete(waiter);
      enter(null);
    }, WAIT_MS);
    const waiter: Waiter = { load, enter, timer };
    this.waiters.add(waiter);
  }

  private admit(load: ClassedLoad, enter: Waiter['enter']): void {
    this.used.add(load);
    enter(() => this.leave(load));
  }

  private leave(load: ClassedLoad): void {
    if (!this.used.delete(load)) return;
    let next: Waiter | null = null;
    for (const waiter of this.waiters) {
      const isNext = next === null || this.count(waiter.load) < this.count(next.load);
      if (isNext && this.hasRoom(waiter.load)) next = waiter;
    }
    if (next === null) return;
    this.waiters.delete(next);
    clearTimeout(next.timer);
    this.admit(next.load, next.enter);
  }

  private hasRoom(load: ClassedLoad): boolean {
    if (load.loadClass === 'money') return true;
    let others = 0;
    let lists = 0;
    for (const { loadClass } of this.used) {
      if (loadClass !== 'money') others += 1;
      if (loadClass === 'list') lists += 1;
    }
    if (others >= this.share(OTHERS_SHARE)) return false;
    if (load.loadClass !== 'list') return true;
    return lists < this.share(LIST_SHARE) && this.count(load) < Math.ceil(this.share(LIST_SHARE) / 2);
  }

  /** The number of connections that the load's API key uses in the load's class; 0 for a load without API key. */
  private count({ owner, loadClass }: ClassedLoad): number {
    if (owner === undefined) return 0;
    let count = 0;
    for (const load of this.used) if (load.owner === owner && load.loadClass === loadClass) count += 1;
    return count;
  }

  private share(part: number): number {
    return Math.max(1, Math.floor(this.connections * part));
  }
}

/**
 * A pool that divides its connections by the load class of the request (`HasLoad`). Background work has no class and
 * may use all connections. When the client of a `list` request disconnects, the pool cancels the request's statement.
 */
export class SharedPool extends pg.Pool {
  private readonly shares: PoolShares;

  constructor(config: pg.PoolConfig) {
    super(config);
    // While the pool hands a connection out, the connection has no other error listener, and an error without a
    // listener ends the process. The error can be ignored, because the next statement of the connection fails.
    this.on('connect', (client) => client.on('error', () => undefined));
    this.on('connect', sendSettingFirst);
    closeReadOnlySessions(this);
    this.shares = new PoolShares(config.max ?? 1);
  }

  /** Number of calls that wait for the share of their class. The pool's own `waitingCount` does not include them. */
  get waitingForShare(): number {
    return this.shares.waiting;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | void {
    if (callback === undefined) {
      return new Promise((resolve, reject) => {
        this.connect((error, client) =>
          client === undefined ? reject(error ?? new Error('no client')) : resolve(client),
        );
      });
    }
    const project = currentProject();
    const named: Callback = (error, client, done) => {
      if (client !== undefined) nameProject(client, project);
      callback(error, client, done);
    };
    const load = currentLoad();
    const { loadClass, client: caller } = load ?? {};
    if (loadClass === undefined) return super.connect(named);
    this.shares.ask({ ...load, loadClass }, (leave) => {
      if (leave === null) return callback(new Overloaded(), undefined, () => undefined);
      super.connect((error, client, done) => {
        if (client === undefined) {
          leave();
          return callback(error, undefined, done);
        }
        const giveBack: Release = (release) => {
          done(release);
          leave();
        };
        if (caller?.hasLeft === true) {
          giveBack();
          return callback(new Overloaded(), undefined, () => undefined);
        }
        const release = caller === undefined ? giveBack : this.cancelWhen(caller, client, giveBack);
        // The pool sets this method anew whenever it hands out the client.
        client.release = release;
        named(error, client, release);
      });
    });
  }

  /**
   * Cancels the statement of `client` when the HTTP client disconnects. @returns the function that gives `client` back
   * to the pool. It first waits for a cancellation in progress, which could otherwise hit the client's next statement.
   */
  private cancelWhen(caller: Client, client: pg.PoolClient, giveBack: Release): Release {
    let cancelling: Promise<void> | null = null;
    const { processID } = client as pg.PoolClient & { processID: number };
    const forget = caller.whenLeft(() => {
      cancelling = this.cancel(processID);
    });
    return (release) => {
      forget();
      if (cancelling === null) return giveBack(release);
      void cancelling.then(() => giveBack(release));
    };
  }

  /**
   * Sends the cancellation on a connection outside of the pool, because the pool may be full. Never rejects.
   */
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
 * Runs one statement on a connection of the pool. Unlike `pool.query`, it keeps the connection open when PostgreSQL
 * refuses the statement.
 */
export function selectOn<Row>(pool: pg.Pool, select: NamedSelect<Row>): Promise<Row[]> {
  return useClient<Row>(pool, (client, end) => {
    select.callback = end;
    new SelectBatch([select]).runOn(client);
  });
}

/** Runs named statements in one round trip. Their callbacks get the results. */
export function selectAllOn(pool: pg.Pool, selects: readonly Batched[]): void {
  useClient<never>(pool, (client, end) => new SelectBatch(selects).runOn(client, (failure) => end(failure, []))).catch(
    (error: unknown) => {
      // This has no effect on a statement that already has its result.
      for (const select of selects) select.handleError(error as Error);
    },
  );
}

type End<Row> = (failure: Error | null, rows: Row[]) => void;

function useClient<Row>(pool: pg.Pool, use: (client: pg.PoolClient, end: End<Row>) => void): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    pool.connect((error, client, release) => {
      if (client === undefined) return reject(error ?? new Error('no client'));
      use(client, (failure, rows) => {
        // After an error that is not PostgreSQL's, a statement may still run on the connection. `release` closes the
        // connection when it gets an error.
        release(failure instanceof pg.DatabaseError ? undefined : (failure ?? undefined));
        if (failure === null) resolve(rows);
        else reject(failure);
      });
    });
  });
}
