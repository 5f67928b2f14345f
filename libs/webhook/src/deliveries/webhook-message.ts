import { Webhook } from 'standardwebhooks';
import type { Secret } from '#platform/crypto';
import type { StoredEvent } from '#platform/events';

export interface WebhookMessage {
  id: string;
  type: string;
  timestamp: string;
  walletId: string | null;
  walletSequence: number | null;
  data: Record<string, unknown>;
}

/** The members of a body. They depend on the event alone, so every attempt has the same body. */
export function messageOf(event: StoredEvent): WebhookMessage {
  const { id, type, createdAt, walletSequence, data } = event;
  return {
    id,
    type,
    timestamp: createdAt.toISOString(),
    walletId: data.walletId ?? null,
    walletSequence: walletSequence === null ? null : Number(walletSequence),
    data,
  };
}

/** The body as it is sent. When it would be longer than `maxBytes`, `data` is replaced by `{"omitted": true}`. */
export function bodyOf(event: StoredEvent, maxBytes: number): string {
  const message = messageOf(event);
  const body = JSON.stringify(message);
  if (Buffer.byteLength(body) <= maxBytes) return body;
  return JSON.stringify({ ...message, data: { omitted: true } });
}

/**
 * Signs a body for Standard Webhooks, once with each secret.
 * @returns the value of the header `webhook-signature`.
 */
export function signatureOf(id: string, at: Date, body: string, secrets: readonly Secret[]): string {
  return secrets.map((secret) => new Webhook(secret.reveal()).sign(id, at, body)).join(' ');
}
