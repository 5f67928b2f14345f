import { integer } from './kinds.js';

export const limitsSettings = {
  CONNECTIONS_MAX: integer(2_000, 1, 100_000).describe(
    'Maximum number of open client connections of one API process. Beyond it, a new connection replaces the one that has been idle longest, or else the one whose client has been slowest to send its request or to read its response.',
  ),
  CONNECTIONS_PER_ADDRESS: integer(200, 1, 100_000).describe(
    'Maximum number of open client connections from one address (IPv6: one /64) to one API process. Not applied with TRUST_PROXY, because all connections then come from the proxy.',
  ),
  CONNECTION_IDLE_MS: integer(72_000, 100, 600_000).describe(
    'How long a connection may stay open after a response, without another request. Must be longer than a proxy in front keeps its idle connections open.',
  ),
  API_KEY_RATE_PER_MINUTE: integer(600, 1, 1_000_000).describe(
    'Maximum number of requests a minute with one API key. Each API process counts by itself: N processes admit up to N times as many.',
  ),
  AUTH_FAILURES_PER_MINUTE: integer(60, 1, 100_000).describe(
    'Maximum number of requests a minute with wrong credentials from one address (IPv6: one /64), counted in each API process; further ones get 429. Behind a proxy it needs TRUST_PROXY.',
  ),
  IDEMPOTENCY_TTL_SECONDS: integer(86_400, 600, 2_592_000).describe(
    'How long the first response to a request with an `Idempotency-Key` is stored and returned again.',
  ),
};
