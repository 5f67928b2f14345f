import { isSafeNumber, parse } from 'lossless-json';

/**
 * Parses a body as JSON and returns every number as the text that was sent (`0.1`, `1e-8`): a double would lose digits.
 * undefined = the body is not JSON, or has an object with two values for one name.
 */
export function parseExactly(body: string): unknown {
  return parseWith(body, (text) => text);
}

/**
 * Parses a body as JSON and returns a number as the text that was sent if a double would lose digits. Other numbers
 * stay numbers. undefined = the body is not JSON, or has an object with two values for one name.
 */
export function parseKeepingDigits(body: string): unknown {
  return parseWith(body, (text) => (isSafeNumber(text) ? Number(text) : text));
}

function parseWith(body: string, numberOf: (text: string) => string | number): unknown {
  try {
    return parse(withoutByteOrderMark(body), undefined, numberOf);
  } catch {
    return undefined;
  }
}

/** RFC 8259, 8.1: a parser may ignore a byte order mark at the beginning. */
export function withoutByteOrderMark(body: string): string {
  return body.startsWith('\uFEFF') ? body.slice(1) : body;
}
