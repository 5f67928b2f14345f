/** The request header that names a request, so that a repeat gets the response of the first one. */
export const IDEMPOTENCY_HEADER = 'idempotency-key';
/** Response header: `true` when the response was stored for an earlier request. */
export const REPLAYED_HEADER = 'idempotent-replayed';

/** The form of an Idempotency-Key: 1 to 255 printable ASCII characters. */
export const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;
