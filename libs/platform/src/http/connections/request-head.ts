import type { Server } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ValidationFailed } from '#platform/errors';

/** Maximum number of headers of a request. Clients send about a dozen, and proxies add a few. */
export const HEADERS_MAX = 100;

/** Makes Node keep one header more than the limit, so that the check can detect too many. */
export function boundHeaders(server: Server): void {
  server.maxHeadersCount = HEADERS_MAX + 1;
}

/** Keeps Node from refusing a request without a host, because Node's response has no error body and no request id. */
export const hostIsCheckedHere = { requireHostHeader: false };

/** Refuses headers that a proxy in front of the service may interpret differently. */
export function refuseAmbiguousHeads(fastify: FastifyInstance): void {
  // Without this listener, Node itself refuses a request whose header `Expect` has an unknown value.
  fastify.server.on('checkExpectation', (request, response) => fastify.server.emit('request', request, response));
  fastify.addHook('onRequest', (request, _reply, done) => done(refusalOf(request)));
}

function refusalOf({ raw }: FastifyRequest): ValidationFailed | undefined {
  const { headers, httpVersion, rawHeaders } = raw;
  // This check comes first, because the headers that Node dropped may repeat a header that is checked below.
  if (rawHeaders.length / 2 > HEADERS_MAX) return refusal('headers', `at most ${HEADERS_MAX}`);
  const hosts = countOf(rawHeaders, 'host');
  const { 'transfer-encoding': coding = 'chunked', expect = '100-continue' } = headers;
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0')) return refusal('host', 'sent once');
  if (coding.toLowerCase() !== 'chunked') return refusal('transfer-encoding', 'chunked');
  return expect.toLowerCase() === '100-continue' ? undefined : refusal('expect', '100-continue');
}

/**
 * Returns how often a header was sent. Node's `headersDistinct` would build a list for every header of the request.
 * @param name in lower case
 */
export function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const given = rawHeaders[index] ?? '';
    if (given.length === name.length && given.toLowerCase() === name) count += 1;
  }
  return count;
}

function refusal(field: string, rule: string): ValidationFailed {
  return new ValidationFailed([{ field, message: `${field} must be ${rule}` }]);
}
