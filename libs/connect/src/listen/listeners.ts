import type { Socket } from 'node:net';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { RateLimitExceeded, Stopping } from '#platform/errors';
import { TopicFeed, type TopicMessage } from '#platform/events';
import { callerOf, handConnectionOver, subscriberOf } from '#platform/http';
import { PeriodicTasks, Shutdown } from '#platform/lifecycle';
import { CountByKey } from '#platform/load';
import { LOGGER, type Logger } from '#platform/logging';
import { Metrics } from '#platform/metrics';
import type { ListenerConnection, ListenerKind } from './listener-connection.js';

const KINDS: readonly ListenerKind[] = ['websocket', 'events'];
/** `Retry-After` when the limit of listeners is reached. */
const FULL_RETRY_SECONDS = 5;
/** Longest time for which a stopping process waits until its listeners have disconnected. */
const GOODBYE_MS = 1_000;
/** Part of LISTENERS_MAX that one IPv6 /48 may use. One person can have a whole /48, with 65,536 times as many /64s. */
const SUBSCRIBER_SHARE = 1 / 4;

/** The topic that a listener subscribes to. */
export interface Subscription {
  organizationId: string;
  topic: string;
  lastMessageId: string | null;
}

interface Listener {
  connection: ListenerConnection;
  /** Aborted when the connection is closed. */
  gone: AbortController;
}

/**
 * All listeners of this process. It limits their number, their duration and their backlog, and closes them when the
 * process stops.
 */
@Injectable()
export class Listeners implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly open = new Set<Listener>();
  private taken = 0;
  private readonly takenByCaller = new CountByKey();
  private readonly takenBySubscriber = new CountByKey();
  private readonly delivered: Counter<'kind'>;
  private readonly cutOffs: Counter<'kind'>;

  constructor(
    private readonly feed: TopicFeed,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly periodicTasks: PeriodicTasks,
    private readonly shutdown: Shutdown,
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    const labels = ['kind'] as const;
    metrics.gauge({ name: 'causeway_listeners', help: 'Open WebSockets and event streams.', labels }, (gauge) => {
      for (const kind of KINDS) gauge.set({ kind }, this.count(kind));
    });
    this.delivered = metrics.counter({
      name: 'causeway_listener_messages_total',
      help: 'Messages that were written to listeners.',
      labels,
    });
    this.cutOffs = metrics.counter({
      name: 'causeway_listeners_cut_off_total',
      help: 'Listeners that were dropped because they did not read or did not answer.',
      labels,
    });
  }

  onApplicationBootstrap(): void {
    this.shutdown.waitFor(() => this.endAll());
    this.periodicTasks.start('heartbeat of listeners', this.config.values.LISTEN_HEARTBEAT_MS, () => {
      for (const listener of this.open) this.beat(listener);
      return Promise.resolve();
    });
  }

  /** Closes the listeners of an application that is closed without the stop signal. */
  beforeApplicationShutdown(): Promise<void> {
    return this.endAll();
  }

  /**
   * Counts the connection for LISTENERS_MAX, LISTENERS_PER_ADDRESS and SUBSCRIBER_SHARE until `socket` closes, and
   * exempts it from the time limits of HTTP connections.
   * @returns false when the socket is closed already. It would not emit `close` again, and would be counted for ever.
   * @throws Stopping, RateLimitExceeded when a limit is reached
   */
  takePlace(socket: Socket, ip: string): boolean {
    if (socket.destroyed) return false;
    if (this.shutdown.hasBegun) throw new Stopping();
    const [caller, subscriber] = [callerOf(ip), subscriberOf(ip)];
    if (!this.hasPlaceFor(caller, subscriber)) throw new RateLimitExceeded(FULL_RETRY_SECONDS);
    this.taken += 1;
    this.takenByCaller.add(caller);
    this.takenBySubscriber.add(subscriber);
    socket.once('close', () => {
      this.taken -= 1;
      this.takenByCaller.remove(caller);
      this.takenBySubscriber.remove(subscriber);
    });
    handConnectionOver(socket);
    return true;
  }

  /** @param socket counted by `takePlace`. Its `close` event removes the listener. */
  add(connection: ListenerConnection, socket: Socket, subscription: Subscription): void {
    const listener = { connection, gone: new AbortController() };
    const begun = this.clock.now().getTime();
    this.open.add(listener);
    const unfollow = this.feed.follow({ ...subscription, onMessages: (messages) => this.deliver(listener, messages) });
    socket.once('close', () => {
      unfollow();
      this.open.delete(listener);
      listener.gone.abort();
      this.logger.debug({ kind: connection.kind, ms: this.clock.now().getTime() - begun }, 'listener disconnected');
    });
    void this.clock.sleep(this.config.values.LISTEN_SECONDS * 1_000, listener.gone.signal).then(() => {
      if (this.open.has(listener))
        connection.end('the longest duration of a connection (LISTEN_SECONDS) is over: connect again');
    });
    if (this.shutdown.hasBegun) connection.end('the service is stopping');
  }

  private count(kind: ListenerKind): number {
    return [...this.open].filter(({ connection }) => connection.kind === kind).length;
  }

  private hasPlaceFor(caller: string, subscriber: string): boolean {
    const { LISTENERS_MAX, LISTENERS_PER_ADDRESS } = this.config.values;
    const ofSubscriberMax = Math.max(LISTENERS_PER_ADDRESS, LISTENERS_MAX * SUBSCRIBER_SHARE);
    return (
      this.taken < LISTENERS_MAX &&
      this.takenByCaller.of(caller) < LISTENERS_PER_ADDRESS &&
      this.takenBySubscriber.of(subscriber) < ofSubscriberMax
    );
  }

  /** The limit is checked before sending, so a backlog can exceed LISTEN_BUFFER_BYTES by the messages of one call. */
  private deliver(listener: Listener, messages: readonly TopicMessage[]): void {
    const { connection } = listener;
    if (this.isTooSlow(listener)) return this.cutOff(listener);
    for (const message of messages) connection.send(message);
    this.delivered.inc({ kind: connection.kind }, messages.length);
  }

  private beat(listener: Listener): void {
    if (this.isTooSlow(listener) || !listener.connection.beat()) this.cutOff(listener);
  }

  private isTooSlow({ connection }: Listener): boolean {
    return connection.bufferedBytes > this.config.constants.LISTEN_BUFFER_BYTES;
  }

  private cutOff({ connection }: Listener): void {
    this.cutOffs.inc({ kind: connection.kind });
    connection.cutOff();
  }

  private async endAll(): Promise<void> {
    const listeners = [...this.open];
    if (listeners.length === 0) return;
    for (const { connection } of listeners) connection.end('the service is stopping');
    const goodbye = new AbortController();
    const allGone = Promise.all(listeners.map(({ gone }) => untilAborted(gone.signal))).then(() => goodbye.abort());
    await this.clock.sleep(GOODBYE_MS, goodbye.signal);
    for (const { connection } of this.open) connection.cutOff();
    await allGone;
  }
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
