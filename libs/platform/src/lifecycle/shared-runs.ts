/**
 * Runs one piece of work for several callers, never twice at the same time. Callers that ask during a run share the
 * next run. A caller's run therefore always begins after the call, and its result is never older than the call.
 */
export class SharedRuns {
  private running: Promise<void> = Promise.resolve();
  private waiting: Promise<void> | null = null;

  constructor(private readonly work: () => Promise<void>) {}

  run(): Promise<void> {
    this.waiting ??= this.running
      .catch(() => undefined)
      .then(() => {
        this.waiting = null;
        this.running = this.work();
        return this.running;
      });
    return this.waiting;
  }
}
