import { Injectable } from '@nestjs/common';
import { PublicAddress } from './public-address.js';
import { digestOf } from './connect-tokens.js';
import type { BrowserCookie } from './connect-view.js';

/**
 * The cookies by which browsers are known again: one for each session, so that several can go on at once. Their names and
 * values need no encoding.
 */
@Injectable()
export class BrowserCookies {
  constructor(private readonly address: PublicAddress) {}

  /** @param header `cookie` of the request */
  read(token: string, header: string | undefined): string | null {
    return this.readOf(digestOf(token), header);
  }

  /** @param tokenHash of the session's token */
  readOf(tokenHash: Buffer, header: string | undefined): string | null {
    const prefix = `${this.nameOf(tokenHash)}=`;
    const pairs = header?.split(';').map((pair) => pair.trim()) ?? [];
    return pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length) ?? null;
  }

  /**
   * Whether a cookie that a browser brings can only have been set by us: the prefix of its name keeps other hosts of the
   * domain, and other ports, from doing it.
   */
  get areOurs(): boolean {
    return this.address.isSecure;
  }

  make(tokenHash: Buffer, value: string, maxAgeSeconds: number): BrowserCookie {
    return { name: this.nameOf(tokenHash), value, secure: this.address.isSecure, maxAgeSeconds };
  }

  /** As a `set-cookie` header. Lax: the way back from an exchange is a link from its site to ours. */
  serialize({ name, value, secure, maxAgeSeconds }: BrowserCookie): string {
    const parts = [`${name}=${value}`, `Max-Age=${maxAgeSeconds}`, 'Path=/', 'HttpOnly', 'SameSite=Lax'];
    return [...parts, ...(secure ? ['Secure'] : [])].join('; ');
  }

  private nameOf(tokenHash: Buffer): string {
    // Browsers take the prefix over https alone.
    return `${this.address.isSecure ? '__Host-' : ''}causeway_connect_${tokenHash.toString('hex').slice(0, 16)}`;
  }
}
