import { Injectable } from '@nestjs/common';
import { PublicAddress } from './public-address.js';
import { digestOf } from './connect-tokens.js';
import type { BrowserCookie } from './connect-view.js';

/**
 * The cookies that identify browsers. Each session has its own cookie, so that several sessions can be open in one
 * browser. Names and values need no encoding.
 */
@Injectable()
export class BrowserCookies {
  constructor(private readonly address: PublicAddress) {}

  /** @param header the `cookie` header of the request */
  read(token: string, header: string | undefined): string | null {
    return this.readOf(digestOf(token), header);
  }

  /** @param tokenHash hash of the session's token */
  readOf(tokenHash: Buffer, header: string | undefined): string | null {
    const prefix = `${this.nameOf(tokenHash)}=`;
    const pairs = header?.split(';').map((pair) => pair.trim()) ?? [];
    return pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length) ?? null;
  }

  /**
   * Whether only we can have set a cookie that a browser sends. The `__Host-` prefix keeps other hosts of the domain,
   * and servers without https, from setting it. Apart from us, only an https server on another port of our host can set
   * it.
   */
  get areOurs(): boolean {
    return this.address.isSecure;
  }

  make(tokenHash: Buffer, value: string, maxAgeSeconds: number): BrowserCookie {
    return { name: this.nameOf(tokenHash), value, secure: this.address.isSecure, maxAgeSeconds };
  }

  /**
   * Returns the `set-cookie` header. It is `Lax`, because the return from an exchange is a link from its site to ours.
   */
  serialize({ name, value, secure, maxAgeSeconds }: BrowserCookie): string {
    const parts = [`${name}=${value}`, `Max-Age=${maxAgeSeconds}`, 'Path=/', 'HttpOnly', 'SameSite=Lax'];
    return [...parts, ...(secure ? ['Secure'] : [])].join('; ');
  }

  private nameOf(tokenHash: Buffer): string {
    // Browsers accept the `__Host-` prefix over https only.
    return `${this.address.isSecure ? '__Host-' : ''}causeway_connect_${tokenHash.toString('hex').slice(0, 16)}`;
  }
}
