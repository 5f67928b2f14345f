import { applyDecorators, createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseCacheDirectives, type CacheDirectives } from './cache-directives.js';

export const KEEPS_CACHE = 'http:keeps-cache';

/**
 * How a route uses its cache: `asks` calls the exchange when the stored data are too old or missing, `never-asks` does
 * not.
 */
export type CacheKind = 'asks' | 'never-asks';

/**
 * Marks a route that responds from stored data and obeys `Cache-Control`. A route of the kind `asks` documents
 * CACHE_MISS and CACHE_EXPIRED. Every route without this decorator refuses `only-if-cached` with CACHE_INVALID_PATH.
 */
export function KeepsCache(kind: CacheKind = 'asks'): MethodDecorator {
  return applyDecorators(SetMetadata(KEEPS_CACHE, kind), ApiExtension('x-keeps-cache', kind));
}

/** The `CacheDirectives` of the request. */
export const RequestCache = createParamDecorator((_: unknown, context: ExecutionContext): CacheDirectives =>
  parseCacheDirectives(context.switchToHttp().getRequest<FastifyRequest>().headers['cache-control']),
);

/** Sets the header `Age`: the time since the exchange returned the data of the response. */
export function setAge(reply: FastifyReply, fetchedAt: Date, now: Date): void {
  void reply.header('age', String(Math.max(0, Math.floor((now.getTime() - fetchedAt.getTime()) / 1_000))));
}
