import type { Socket } from 'node:net';
import { v7 } from 'uuid';

/** Connections with a request that the application answers; what Node finds wrong after its headers is not told twice. */
const answered = new WeakSet<Socket>();

export function leaveAnswerToApplication(socket: Socket): void {
  answered.add(socket);
}

export function takeAnswerBack(socket: Socket): void {
  answered.delete(socket);
}

/** Answers what Node's parser could not read as a request (broken or endless headers), in the error form of the interface. */
export function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (answered.has(socket)) {
    socket.destroySoon();
    return;
  }
  const requestId = v7();
  const message = 'The request is not readable as HTTP, too slow, or its headers are too large';
  const body = JSON.stringify({
    error: message,
    requestId,
    result: { fields: [{ field: 'request', message }] },
    type: 'GENERIC_VALIDATION_ERROR',
  });
  const head = [
    'HTTP/1.1 400 Bad Request',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  socket.destroy();
}
