import type { Clock } from '#platform/clock';
import type { ConfigValues } from '#platform/config';
import { CallQueue } from './call-queue.js';
import { TokenBucket } from './token-bucket.js';

/** The calls that this process may make to one exchange, and the share of each credential in them. */
export class CallBudget {
  private readonly egress: TokenBucket;

  constructor(
    private readonly clock: Clock,
    private readonly limits: ConfigValues,
  ) {
    this.egress = new TokenBucket(clock, limits.EXCHANGE_EGRESS_CALLS_PER_SECOND, limits.EXCHANGE_EGRESS_CALLS_BURST);
  }

  /** The calls of one more credential, or of none. */
  createQueue(): CallQueue {
    const { clock, limits } = this;
    const own = new TokenBucket(clock, limits.EXCHANGE_CALLS_PER_SECOND, limits.EXCHANGE_CALLS_BURST);
    return new CallQueue(clock, [own, this.egress], {
      waitingMax: limits.EXCHANGE_QUEUE_MAX,
      waitMaxMs: limits.EXCHANGE_TIMEOUT_MS,
    });
  }
}
