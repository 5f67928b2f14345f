import { isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { ControlError } from './control-error.js';

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

/**
 * Refuses what a page on the internet can make a browser send to the control API, which asks for no credentials. The name
 * in the Host header has to be a loopback one, because a page can let a name of its own lead here (DNS rebinding).
 * @throws ControlError 403, and 415 for a body that is not JSON.
 */
export function refuseWebPages({ headers }: FastifyRequest): void {
  requireLoopback(headers.host);
  if (headers.origin !== undefined)
    throw new ControlError(403, 'the control API takes no requests of web pages (Origin)');
  requireSite(headers['sec-fetch-site'], ['none', 'same-origin']);
  const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
  if (hasBody && !JSON_TYPE.test(headers['content-type'] ?? '')) {
    throw new ControlError(415, 'the control API takes bodies of the content type application/json');
  }
}

/** Refuses a form that was not sent by the page of the exchange itself. @throws ControlError 403 */
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
  if (!isLoopback) throw new ControlError(403, 'reach the sandbox exchange as 127.0.0.1, localhost or [::1] for this');
}

function requireSite(site: string | string[] | undefined, allowed: readonly string[]): void {
  if (site === undefined || allowed.some((one) => one === site)) return;
  throw new ControlError(403, 'the request was sent by another page (Sec-Fetch-Site)');
}
