import { pino } from 'pino';
import { Clock } from '#platform/clock';
import type { Config } from '#platform/config';
import type { Logger } from '#platform/logging';
import { Metrics } from '#platform/metrics';
import { Exchanges } from '../registry/exchanges.service.js';
import type { Nonces } from '../nonces/nonces.js';
import type { Connect } from '../transport/dedicated-connection.js';
import { Transport } from '../transport/transport.js';
import { MemoryNonces } from './memory-nonces.js';

interface Parts {
  clock?: Clock;
  metrics?: Metrics;
  nonces?: Nonces;
  logger?: Logger;
  /** Opens connections. Default: over the network. */
  connect?: Connect;
}

/** Creates `Exchanges` with nonces in memory, without a database. */
export function createExchanges(config: Config, parts: Parts = {}): Exchanges {
  const { clock = new Clock(), metrics = new Metrics(), logger = pino({ level: 'silent' }), connect } = parts;
  const { EXCHANGE_TIMEOUT_MS: connectTimeoutMs } = config.values;
  const { EXCHANGE_RESPONSE_MAX_BYTES: responseMaxBytes } = config.constants;
  const transport = new Transport({ connectTimeoutMs, responseMaxBytes, connect });
  return new Exchanges(config, clock, metrics, parts.nonces ?? new MemoryNonces(clock), transport, logger);
}
