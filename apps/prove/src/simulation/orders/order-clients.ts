import type { Random } from '../world/random.js';
import { isConflict, type OrderReply } from './order-records.js';
import type { OrderPlan } from './order-scenario.js';

const CALLS_MAX = 6;
const PAUSE_MAX_MS = 60_000;

/** The outside world of one client. */
export interface OrderClientParts {
  random: Random;
  sleep: (ms: number) => Promise<void>;
  place: (plan: OrderPlan) => Promise<OrderReply>;
  read: (orderId: string) => Promise<OrderReply>;
}

/**
 * A client that wants one order. With an `Idempotency-Key` it repeats the call after every kind of response. Without
 * a key it repeats the call only after an error that means that no order was placed.
 */
export class OrderClient {
  constructor(
    private readonly plan: OrderPlan,
    private readonly parts: OrderClientParts,
  ) {}

  async run(): Promise<void> {
    const { random, sleep, place, read } = this.parts;
    await sleep(random.between(0, PAUSE_MAX_MS));
    for (let calls = 1; calls <= CALLS_MAX; calls++) {
      const reply = await place(this.plan);
      if (reply.kind === 'ok' && random.chance(0.5)) await read(reply.id);
      if (!this.isRepeated(reply)) return;
      await sleep(random.chance(0.5) ? random.between(0, 3_000) : random.between(0, PAUSE_MAX_MS));
    }
  }

  private isRepeated(reply: OrderReply): boolean {
    if (this.plan.key !== null) return this.parts.random.chance(reply.kind === 'ok' ? 0.4 : 0.9);
    return reply.kind === 'refused' && !isConflict(reply) && this.parts.random.chance(0.6);
  }
}
