import { Clock } from '#platform/clock';

/** Time that passes only when a test, or a sleep, says so. */
export class ManualClock extends Clock {
  private nowMs = Date.UTC(2026, 0, 1);

  override now(): Date {
    return new Date(this.nowMs);
  }

  advance(ms: number): void {
    this.nowMs += ms;
  }

  override async sleep(ms: number): Promise<void> {
    this.advance(ms);
    return Promise.resolve();
  }
}
