import { integer } from './kinds.js';

export const limitsSettings = {
  BODY_LIMIT_BYTES: integer(32_768, 1_024, 1_048_576).describe('Largest request body.'),
  HEADERS_TIMEOUT_MS: integer(10_000, 100, 60_000).describe(
    'How long a client may take to send the headers of a request. For the first request of a connection, this time begins with the connection.',
  ),
  REQUEST_TIMEOUT_MS: integer(30_000, 100, 120_000).describe('How long a client may take to send a whole request.'),
  CONNECTIONS_MAX: integer(2_000, 1, 100_000).describe(
    'Maximum number of open client connections of one API process. Beyond it, a new connection replaces the one that has been idle longest, or else the one whose client has been slowest to send its request or to read its response.',
  ),
  CONNECTIONS_PER_ADDRESS: integer(200, 1, 100_000).describe(
    'Maximum number of open client connections from one address (IPv6: one /64) to one API process. Not applied with TRUST_PROXY, because all connections then come from the proxy.',
  ),
  CONNECTION_IDLE_MS: integer(72_000, 100, 600_000).describe(
    'How long a connection may stay open after a response, without another request. Must be longer than a proxy in front keeps its idle connections open.',
  ),
  RESPONSE_TIMEOUT_MS: integer(120_000, 100, 600_000).describe(
    'How long a response may take, from the end of the request’s headers until the client has read it. Event streams have LISTEN_SECONDS instead.',
  ),
  DOCS_PER_MINUTE: integer(300, 1, 100_000).describe(
    'Maximum number of requests a minute from one address (IPv6: one /64) to `/docs` and `/openapi.json`, counted in each API process.',
  ),
  API_KEY_RATE_PER_MINUTE: integer(600, 1, 1_000_000).describe(
    'Maximum number of requests a minute with one API key. Each API process counts by itself: N processes admit up to N times as many.',
  ),
  AUTH_FAILURES_PER_MINUTE: integer(60, 1, 100_000).describe(
    'Maximum number of requests a minute with wrong credentials from one address (IPv6: one /64), counted in each API process; further ones get 429. Behind a proxy it needs TRUST_PROXY.',
  ),
  API_KEY_CACHE_TTL_MS: integer(5_000, 0, 5_000).describe(
    'How long an API process accepts a verified API key without another look-up. A revoked key stops working at once in the process that revoked it, and within a second in the others. It may go on working for this long where a connection pooler does not forward NOTIFY. 0 looks the key up for every request.',
  ),
  IDEMPOTENCY_TTL_SECONDS: integer(86_400, 600, 2_592_000).describe(
    'How long the first response to a request with an `Idempotency-Key` is stored and returned again.',
  ),
};
