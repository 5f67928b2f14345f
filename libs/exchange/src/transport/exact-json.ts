import { parseBody } from './error-map.js';

/** A text, also one that never ends, or a number. Nothing that begins like a text can fail to match: no backtracking. */
const TEXT_OR_NUMBER = /"(?:[^"\\]|\\[^]?)*(?:"|$)|-?\d[\d.eE+-]*/g;

/**
 * A body as JSON in which every number is the text that was sent (`0.1`, `1e-8`), because a double has no place for all
 * of its digits; undefined when it is no JSON.
 */
export function parseExactly(body: string): unknown {
  return parseBody(body.replace(TEXT_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"${token}"`)));
}
