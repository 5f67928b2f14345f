import { applyDecorators, createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseCacheDirectives, type CacheDirectives } from './cache-directives.js';

export const KEEPS_CACHE = 'http:keeps-cache';

/** How a route uses what is stored: `asks` goes to the exchange when that is too old or missing, `never-asks` never does. */
export type CacheKind = 'asks' | 'never-asks';

/**
 * The route answers from what is stored and obeys `Cache-Control`: documented as such, with CACHE_MISS and CACHE_EXPIRED
 * unless it never asks anybody. Every other route refuses `only-if-cached` with CACHE_INVALID_PATH.
 */
export function KeepsCache(kind: CacheKind = 'asks'): MethodDecorator {
  return applyDecorators(SetMetadata(KEEPS_CACHE, kind), ApiExtension('x-keeps-cache', kind));
}

/** The `CacheDirectives` of the request. */
export const RequestCache = createParamDecorator((_: unknown, context: ExecutionContext): CacheDirectives =>
  parseCacheDirectives(context.switchToHttp().getRequest<FastifyRequest>().headers['cache-control']),
);

/** Says how long ago the exchange gave what is answered. */
export function setAge(reply: FastifyReply, fetchedAt: Date, now: Date): void {
  void reply.header('age', String(Math.max(0, Math.floor((now.getTime() - fetchedAt.getTime()) / 1_000))));
}
