/**
 * Work of which no two runs overlap: whoever asks while one runs shares the next with all others who ask meanwhile. What a
 * run brings is so never older than the question.
 */
export class SharedTurns {
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
