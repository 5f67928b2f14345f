import { Module } from '@nestjs/common';
import { Config } from '#platform/config';
import { Authorizations } from './authorization/authorizations.service.js';
import { Exchanges } from './registry/exchanges.service.js';
import { DatabaseNonces } from './nonces/database-nonces.js';
import { Nonces } from './nonces/nonces.js';
import { PairLists } from './registry/pair-lists.service.js';
import { Tickers } from './registry/tickers.service.js';
import { Transport } from './transport/transport.js';

const services = [Authorizations, Exchanges, PairLists, Tickers];

/** The transport for the calls of accounts. `Exchanges` closes its connections at shutdown. */
const transport = {
  provide: Transport,
  inject: [Config],
  useFactory: ({ values, constants }: Config) =>
    new Transport({
      connectTimeoutMs: values.EXCHANGE_TIMEOUT_MS,
      responseMaxBytes: constants.EXCHANGE_RESPONSE_MAX_BYTES,
    }),
};

@Module({ providers: [...services, transport, { provide: Nonces, useClass: DatabaseNonces }], exports: services })
export class ExchangeModule {}
