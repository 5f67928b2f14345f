import { parseBody } from './error-map.js';

/**
 * Matches a number or a string, even an unterminated string. After the first quote or digit, the match cannot fail, so
 * the search never goes back and takes linear time.
 */
const TEXT_OR_NUMBER = /"(?:[^"\\]|\\[^]?)*(?:"|$)|-?\d[\d.eE+-]*/g;

/**
 * Parses a body as JSON and returns every number as the text that was sent (`0.1`, `1e-8`): a double would lose digits.
 * undefined = the body is not JSON.
 */
export function parseExactly(body: string): unknown {
  return parseBody(body.replace(TEXT_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"${token}"`)));
}

/** The beginning of a number that may have more digits than a double keeps. A match in a string only costs time. */
const LONG_NUMBER = /[:,[]\s*-?[\d.]{16}/;
/** Decimal digits that every double keeps. */
const DOUBLE_DIGITS = 15;

/**
 * Parses a body as JSON and returns a number as the text that was sent if a double would lose digits. Other numbers
 * stay numbers. undefined = the body is not JSON.
 */
export function parseKeepingDigits(body: string): unknown {
  if (!LONG_NUMBER.test(body)) return parseBody(body);
  return parseBody(body.replace(TEXT_OR_NUMBER, (token) => (fitsDouble(token) ? token : `"${token}"`)));
}

/** Whether the token is a string, or a number of which a double keeps all digits. */
function fitsDouble(token: string): boolean {
  if (token.startsWith('"')) return true;
  if (/^-?\d+$/.test(token)) return Number.isSafeInteger(Number(token));
  const digits = token
    .replace(/[eE].*$/, '')
    .replace(/[-.]/g, '')
    .replace(/^0+/, '');
  return digits.length <= DOUBLE_DIGITS;
}
