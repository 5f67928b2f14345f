/** Longest answer of an exchange that is kept with an attempt, in characters. */
const LENGTH_MAX = 16_384;

/** As JSON, without what PostgreSQL does not store (NUL, half a surrogate pair), and no longer than anybody reads. */
export function toStorable(answer: object): string {
  const json = JSON.stringify(answer, (_key, value: unknown) => (typeof value === 'string' ? wash(value) : value));
  return json.length <= LENGTH_MAX ? json : JSON.stringify({ truncated: wash(json.slice(0, LENGTH_MAX)) });
}

function wash(text: string): string {
  return Buffer.from(text.replaceAll('\0', ''), 'utf8').toString('utf8');
}
