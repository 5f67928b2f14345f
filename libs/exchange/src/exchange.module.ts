import { Module } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { HealthModule } from '#platform/health';
import { LOGGER, type Logger } from '#platform/logging';
import { Authorizations } from './authorization/authorizations.service.js';
import { Exchanges } from './registry/exchanges.service.js';
import { otherHosts } from './registry/exchanges.js';
import { DatabaseNonces } from './nonces/database-nonces.js';
import { Nonces } from './nonces/nonces.js';
import { PairLists } from './registry/pair-lists.service.js';
import { Tickers } from './registry/tickers.service.js';
import { FollowSharing } from './sharing/follow-sharing.js';
import { LiveProcesses } from './sharing/live-processes.js';
import { PauseMetrics } from './sharing/pause.metrics.js';
import { PauseStore } from './sharing/pause-store.js';
import { SharedPauses } from './sharing/shared-pauses.js';
import { CallBudgets } from './transport/call-budget.js';
import { Transport } from './transport/transport.js';

/** The transport for the calls of accounts. `Exchanges` closes its connections at shutdown. */
const transport = {
  provide: Transport,
  inject: [Config, LOGGER],
  useFactory: ({ values, constants }: Config, logger: Logger) =>
    new Transport({
      connectTimeoutMs: values.EXCHANGE_TIMEOUT_MS,
      responseMaxBytes: constants.EXCHANGE_RESPONSE_MAX_BYTES,
      otherHosts,
      onOtherHost: ({ usual, other }) =>
        logger.warn({ usual, other }, 'the usual host of the exchange does not serve; this process uses the other one'),
    }),
};

const budgets = {
  provide: CallBudgets,
  inject: [Clock, Config, SharedPauses, LiveProcesses],
  useFactory: (clock: Clock, config: Config, { book }: SharedPauses, processes: LiveProcesses) =>
    new CallBudgets(clock, config, book, processes),
};

/** The limits of calls that all processes share. */
@Module({
  providers: [PauseStore, SharedPauses, LiveProcesses, PauseMetrics, budgets],
  exports: [PauseStore, SharedPauses, LiveProcesses, CallBudgets],
})
class SharedLimitsModule {}

/** The rows about pauses, without any call to an exchange: for the command line. */
@Module({ providers: [PauseStore], exports: [PauseStore] })
export class PauseStoreModule {}

/** Keeps the shared limits of calls current while a process runs: for the API and the worker. */
@Module({ imports: [SharedLimitsModule, HealthModule], providers: [FollowSharing] })
export class FollowSharingModule {}

const services = [Authorizations, Exchanges, PairLists, Tickers];

@Module({
  imports: [SharedLimitsModule],
  providers: [...services, transport, { provide: Nonces, useClass: DatabaseNonces }],
  exports: services,
})
export class ExchangeModule {}
