import { pino } from 'pino';
import { Clock } from '#platform/clock';
import type { Config } from '#platform/config';
import type { Logger } from '#platform/logging';
import { Metrics } from '#platform/metrics';
import { Authorizations } from '../authorization/authorizations.service.js';
import { Exchanges } from '../registry/exchanges.service.js';
import type { Nonces } from '../nonces/nonces.js';
import { CallBudgets } from '../transport/call-budget.js';
import type { Connect } from '../transport/dedicated-connection.js';
import { Transport } from '../transport/transport.js';
import { MemoryNonces } from '../nonces/memory-nonces.js';

interface Parts {
  clock?: Clock;
  metrics?: Metrics;
  nonces?: Nonces;
  /** Default: pauses and limits of their own. */
  budgets?: CallBudgets;
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
  const { nonces = new MemoryNonces(clock), budgets = new CallBudgets(clock, config) } = parts;
  return new Exchanges(config, clock, metrics, nonces, transport, budgets, logger);
}

/** Creates `Authorizations` with pauses and limits of their own, without a database. */
export function createAuthorizations(config: Config, parts: Parts = {}): Authorizations {
  const { clock, metrics = new Metrics(), logger = pino({ level: 'silent' }) } = parts;
  const used = clock ?? new Clock();
  return new Authorizations(config, used, new CallBudgets(used, config), metrics, logger);
}
