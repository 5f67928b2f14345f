import { Injectable } from '@nestjs/common';
import { PublicAddress } from '../session/public-address.js';
import type { PageContext } from './views/document.js';

/** The addresses of the hosted page. A proxy may add a prefix to the paths of this API; the addresses contain it. */
@Injectable()
export class PageUrls {
  constructor(private readonly address: PublicAddress) {}

  get origin(): string {
    return this.address.origin;
  }

  /** The full address of a session's page. */
  linkOf(token: string): string {
    return this.address.url(`/connect/${encodeURIComponent(token)}`);
  }

  of(token: string): Pick<PageContext, 'assets' | 'home'> {
    return { assets: this.assets, home: new URL(this.linkOf(token)).pathname };
  }

  get assets(): string {
    return new URL(this.address.url('/connect/assets')).pathname;
  }
}
