import { parseBody } from './error-map.js';

/**
 * Matches a number or a string, even an unterminated string. Once a string or a digit has begun, the match cannot fail,
 * so the search never goes back and takes linear time.
 */
const TEXT_OR_NUMBER = /"(?:[^"\\]|\\[^]?)*(?:"|$)|-?\d[\d.eE+-]*/g;

/**
 * Parses a body as JSON and returns every number as the text that was sent (`0.1`, `1e-8`): a double would lose digits.
 * undefined = the body is not JSON.
 */
export function parseExactly(body: string): unknown {
  return parseBody(body.replace(TEXT_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"${token}"`)));
}
