import { LRUCache } from 'lru-cache';
import type { Clock } from '#platform/clock';
import type { Config } from '#platform/config';
import type { AddressRate } from './call-limit.js';
import { CallQueue } from './call-queue.js';
import { PauseBook, type Site } from './pauses.js';
import { TokenBucket } from './token-bucket.js';

/** Maximum number of credentials for which one process remembers the call budget, for each exchange. */
const CREDENTIALS_MAX = 20_000;
/** The part of a documented rate that a burst may use. The rest refills, so that no period has more than the rate. */
const BURST_PART = 0.25;

/** The number of live processes of this installation, which share the limits of our address. */
export interface ProcessCount {
  readonly count: number;
}

/** The exchange that a budget is for. */
export interface BudgetOf {
  readonly exchange: string;
  readonly baseUrl: string;
  /** Absent = the exchange documents no rate for one address. */
  readonly addressRate?: AddressRate;
}

/**
 * The limits of the calls of this process to all exchanges. All budgets of one exchange at one address share the limit
 * of our address, of which this process takes its part.
 */
export class CallBudgets {
  /** The limits of our address by exchange and origin. */
  private readonly egress = new Map<string, TokenBucket>();

  constructor(
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly pauses: PauseBook = new PauseBook(clock),
    private readonly processes: ProcessCount = { count: 1 },
  ) {}

  /** @param atOnce maximum number of calls of one credential at a time */
  at({ exchange, baseUrl, addressRate }: BudgetOf, atOnce = 1): CallBudget {
    const { clock, config, pauses } = this;
    const site = { exchange, origin: new URL(baseUrl).origin };
    return new CallBudget({ clock, config, pauses, site, egress: this.egressOf(site, addressRate), atOnce });
  }

  private egressOf(site: Site, addressRate: AddressRate | undefined): TokenBucket {
    const key = `${site.exchange} ${site.origin}`;
    let bucket = this.egress.get(key);
    if (bucket === undefined) {
      const { EXCHANGE_EGRESS_CALLS_PER_SECOND: perSecond, EXCHANGE_EGRESS_CALLS_BURST: burst } = this.config.values;
      const documented = rateOf(addressRate);
      const share = (): number => 1 / Math.max(1, this.processes.count);
      bucket = new TokenBucket(
        this.clock,
        Math.min(perSecond, documented.perSecond),
        Math.min(burst, documented.burst),
        share,
      );
      this.egress.set(key, bucket);
    }
    return bucket;
  }
}

interface BudgetParts {
  readonly clock: Clock;
  readonly config: Config;
  readonly pauses: PauseBook;
  readonly site: Site;
  /** The limit of our address. */
  readonly egress: TokenBucket;
  readonly atOnce: number;
}

/** Limits the calls of this process to one exchange, in total and for each credential. */
export class CallBudget {
  private readonly queues: LRUCache<string, CallQueue>;

  constructor(private readonly parts: BudgetParts) {
    // `maxSize` allocates places as they are needed; `max` would allocate all places at once.
    this.queues = new LRUCache({ maxSize: CREDENTIALS_MAX, sizeCalculation: () => 1 });
  }

  /** The queue of one credential. All sessions of the credential share it. */
  queueOf(credentialId: string): CallQueue {
    let queue = this.queues.get(credentialId);
    if (queue === undefined) {
      queue = this.createQueue(credentialId);
      this.queues.set(credentialId, queue);
    }
    return queue;
  }

  /**
   * Creates a queue with a limit of its own.
   * @param caller the id of the credential, or the name of calls without a credential, for pauses of these calls
   */
  createQueue(caller: string): CallQueue {
    const { clock, config, pauses, site, egress, atOnce } = this.parts;
    const { EXCHANGE_CALLS_PER_SECOND, EXCHANGE_CALLS_BURST, EXCHANGE_TIMEOUT_MS } = config.values;
    const own = new TokenBucket(clock, EXCHANGE_CALLS_PER_SECOND, EXCHANGE_CALLS_BURST);
    const limits = { atOnce, waitingMax: config.constants.EXCHANGE_QUEUE_MAX, waitMaxMs: EXCHANGE_TIMEOUT_MS };
    return new CallQueue(clock, [own, egress], limits, pauses.of({ site, credentialId: caller }));
  }
}

/** The documented rate as a bucket that allows no more calls in any period of the rate. */
function rateOf(rate: AddressRate | undefined): { perSecond: number; burst: number } {
  if (rate === undefined) return { perSecond: Infinity, burst: Infinity };
  const burst = rate.calls * BURST_PART;
  return { perSecond: ((rate.calls - burst) * 1_000) / rate.periodMs, burst };
}
