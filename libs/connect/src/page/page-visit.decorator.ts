import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { textsFor, type Texts } from './texts/texts.js';

/** One request of a browser for the page of a session. */
export interface PageVisit {
  /** The secret of the link. */
  token: string;
  cookie: string | undefined;
  texts: Texts;
  /** Whether the browser reports that it runs on a phone. */
  isPhone: boolean;
  /** The network address of the browser. */
  address: string;
}

/** Passes the visit to a handler whose path begins with `connect/:token`. */
export const Visit = createParamDecorator((_: unknown, context: ExecutionContext): PageVisit => {
  const request = context.switchToHttp().getRequest<FastifyRequest<{ Params: { token: string } }>>();
  const { cookie, 'user-agent': agent = '', 'sec-ch-ua-mobile': mobile } = request.headers;
  const isPhone = mobile === '?1' || /\b(Mobi|Mobile|iPhone|Android)\b/.test(agent);
  return { token: request.params.token, cookie, texts: textsFor(request), isPhone, address: request.ip };
});
