import type { FastifyReply } from 'fastify';
import type { Page } from './views/choose-page.js';

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
];

/** Returns the content security policy of a page. @param logoUrl address of the project's logo, which browsers load */
export const policyWith = (logoUrl: string | null): string =>
  [...POLICY, `img-src 'self'${logoUrl === null ? '' : ` ${new URL(logoUrl).origin}`}`].join('; ');

/** The headers of pages. They replace the headers of JSON responses. */
const HEADERS = {
  'content-security-policy': policyWith(null),
  'x-frame-options': 'DENY',
  // Other sites never see the link. `no-referrer` would make browsers send our own forms with `Origin: null`, so that
  // they could not be distinguished from foreign forms.
  'referrer-policy': 'same-origin',
  // In a popup, the page sends the outcome to the page that opened the popup. Any other value of this header would
  // prevent that. With `unsafe-none`, the opener can also navigate the popup. This is no additional risk, because the
  // opener can show any address in a popup of its own.
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

/** Redirects to another page of ours. Reloading that page does not submit the form again. */
export function seeOther(reply: FastifyReply, path: string): void {
  void reply.headers(HEADERS).redirect(path, 303);
}
