import { Injectable } from '@nestjs/common';
import type { ExchangeError } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';

/** Reasons of failures on our side, or of another server than the one in question. */
const SAYS_NOTHING = ['own_limit', 'credentials_renewed', 'credentials_not_renewed'];

interface Trouble {
  failures: number;
  /** When one call may try whether the exchange answers again. */
  probeAt: number;
}

/**
 * Exchanges that answer nobody, as this process sees them. Every call to one of them takes a place among those that run
 * at once until its time is over; with all places taken, the wallets of every other exchange would wait. So after
 * `WALLET_SYNC_PAUSE_FAILURES` failures in a row it is asked by one call in `WALLET_SYNC_PAUSE_SECONDS`, until it answers.
 */
@Injectable()
export class ExchangePauses {
  private readonly troubles = new Map<string, Trouble>();

  constructor(
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Whether the exchange may be asked now; the one who does says with `answered` how it went. */
  admits(exchange: string): boolean {
    const trouble = this.troubles.get(exchange);
    if (trouble === undefined || trouble.failures < this.config.values.WALLET_SYNC_PAUSE_FAILURES) return true;
    if (this.clock.now().getTime() < trouble.probeAt) return false;
    trouble.probeAt = this.nextProbe();
    return true;
  }

  /** Whether the exchange has answered, whatever it said. */
  answered(exchange: string, hasAnswered: boolean): void {
    if (hasAnswered) {
      this.troubles.delete(exchange);
      return;
    }
    const failures = (this.troubles.get(exchange)?.failures ?? 0) + 1;
    this.troubles.set(exchange, { failures, probeAt: this.nextProbe() });
  }

  /** The same by the error of a call. Failures that say nothing about how the exchange answers do not count. */
  failed(exchange: string, error: Pick<ExchangeError, 'kind' | 'reason'>): void {
    if (error.reason === undefined || !SAYS_NOTHING.includes(error.reason)) this.answered(exchange, isAnswer(error));
  }

  private nextProbe(): number {
    return this.clock.now().getTime() + this.config.values.WALLET_SYNC_PAUSE_SECONDS * 1_000;
  }
}

/** Whether the exchange has answered, be it with a refusal. */
export function isAnswer({ kind }: Pick<ExchangeError, 'kind'>): boolean {
  return kind !== 'unavailable' && kind !== 'rate_limited';
}
