import { SetMetadata } from '@nestjs/common';

export const REFUSALS_MAY_CHANGE = 'idempotency.refusals-may-change';

/**
 * Marks a route that stores its results in rows of its own, such as orders. Its errors are not stored under the
 * Idempotency-Key, because they may be out of date at a repeat: in the meantime, the same request may have succeeded
 * with another key or without a key.
 */
export const RefusalsMayChange = (): MethodDecorator => SetMetadata(REFUSALS_MAY_CHANGE, true);
