import { integer } from './kinds.js';

export const limitsSettings = {
  BODY_LIMIT_BYTES: integer(32_768, 1_024, 1_048_576, 'Largest request body.'),
  JSON_DEPTH_MAX: integer(20, 2, 100, 'Deepest nesting of a JSON body.'),
  HEADERS_TIMEOUT_MS: integer(10_000, 100, 60_000, 'How long a client may take to send its headers.'),
  REQUEST_TIMEOUT_MS: integer(30_000, 100, 120_000, 'How long a client may take to send its request.'),
  CONNECTIONS_MAX: integer(
    2_000,
    1,
    100_000,
    'Open client connections of one API process. A new one takes the place of the one that has been idle longest.',
  ),
  CONNECTIONS_PER_ADDRESS: integer(
    200,
    1,
    100_000,
    'The same for one address (IPv6: one /64). Not counted with TRUST_PROXY: all connections are the proxy’s then.',
  ),
  CONNECTION_IDLE_MS: integer(
    72_000,
    100,
    600_000,
    'How long a connection without a request may stay open. Longer than a proxy in front keeps its own.',
  ),
  ANSWER_TIMEOUT_MS: integer(
    120_000,
    100,
    600_000,
    'How long an answer may take, from the end of the headers of its request until the client has read it. Event streams have LISTEN_SECONDS instead.',
  ),
  DOCS_PER_MINUTE: integer(
    300,
    1,
    100_000,
    'Requests a minute of one address to `/docs` and `/openapi.json`, counted in each API process.',
  ),
  API_KEY_RATE_PER_MINUTE: integer(
    600,
    1,
    1_000_000,
    'Requests a minute of one API key. Counted in each API process by itself: N replicas admit up to N times as many.',
  ),
  AUTH_FAILURES_PER_MINUTE: integer(
    60,
    1,
    100_000,
    'Requests a minute with wrong credentials from one address (IPv6: one /64), counted in each API process; then 429. Behind a proxy it needs TRUST_PROXY.',
  ),
  API_KEY_CACHE_TTL_MS: integer(
    5_000,
    0,
    5_000,
    'How long a verified API key is believed without a look-up. A revoked key stops at once in the process that revoked it and within a second in the others; where a connection pooler swallows NOTIFY, it may go on working for this long. 0 looks up every time.',
  ),
  API_KEY_CACHE_MAX: integer(10_000, 1, 1_000_000, 'API keys that one process remembers.'),
  API_KEY_LAST_USE_INTERVAL_MS: integer(
    60_000,
    1_000,
    86_400_000,
    'Least time between two writes of the last use of one API key.',
  ),
  IDEMPOTENCY_TTL_SECONDS: integer(
    86_400,
    600,
    2_592_000,
    'How long the first answer to a request with an `Idempotency-Key` is kept and repeated.',
  ),
  IDEMPOTENCY_LOCK_SECONDS: integer(
    120,
    1,
    600,
    'After this long without an answer (its process died) an equal request may take over an `Idempotency-Key`. Longer than any request takes.',
  ),
  IDEMPOTENCY_SWEEP_SECONDS: integer(60, 1, 3_600, 'How often a worker deletes idempotent answers whose time is over.'),
  IDEMPOTENCY_SWEEP_BATCH: integer(1_000, 1, 10_000, 'Idempotent answers that one statement deletes.'),
};
