import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { ContentEncoding } from './content-encoding.js';

/** Below it, compressing saves less than its header costs. */
const COMPRESSED_FROM_BYTES = 512;
/** Near the best of the algorithm at a tenth of its time. */
const BROTLI_QUALITY = 6;

/** The bytes of an answer in one encoding. */
interface Representation {
  encoding: ContentEncoding;
  body: Buffer;
  /** Strong: each encoding is other bytes and has another tag. */
  etag: string;
}

/** A JSON answer that many get: serialized once, and compressed once for each encoding that is asked for. */
export class PreparedAnswer {
  private readonly json: Buffer;
  private readonly hash: string;
  private readonly representations = new Map<ContentEncoding, Representation>();

  constructor(value: object) {
    this.json = Buffer.from(JSON.stringify(value));
    this.hash = createHash('sha256').update(this.json).digest('base64url').slice(0, 22);
  }

  in(wanted: ContentEncoding): Representation {
    const encoding = this.json.length < COMPRESSED_FROM_BYTES ? 'identity' : wanted;
    let found = this.representations.get(encoding);
    if (found === undefined) {
      found = this.encode(encoding);
      this.representations.set(encoding, found);
    }
    return found;
  }

  private encode(encoding: ContentEncoding): Representation {
    if (encoding === 'identity') return { encoding, body: this.json, etag: `"${this.hash}"` };
    return { encoding, body: compress[encoding](this.json), etag: `"${this.hash}-${encoding}"` };
  }
}

const compress = {
  br: (body: Buffer): Buffer =>
    brotliCompressSync(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      },
    }),
  gzip: (body: Buffer): Buffer => gzipSync(body),
};

/** Whether `If-None-Match` names what would be answered: weakly compared, as RFC 9110 §13.1.2 asks. */
export function matchesTag(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}
