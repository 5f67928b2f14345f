import { z } from 'zod';
import { integer, url } from './kinds.js';

/** Whether paths can be appended to the URL: it has no user, query and fragment. */
function isBaseAddress(text: string): boolean {
  const { username, password } = new URL(text);
  return `${username}${password}` === '' && !/[?#]/.test(text);
}

export const connectSettings = {
  PUBLIC_URL: url()
    .describe(
      'Base address under which browsers and exchanges reach the API, such as `https://connect.example.com`. It is the base of the hosted page and of the callbacks that are registered at exchanges. Required for connecting in production, with https. Elsewhere the default is the address that the API listens on.',
    )
    .refine(isBaseAddress, 'must have no user, query or fragment')
    .optional(),
  CONNECT_SESSION_SECONDS: integer(900, 60, 3_600).describe(
    'How long a person has to connect an account after the url was created.',
  ),
  CONNECT_ATTEMPTS_MAX: integer(10, 1, 100).describe(
    'Maximum number of attempts of one connect session, with all connect methods together. After that the session has failed.',
  ),
  CONNECT_KEEP_DAYS: integer(7, 1, 90).describe(
    'How long finished and expired connect sessions are stored. Their `idem` cannot be used again during this time.',
  ),
  CONNECT_VISITS_PER_MINUTE: integer(120, 1, 100_000).describe(
    'Maximum number of requests a minute from one address (IPv6: one /64) to the hosted page and its callbacks, counted in each API process.',
  ),
  CONNECT_POLLS_PER_MINUTE: integer(1_200, 1, 100_000).describe(
    'Maximum number of automatic polls a minute from the open pages of one address (IPv6: one /64). Each page polls 12 to 30 times a minute. Counted in each API process.',
  ),
  CONNECT_KEYLESS_PER_MINUTE: integer(10, 1, 100_000).describe(
    'Maximum number of connect sessions a minute that one address (IPv6: one /64) may begin without an API key, counted in each API process.',
  ),
  CONNECT_QR_CONCURRENCY: integer(10, 1, 1_000).describe(
    'Maximum number of QR logins that one worker process polls at the same time.',
  ),
  CONNECT_COUNTRY_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be the name of a header, such as cf-ipcountry')
    .optional()
    .describe(
      'Header in which the CDN in front of the API sends the country of a browser, such as `cf-ipcountry`. Needs TRUST_PROXY.',
    ),
  CONNECT_COUNTRIES_EXCLUDED: z
    .string()
    .default('')
    .describe(
      'Countries in which an exchange is not offered: entries of the form `<exchange>:US|KP`, separated by commas.',
    ),
};

export const grantSettings = {
  GRANT_CONCURRENCY: integer(10, 1, 1_000).describe(
    'Maximum number of access tokens that one worker process renews at the same time.',
  ),
};

export const listenSettings = {
  TOPIC_KEEP_SECONDS: integer(86_400, 60, 604_800).describe('How long the messages of a topic can be read again.'),
  LISTENERS_MAX: integer(1_000, 1, 50_000).describe(
    'Maximum number of open WebSockets and event streams of one API process. A quarter of them is kept for callers with an API key. Must be at most half of CONNECTIONS_MAX, so that other requests find a connection.',
  ),
  LISTENERS_PER_ADDRESS: integer(50, 1, 100_000).describe(
    'Maximum number of open WebSockets and event streams from one address (IPv6: one /64) to one API process, without an API key. All addresses of one IPv6 /48 together may have this number or a quarter of LISTENERS_MAX, whichever is larger.',
  ),
  LISTEN_PER_MINUTE: integer(240, 1, 100_000).describe(
    'Maximum number of WebSockets, event streams and polls a minute from one address (IPv6: one /64), without an API key, counted in each API process.',
  ),
  LISTEN_SECONDS: integer(3_600, 10, 86_400).describe(
    'Longest duration of a WebSocket or event stream. Its client then connects again and continues after the last message.',
  ),
  LISTEN_HEARTBEAT_MS: integer(25_000, 100, 300_000).describe(
    'Period of the heartbeats on a WebSocket or event stream without messages.',
  ),
};
