import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { chooseEncoding, encodings, type ContentEncoding } from './content-encoding.js';

/** Smaller bodies are not compressed, because the additional header costs more than compression saves. */
const COMPRESSED_FROM_BYTES = 512;
/** With quality 6, bodies become nearly as small as with the best quality, in a tenth of the time. */
const BROTLI_QUALITY = 6;

/** Maximum number of bytes of a body that is sent as a text. Node copies longer texts. */
const TEXT_BYTES_MAX = 12_000;
const TEXT_TYPE = /^(text\/|application\/json)/;

/** What a handler returns to send a prepared response. */
export type PreparedBody = Buffer | string;

/** The body of a response in one encoding. */
export interface Representation {
  encoding: ContentEncoding;
  body: Buffer;
  /** What is sent: a short body that is not compressed is a text, which Node sends in one write with the headers. */
  sent: PreparedBody;
  /** Each encoding has its own tag, because its bytes differ. */
  etag: string;
}

/** A response for many callers: serialized once, and compressed once for each requested encoding. */
export class PreparedResponse {
  private readonly hash: string;
  private readonly representations = new Map<ContentEncoding, Representation>();

  private constructor(
    private readonly bytes: Buffer,
    readonly contentType: string,
    private readonly strength: '' | 'W/',
    hashed: string | Buffer,
  ) {
    this.hash = createHash('sha256').update(hashed).digest('base64url').slice(0, 22);
  }

  /** @param essence the part of `value` from which the ETag is computed; default: all. The ETag of a part is weak. */
  static json(value: object, essence: object = value): PreparedResponse {
    const json = Buffer.from(JSON.stringify(value));
    const type = 'application/json; charset=utf-8';
    if (essence === value) return new PreparedResponse(json, type, '', json);
    return new PreparedResponse(json, type, 'W/', JSON.stringify(essence));
  }

  static file(bytes: Buffer, contentType: string): PreparedResponse {
    return new PreparedResponse(bytes, contentType, '', bytes);
  }

  /** Maximum number of bytes of memory that all encodings together take. */
  get size(): number {
    return this.bytes.length * (1 + encodings.length);
  }

  in(wanted: ContentEncoding): Representation {
    const encoding = this.bytes.length < COMPRESSED_FROM_BYTES ? 'identity' : wanted;
    let found = this.representations.get(encoding);
    if (found === undefined) {
      found = this.encode(encoding);
      this.representations.set(encoding, found);
    }
    return found;
  }

  private encode(encoding: ContentEncoding): Representation {
    const { bytes, hash, strength } = this;
    if (encoding === 'identity') {
      const isShortText = bytes.length <= TEXT_BYTES_MAX && TEXT_TYPE.test(this.contentType);
      return { encoding, body: bytes, sent: isShortText ? bytes.toString() : bytes, etag: `${strength}"${hash}"` };
    }
    const body = compress[encoding](bytes);
    return { encoding, body, sent: body, etag: `${strength}"${hash}-${encoding}"` };
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

interface CacheHeaders {
  cacheControl: string;
  /** Further request headers on which the response depends, for `Vary`. */
  vary?: readonly string[];
}

/**
 * Sets status and headers for the response in the best encoding for the caller, or for 304 when the caller already has
 * it. @returns the body, for the handler to return; undefined for 304
 */
export function prepareReply(
  reply: FastifyReply,
  response: PreparedResponse,
  { cacheControl, vary = [] }: CacheHeaders,
): PreparedBody | undefined {
  const { headers } = reply.request;
  const accepted = headers['accept-encoding'];
  const { encoding, sent, etag } = response.in(chooseEncoding(Array.isArray(accepted) ? accepted.join(',') : accepted));
  void reply.headers({ etag, 'cache-control': cacheControl, vary: ['accept-encoding', ...vary].join(', ') });
  if (matchesTag(headers['if-none-match'], etag)) {
    void reply.status(304);
    return undefined;
  }
  if (encoding !== 'identity') void reply.header('content-encoding', encoding);
  void reply.type(response.contentType);
  return sent;
}

/** Whether `If-None-Match` contains the tag of the response, by weak comparison (RFC 9110 §13.1.2). */
export function matchesTag(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => opaque(tag.trim()));
  return tags.includes('*') || tags.includes(opaque(etag));
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, '');
}
