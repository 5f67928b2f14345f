import { z } from 'zod';
import { integer, url } from './kinds.js';

/** What paths can be appended to. */
function isBaseAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '' && !/[?#]/.test(text);
}

export const connectSettings = {
  PUBLIC_URL: url(
    'Base address under which browsers and exchanges reach the API, such as `https://connect.example.com`: of the hosted page, and of the callbacks that are registered at exchanges. Needed in production, and there with https; else the address that the API listens on.',
  )
    .refine(isBaseAddress, 'must begin with https:// or http://, and have neither user nor query nor fragment')
    .optional(),
  CONNECT_SESSION_SECONDS: integer(900, 60, 3_600, 'How long a person has to connect an account, from the url on.'),
  CONNECT_ATTEMPTS_MAX: integer(10, 1, 100, 'Attempts of one connect session, over all ways, before it has failed.'),
  CONNECT_LEASE_SECONDS: integer(
    60,
    10,
    600,
    'After this long a process that was connecting an account counts as dead. Longer than that takes.',
  ),
  CONNECT_KEEP_DAYS: integer(
    7,
    1,
    90,
    'How long finished and expired connect sessions are kept; their `idem` is taken meanwhile.',
  ),
  CONNECT_SWEEP_SECONDS: integer(60, 1, 3_600, 'How often a worker deletes old connect sessions and topic messages.'),
  CONNECT_SWEEP_BATCH: integer(1_000, 1, 100_000, 'Connect sessions or topic messages that one statement deletes.'),
  CONNECT_VISITS_PER_MINUTE: integer(
    120,
    1,
    100_000,
    'Requests a minute of one address (IPv6: one /64) to the hosted page and its callbacks, counted in each API process.',
  ),
  CONNECT_LOOKS_PER_MINUTE: integer(
    1_200,
    1,
    100_000,
    'How often a minute the open pages of one address may ask, by themselves, whether something has changed; each asks 12 to 30 times. Counted in each API process.',
  ),
  CONNECT_KEYLESS_PER_MINUTE: integer(
    10,
    1,
    100_000,
    'Connect sessions a minute that one address may begin without an API key, counted in each API process.',
  ),
  CONNECT_COUNTRY_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/)
    .optional()
    .describe(
      'Header in which the CDN in front tells the country of a visitor, such as `cf-ipcountry`. Only with TRUST_PROXY.',
    ),
  CONNECT_COUNTRIES_EXCLUDED: z
    .string()
    .default('')
    .describe(
      'Countries from which an exchange is not offered, on top of those of its declaration: `kraken:US|KP,coinbase:KP`.',
    ),
};

export const grantSettings = {
  GRANT_REFRESH_AHEAD_SECONDS: integer(
    300,
    5,
    86_400,
    'How long before its expiry the access token of a wallet is renewed in the background. Well above EXCHANGE_TIMEOUT_MS.',
  ),
  GRANT_SWEEP_MS: integer(1_000, 50, 60_000, 'How often a worker looks for access tokens that are due.'),
  GRANT_SWEEP_BATCH: integer(100, 1, 10_000, 'Access tokens that one sweep renews at most.'),
  GRANT_CONCURRENCY: integer(10, 1, 1_000, 'Access tokens that one worker process renews at once.'),
  GRANT_LEASE_SECONDS: integer(60, 5, 600, 'After this long a process that was renewing a token counts as dead.'),
  GRANT_WAIT_MS: integer(10_000, 100, 30_000, 'How long a request waits for a token that another process renews.'),
  GRANT_BACKOFF_SECONDS: integer(
    30,
    1,
    3_600,
    'First pause after a renewal that got no answer; doubles with each in a row.',
  ),
  GRANT_BACKOFF_MAX_SECONDS: integer(3_600, 1, 86_400, 'Longest of these pauses.'),
};

export const listenSettings = {
  TOPIC_KEEP_SECONDS: integer(86_400, 60, 604_800, 'How long the messages of a topic can be read again.'),
  TOPIC_MESSAGES_MAX: integer(100, 1, 10_000, 'Messages of one topic that are kept; older ones go.'),
  LISTENERS_MAX: integer(
    1_000,
    1,
    50_000,
    'Open WebSockets and event streams of one API process. At most half of CONNECTIONS_MAX, so that they keep nobody else out.',
  ),
  LISTENERS_PER_ADDRESS: integer(50, 1, 100_000, 'Of those, from one address (IPv6: one /64).'),
  LISTEN_PER_MINUTE: integer(
    240,
    1,
    100_000,
    'WebSockets, event streams and polls a minute that one address may open, counted in each API process.',
  ),
  LISTEN_SECONDS: integer(
    3_600,
    10,
    86_400,
    'Longest WebSocket or event stream; its client connects again and goes on.',
  ),
  LISTEN_HEARTBEAT_MS: integer(
    25_000,
    100,
    300_000,
    'How often a silent WebSocket or event stream shows that it lives.',
  ),
  LISTEN_POLL_MS: integer(
    5_000,
    100,
    60_000,
    'How often an API process looks for messages that no notification told of.',
  ),
  LISTEN_BUFFER_BYTES: integer(65_536, 1_024, 16_777_216, 'What waits for a slow listener before it is cut off.'),
};
