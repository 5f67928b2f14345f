import type { NestFastifyApplication } from '@nestjs/platform-fastify';

export type SecurityHeaders = Readonly<Record<string, string>>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The security headers of the route; without it, `strictHeaders` apply. */
    securityHeaders?: SecurityHeaders;
  }
}

/**
 * Returns the headers of helmet with this content security policy. They are constants, because helmet would build and
 * set each of them again for every response. A spec compares them with those of the library.
 */
export function securityHeadersWith(policy: readonly string[]): SecurityHeaders {
  return {
    'content-security-policy': policy.join(';'),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'referrer-policy': 'no-referrer',
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'SAMEORIGIN',
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0',
  };
}

/** The security headers that forbid a browser to load, run, frame or send anything. */
export const strictHeaders = securityHeadersWith([
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
]);

/** Sets the security headers of every response, before its route can replace them. */
export function setSecurityHeaders(app: NestFastifyApplication): void {
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', (request, reply, done) => {
      void reply.headers(request.routeOptions.config.securityHeaders ?? strictHeaders);
      done();
    });
}
