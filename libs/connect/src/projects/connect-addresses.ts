import { ValidationFailed } from '#platform/errors';

/** Maximum number of origins, and of return addresses, of one project. */
export const ADDRESSES_MAX = 20;
export const ADDRESS_LENGTH_MAX = 500;

/**
 * Matches a host that a content security policy reads as one source. In a URL, a host may also contain `;`, `,` or
 * quotes.
 */
const PLAIN_HOST = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])$/;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Returns the origin as browsers send it (`https://shop.example`), or null when it may not be registered.
 * It must be https, or http on the loopback. Other spellings (a path, upper case, the default port) are refused,
 * because they would never match the origin that browsers send.
 */
export function registrableOrigin(text: string): string | null {
  const url = registrableUrl(text);
  return url !== null && url.origin === text ? text : null;
}

/**
 * Returns the return address unchanged, or null when it may not be registered. Requests must name it exactly.
 * An app uses an https address that opens the app (a universal link), because any other app may claim a custom scheme.
 */
export function registrableReturnUrl(text: string): string | null {
  const url = registrableUrl(text);
  // `href` is the one spelling that all browsers read in the same way: without backslashes, tabs and dot segments.
  return url !== null && (url.href === text || url.href === `${text}/`) ? text : null;
}

/** Whether browsers may load the logo of the hosted page from this address. */
export function isLogoAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' && PLAIN_HOST.test(hostname);
}

/** @throws ValidationFailed naming the field */
export function requireAddresses(
  field: 'origins' | 'returnUrls',
  texts: readonly string[],
  check: (text: string) => string | null,
): string[] {
  const fail = (message: string): never => {
    throw new ValidationFailed([{ field, message: `${field} ${message}` }]);
  };
  if (texts.length > ADDRESSES_MAX) return fail(`must have at most ${ADDRESSES_MAX} entries`);
  const wrong = texts.find((text) => check(text) === null);
  if (wrong !== undefined) {
    return fail(
      field === 'origins'
        ? 'must each be an origin as browsers send it, such as https://shop.example; http is allowed only on the loopback'
        : 'must each be an https address without user and fragment, in its normal spelling; http is allowed only on the loopback',
    );
  }
  return [...new Set(texts)];
}

function registrableUrl(text: string): URL | null {
  if (text.length > ADDRESS_LENGTH_MAX || !URL.canParse(text)) return null;
  const url = new URL(text);
  const isSecure = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname));
  const isOneHost = !url.hostname.includes('*') && !url.hostname.endsWith('.');
  const isPlain = url.username === '' && url.password === '' && !text.includes('#');
  return isSecure && isOneHost && isPlain ? url : null;
}
