/** Longest answer of an exchange that is kept with an attempt, in characters. */
const LENGTH_MAX = 16_384;

/** As JSON, without what PostgreSQL does not store (NUL, half a surrogate pair). */
export function toStorableJson(value: object): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? wash(part) : part));
}

/** The same, and no longer than anybody reads. */
export function toStorable(answer: object): string {
  const json = toStorableJson(answer);
  return json.length <= LENGTH_MAX ? json : JSON.stringify({ truncated: wash(json.slice(0, LENGTH_MAX)) });
}

function wash(text: string): string {
  return Buffer.from(text.replaceAll('\0', ''), 'utf8').toString('utf8');
}
