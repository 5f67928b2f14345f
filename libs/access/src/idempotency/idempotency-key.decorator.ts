import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { singleHeader } from '../guard/credential-headers.js';
import { IDEMPOTENCY_HEADER } from './idempotency-headers.js';

/**
 * The `Idempotency-Key` of the request, for use cases that store it with their rows; null when the request has none.
 * The interceptor has already checked its form.
 */
export const IdempotencyKey = createParamDecorator((_: unknown, context: ExecutionContext): string | null =>
  singleHeader(context.switchToHttp().getRequest<FastifyRequest>().raw.rawHeaders, IDEMPOTENCY_HEADER),
);
