import { z } from 'zod';
import { integer, url } from './kinds.js';

/** Whether paths can be appended to this URL: no user, query or fragment. */
function isBaseAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '' && !/[?#]/.test(text);
}

export const connectSettings = {
  PUBLIC_URL: url(
    'Base address under which browsers and exchanges reach the API, such as `https://connect.example.com`. It is the base of the hosted page and of the callbacks that are registered at exchanges. Required for connecting in production, with https. Elsewhere the default is the address that the API listens on.',
  )
    .refine(isBaseAddress, 'must begin with https:// or http://, and must have no user, query or fragment')
    .optional(),
  CONNECT_SESSION_SECONDS: integer(
    900,
    60,
    3_600,
    'How long a person has to connect an account after the url was created.',
  ),
  CONNECT_ATTEMPTS_MAX: integer(
    10,
    1,
    100,
    'Most attempts of one connect session, with all connect methods together. After that the session has failed.',
  ),
  CONNECT_LEASE_SECONDS: integer(
    60,
    10,
    600,
    'After this time a process that was connecting an account counts as dead. Longer than connecting takes.',
  ),
  CONNECT_KEEP_DAYS: integer(
    7,
    1,
    90,
    'How long finished and expired connect sessions are stored. Their `idem` cannot be used again during this time.',
  ),
  CONNECT_SWEEP_SECONDS: integer(60, 1, 3_600, 'How often a worker deletes old connect sessions and topic messages.'),
  CONNECT_SWEEP_BATCH: integer(
    1_000,
    1,
    100_000,
    'Most connect sessions or topic messages that one statement deletes.',
  ),
  CONNECT_VISITS_PER_MINUTE: integer(
    120,
    1,
    100_000,
    'Most requests a minute from one address (IPv6: one /64) to the hosted page and its callbacks, counted in each API process.',
  ),
  CONNECT_LOOKS_PER_MINUTE: integer(
    1_200,
    1,
    100_000,
    'Most automatic polls a minute from the open pages of one address (IPv6: one /64). Each page polls 12 to 30 times a minute. Counted in each API process.',
  ),
  CONNECT_KEYLESS_PER_MINUTE: integer(
    10,
    1,
    100_000,
    'Most connect sessions a minute that one address (IPv6: one /64) may begin without an API key, counted in each API process.',
  ),
  CONNECT_COUNTRY_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/)
    .optional()
    .describe(
      'Header in which the CDN in front of the API sends the visitor’s country, such as `cf-ipcountry`. Needs TRUST_PROXY.',
    ),
  CONNECT_COUNTRIES_EXCLUDED: z
    .string()
    .default('')
    .describe(
      'Countries in which an exchange is not offered, in addition to those of its declaration: entries of the form `<exchange>:US|KP`, separated by commas.',
    ),
};

export const grantSettings = {
  GRANT_REFRESH_AHEAD_SECONDS: integer(
    300,
    5,
    86_400,
    'How long before its expiry the access token of a wallet is renewed in the background. Well above EXCHANGE_TIMEOUT_MS.',
  ),
  GRANT_SWEEP_MS: integer(1_000, 50, 60_000, 'How often a worker looks for access tokens that are due for renewal.'),
  GRANT_SWEEP_BATCH: integer(100, 1, 10_000, 'Most access tokens that one sweep enqueues for renewal.'),
  GRANT_CONCURRENCY: integer(10, 1, 1_000, 'Access tokens that one worker process renews at the same time.'),
  GRANT_LEASE_SECONDS: integer(60, 5, 600, 'After this time a process that was renewing a token counts as dead.'),
  GRANT_WAIT_MS: integer(10_000, 100, 30_000, 'How long a request waits while another process renews the token.'),
  GRANT_BACKOFF_SECONDS: integer(
    30,
    1,
    3_600,
    'First pause after a renewal without a response. It doubles with each further failure.',
  ),
  GRANT_BACKOFF_MAX_SECONDS: integer(3_600, 1, 86_400, 'Longest pause after a renewal without a response.'),
};

export const listenSettings = {
  TOPIC_KEEP_SECONDS: integer(86_400, 60, 604_800, 'How long the messages of a topic can be read again.'),
  TOPIC_MESSAGES_MAX: integer(100, 1, 10_000, 'Most messages of one topic that are stored. Older ones are deleted.'),
  LISTENERS_MAX: integer(
    1_000,
    1,
    50_000,
    'Most open WebSockets and event streams of one API process. At most half of CONNECTIONS_MAX, so that other requests find a connection.',
  ),
  LISTENERS_PER_ADDRESS: integer(
    50,
    1,
    100_000,
    'Most open WebSockets and event streams from one address (IPv6: one /64) to one API process.',
  ),
  LISTEN_PER_MINUTE: integer(
    240,
    1,
    100_000,
    'Most WebSockets, event streams and polls a minute from one address (IPv6: one /64), counted in each API process.',
  ),
  LISTEN_SECONDS: integer(
    3_600,
    10,
    86_400,
    'Longest duration of a WebSocket or event stream. Its client then connects again and continues after the last message.',
  ),
  LISTEN_HEARTBEAT_MS: integer(
    25_000,
    100,
    300_000,
    'Period of the heartbeats on a WebSocket or event stream without messages.',
  ),
  LISTEN_POLL_MS: integer(
    5_000,
    100,
    60_000,
    'How often an API process reads messages for which it got no notification.',
  ),
  LISTEN_BUFFER_BYTES: integer(
    65_536,
    1_024,
    16_777_216,
    'Most unsent bytes for a slow listener. Beyond it the connection is closed.',
  ),
};
