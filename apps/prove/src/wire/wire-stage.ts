import type { ExchangeSession, Exchanges } from '#exchange';
import { createExchanges, type Nonces } from '#exchange/testing';
import { Clock } from '#platform/clock';
import { loadConfig } from '#platform/config';
import { Secret } from '#platform/crypto';
import type { SimulatedNetwork } from './simulated-network.js';
import type { VirtualTime } from './virtual-time.js';
import type { WireNonces } from './wire-nonces.js';

export const PROCESSES = 3;

export const wireConfig = loadConfig({
  EXCHANGE_KRAKEN_URL: 'http://exchange.simulated',
  EXCHANGE_CALLS_PER_SECOND: '1000',
  EXCHANGE_CALLS_BURST: '1000',
});

/** The clock of one host. Its time of day is ahead by `errorMs`; its monotonic time is right. */
export class WireClock extends Clock {
  errorMs = 0;
  private ids = 0;

  constructor(private readonly time: VirtualTime) {
    super();
  }

  override now(): Date {
    return new Date(this.time.now + this.errorMs);
  }

  override monotonicMs(): number {
    return this.time.now;
  }

  override newId(): string {
    return `01a20000-0000-7000-8000-${String(++this.ids).padStart(12, '0')}`;
  }
}

/** One wallet and its API key; several wallets may have the same key. */
export interface WireWallet {
  credentialId: string;
  apiKey: string;
  apiSecret: string;
}

/** One process of the product: all code from `Exchanges` down to the HTTP library is the product's. */
export class WireProcess {
  readonly clock: WireClock;
  private readonly exchanges: Exchanges;

  constructor(stage: WireStage) {
    this.clock = new WireClock(stage.time);
    this.exchanges = createExchanges(wireConfig, {
      clock: this.clock,
      nonces: stage.nonces,
      connect: (target, callback) => stage.network.connect(target, callback),
    });
  }

  open({ credentialId, apiKey, apiSecret }: WireWallet): Promise<ExchangeSession> {
    const credentials = { apiKey: new Secret(apiKey), apiSecret: new Secret(apiSecret) };
    return this.exchanges.open({ exchange: 'kraken', mode: 'live', credentialId, credentials });
  }
}

/**
 * The processes and the source of nonces that they share. They serve many runs.
 * Each run uses new API keys.
 */
export class WireStage {
  readonly nonceClock: WireClock;
  readonly nonces: Nonces;
  readonly processes: readonly WireProcess[];
  /** The network of the current run. */
  network: SimulatedNetwork;

  constructor(
    readonly time: VirtualTime,
    source: WireNonces,
  ) {
    this.nonceClock = new WireClock(time);
    this.nonces = source.of(this.nonceClock);
    this.processes = Array.from({ length: PROCESSES }, () => new WireProcess(this));
  }
}
