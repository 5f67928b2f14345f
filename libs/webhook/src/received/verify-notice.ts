import { timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { WebhookInvalidTimestamp, WebhookMissingHeaders, WebhookSignatureInvalid } from './received.errors.js';

/** Largest difference between the time of a webhook and our time. */
export const TOLERANCE_SECONDS = 300;
/** The form of a webhook's id: printable, and short enough for the key of the stored row. */
const ID = /^[\x21-\x7e]{1,128}$/;
/** Maximum number of signatures of one webhook that are compared. */
const SIGNATURES_MAX = 10;

const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/** A request of an exchange as it arrived. */
export interface ReceivedNotice {
  /** The values of each header, by its name in lower case. */
  headers: Readonly<Record<string, string[] | undefined>>;
  /** The exact text of the body, because the signature covers its bytes. */
  text: string;
}

/**
 * Checks a webhook as Standard Webhooks demand: the headers, then the time, then the signature.
 * @param secret `whsec_…`; undefined = none is configured.
 * @returns the id of the webhook.
 * @throws WebhookMissingHeaders, WebhookInvalidTimestamp, WebhookSignatureInvalid
 */
export function verifyNotice({ headers, text }: ReceivedNotice, secret: string | undefined, now: Date): string {
  const values = HEADERS.map((name) => headers[name] ?? []);
  const [id = '', timestamp = '', signature = ''] = values.flat();
  if (values.some(({ length }) => length !== 1) || !ID.test(id)) throw new WebhookMissingHeaders(HEADERS);
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  const isRecent = Math.abs(now.getTime() / 1_000 - seconds) <= TOLERANCE_SECONDS;
  if (!isRecent) throw new WebhookInvalidTimestamp(TOLERANCE_SECONDS);
  if (secret === undefined) throw new WebhookSignatureInvalid();
  const expected = Buffer.from(new Webhook(secret).sign(id, new Date(seconds * 1_000), text));
  const isSigned = signature
    .split(' ', SIGNATURES_MAX)
    .map((each) => Buffer.from(each))
    .some((each) => each.length === expected.length && timingSafeEqual(each, expected));
  if (!isSigned) throw new WebhookSignatureInvalid();
  return id;
}
