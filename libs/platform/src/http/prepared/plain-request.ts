import type { IncomingMessage } from 'node:http';
import { HEADERS_MAX } from '../connections/request-head.js';

/** The request headers on which the response of a `@Prepared()` route depends. */
export interface PlainRequest {
  requestId?: string;
  acceptEncoding?: string;
  ifNoneMatch?: string;
  forwardedFor?: string;
}

const READ: Readonly<Record<string, keyof PlainRequest>> = {
  'x-request-id': 'requestId',
  'accept-encoding': 'acceptEncoding',
  'if-none-match': 'ifNoneMatch',
  'x-forwarded-for': 'forwardedFor',
};

/** Headers of requests that are not plain: they announce a body, another protocol or another version. */
const UNUSUAL = new Set([
  'accept-version',
  'content-length',
  'expect',
  'sec-websocket-key',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Reads the headers of a plain GET request. Returns null for every request that Fastify or Nest might refuse or
 * answer differently: with a body, an upgrade, too many or repeated headers, or the directive `only-if-cached`.
 */
export function readPlainRequest({ method, httpVersion, rawHeaders }: IncomingMessage): PlainRequest | null {
  if (method !== 'GET' || httpVersion !== '1.1' || rawHeaders.length > 2 * HEADERS_MAX) return null;
  const found: PlainRequest = {};
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    const value = rawHeaders[index + 1] ?? '';
    if (name === 'host') hosts += 1;
    else if (UNUSUAL.has(name)) return null;
    else if (name === 'cache-control' && value.toLowerCase().includes('only-if-cached')) return null;
    const member = READ[name];
    if (member === undefined) continue;
    if (found[member] !== undefined) return null;
    found[member] = value;
  }
  return hosts === 1 ? found : null;
}
