import { SetMetadata } from '@nestjs/common';

export const REFUSALS_MAY_CHANGE = 'idempotency.refusals-may-change';

/**
 * Marks a route whose own rows record what was done. Its errors are not stored under an Idempotency-Key, because the
 * same request may have succeeded since, with another key or none.
 */
export const RefusalsMayChange = (): MethodDecorator => SetMetadata(REFUSALS_MAY_CHANGE, true);
