import { ValidationFailed } from '#platform/errors';

/** Matches the strings of valid JSON, with the colon that makes a string a name, and the braces of its objects. */
const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}]/g;

/**
 * Returns an error when an object in this valid JSON text has two members of one name. `JSON.parse` keeps the last
 * member, other parsers keep the first (RFC 8259, section 4), so the client may have meant either.
 */
export function refuseRepeatedMembers(text: string): ValidationFailed | undefined {
  const open: Set<string>[] = [];
  for (const [token, quoted, colon] of text.matchAll(TOKEN)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (quoted !== undefined && colon !== undefined) {
      const name = JSON.parse(quoted) as string;
      const names = open.at(-1);
      if (names?.has(name)) return new ValidationFailed([{ field: 'body', message: 'body names a member twice' }]);
      names?.add(name);
    }
  }
  return undefined;
}
