import { LRUCache } from 'lru-cache';
import type { Clock } from '#platform/clock';
import type { ConfigValues } from '#platform/config';
import { CallQueue } from './call-queue.js';
import { TokenBucket } from './token-bucket.js';

/** Limits the calls of this process to one exchange, in all and for each credential. */
export class CallBudget {
  private readonly egress: TokenBucket;
  private readonly queues: LRUCache<string, CallQueue>;

  constructor(
    private readonly clock: Clock,
    private readonly limits: ConfigValues,
  ) {
    this.egress = new TokenBucket(clock, limits.EXCHANGE_EGRESS_CALLS_PER_SECOND, limits.EXCHANGE_EGRESS_CALLS_BURST);
    this.queues = new LRUCache({ max: limits.EXCHANGE_BUDGETS_MAX });
  }

  /** The queue of one credential. All sessions of the credential share it. */
  queueOf(credentialId: string): CallQueue {
    let queue = this.queues.get(credentialId);
    if (queue === undefined) {
      queue = this.createQueue();
      this.queues.set(credentialId, queue);
    }
    return queue;
  }

  /** A queue for calls without a credential. */
  createQueue(): CallQueue {
    const { clock, limits } = this;
    const own = new TokenBucket(clock, limits.EXCHANGE_CALLS_PER_SECOND, limits.EXCHANGE_CALLS_BURST);
    return new CallQueue(clock, [own, this.egress], {
      waitingMax: limits.EXCHANGE_QUEUE_MAX,
      waitMaxMs: limits.EXCHANGE_TIMEOUT_MS,
    });
  }
}
