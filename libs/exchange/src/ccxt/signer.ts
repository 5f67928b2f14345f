import type { HttpRequest } from '../transport/transport.js';
import type { CcxtCredentials } from './ccxt-credentials.js';

/** The `api` of endpoints whose calls are signed. */
export const PRIVATE = 'private';

/** A private call before it is signed. */
export interface UnsignedCall {
  /** The base address, without a trailing slash. */
  readonly baseUrl: string;
  readonly method: string;
  /** The path, which begins with a slash. The parameters in the path are filled in. */
  readonly path: string;
  /** The parameters that are not in the path, in the types in which they are sent. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The nonce where the exchange uses nonces, else the time in milliseconds. */
  readonly nonce: number;
}

/** Makes the signed request by the exchange's own rule, for an exchange whose ccxt class cannot sign every call. */
export type Signer = (call: UnsignedCall, credentials: Readonly<CcxtCredentials>) => HttpRequest;

/** Fills in the parameters that a path names in braces, percent-encoded. */
export function unsignedCall(
  path: string,
  params: Readonly<Record<string, unknown>>,
  rest: Pick<UnsignedCall, 'baseUrl' | 'method' | 'nonce'>,
): UnsignedCall {
  const named = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const value = params[name];
    if (typeof value !== 'string') throw new Error(`${path}: the parameter ${name} is missing`);
    return value.split('/').map(encodeURIComponent).join('/');
  });
  const others = Object.entries(params).filter(([name]) => !named.has(name));
  return { ...rest, path: `/${filled}`, params: Object.fromEntries(others) };
}
