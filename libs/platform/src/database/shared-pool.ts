import pg from 'pg';
import { Overloaded } from '#platform/errors';
import { currentLoad, type Load } from '#platform/load';

/** Shares of the connections: lists, everything that is not about money, everything. */
const LIST_SHARE = 0.3;
const OTHERS_SHARE = 0.8;
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
 * Divides the connections of a pool: whatever reads wait for, the results of withdrawals and orders are recorded, and no
 * API key has more than half of what all keys share.
 */
class PoolShares {
  private readonly used = new Set<Load>();
  private readonly waiters = new Set<Waiter>();

  constructor(private readonly connections: number) {}

  /** Calls `enter` with what gives the place back, or with a refusal. A load may ask several times. */
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
    for (const waiter of this.waiters) {
      if (!this.hasRoom(waiter.load)) continue;
      this.waiters.delete(waiter);
      clearTimeout(waiter.timer);
      this.admit(waiter.load, waiter.enter);
    }
  }

  private hasRoom({ loadClass, owner }: Load): boolean {
    if (loadClass === 'money') return true;
    const others = [...this.used].filter((load) => load.loadClass !== 'money');
    const isWithin = (loads: Load[], share: number): boolean => {
      const most = Math.max(1, Math.floor(this.connections * share));
      const own = loads.filter((load) => load.owner !== undefined && load.owner === owner);
      return loads.length < most && own.length < Math.ceil(most / 2);
    };
    if (!isWithin(others, OTHERS_SHARE)) return false;
    return (
      loadClass !== 'list' ||
      isWithin(
        others.filter((load) => load.loadClass === 'list'),
        LIST_SHARE,
      )
    );
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
    if (left.aborted) cancel();
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
