import type { Socket } from 'node:net';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { RateLimitExceeded, Stopping } from '#platform/errors';
import { TopicFeed, type TopicMessage } from '#platform/events';
import { callerOf, handConnectionOver } from '#platform/http';
import { PeriodicTasks, Shutdown } from '#platform/lifecycle';
import { LOGGER, type Logger } from '#platform/logging';
import { Metrics } from '#platform/metrics';
import type { ListenerConnection, ListenerKind } from './listener-connection.js';

const KINDS: readonly ListenerKind[] = ['websocket', 'events'];
/** When to try again where all places are taken. */
const FULL_RETRY_SECONDS = 5;
/** How long a stopping process waits for listeners to say goodbye, too. */
const GOODBYE_MS = 1_000;

/** What somebody wants to hear. */
export interface Wish {
  organizationId: string;
  topic: string;
  lastMessageId: string | null;
}

interface Listener {
  connection: ListenerConnection;
  /** Aborted when its connection is gone. */
  gone: AbortController;
}

/** Everybody who listens in this process: how many, for how long, how far behind, until it stops. */
@Injectable()
export class Listeners implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly open = new Set<Listener>();
  private taken = 0;
  private readonly takenByCaller = new Map<string, number>();
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

  /** For applications that are closed without having been told to stop. */
  beforeApplicationShutdown(): Promise<void> {
    return this.endAll();
  }

  /**
   * Takes a place for the connection of `socket` until that closes, and its end upon itself.
   * @returns false when it has closed already: it will not close again, and its place would be taken for ever.
   * @throws Stopping, RateLimitExceeded when there is none.
   */
  takePlace(socket: Socket, ip: string): boolean {
    if (socket.destroyed) return false;
    if (this.shutdown.hasBegun) throw new Stopping();
    const { LISTENERS_MAX, LISTENERS_PER_ADDRESS } = this.config.values;
    const caller = callerOf(ip);
    const ofCaller = this.takenByCaller.get(caller) ?? 0;
    if (this.taken >= LISTENERS_MAX || ofCaller >= LISTENERS_PER_ADDRESS) {
      throw new RateLimitExceeded(FULL_RETRY_SECONDS);
    }
    this.taken += 1;
    this.takenByCaller.set(caller, ofCaller + 1);
    socket.once('close', () => this.givePlaceBack(caller));
    handConnectionOver(socket);
    return true;
  }

  /** @param socket whose place was taken, and whose end is the listener's. */
  add(connection: ListenerConnection, socket: Socket, wish: Wish): void {
    const listener = { connection, gone: new AbortController() };
    const begun = this.clock.now().getTime();
    this.open.add(listener);
    const unfollow = this.feed.follow({ ...wish, onMessages: (messages) => this.deliver(listener, messages) });
    socket.once('close', () => {
      unfollow();
      this.open.delete(listener);
      listener.gone.abort();
      this.logger.debug({ kind: connection.kind, ms: this.clock.now().getTime() - begun }, 'listener gone');
    });
    void this.clock.sleep(this.config.values.LISTEN_SECONDS * 1_000, listener.gone.signal).then(() => {
      if (this.open.has(listener)) connection.end('LISTEN_SECONDS are over: connect again');
    });
    if (this.shutdown.hasBegun) connection.end('the service is stopping');
  }

  private count(kind: ListenerKind): number {
    return [...this.open].filter(({ connection }) => connection.kind === kind).length;
  }

  private givePlaceBack(caller: string): void {
    this.taken -= 1;
    const left = (this.takenByCaller.get(caller) ?? 1) - 1;
    if (left > 0) this.takenByCaller.set(caller, left);
    else this.takenByCaller.delete(caller);
  }

  /** What is kept for one listener is bounded by LISTEN_BUFFER_BYTES and what one read of its topic brings. */
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
    return connection.bufferedBytes > this.config.values.LISTEN_BUFFER_BYTES;
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
