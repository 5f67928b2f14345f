import pg from 'pg';
import { Overloaded } from '#platform/errors';
import { currentLoad, type Load } from '#platform/load';

/** Shares of the connections: lists, everything that is not about money, everything. */
const LIST_SHARE = 0.4;
const OTHERS_SHARE = 0.6;
const WAITING_MAX = 200;
const WAIT_MS = 1_000;

type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, done: Release) => void;
type Release = (release?: Error | boolean) => void;

interface Waiter {
  load: Load;
  enter: (leave: (() => void) | null) => void;
  timer: NodeJS.Timeout;
}

/**
 * Divides the connections of a pool: whatever reads wait for, the results of withdrawals and orders are recorded, and the
 * lists of one API key, which may take long, never have all that lists have. Who has least goes first.
 */
class PoolShares {
  private readonly used = new Set<Load>();
  private readonly waiters = new Set<Waiter>();

  constructor(private readonly connections: number) {}

  get waiting(): number {
    return this.waiters.size;
  }

  /** Calls `enter` with what gives the place back, or with null when it takes too long. A load may ask several times. */
  ask(asking: Load, enter: (leave: (() => void) | null) => void): void {
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

  private admit(load: Load, enter: Waiter['enter']): void {
    this.used.add(load);
    enter(() => this.leave(load));
  }

  private leave(load: Load): void {
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

  private hasRoom(load: Load): boolean {
    if (load.loadClass === 'money') return true;
    const others = [...this.used].filter(({ loadClass }) => loadClass !== 'money');
    if (others.length >= this.share(OTHERS_SHARE)) return false;
    if (load.loadClass !== 'list') return true;
    const lists = others.filter(({ loadClass }) => loadClass === 'list').length;
    return lists < this.share(LIST_SHARE) && this.count(load) < Math.ceil(this.share(LIST_SHARE) / 2);
  }

  /** Connections that the same API key has for the same class. */
  private count({ owner, loadClass }: Load): number {
    if (owner === undefined) return 0;
    return [...this.used].filter((load) => load.owner === owner && load.loadClass === loadClass).length;
  }

  private share(part: number): number {
    return Math.max(1, Math.floor(this.connections * part));
  }
}

/**
 * A pool whose connections are shared by the class of the request that asks (`HasLoad`); work in the background has no
 * class, and all of them. The statement of a client that has left is cancelled where the class allows it.
 */
export class SharedPool extends pg.Pool {
  private readonly shares: PoolShares;

  constructor(config: pg.PoolConfig) {
    super(config);
    this.shares = new PoolShares(config.max ?? 1);
  }

  /** Calls that wait for a share of the connections, beside the pool's own `waitingCount`. */
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
    const load = currentLoad();
    if (load === null) return super.connect(callback);
    const { clientLeft } = load;
    this.shares.ask(load, (leave) => {
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
        if (clientLeft?.aborted === true) {
          giveBack();
          return callback(new Overloaded(), undefined, () => undefined);
        }
        callback(error, client, clientLeft === undefined ? giveBack : this.cancelWhen(clientLeft, client, giveBack));
      });
    });
  }

  /** @returns what gives `client` back, once no cancellation is under way: it would hit the next statement. */
  private cancelWhen(left: AbortSignal, client: pg.PoolClient, giveBack: Release): Release {
    let cancelling: Promise<void> | null = null;
    const { processID } = client as pg.PoolClient & { processID: number };
    const cancel = (): void => {
      cancelling = this.cancel(processID);
    };
    left.addEventListener('abort', cancel, { once: true });
    return (release) => {
      left.removeEventListener('abort', cancel);
      if (cancelling === null) return giveBack(release);
      const ignore = (): void => undefined;
      client.on('error', ignore);
      void cancelling.then(() => {
        client.removeListener('error', ignore);
        giveBack(release);
      });
    };
  }

  /** On a connection outside of the pool, which may be used up. Never rejects: the statement has a time-out, too. */
  private async cancel(processID: number): Promise<void> {
    const client = new pg.Client(this.options);
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('select pg_cancel_backend($1)', [processID]);
      await client.end();
    } catch {
      // It ends by itself.
    }
  }
}
