import { Injectable } from '@nestjs/common';

/** Whether this process has been told to stop, and what it still has to finish. */
@Injectable()
export class Shutdown {
  private announced = false;
  private begun = false;
  private readonly pending: (() => Promise<void>)[] = [];
  private readonly listeners: (() => void)[] = [];
  private readonly work = new Set<Promise<unknown>>();

  /** `/readyz` answers 503, so that whoever sends requests here stops to; those that still come are served. */
  get isAnnounced(): boolean {
    return this.announced;
  }

  /** From now on nothing new is begun. */
  get hasBegun(): boolean {
    return this.begun;
  }

  /** Adds work in flight: `finished` is called when the process is told to stop, and resolves when that work is done. */
  waitFor(finished: () => Promise<void>): void {
    this.pending.push(finished);
  }

  /**
   * Adds work that may go on after the request or the job that began it. It is finished after these, because they may
   * begin such work until they end.
   */
  addWork(work: Promise<unknown>): void {
    this.work.add(work);
    const remove = (): boolean => this.work.delete(work);
    void work.then(remove, remove);
  }

  /** Adds what takes connections: `stop` is called shortly before nothing new is begun. */
  whenConnectionsEnd(stop: () => void): void {
    this.listeners.push(stop);
  }

  announce(): void {
    this.announced = true;
  }

  /** Refuses new connections. Requests on those that were accepted before are still served. */
  stopListening(): void {
    for (const stop of this.listeners) stop();
  }

  /** Resolves when everything in flight is finished. */
  async begin(): Promise<void> {
    this.announce();
    this.begun = true;
    await Promise.all(this.pending.map((finished) => finished()));
    await Promise.allSettled(this.work);
  }
}
