import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#platform/config';
import { CountByKey } from '#platform/load';
import { callerOf } from './caller.js';

/** Maximum number of unanswered requests of one connection. Clients that use pipelining send a few ahead. */
const UNANSWERED_MAX = 32;
const CHECK_MS = 1_000;
/** How long a client may take to read a response while the server closes. */
const GOODBYE_MS = 1_000;

/** A request whose client has not read the whole response yet. */
interface Unanswered {
  /** Time at which the headers of the request had arrived. */
  since: number;
  request: IncomingMessage;
  response: ServerResponse;
}

interface Connection {
  caller: string;
  /** The oldest first. */
  unanswered: Unanswered[];
  /** Time since which the connection has no unanswered request. */
  idleSince: number;
  /** Whether the last response was sent before its request had arrived completely. */
  isRestToCome: boolean;
  /** Whether the connection is a WebSocket or an event stream; the code that serves the stream closes it. */
  isHandedOver: boolean;
}

const connections = new WeakMap<Socket, Connection>();

/** Exempts the connection from the time limits. The calling code must close it. */
export function handConnectionOver(socket: Socket): void {
  const connection = connections.get(socket);
  if (connection !== undefined) connection.isHandedOver = true;
}

/** Whether a request of the connection has not been answered yet. */
export function isAwaitingAnswer(socket: Socket): boolean {
  return (connections.get(socket)?.unanswered.length ?? 0) > 0;
}

/**
 * Whether a request on the connection is unanswered, or was answered before it had arrived completely. The client would
 * take any further response for the response to that request.
 */
export function isWithinRequest(socket: Socket): boolean {
  return isAwaitingAnswer(socket) || connections.get(socket)?.isRestToCome === true;
}

/**
 * Limits the connections of a server: their number, in total and from one address, their idle time, and the time until
 * a client has read a response. A new connection replaces the one that has been idle longest; when none is idle, it
 * replaces the one whose client has been slowest to send its request or to read its response. So only clients for which
 * the server is working keep new clients out.
 */
export class Connections {
  private readonly open = new Map<Socket, Connection>();
  private readonly countByCaller = new CountByKey();

  constructor(
    private readonly config: Pick<Config, 'values' | 'constants'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  watch(fastify: FastifyInstance): void {
    const { server } = fastify;
    server.on('connection', (socket: Socket) => this.opened(socket));
    server.prependListener('request', (request, response) => {
      const { socket } = request;
      this.asked(socket, { since: this.now(), request, response });
      response.on('close', () => this.answered(socket, request.complete));
    });
    // Pipelined requests of a closed connection are not begun.
    fastify.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
      if (socket.destroyed) reply.hijack();
      else done();
    });
    const checks = setInterval(() => this.endOverdue(), CHECK_MS).unref();
    fastify.addHook('preClose', (done) => {
      this.endAll();
      done();
    });
    fastify.addHook('onClose', (_instance, done) => {
      clearInterval(checks);
      done();
    });
  }

  /**
   * Closes the idle connections at once and the others after GOODBYE_MS. The server closes after the last connection.
   */
  private endAll(): void {
    for (const [socket, connection] of this.open) if (isIdle(connection)) socket.destroy();
    const cut = (): void => {
      for (const socket of this.open.keys()) socket.destroy();
    };
    setTimeout(cut, GOODBYE_MS).unref();
  }

  private opened(socket: Socket): void {
    // Without an address no limit could be applied: the client has reset the connection before it was accepted. Reading
    // the address here makes Node keep it until the connection has ended.
    if (socket.remoteAddress === undefined) return void socket.destroy();
    const { CONNECTIONS_MAX, CONNECTIONS_PER_ADDRESS, TRUST_PROXY } = this.config.values;
    const caller = callerOf(socket.remoteAddress);
    const ofCaller = this.countByCaller.of(caller);
    // Behind a proxy all connections come from the proxy's address.
    const isTooMany = !TRUST_PROXY && ofCaller >= CONNECTIONS_PER_ADDRESS;
    if (isTooMany && !this.endOne((connection) => connection.caller === caller)) return void socket.destroy();
    if (this.open.size >= CONNECTIONS_MAX && !this.endOne(() => true)) return void socket.destroy();
    const idleSince = this.now();
    const connection = { caller, unanswered: [], idleSince, isRestToCome: false, isHandedOver: false };
    this.open.set(socket, connection);
    connections.set(socket, connection);
    this.countByCaller.add(caller);
    socket.once('close', () => this.forget(socket));
  }

  private asked(socket: Socket, asked: Unanswered): void {
    const connection = this.open.get(socket);
    if (connection === undefined) return;
    connection.unanswered.push(asked);
    if (connection.unanswered.length > UNANSWERED_MAX) socket.destroy();
  }

  private answered(socket: Socket, isComplete: boolean): void {
    const connection = this.open.get(socket);
    if (connection === undefined) return;
    connection.unanswered.shift();
    connection.idleSince = this.now();
    connection.isRestToCome = !isComplete;
  }

  /**
   * Closes the matching connection that has been idle longest, or else the one that has waited longest for its client.
   * @returns false when the server is working for all of them
   */
  private endOne(matches: (connection: Connection) => boolean): boolean {
    const matching = [...this.open].filter(([, connection]) => matches(connection));
    const socket =
      longestSince(matching, (connection) => (isIdle(connection) ? connection.idleSince : null)) ??
      longestSince(matching, waitsForClientSince);
    if (socket === null) return false;
    this.forget(socket);
    socket.destroy();
    return true;
  }

  private forget(socket: Socket): void {
    const connection = this.open.get(socket);
    if (connection === undefined) return;
    this.open.delete(socket);
    this.countByCaller.remove(connection.caller);
  }

  private endOverdue(): void {
    const now = this.now();
    const { CONNECTION_IDLE_MS } = this.config.values;
    const { RESPONSE_TIMEOUT_MS } = this.config.constants;
    for (const [socket, { unanswered, idleSince, isHandedOver }] of this.open) {
      const [oldest] = unanswered;
      const isOverdue =
        oldest === undefined ? now - idleSince > CONNECTION_IDLE_MS : now - oldest.since > RESPONSE_TIMEOUT_MS;
      if (isOverdue && !isHandedOver) socket.destroy();
    }
  }
}

function isIdle({ unanswered, isHandedOver }: Connection): boolean {
  return unanswered.length === 0 && !isHandedOver;
}

/**
 * Returns the time since which the client has not sent the rest of its oldest request, or not read the rest of the
 * response. Returns null while the server works on the response.
 */
function waitsForClientSince({ unanswered: [oldest], isHandedOver }: Connection): number | null {
  if (oldest === undefined || isHandedOver) return null;
  const { since, request, response } = oldest;
  return !request.complete || response.writableEnded ? since : null;
}

/** Returns the socket with the earliest time, or null when no connection has one. */
function longestSince(
  candidates: readonly [Socket, Connection][],
  sinceOf: (connection: Connection) => number | null,
): Socket | null {
  let longest: { socket: Socket; since: number } | null = null;
  for (const [socket, connection] of candidates) {
    const since = sinceOf(connection);
    if (since !== null && (longest === null || since < longest.since)) longest = { socket, since };
  }
  return longest?.socket ?? null;
}
