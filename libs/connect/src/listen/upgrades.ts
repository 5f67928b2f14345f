import { createServer, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import websocket from '@fastify/websocket';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { writeRefusal } from '#platform/http';

export const SOCKET_PATH = '/v0/ws/oauth2/listen';
/** Nothing that a listener sends is read. */
const INCOMING_BYTES_MAX = 1_024;

/**
 * Lets requests for a WebSocket go the way of every other request, through guard, limits and validation, and only then
 * become one.
 */
@Injectable()
export class Upgrades implements OnApplicationBootstrap {
  /** Requests that can become a WebSocket, with what was sent after their headers. */
  private readonly heads = new WeakMap<IncomingMessage, Buffer>();
  /** The request ids of accepted requests, for the response to the handshake. */
  private readonly requestIds = new WeakMap<IncomingMessage, string>();
  private fastify: FastifyInstance;

  constructor(private readonly host: HttpAdapterHost) {}

  /** All routes are there by now: the plugin would take over the handler of each that came after it. */
  async onApplicationBootstrap(): Promise<void> {
    this.fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    const { server } = this.fastify;
    // Never listens: it only stands between, so that the plugin sees what is meant for it and nothing else.
    const forSockets = createServer();
    const options = { server: forSockets, maxPayload: INCOMING_BYTES_MAX, perMessageDeflate: false };
    await this.fastify.register(websocket, { options });
    this.fastify.websocketServer.on('headers', (lines, request) => lines.push(`x-request-id: ${this.idOf(request)}`));
    this.fastify.websocketServer.on('wsClientError', (_error, socket, request) => {
      const message = 'The handshake of the WebSocket is not one of RFC 6455';
      const headers = { 'sec-websocket-version': '13, 8' };
      writeRefusal(socket, { requestId: this.idOf(request), field: 'request', message, headers });
      socket.end();
    });
    // Node has let go of the connection: when it was refused, also before the plugin saw it, nobody else closes it.
    this.fastify.addHook('onResponse', (request, _reply, done) => {
      if (this.isUpgrade(request)) request.raw.socket.destroySoon();
      done();
    });
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      if (!isForSocket(request)) return serveWithoutUpgrade(server, request, socket, head);
      this.heads.set(request, head);
      forSockets.emit('upgrade', request, socket, head);
    });
  }

  isUpgrade({ raw }: FastifyRequest): boolean {
    return this.heads.has(raw);
  }

  /** From here on the connection is a WebSocket, unless its handshake is broken: that is answered with 400 and closed. */
  accept({ raw, id }: FastifyRequest, reply: FastifyReply, opened: (socket: WebSocket) => void): void {
    const head = this.heads.get(raw) ?? Buffer.alloc(0);
    this.requestIds.set(raw, id);
    reply.hijack();
    this.fastify.websocketServer.handleUpgrade(raw, raw.socket, head, opened);
  }

  private idOf(request: IncomingMessage): string {
    return this.requestIds.get(request) ?? '';
  }
}

function isForSocket({ method, url, headers }: IncomingMessage): boolean {
  return method === 'GET' && url?.split('?')[0] === SOCKET_PATH && headers.upgrade?.toLowerCase() === 'websocket';
}

/**
 * Node asks nobody before it hands a connection over, also where a client only offers HTTP/2 as it may with any request.
 * An offer that is not taken is no reason not to answer: the request is read once more, without it.
 */
function serveWithoutUpgrade(
  server: FastifyInstance['server'],
  { method, url, httpVersion, rawHeaders }: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (!['upgrade', 'connection', 'http2-settings'].includes(name.toLowerCase())) {
      lines.push(`${name}: ${rawHeaders[index + 1]}`);
    }
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}
