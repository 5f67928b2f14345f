/** Maximum number of characters of an exchange's response that are stored with an attempt. */
const LENGTH_MAX = 16_384;

/** Serializes to JSON, without the characters that PostgreSQL does not store (NUL, lone surrogates). */
export function toStorableJson(value: object): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? wash(part) : part));
}

/** Serializes like `toStorableJson`, and cuts the text after LENGTH_MAX characters. */
export function toStorable(answer: object): string {
  const json = toStorableJson(answer);
  return json.length <= LENGTH_MAX ? json : JSON.stringify({ truncated: wash(json.slice(0, LENGTH_MAX)) });
}

function wash(text: string): string {
  return Buffer.from(text.replaceAll('\0', ''), 'utf8').toString('utf8');
}
