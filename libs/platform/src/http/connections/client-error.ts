import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { v7 } from 'uuid';
import { isWithinRequest } from './connections.js';

/** Sends an error response for a request that Node could not parse (malformed, too slow, headers too large). */
export function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  // The client would take a response for the response to an earlier request.
  if (isWithinRequest(socket)) return socket.destroySoon();
  // The client has opened the connection in advance, and would take a response for the response to its first request.
  if (socket.bytesRead === 0) return void socket.destroy();
  const message = 'The request is not valid HTTP, arrived too slowly, or has too large headers';
  if (socket.writable) writeRefusal(socket, { requestId: v7(), field: 'request', message });
  socket.destroy();
}

/** An error response for a connection without a Fastify reply. */
interface RawRefusal {
  requestId: string;
  field: string;
  message: string;
  /** Additional headers, by name. */
  headers?: Record<string, string>;
}

/** Writes a GENERIC_VALIDATION_ERROR response. The caller must close the connection afterwards. */
export function writeRefusal(socket: Duplex, { requestId, field, message, headers = {} }: RawRefusal): void {
  const body = JSON.stringify({
    error: message,
    requestId,
    result: { fields: [{ field, message }] },
    type: 'GENERIC_VALIDATION_ERROR',
  });
  const head = Object.entries({
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
    connection: 'close',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  socket.write(`HTTP/1.1 400 Bad Request\r\n${head.join('\r\n')}\r\n\r\n${body}`);
}
