import { Injectable } from '@nestjs/common';

/** Whether this process has been told to stop, and what it still has to finish. */
@Injectable()
export class Shutdown {
  private begun = false;
  private readonly pending: (() => Promise<void>)[] = [];

  /** From now on nothing new is begun; `/readyz` answers 503. */
  get hasBegun(): boolean {
    return this.begun;
  }

  /** Adds work in flight: `finished` is called when the process is told to stop, and resolves when that work is done. */
  waitFor(finished: () => Promise<void>): void {
    this.pending.push(finished);
  }

  /** Resolves when everything in flight is finished. */
  async begin(): Promise<void> {
    this.begun = true;
    await Promise.all(this.pending.map((finished) => finished()));
  }
}
