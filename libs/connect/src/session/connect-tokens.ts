import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config, InvalidConfig } from '#platform/config';

/**
 * Returns the stored form of link tokens, OAuth states and browser secrets. All of them have 256 random bits, so that a
 * plain hash reveals nothing.
 */
export function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/**
 * The secret tokens in the links of sessions. They are derived from the session's id, so that a repeat gets the same
 * link, and are not stored.
 */
@Injectable()
export class ConnectTokens {
  private readonly key: Buffer;

  /** @throws InvalidConfig when API_KEY_PEPPER is not set */
  constructor({ values }: Config) {
    if (values.API_KEY_PEPPER === undefined) throw new InvalidConfig(['API_KEY_PEPPER: must be set']);
    const pepper = Buffer.from(values.API_KEY_PEPPER, 'base64');
    this.key = Buffer.from(hkdfSync('sha256', pepper, Buffer.alloc(0), 'causeway connect token', 32));
  }

  tokenOf(sessionId: string): string {
    return createHmac('sha256', this.key).update(sessionId).digest('base64url');
  }
}
