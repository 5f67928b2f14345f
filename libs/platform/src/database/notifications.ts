import type { BeforeApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import type { Clock } from '#platform/clock';
import type { ConfigValues } from '#platform/config';
import { logFailedWork } from '#platform/errors';
import type { Logger } from '#platform/logging';

const PAUSE_MIN_MS = 100;
const PAUSE_MAX_MS = 10_000;
/** How long a connection may be silent before the operating system tests whether it is broken. */
const KEEP_ALIVE_MS = 10_000;

/** A subscription to a channel. Neither function may throw. */
export interface Subscription {
  channel: string;
  onMessage: (payload: string) => void;
  /**
   * Called whenever the subscription begins to receive notifications: at its start and after each reconnection. Earlier
   * notifications, and those sent while the connection was lost, are missing.
   */
  onListening: () => void;
}

interface NotificationsOptions {
  values: ConfigValues;
  clock: Clock;
  logger: Logger;
  /** Name of the process in `pg_stat_activity`. */
  applicationName: string;
}

/**
 * Receives notifications that other processes send with NOTIFY, on one connection of this process. The connection opens
 * at the first subscription. When it is lost, it opens again; the pauses between attempts grow. A connection pooler may
 * not forward LISTEN, so subscribers that must not miss a change also read periodically.
 */
export class Notifications implements BeforeApplicationShutdown {
  private readonly stop = new AbortController();
  private readonly subscriptions: Subscription[] = [];
  private client: pg.Client | null = null;
  private running: Promise<void> | null = null;
  /** Resolves when the newest subscription listens, or has failed to listen. */
  private listening: Promise<void> = Promise.resolve();

  constructor(private readonly options: NotificationsOptions) {}

  /** Adds a subscription. Must be called while the process starts. */
  subscribe(subscription: Subscription): void {
    this.subscriptions.push(subscription);
    if (this.client !== null) void this.listen(this.client, subscription).catch(() => this.client?.end());
    this.running ??= this.stayConnected();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stop.abort();
    await this.client?.end();
    await this.running;
  }

  private async stayConnected(): Promise<void> {
    const { clock, logger } = this.options;
    let pauseMs = PAUSE_MIN_MS;
    while (!this.stop.signal.aborted) {
      const begin = (): void => {
        if (pauseMs > PAUSE_MIN_MS) logger.info('the connection for notifications of the database is open again');
        pauseMs = PAUSE_MIN_MS;
      };
      const error = await this.listenUntilLost(begin);
      if (this.stop.signal.aborted) return;
      if (pauseMs === PAUSE_MIN_MS)
        logFailedWork(logger, error, 'the connection for notifications of the database was lost: connecting again');
      await clock.sleep(pauseMs, this.stop.signal);
      pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS);
    }
  }

  /** Resolves with the reason, if known, when the connection is lost or could not be opened. */
  private async listenUntilLost(begin: () => void): Promise<unknown> {
    const client = this.createClient();
    let reason: unknown;
    const lost = new Promise<void>((resolve) => {
      client.on('error', (error) => {
        reason ??= error;
        resolve();
      });
      client.on('end', () => resolve());
    });
    client.on('notification', ({ channel, payload = '' }) => {
      for (const one of this.subscriptions) if (one.channel === channel) one.onMessage(payload);
    });
    try {
      await client.connect();
      this.client = client;
      for (const subscription of [...this.subscriptions]) await this.listen(client, subscription);
      begin();
      if (!this.stop.signal.aborted) await lost;
    } catch (error) {
      reason ??= error;
    } finally {
      this.client = null;
      await client.end().catch(() => undefined);
    }
    return reason;
  }

  /** Waits for the previous subscription to listen, because a connection runs one statement at a time. */
  private listen(client: pg.Client, { channel, onListening }: Subscription): Promise<void> {
    const listening = this.listening.then(async () => {
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      onListening();
    });
    this.listening = listening.catch(() => undefined);
    return listening;
  }

  private createClient(): pg.Client {
    const { values, applicationName } = this.options;
    return new pg.Client({
      connectionString: values.DATABASE_URL,
      application_name: `${applicationName}-listen`,
      connectionTimeoutMillis: values.DATABASE_CONNECT_TIMEOUT_MS,
      query_timeout: values.DATABASE_STATEMENT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    });
  }
}
