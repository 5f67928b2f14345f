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
  CONNECT_VISITS_PER_MINUTE: integer(120, 1, 100_000).describe(
    'Maximum number of requests a minute from one address (IPv6: one /64) to the hosted page and its callbacks, counted in each API process.',
  ),
  CONNECT_KEYLESS_PER_MINUTE: integer(10, 1, 100_000).describe(
    'Maximum number of connect sessions a minute that one address (IPv6: one /64) may begin without an API key, counted in each API process.',
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

export const grantSettings = {};

export const listenSettings = {
  LISTENERS_MAX: integer(1_000, 1, 50_000).describe(
    'Maximum number of open WebSockets and event streams of one API process. A quarter of them is kept for callers with an API key. Must be at most half of CONNECTIONS_MAX, so that other requests find a connection.',
  ),
  LISTENERS_PER_ADDRESS: integer(50, 1, 100_000).describe(
    'Maximum number of open WebSockets and event streams from one address (IPv6: one /64) to one API process, without an API key. All addresses of one IPv6 /48 together may have this number or a quarter of LISTENERS_MAX, whichever is larger.',
  ),
};
