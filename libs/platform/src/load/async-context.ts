import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * A value that belongs to a piece of work and to everything that the work awaits. In Node 20, each promise of a process
 * costs twice its time while an `AsyncLocalStorage` is enabled. So it is enabled only while work has a value.
 */
export class AsyncContext<T> {
  private readonly storage = new AsyncLocalStorage<T>();
  private uses = 0;

  /** Returns the value of the current work; undefined = it has none. */
  get(): T | undefined {
    return this.storage.getStore();
  }

  /** Runs `work` with `value`. Work that continues after the returned promise has settled may lose the value. */
  async run<R>(value: T, work: () => Promise<R>): Promise<R> {
    const end = this.keepEnabled();
    try {
      return await this.storage.run(value, work);
    } finally {
      end();
    }
  }

  /** Calls `begin`, which starts work with `value`. Once the work has ended, `end` must be called. */
  start(value: T, begin: (end: () => void) => void): void {
    const end = this.keepEnabled();
    this.storage.run(value, begin, end);
  }

  /** Calls `begin`, which starts work without a value. */
  leave(begin: () => void): void {
    if (this.get() === undefined) begin();
    else this.storage.exit(begin);
  }

  private keepEnabled(): () => void {
    this.uses += 1;
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      this.uses -= 1;
      if (this.uses === 0) this.storage.disable();
    };
  }
}
