import { ValidationFailed } from '#platform/errors';

/** Of each list of a project. */
export const ADDRESSES_MAX = 20;
export const ADDRESS_LENGTH_MAX = 500;

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The origin as browsers send it (`https://shop.example`), or null when it is none that may be registered: https, or http
 * on the machine itself. What a browser would write otherwise (a path, upper case, a port that is the scheme's own) is
 * refused, too: it would never match.
 */
export function registrableOrigin(text: string): string | null {
  const url = registrableUrl(text);
  return url !== null && url.origin === text ? text : null;
}

/**
 * An address to which a person may be sent back, as it is written, or null. Requests must name it exactly. Apps that want
 * to be opened take a https address of theirs (universal links): a scheme of its own belongs to nobody, and any other app
 * may claim it.
 */
export function registrableReturnUrl(text: string): string | null {
  const url = registrableUrl(text);
  // `href` is the one spelling that every browser reads in the same way: no backslash, no tab, no dot segment is left.
  return url !== null && (url.href === text || url.href === `${text}/`) ? text : null;
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
        ? 'must each be an origin as browsers send it, such as https://shop.example; http on the loopback alone'
        : 'must each be a https address without user and fragment, in its normal spelling; http on the loopback alone',
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
