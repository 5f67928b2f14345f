import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw, type BrotliOptions, type ZlibOptions } from 'node:zlib';

type Decode = (body: Buffer, limits: ZlibOptions & BrotliOptions) => Promise<Buffer>;

const gunzipped: Decode = promisify(gunzip);
const inflated: Decode = promisify(inflate);
const rawInflated: Decode = promisify(inflateRaw);

/** The encodings of RFC 9110, 8.4.1, and brotli (RFC 7932). */
const DECODERS: Readonly<Record<string, Decode>> = {
  gzip: gunzipped,
  'x-gzip': gunzipped,
  // RFC 9110 means the zlib format, but "some non-conformant implementations send the … data without the zlib wrapper".
  deflate: (body, limits) => (hasZlibHeader(body) ? inflated(body, limits) : rawInflated(body, limits)),
  br: promisify(brotliDecompress) as Decode,
};

/** Maximum number of encodings of one body. More than one is unusual. */
const ENCODINGS_MAX = 2;

/** The body is not what `Content-Encoding` states. */
export class UndecodableBody extends Error {
  constructor(encoding: string, cause?: unknown) {
    super(`the body cannot be decoded as ${encoding}`, { cause });
    this.name = 'UndecodableBody';
  }
}

/** The decoded body is larger than the limit. The decoder has stopped there. */
export class DecodedTooLarge extends Error {
  constructor() {
    super('the decoded body is too large');
    this.name = 'DecodedTooLarge';
  }
}

/** The encodings that a response states, in the order in which they were applied; empty = the body is not encoded. */
export function encodingsOf(header: string | string[] | undefined): string[] {
  const names = [header ?? []].flat().flatMap((value) => value.split(','));
  return names.map((name) => name.trim().toLowerCase()).filter((name) => name !== '' && name !== 'identity');
}

/**
 * Decodes a body that an exchange, or a proxy before it, has compressed although we accept no compression.
 * @throws UndecodableBody
 * @throws DecodedTooLarge when a decoded body exceeds `maxBytes`
 */
export async function decodeBody(body: Buffer, encodings: readonly string[], maxBytes: number): Promise<Buffer> {
  if (encodings.length > ENCODINGS_MAX) throw new UndecodableBody('several encodings');
  let decoded = body;
  for (const encoding of encodings.toReversed()) {
    if (decoded.length === 0) return decoded;
    const decode = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
    if (decode === undefined) throw new UndecodableBody('a known encoding');
    decoded = await decode(decoded, { maxOutputLength: maxBytes }).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
        throw new DecodedTooLarge();
      throw new UndecodableBody(encoding, error);
    });
  }
  return decoded;
}

/** Whether the body begins with a header of zlib (RFC 1950, 2.2): the method is 8, and the check bits are right. */
function hasZlibHeader(body: Buffer): boolean {
  const [method = 0, flags = 0] = body;
  return (method & 0x0f) === 8 && ((method << 8) | flags) % 31 === 0;
}
