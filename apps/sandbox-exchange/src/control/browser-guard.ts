import { isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { ControlError } from './control-error.js';

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

/**
 * Refuses requests that a web page can make a browser send to the control API, which requires no credentials. The Host
 * header must name a loopback address, because the owner of a domain can point it at this machine (DNS rebinding).
 * @throws ControlError 403, and 415 for a body that is not JSON
 */
export function refuseWebPages({ headers }: FastifyRequest): void {
  requireLoopback(headers.host);
  if (headers.origin !== undefined)
    throw new ControlError(403, 'the control API refuses requests from web pages (Origin header)');
  requireSite(headers['sec-fetch-site'], ['none', 'same-origin']);
  const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
  if (hasBody && !JSON_TYPE.test(headers['content-type'] ?? '')) {
    throw new ControlError(415, 'the control API requires the content type application/json');
  }
}

/** Refuses a form that another page has sent. @throws ControlError 403 */
export function requireOwnPage({ headers }: FastifyRequest): void {
  requireLoopback(headers.host);
  if (headers.origin !== undefined && headers.origin !== `http://${headers.host}`) {
    throw new ControlError(403, 'the form was sent by another page');
  }
  requireSite(headers['sec-fetch-site'], ['same-origin']);
}

function requireLoopback(host: string | undefined): void {
  const address = `http://${host ?? ''}`;
  const { hostname } = URL.canParse(address) ? new URL(address) : { hostname: '' };
  const isLoopback =
    hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'));
  if (!isLoopback) throw new ControlError(403, 'call the sandbox exchange at 127.0.0.1, localhost or [::1]');
}

function requireSite(site: string | string[] | undefined, allowed: readonly string[]): void {
  if (site === undefined || allowed.some((name) => name === site)) return;
  throw new ControlError(403, 'the request was sent by another page (Sec-Fetch-Site)');
}
