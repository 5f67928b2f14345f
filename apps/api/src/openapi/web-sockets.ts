import type { OpenAPIObject } from '@nestjs/swagger';
import type { DocumentedOperation } from './operation.js';

/** The routes that become a WebSocket, by path. */
export type WebSockets = Record<string, { get: DocumentedOperation }>;

/**
 * Takes operations that answer 101 out of `paths`: OpenAPI has no WebSockets, and a generated client would get a
 * function that sends a GET and is refused.
 */
export function takeWebSockets({ paths }: OpenAPIObject): WebSockets {
  const sockets: WebSockets = {};
  for (const [path, item] of Object.entries(paths)) {
    const { get } = item as { get?: DocumentedOperation };
    if (get === undefined || !('101' in get.responses)) continue;
    sockets[path] = { get };
    delete paths[path];
  }
  return sockets;
}
