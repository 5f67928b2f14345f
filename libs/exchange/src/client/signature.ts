import type { HttpRequest } from '../transport/transport.js';
import type { SigningKeys } from './signing-keys.js';

/** The values of a call's parameters, in the types in which they are sent. */
export type CallParams = Readonly<Record<string, string | number | boolean | object>>;

/** A call before it is signed. */
export interface UnsignedCall {
  /** The base address, without a trailing slash. */
  readonly baseUrl: string;
  readonly method: string;
  /** The path, which begins with a slash. The parameters in the path are filled in. */
  readonly path: string;
  /** The parameters that are not in the path. */
  readonly params: CallParams;
}

/** Makes the signed request by the rule that the exchange documents. */
export type Signer = (
  call: UnsignedCall & {
    /** The nonce where the exchange uses nonces, else the time in milliseconds. */
    readonly nonce: number;
  },
  keys: SigningKeys,
) => HttpRequest;

/** Fills in the parameters that a path names in braces, percent-encoded. `{+name}` keeps slashes (RFC 6570, 3.2.3). */
export function unsignedCall(
  { method, path }: { method: string; path: string },
  params: CallParams,
  baseUrl: string,
): UnsignedCall {
  const named = new Set([...path.matchAll(/\{\+?(\w+)\}/g)].map(([, name = '']) => name));
  const filled = path.replaceAll(/\{(\+?)(\w+)\}/g, (_all, plus: string, name: string) => {
    const value = params[name];
    if (typeof value !== 'string') throw new Error(`${path}: the parameter ${name} is missing`);
    return plus === '' ? encodeURIComponent(value) : value.split('/').map(encodeURIComponent).join('/');
  });
  const others = Object.entries(params).filter(([name]) => !named.has(name));
  return { baseUrl, method, path: filled, params: Object.fromEntries(others) };
}

/** The parameters as `a=1&b=2`, percent-encoded, in their order. */
export function queryOf(params: CallParams): string {
  return pairsOf(params)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
}

/** The parameters as `a=1&b=2`, without encoding, in their order: what some exchanges sign. */
export function plainQueryOf(params: CallParams): string {
  return pairsOf(params)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/** The same parameters in the order of their names. */
export function sortedParams(params: CallParams): CallParams {
  return Object.fromEntries(Object.entries(params).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function pairsOf(params: CallParams): [string, string][] {
  return Object.entries(params).map(([name, value]) => {
    if (typeof value === 'object') throw new Error(`${name}: only a JSON body can contain an object`);
    return [name, String(value)];
  });
}
