import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '#platform/config';
import type { Secret } from '#platform/crypto';

/** Bytes that name the key of a digest. */
const KEY_NAME_BYTES = 4;

/**
 * Makes the digests in `wallet_credentials.key_digest`, by which a notice of an exchange finds the wallets of its
 * account. A digest begins with the name of its key, and is an HMAC of the SHA-256 of the API key or access token,
 * which notices contain. The key is derived from API_KEY_PEPPER, so that a copy of the database alone shows nothing.
 */
@Injectable()
export class KeyDigests {
  private readonly key: Buffer;
  /** The first bytes of every digest with the present key. */
  readonly keyName: Buffer;

  constructor({ values: { API_KEY_PEPPER = '' } }: Config) {
    const pepper = Buffer.from(API_KEY_PEPPER, 'base64');
    this.key = Buffer.from(hkdfSync('sha256', pepper, '', 'causeway digests of API keys', 32));
    this.keyName = createHmac('sha256', this.key).update('name of the key').digest().subarray(0, KEY_NAME_BYTES);
  }

  ofKey(apiKey: Secret): Buffer {
    return this.ofDigest(createHash('sha256').update(apiKey.reveal()).digest());
  }

  /** @param digest the SHA-256 of an API key or access token. */
  ofDigest(digest: Buffer): Buffer {
    return Buffer.concat([this.keyName, createHmac('sha256', this.key).update(digest).digest()]);
  }
}
