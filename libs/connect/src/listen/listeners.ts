import type { Socket } from 'node:net';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { PROJECT_CHANGES_CHANNEL } from '#access';
import { Notifications } from '#platform/database';
import { Stopping, logFailedWork } from '#platform/errors';
import { TopicFeed, topicKey, type TopicMessage } from '#platform/events';
import { handConnectionOver } from '#platform/http';
import { PeriodicTasks, Shutdown } from '#platform/lifecycle';
import { LOGGER, type Logger } from '#platform/logging';
import { Metrics } from '#platform/metrics';
import { ExistingTopics } from './existing-topics.js';
import { ExpendableListeners, type ExpendableListener } from './expendable-listeners.js';
import type { ListenerConnection, ListenerKind } from './listener-connection.js';
import { ListenerPlaces, type Place, type PlaceClaim } from './listener-places.js';

const KINDS: readonly ListenerKind[] = ['websocket', 'events'];
/** Longest time that a listener has to disconnect after the server has ended its connection. */
const GOODBYE_MS = 1_000;

/** Maximum number of topics whose projects one statement looks up. */
const TOPICS_PER_LOOKUP = 1_000;

/** The topic that a listener subscribes to. */
export interface Subscription {
  organizationId: string;
  topic: string;
  lastMessageId: string | null;
}

interface Listener extends ExpendableListener {
  connection: ListenerConnection;
  place: Place;
  /** Whether the listener has lost its place to another one. Its connection closes at once or after GOODBYE_MS. */
  isLetGo: boolean;
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
  private readonly places: ListenerPlaces;
  private readonly expendable: ExpendableListeners<Listener>;
  private readonly delivered: Counter<'kind'>;
  private readonly cutOffs: Counter<'kind'>;
  private readonly letGo: Counter<'kind'>;

  constructor(
    private readonly feed: TopicFeed,
    private readonly topics: ExistingTopics,
    private readonly notifications: Notifications,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly periodicTasks: PeriodicTasks,
    private readonly shutdown: Shutdown,
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.places = new ListenerPlaces(config);
    this.expendable = new ExpendableListeners({
      open: () => [...this.open].filter(({ isLetGo }) => !isLetGo),
      isOpen: (listener) => this.open.has(listener) && !listener.isLetGo,
      existing: (names) => this.topics.among(names),
      nowMs: () => performance.now(),
    });
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
    this.letGo = metrics.counter({
      name: 'causeway_listeners_let_go_total',
      help: 'Listeners of topics that do not exist, or above the limit of one topic, that were let go for another listener.',
      labels,
    });
  }

  onApplicationBootstrap(): void {
    this.shutdown.waitFor(() => this.endAll());
    this.periodicTasks.start('heartbeat of listeners', this.config.constants.LISTEN_HEARTBEAT_MS, () => {
      for (const listener of this.open) this.beat(listener);
      return Promise.resolve();
    });
    const endStopped = (): void => void this.endStopped([...this.open]);
    this.notifications.subscribe({
      channel: PROJECT_CHANGES_CHANNEL,
      onMessage: endStopped,
      onListening: endStopped,
    });
  }

  /** Closes the listeners of an application that is closed without the stop signal. */
  beforeApplicationShutdown(): Promise<void> {
    return this.endAll();
  }

  /**
   * Counts the connection for the limits of `ListenerPlaces` until `socket` closes or the listener is let go, and
   * exempts it from the time limits of HTTP connections. When no place is free, an expendable listener is let go.
   * @returns null when the socket is closed already. It would not emit `close` again, and would be counted for ever.
   * @throws Stopping, RateLimitExceeded when a limit is reached
   */
  async takePlace(socket: Socket, claim: PlaceClaim): Promise<Place | null> {
    if (socket.destroyed) return null;
    if (this.shutdown.hasBegun) throw new Stopping();
    this.places.requireShare(claim);
    if (!this.places.hasRoomFor(claim)) await this.expendable.refresh();
    // The socket may have closed during the search.
    if (socket.destroyed) return null;
    this.makeRoom(claim);
    const place = this.places.take(claim);
    socket.once('close', place.free);
    handConnectionOver(socket);
    return place;
  }

  /** @param socket has the place. Its `close` event removes the listener. */
  add(
    connection: ListenerConnection,
    socket: Socket,
    { place, ...subscription }: Subscription & { place: Place },
  ): void {
    const { isKeyless } = place;
    const listener: Listener = {
      connection,
      place,
      isKeyless,
      subscription,
      topicExists: false,
      isLetGo: false,
      gone: new AbortController(),
    };
    const begun = this.clock.now().getTime();
    this.open.add(listener);
    const unfollow = this.feed.follow({ ...subscription, onMessages: (messages) => this.deliver(listener, messages) });
    socket.once('close', () => {
      unfollow();
      this.open.delete(listener);
      listener.gone.abort();
      this.logger.debug({ kind: connection.kind, ms: this.clock.now().getTime() - begun }, 'listener disconnected');
    });
    void this.clock.sleep(this.config.constants.LISTEN_SECONDS * 1_000, listener.gone.signal).then(() => {
      if (this.open.has(listener))
        connection.end('the longest duration of a connection (LISTEN_SECONDS) is over: connect again');
    });
    if (this.shutdown.hasBegun) connection.end('the service is stopping');
    void this.endStopped([listener]);
  }

  /** Lets one expendable listener go when no place is free. A caller without a key never displaces one with a key. */
  private makeRoom(claim: PlaceClaim): void {
    if (this.places.hasRoomFor(claim)) return;
    const listener = this.expendable.next({ onlyKeyless: claim.organizationOfKey === null });
    if (listener === null) return;
    this.letGo.inc({ kind: listener.connection.kind });
    this.dismiss(
      listener,
      'no place is left for a topic that does not exist, or for so many listeners of it: try again later',
    );
  }

  /** Ends the listeners of suspended and deleted projects. They also get no messages while the project is stopped. */
  private async endStopped(listeners: readonly Listener[]): Promise<void> {
    try {
      for (let from = 0; from < listeners.length; from += TOPICS_PER_LOOKUP) {
        const some = listeners.slice(from, from + TOPICS_PER_LOOKUP);
        const stopped = await this.topics.stoppedAmong(some.map(({ subscription }) => subscription));
        const keys = new Set(stopped.map(({ organizationId, topic }) => topicKey(organizationId, topic)));
        for (const listener of some) {
          const { organizationId, topic } = listener.subscription;
          if (keys.has(topicKey(organizationId, topic))) this.dismiss(listener, 'the project is suspended or deleted');
        }
      }
    } catch (error) {
      logFailedWork(this.logger, error, 'the listeners of stopped projects could not be found');
    }
  }

  /** Frees the place of a listener at once, and ends its connection after GOODBYE_MS at the latest. */
  private dismiss(listener: Listener, reason: string): void {
    const { connection, place, gone } = listener;
    listener.isLetGo = true;
    place.free();
    connection.letGo(reason);
    void this.clock.sleep(GOODBYE_MS, gone.signal).then(() => connection.cutOff());
  }

  private count(kind: ListenerKind): number {
    return [...this.open].filter(({ connection }) => connection.kind === kind).length;
  }

  /** The limit is checked before sending, so a backlog can exceed LISTEN_BUFFER_BYTES by the messages of one call. */
  private deliver(listener: Listener, messages: readonly TopicMessage[]): void {
    const { connection } = listener;
    listener.topicExists = true;
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
