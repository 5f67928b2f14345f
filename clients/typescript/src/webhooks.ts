import type { WebhookEvents } from './generated/types.js';

/** An event of any type; `switch (event.type)` narrows the type of `data`. */
export type WebhookEvent = WebhookEvents[keyof WebhookEvents];

export interface WebhookRequest {
  /** The body exactly as it arrived, before it is parsed. */
  body: string | Uint8Array;
  /**
   * The headers of the request: `Headers` of any implementation of `fetch`, or an object with lower-case names as in
   * Node.
   */
  headers: { get(name: string): string | null } | Record<string, string | string[] | undefined>;
  /** The secret of the endpoint, `whsec_…`. During a rotation, both. */
  secret: string | string[];
  /** The largest difference between the time of the webhook and the clock. Default: 5 minutes. */
  toleranceSeconds?: number;
  /** The current time in epoch milliseconds. Default: the clock. */
  now?: number;
}

/** The webhook must be ignored: respond with 401. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused';
}

const PREFIX = 'whsec_';
const TOLERANCE_SECONDS = 300;
/** Maximum number of signatures, and of secrets, that are compared. The service sends at most three signatures. */
const SIGNATURES_MAX = 10;

/**
 * Verifies a webhook by Standard Webhooks, and returns its event. Events can arrive twice: ignore an `id` that you
 * know.
 *
 * @throws WebhookRefused when a header is missing, the time differs too much from the clock, or no signature matches
 * the secret
 */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookEvent> {
  const { headers, toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() } = request;
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (!id || !timestamp || !signatures) throw new WebhookRefused('a header of the webhook is missing');
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookRefused('webhook-timestamp is not a time in seconds');
  if (Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookRefused(
      `webhook-timestamp differs from the clock of this machine by more than ${toleranceSeconds} seconds`,
    );
  const body = typeof request.body === 'string' ? new TextEncoder().encode(request.body) : request.body;
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  const secrets = [request.secret].flat().slice(0, SIGNATURES_MAX);
  const values = signatures.split(' ').slice(0, SIGNATURES_MAX);
  for (const secret of secrets) {
    const key = await keyOf(secret);
    for (const value of values) {
      const signature = value.startsWith('v1,') ? bytesOf(value.slice('v1,'.length)) : null;
      if (signature !== null && (await crypto.subtle.verify('HMAC', key, signature, signed)))
        return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
    }
  }
  throw new WebhookRefused('no signature of the webhook matches the secret of the endpoint');
}

function headerOf(headers: WebhookRequest['headers'], name: string): string | null {
  if (typeof headers.get === 'function') return headers.get(name);
  const value = (headers as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : null;
}

function keyOf(secret: string) {
  const bytes = bytesOf(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (bytes === null || bytes.length === 0)
    throw new TypeError('secret must be the secret of the endpoint: base64, with or without the prefix whsec_');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
