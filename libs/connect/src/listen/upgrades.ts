import { ServerResponse, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { WebSocketServer, type WebSocket } from 'ws';
import { IgnoreUpgrade, isAwaitingAnswer, writeRefusal } from '#platform/http';

export const SOCKET_PATH = '/v0/ws/oauth2/listen';
/** Maximum number of bytes of one frame of a listener. The content of frames is ignored. */
const INCOMING_BYTES_MAX = 1_024;

/**
 * Passes requests for a WebSocket through guard, limits and validation like every other request, before the connection
 * becomes a WebSocket.
 */
@Injectable()
export class Upgrades implements OnApplicationBootstrap {
  /** Upgrade requests, with the bytes that followed their headers. */
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
      const message = 'The handshake of the WebSocket does not follow RFC 6455';
      const headers = { 'sec-websocket-version': '13, 8' };
      writeRefusal(socket, { requestId: this.idOf(request), field: 'request', message, headers });
      // The server closes the socket, because the connection would otherwise count for the limits of listeners until
      // the client closes it.
      (socket as Socket).destroySoon();
    });
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      // After `upgrade`, Node no longer handles errors of the socket, so that an error would end the process.
      socket.on('error', () => socket.destroy());
      // A correct client sends no upgrade request while an earlier request on the connection waits for its response.
      if (isAwaitingAnswer(socket)) return void socket.destroy();
      if (!isForSocket(request)) return others.serve(request, socket, head);
      this.heads.set(request, head);
      answerOn(socket, server, request);
    });
  }

  isUpgrade({ raw }: FastifyRequest): boolean {
    return this.heads.has(raw);
  }

  /** Turns the connection into a WebSocket. A faulty handshake gets 400, and the connection is closed. */
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

/**
 * Passes the request to the ordinary HTTP handler. When the handler refuses the request, the connection is closed after
 * the response.
 */
function answerOn(socket: Socket, server: Server, request: IncomingMessage): void {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => socket.destroySoon());
  server.emit('request', request, response);
}
