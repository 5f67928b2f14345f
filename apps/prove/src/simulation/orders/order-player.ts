import { loadConfig, type Config } from '#platform/config';
import { OrderSimulation, type OrderSeedResult } from './order-simulation.js';
import { orderTiming } from './order-timing.js';

/** Plays seeds of orders one after the other. */
export class OrderPlayer {
  private readonly config: Config = loadConfig({
    NODE_ENV: 'test',
    VAULT_KEYS: `test:${Buffer.alloc(32, 1).toString('base64')}`,
    TRADING_EXCHANGES: 'all',
    ORDER_RATE_PER_MINUTE: '1000',
    // Clocks of hosts may differ within this limit.
    CLOCK_DIFFERENCE_MAX_MS: String(3 * orderTiming.skewMax),
  });

  play(seed: number, { isTraced } = { isTraced: false }): Promise<OrderSeedResult> {
    return new OrderSimulation({ seed, config: this.config, isTraced }).run();
  }
}
