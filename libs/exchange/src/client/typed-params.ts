/**
 * The types of an endpoint's parameters, by name. A parameter without an entry is sent as plain text. `json` is an
 * object in a JSON body; its amounts are texts.
 */
export type SentAs = Readonly<Record<string, 'integer' | 'boolean' | 'header' | 'json'>>;

/** The parameters of a call in the types in which they are sent, and the headers of the call. */
export interface TypedParams {
  readonly params: Record<string, string | number | boolean | object>;
  readonly headers: Record<string, string>;
}

/**
 * Converts parameters, which are stored as text, to the types of the endpoint.
 * @throws when a text does not have its type. A number that a double cannot hold is refused, not rounded.
 */
export function typedParams(
  { path, sentAs = {} }: { path: string; sentAs?: SentAs },
  texts: Record<string, string>,
): TypedParams {
  const typed: TypedParams = { params: {}, headers: {} };
  for (const [name, text] of Object.entries(texts)) {
    const kind = Object.hasOwn(sentAs, name) ? sentAs[name] : undefined;
    if (kind === 'header') typed.headers[name] = text;
    else if (kind === 'integer') typed.params[name] = integerOf(path, name, text);
    else if (kind === 'boolean') typed.params[name] = booleanOf(path, name, text);
    else if (kind === 'json') typed.params[name] = JSON.parse(text) as object;
    else typed.params[name] = text;
  }
  return typed;
}

function integerOf(path: string, name: string, text: string): number {
  const value = Number(text);
  if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value)) throw new Error(`${path}: ${name} is not an integer`);
  return value;
}

function booleanOf(path: string, name: string, text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new Error(`${path}: ${name} is neither true nor false`);
  return text === 'true';
}
