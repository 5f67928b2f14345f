/** The request header with the caller's idempotency key: a repeat with the same key gets the first response. */
export const IDEMPOTENCY_HEADER = 'idempotency-key';
/** Response header: `true` when the response was stored for an earlier request. */
export const REPLAYED_HEADER = 'idempotent-replayed';

/** The form of an Idempotency-Key: 1 to 255 printable ASCII characters. */
export const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;
