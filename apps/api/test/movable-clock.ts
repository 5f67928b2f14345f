import { Clock } from '#platform/clock';

/** Time as a test moves it, here and at the exchange: it runs on, and can be set ahead. */
export class MovableClock extends Clock {
  private aheadMs = 0;

  override now(): Date {
    return new Date(Date.now() + this.aheadMs);
  }

  advance(ms: number): void {
    this.aheadMs += ms;
  }
}
