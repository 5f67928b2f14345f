/** Names a request, so that a repeat of it gets the first one's answer. */
export const IDEMPOTENCY_HEADER = 'idempotency-key';
/** `true` on an answer that was given before. */
export const REPLAYED_HEADER = 'idempotent-replayed';

/** Printable ASCII. */
export const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;
