import { parseBody } from './error-map.js';

/**
 * Matches each number and each string of a JSON text. After the first quote or digit, the match cannot fail, so the
 * search never goes back and takes linear time.
 */
export const TEXT_OR_NUMBER = /"(?:[^"\\]|\\[^])*"|-?\d[\d.eE+-]*/g;

/**
 * Parses a body as JSON and returns every number as the text that was sent (`0.1`, `1e-8`): a double would lose digits.
 * undefined = the body is not JSON.
 */
export function parseExactly(body: string): unknown {
  // With quotes around its numbers, a text that is not JSON, such as `[1-2]`, could become JSON.
  if (parseBody(body) === undefined) return undefined;
  return parseBody(body.replace(TEXT_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"${token}"`)));
}

/**
 * The beginning of a number that may have more digits or a larger exponent than a double keeps. A match in a string
 * only costs time.
 */
const LONG_NUMBER = /(?:^|[:,[])\s*-?(?:[\d.]{16}|[\d.]{1,15}[eE][+-]?\d{3})/;
/** Decimal digits that every double keeps. */
const DOUBLE_DIGITS = 15;
/** A smaller number keeps fewer digits as a double. */
const SMALLEST = 1e-300;

/**
 * Parses a body as JSON and returns a number as the text that was sent if a double would lose digits. Other numbers
 * stay numbers. undefined = the body is not JSON.
 */
export function parseKeepingDigits(body: string): unknown {
  const parsed = parseBody(body);
  if (parsed === undefined || !LONG_NUMBER.test(body)) return parsed;
  return parseBody(body.replace(TEXT_OR_NUMBER, (token) => (fitsDouble(token) ? token : `"${token}"`)));
}

/** Whether the token is a string, or a number of which a double keeps all digits. */
function fitsDouble(token: string): boolean {
  if (token.startsWith('"')) return true;
  const size = Math.abs(Number(token));
  if (/^-?\d+$/.test(token)) return Number.isSafeInteger(size);
  const digits = token
    .replace(/[eE].*$/, '')
    .replace(/[-.]/g, '')
    .replace(/^0+/, '');
  if (digits === '') return true;
  return digits.length <= DOUBLE_DIGITS && size >= SMALLEST && Number.isFinite(size);
}
