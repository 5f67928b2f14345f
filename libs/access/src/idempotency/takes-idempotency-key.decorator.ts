import { applyDecorators, SetMetadata, UseInterceptors } from '@nestjs/common';
import { IdempotencyInterceptor, TAKES_IDEMPOTENCY_KEY, type IdempotencyOptions } from './idempotency.interceptor.js';

/**
 * Gives a repeat with the same `Idempotency-Key` the first response. Every POST and PUT of a project has it: the API
 * does not start when one lacks it. The module of the controller imports `AccessModule`.
 */
export const TakesIdempotencyKey = (options: IdempotencyOptions = {}): MethodDecorator =>
  applyDecorators(SetMetadata(TAKES_IDEMPOTENCY_KEY, options), UseInterceptors(IdempotencyInterceptor));
