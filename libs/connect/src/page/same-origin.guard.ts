import type { IncomingHttpHeaders } from 'node:http';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ForeignRequest } from '../session/connect.errors.js';
import { PageUrls } from './page-urls.js';

/** Guards every form that changes a session: the browser must report that the form comes from our own page. */
@Injectable()
export class SameOriginGuard implements CanActivate {
  constructor(private readonly places: PageUrls) {}

  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    if (!isFromOurPage(headers, this.places.origin)) throw new ForeignRequest();
    return true;
  }
}

/** Whether the browser reports that the form comes from our page. @param origin the origin of our page */
export function isFromOurPage(headers: IncomingHttpHeaders, origin: string): boolean {
  const site = headers['sec-fetch-site'];
  // Older browsers do not send `Sec-Fetch-Site`. They send `Origin` instead.
  return site === undefined ? headers.origin === origin : site === 'same-origin';
}
