import type { ErrorMeaning } from './error-map.js';
import type { HttpResponse } from './transport.js';

const LOCATION: ErrorMeaning = { grade: 'blocked', reason: 'location_blocked' };
const ADDRESS: ErrorMeaning = { grade: 'blocked', reason: 'address_blocked' };
/** A firewall refused this call, for a reason that the page does not name: the request, the address or the country. */
const FIREWALL: ErrorMeaning = { grade: 'unknown', reason: 'firewall' };

/**
 * The pages with which content delivery networks before exchanges refuse calls, by a part of the page in lower case.
 * They prove nothing about a submission: another copy of the request may have arrived from another address.
 *
 * - Amazon CloudFront, "HTTP 403 status code (Permission Denied)": the distribution restricts countries. The page was
 *   recorded in github.com/hummingbot/deploy/issues/28.
 * - Cloudflare, "Cloudflare 1xxx errors" (cloudflare/cloudflare-docs, 2026): 1009 bans a country or region; 1005 bans a
 *   network; 1006 to 1008 and 1106 ban an address; 1010, 1012 and 1020 are decisions of a firewall. These pages give
 *   the numbers and their meanings. The sentences, and the form "error code: 1009", are those of responses in public
 *   repositories, such as "has banned the country or region your IP address is in (MM)", and "Attention Required! |
 *   Cloudflare" (recorded at an exchange: github.com/Ekultek/WhatWaf/issues/614). A challenge says "Enable JavaScript
 *   and cookies to continue".
 * - Imperva: "Request unsuccessful. Incapsula incident ID".
 */
const PAGES: readonly (readonly [text: string, meaning: ErrorMeaning])[] = [
  ['configured to block access from your country', LOCATION],
  ['has banned the country or region your ip address is in', LOCATION],
  ['error code: 1009', LOCATION],
  ['has banned your ip address', ADDRESS],
  ['has banned the autonomous system number', ADDRESS],
  ['error code: 1005', ADDRESS],
  ['error code: 1006', ADDRESS],
  ['error code: 1007', ADDRESS],
  ['error code: 1008', ADDRESS],
  ['error code: 1106', ADDRESS],
  ['error code: 1010', FIREWALL],
  ['error code: 1012', FIREWALL],
  ['error code: 1020', FIREWALL],
  ['the request could not be satisfied', FIREWALL],
  ['sorry, you have been blocked', FIREWALL],
  ['attention required! | cloudflare', FIREWALL],
  ['enable javascript and cookies to continue', FIREWALL],
  ['incapsula incident id', FIREWALL],
];

/** Maximum number of characters of a page that are searched. */
const SEARCHED_MAX = 20_000;

/**
 * The meaning of a response that refuses a call before it reaches the exchange; null = it is another response. By RFC
 * 7725, 451 is "a consequence of legal demands", so its meaning does not depend on the page.
 */
export function blockPageMeaning({ status, body }: Pick<HttpResponse, 'status' | 'body'>): ErrorMeaning | null {
  if (status === 451) return LOCATION;
  if (status !== 403) return null;
  const page = body.slice(0, SEARCHED_MAX).toLowerCase();
  return PAGES.find(([text]) => page.includes(text))?.[1] ?? null;
}
