import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import pg from 'pg';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { LOGGER, type Logger } from '#platform/logging';
import { Database } from './database.js';
import { DatabaseClock } from './database-clock.js';
import { Notifications } from './notifications.js';
import { DatabasePools } from './database-pools.js';

/** Time that the client waits for a statement beyond the server's own limit. */
const CLIENT_GRACE_MS = 1_000;

/** How often a starting process tries to connect, because PostgreSQL may start at the same time or be busy. */
export const CONNECT_TRIES = 5;
/** The pause between two tries. */
export const CONNECT_RETRY_MS = 1_000;

/** The database connections of this process. Features add their entities with `TypeOrmModule.forFeature`. */
@Global()
@Module({})
export class DatabaseModule {
  static forRoot(applicationName: string): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [Config],
          useFactory: ({ values }: Config) => {
            if (values.DATABASE_URL === undefined) throw new Error('DATABASE_URL is not set');
            return {
              type: 'postgres' as const,
              url: values.DATABASE_URL,
              autoLoadEntities: true,
              retryAttempts: CONNECT_TRIES,
              retryDelay: CONNECT_RETRY_MS,
              applicationName,
              poolSize: values.DATABASE_POOL_MAX,
              driver: { ...pg, Pool: DatabasePools },
              extra: {
                connectionTimeoutMillis: values.DATABASE_CONNECT_TIMEOUT_MS,
                statement_timeout: values.DATABASE_STATEMENT_TIMEOUT_MS,
                lock_timeout: values.DATABASE_LOCK_TIMEOUT_MS,
                idle_in_transaction_session_timeout: values.DATABASE_STATEMENT_TIMEOUT_MS,
                // The server's own limit cannot end a statement whose connection is broken.
                query_timeout: values.DATABASE_STATEMENT_TIMEOUT_MS + CLIENT_GRACE_MS,
                keepAlive: true,
              },
            };
          },
        }),
      ],
      providers: [
        Database,
        DatabaseClock,
        {
          provide: Notifications,
          inject: [Config, Clock, LOGGER],
          useFactory: ({ values }: Config, clock: Clock, logger: Logger) =>
            new Notifications({ values, clock, logger, applicationName }),
        },
      ],
      exports: [Database, DatabaseClock, Notifications],
    };
  }
}
