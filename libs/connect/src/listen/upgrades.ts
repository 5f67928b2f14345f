import { ServerResponse, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { WebSocketServer, type WebSocket } from 'ws';
import { IgnoreUpgrade, isAwaitingAnswer, writeRefusal } from '#platform/http';

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
  private readonly sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: INCOMING_BYTES_MAX,
    perMessageDeflate: false,
  });

  constructor(private readonly host: HttpAdapterHost) {}

  onApplicationBootstrap(): void {
    const { server } = this.host.httpAdapter.getInstance<FastifyInstance>();
    const others = new IgnoreUpgrade(server);
    this.sockets.on('headers', (lines, request) => lines.push(`x-request-id: ${this.idOf(request)}`));
    this.sockets.on('wsClientError', (_error, socket, request) => {
      const message = 'The handshake of the WebSocket is not one of RFC 6455';
      const headers = { 'sec-websocket-version': '13, 8' };
      writeRefusal(socket, { requestId: this.idOf(request), field: 'request', message, headers });
      // Also when the client does not close its side: it would keep its place.
      (socket as Socket).destroySoon();
    });
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      // Node has let go of the connection: from here on nobody else hears of its faults.
      socket.on('error', () => socket.destroy());
      // Requests before it on this connection are not answered yet. No client sends an upgrade ahead.
      if (isAwaitingAnswer(socket)) return void socket.destroy();
      if (!isForSocket(request)) return others.serve(request, socket, head);
      this.heads.set(request, head);
      answerOn(socket, server, request);
    });
  }

  isUpgrade({ raw }: FastifyRequest): boolean {
    return this.heads.has(raw);
  }

  /** From here on the connection is a WebSocket, unless its handshake is broken: that is answered with 400 and closed. */
  accept({ raw, id }: FastifyRequest, reply: FastifyReply, opened: (socket: WebSocket) => void): void {
    const head = this.heads.get(raw) ?? Buffer.alloc(0);
    const { socket } = raw;
    this.requestIds.set(raw, id);
    reply.hijack();
    reply.raw.detachSocket(socket);
    this.sockets.handleUpgrade(raw, socket, head, opened);
  }

  private idOf(request: IncomingMessage): string {
    return this.requestIds.get(request) ?? '';
  }
}

function isForSocket({ method, url, headers }: IncomingMessage): boolean {
  return method === 'GET' && url?.split('?')[0] === SOCKET_PATH && headers.upgrade?.toLowerCase() === 'websocket';
}

/** Sends the request the way of every other request. When it is refused, its connection ends with the answer. */
function answerOn(socket: Socket, server: Server, request: IncomingMessage): void {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => socket.destroySoon());
  server.emit('request', request, response);
}
