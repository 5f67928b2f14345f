import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Ignores the offer of a request to upgrade to another protocol. HTTP allows a server to ignore it, and many clients
 * offer HTTP/2 with every request. Node stops reading such a request after its headers. A second server without a port
 * therefore reads the body; it gets only the client's headers that define the end of the body.
 */
export class IgnoreUpgrade {
  private readonly bodies = createServer();
  private readonly requests = new WeakMap<Socket, IncomingMessage>();

  constructor(server: Server) {
    this.bodies.on('request', (body: IncomingMessage, response) => {
      const request = this.requests.get(body.socket);
      if (request === undefined) return void body.socket.destroy();
      limitTime(body, server);
      const { url, rawHeaders, headers, headersDistinct, httpVersion, httpVersionMajor, httpVersionMinor } = request;
      const heads = { url, rawHeaders, headers, headersDistinct, httpVersion, httpVersionMajor, httpVersionMinor };
      server.emit('request', Object.assign(body, heads), response);
    });
    this.bodies.on('clientError', (error, socket) => server.emit('clientError', error, socket));
  }

  /** @param head bytes that Node has read after the headers. The connection closes after the response. */
  serve(request: IncomingMessage, socket: Socket, head: Buffer): void {
    this.requests.set(socket, request);
    const lines = [`${request.method} / HTTP/1.1`, 'host: here', 'connection: close', ...framingOf(request)];
    socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
    this.bodies.emit('connection', socket);
  }
}

/** Limits the time for the body, because Node checks its time limit only on servers that have a port. */
function limitTime(body: IncomingMessage, server: Server): void {
  const { socket } = body;
  const timer = setTimeout(() => {
    const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    if (!body.complete) server.emit('clientError', error, socket);
  }, server.requestTimeout);
  socket.once('close', () => clearTimeout(timer));
}

/** The headers that define how the body is sent. Node has already validated them. */
function framingOf({ headers }: IncomingMessage): string[] {
  const { 'transfer-encoding': coding, 'content-length': length, expect } = headers;
  return [
    ...(coding === undefined ? [] : [`transfer-encoding: ${coding}`]),
    ...(length === undefined ? [] : [`content-length: ${length}`]),
    ...(expect?.toLowerCase() === '100-continue' ? ['expect: 100-continue'] : []),
  ];
}
