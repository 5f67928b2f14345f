import { DomainError } from '#platform/errors';

/** The header with the id, the time or the signature is missing or repeated, or the id is too long or not printable. */
export class WebhookMissingHeaders extends DomainError {
  constructor(names: readonly string[]) {
    super('WEBHOOK_MISSING_HEADERS', `A webhook needs these headers, each once: ${names.join(', ')}`);
  }
}

/**
 * The time of the webhook is no number, or too far from our time. Because of the limit, nobody can send an intercepted
 * webhook again later.
 */
export class WebhookInvalidTimestamp extends DomainError {
  constructor(toleranceSeconds: number) {
    const message = `webhook-timestamp must be in epoch seconds, and within ${toleranceSeconds} seconds of now`;
    super('WEBHOOK_INVALID_TIMESTAMP', message);
  }
}

/** No signature of the webhook matches the secret of the exchange, or no secret is configured. */
export class WebhookSignatureInvalid extends DomainError {
  constructor() {
    super('WEBHOOK_SIGNATURE_INVALID', 'The signature of the webhook is invalid');
  }
}
