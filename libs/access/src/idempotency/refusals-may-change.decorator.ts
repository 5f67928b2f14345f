import { SetMetadata } from '@nestjs/common';

export const REFUSALS_MAY_CHANGE = 'idempotency.refusals-may-change';

/**
 * For a route whose own rows say what was done, whatever its refusals were before: a refusal is not kept under an
 * Idempotency-Key, because the same request may have been carried out since, under another key or none.
 */
export const RefusalsMayChange = (): MethodDecorator => SetMetadata(REFUSALS_MAY_CHANGE, true);
