import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config, InvalidConfig } from '#platform/config';

/** What links, states and browsers are stored as. All of them have 256 random bits, so that a plain hash tells nothing. */
export function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The secrets in the links of sessions: derived, so that the same request gets the same link, and stored nowhere. */
@Injectable()
export class ConnectTokens {
  private readonly key: Buffer;

  /** @throws InvalidConfig when API_KEY_PEPPER is not set. */
  constructor({ values }: Config) {
    if (values.API_KEY_PEPPER === undefined) throw new InvalidConfig(['API_KEY_PEPPER: must be set']);
    const pepper = Buffer.from(values.API_KEY_PEPPER, 'base64');
    this.key = Buffer.from(hkdfSync('sha256', pepper, Buffer.alloc(0), 'causeway connect token', 32));
  }

  tokenOf(sessionId: string): string {
    return createHmac('sha256', this.key).update(sessionId).digest('base64url');
  }
}
