import { Injectable } from '@nestjs/common';
import type { ExchangeError, SessionTarget } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { CountByKey } from '#platform/load';

/** Reasons of failures on our side. They must not count against the exchange. */
const OWN_REASONS = ['own_limit', 'credentials_renewed', 'credentials_not_renewed'];

/**
 * The exchange that a call goes to. Calls in mode `test` go to the sandbox exchange, whose failures are counted
 * separately.
 */
type CalledExchange = Pick<SessionTarget, 'exchange' | 'mode'>;

/** A call for a wallet of one project. */
interface Called extends CalledExchange {
  projectId: string;
}

interface Trouble {
  /** The failures in a row, by project. */
  readonly failures: CountByKey;
  /** When one call may check whether the exchange answers again. Epoch milliseconds. */
  probeAt: number;
}

/**
 * Pauses the background calls of this process to an exchange that does not respond. A call that waits for a time-out
 * takes one of the limited places for concurrent calls, so the wallets of all other exchanges would have to wait. After
 * `WALLET_SYNC_PAUSE_FAILURES` failures in a row, only one call every `WALLET_SYNC_PAUSE_SECONDS` goes to the exchange,
 * until it answers. The failures of one project alone pause only the calls of this project, because the owner of an
 * account can make calls with its keys fail.
 */
@Injectable()
export class ExchangePauses {
  /** The key is the exchange and the mode. */
  private readonly troubles = new Map<string, Trouble>();

  constructor(
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * Whether the caller may call the exchange now. A caller that calls it must report the result with `answered` or
   * `failed`.
   */
  admits(called: Called): boolean {
    const trouble = this.troubles.get(keyOf(called));
    if (trouble === undefined || !this.isPaused(trouble, called)) return true;
    if (this.clock.now().getTime() < trouble.probeAt) return false;
    trouble.probeAt = this.nextProbe();
    return true;
  }

  /** Reports that the exchange has answered. */
  answered(called: CalledExchange): void {
    this.troubles.delete(keyOf(called));
  }

  /** Reports a failed call. A refusal counts as a response of the exchange. Failures on our side do not count. */
  failed(called: Called, error: Pick<ExchangeError, 'kind' | 'reason'>): void {
    if (error.reason !== undefined && OWN_REASONS.includes(error.reason)) return;
    if (isAnswer(error)) return this.answered(called);
    const failures = this.troubles.get(keyOf(called))?.failures ?? new CountByKey();
    failures.add(called.projectId);
    this.troubles.set(keyOf(called), { failures, probeAt: this.nextProbe() });
  }

  /**
   * Whether the calls of this project, or of several projects together, have failed often enough for a pause. Each
   * project counts for at most half of the limit, so that one project alone never pauses the calls of others.
   */
  private isPaused({ failures }: Trouble, { projectId }: Called): boolean {
    const { WALLET_SYNC_PAUSE_FAILURES: max } = this.config.constants;
    if (failures.of(projectId) >= max) return true;
    let ofAll = 0;
    for (const ofOne of failures.values()) ofAll += Math.min(ofOne, max / 2);
    return ofAll >= max;
  }

  private nextProbe(): number {
    return this.clock.now().getTime() + this.config.constants.WALLET_SYNC_PAUSE_SECONDS * 1_000;
  }
}

function keyOf({ exchange, mode }: CalledExchange): string {
  return `${exchange} ${mode}`;
}

/** Whether the error is an answer of the exchange, such as a refusal. */
export function isAnswer({ kind, reason }: Pick<ExchangeError, 'kind' | 'reason'>): boolean {
  // An error that no declaration lists is an answer to this one request.
  if (reason === 'unlisted_error') return true;
  return kind !== 'unavailable' && kind !== 'rate_limited' && kind !== 'access_blocked';
}
