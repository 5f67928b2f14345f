import { Injectable } from '@nestjs/common';

/** Time for requests to arrive on the connections that were accepted last. */
export const LAST_REQUESTS_MS = 200;

/** The state of the orderly stop of this process, and the work that must finish before it ends. */
@Injectable()
export class Shutdown {
  private announced = false;
  private begun = false;
  private readonly pending: (() => Promise<void>)[] = [];
  private readonly listeners: (() => void)[] = [];
  private readonly work = new Set<Promise<unknown>>();

  /** Whether `/readyz` returns 503, so that load balancers stop sending requests. Requests are still served. */
  get isAnnounced(): boolean {
    return this.announced;
  }

  /** Whether new requests and jobs are refused. */
  get hasBegun(): boolean {
    return this.begun;
  }

  /** Adds work in progress. `finished` is called when the process stops, and resolves when that work is done. */
  waitFor(finished: () => Promise<void>): void {
    this.pending.push(finished);
  }

  /**
   * Adds work that may continue after the request or the job that began it. The process waits for the requests and jobs
   * first, and then for this work, because requests and jobs may begin more of it until they end.
   */
  addWork(work: Promise<unknown>): void {
    this.work.add(work);
    const remove = (): boolean => this.work.delete(work);
    void work.then(remove, remove);
  }

  /** Adds a function that `stopListening` calls, for a server that then accepts no more connections. */
  whenConnectionsEnd(stop: () => void): void {
    this.listeners.push(stop);
  }

  announce(): void {
    this.announced = true;
  }

  /** Refuses new connections. Requests on open connections are still served. */
  stopListening(): void {
    for (const stop of this.listeners) stop();
  }

  /** Refuses new requests and jobs from now on. Resolves when all work in progress is finished. */
  async begin(): Promise<void> {
    this.announce();
    this.begun = true;
    await Promise.all(this.pending.map((finished) => finished()));
    await Promise.allSettled(this.work);
  }
}
