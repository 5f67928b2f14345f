import { createHash, createHmac } from 'node:crypto';

/** The object identifier of the SHA-2 hashes (RFC 8017, B.1) without the last byte, which differs for each hash. */
const SHA2 = '06096086480165030402';
const names: Readonly<Record<number, string>> = { 1: 'sha256', 2: 'sha384', 3: 'sha512' };
const LENGTH = 11;

/** A hash function of the library. SHA-2 functions state their object identifier (`oid`). */
interface Algorithm {
  readonly oid?: Uint8Array;
}

type Input = string | Uint8Array;
type Digest = 'binary' | 'hex' | 'base64';

/** The functions of an instance that hash and sign. */
export interface Hashes {
  hash(this: void, request: Input, algorithm: Algorithm, digest?: Digest): unknown;
  hmac(this: void, request: Input, secret: Input, algorithm: Algorithm, digest?: Digest): unknown;
}

/**
 * Makes an instance compute SHA-2 by Node's native code. The library's JavaScript takes six times as long, and signing
 * is a large part of the CPU time of a call. The library still computes all other hashes.
 */
export function useNativeHashes(instance: Hashes): void {
  const { hash, hmac } = instance;
  instance.hash = (request, algorithm, digest = 'hex') => {
    const name = nativeName(algorithm);
    if (name === null) return hash(request, algorithm, digest);
    return encoded(createHash(name).update(request).digest(), digest);
  };
  instance.hmac = (request, secret, algorithm, digest = 'hex') => {
    const name = nativeName(algorithm);
    if (name === null) return hmac(request, secret, algorithm, digest);
    return encoded(createHmac(name, secret).update(request).digest(), digest);
  };
}

function nativeName({ oid }: Algorithm): string | null {
  if (oid?.length !== LENGTH || Buffer.from(oid).toString('hex', 0, LENGTH - 1) !== SHA2) return null;
  return names[oid[LENGTH - 1] ?? 0] ?? null;
}

function encoded(result: Buffer, digest: Digest): string | Uint8Array {
  return digest === 'binary' ? new Uint8Array(result) : result.toString(digest);
}
