import { LRUCache } from 'lru-cache';
import type { Clock } from '#platform/clock';
import type { Config } from '#platform/config';
import { CallQueue } from './call-queue.js';
import { Pauses } from './pauses.js';
import { TokenBucket } from './token-bucket.js';

/** Maximum number of credentials for which one process remembers the call budget, for each exchange. */
const CREDENTIALS_MAX = 20_000;

/** Limits the calls of this process to one exchange, in total and for each credential. */
export class CallBudget {
  private readonly egress: TokenBucket;
  private readonly pauses: Pauses;
  private readonly queues: LRUCache<string, CallQueue>;

  constructor(
    private readonly clock: Clock,
    private readonly config: Config,
    /** Maximum number of calls of one credential at a time. */
    private readonly atOnce = 1,
  ) {
    const { EXCHANGE_EGRESS_CALLS_PER_SECOND, EXCHANGE_EGRESS_CALLS_BURST } = config.values;
    this.egress = new TokenBucket(clock, EXCHANGE_EGRESS_CALLS_PER_SECOND, EXCHANGE_EGRESS_CALLS_BURST);
    this.pauses = new Pauses(clock);
    // `maxSize` allocates places as they are needed; `max` would allocate all places at once.
    this.queues = new LRUCache({ maxSize: CREDENTIALS_MAX, sizeCalculation: () => 1 });
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

  /** Creates a queue with a limit of its own. Calls without a credential use such a queue. */
  createQueue(): CallQueue {
    const { clock, config } = this;
    const { EXCHANGE_CALLS_PER_SECOND, EXCHANGE_CALLS_BURST, EXCHANGE_TIMEOUT_MS } = config.values;
    const own = new TokenBucket(clock, EXCHANGE_CALLS_PER_SECOND, EXCHANGE_CALLS_BURST);
    const limits = {
      atOnce: this.atOnce,
      waitingMax: config.constants.EXCHANGE_QUEUE_MAX,
      waitMaxMs: EXCHANGE_TIMEOUT_MS,
    };
    return new CallQueue(clock, [own, this.egress], limits, this.pauses);
  }
}
