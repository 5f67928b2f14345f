import type { OpenAPIObject } from '@nestjs/swagger';
import type { DocumentedOperation } from './operation.js';

/** The routes that become a WebSocket, by path. */
export type WebSockets = Record<string, { get: DocumentedOperation }>;

/**
 * Removes the operations with the response 101 from `paths`, because OpenAPI has no WebSockets. A generated client
 * would get a function that sends a GET, which the API refuses.
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
