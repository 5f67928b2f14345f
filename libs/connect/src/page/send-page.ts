import type { FastifyReply } from 'fastify';
import type { Page } from './choose-page.js';

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** Instead of those of JSON answers. */
const HEADERS = {
  'content-security-policy': POLICY,
  'x-frame-options': 'DENY',
  // Other sites never see the link. Not `no-referrer`: with it, browsers send forms with `Origin: null`, and a form of
  // ours could not be told from a foreign one.
  'referrer-policy': 'same-origin',
  // In a popup, the page tells the window that opened it how it went: any other policy cuts the two apart. What that
  // window could do to this one is to lead it elsewhere, which it could do before.
  'cross-origin-opener-policy': 'unsafe-none',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()',
  'cache-control': 'no-store',
};

export function sendPage(reply: FastifyReply, { status, html }: Page, headers: Partial<typeof HEADERS> = {}): void {
  void reply
    .status(status)
    .headers({ ...HEADERS, ...headers })
    .type('text/html; charset=utf-8')
    .send(html.text);
}

/** To another page of ours; what was posted is not posted again. */
export function seeOther(reply: FastifyReply, path: string): void {
  void reply.headers(HEADERS).redirect(path, 303);
}
