import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { CacheInvalidPath } from './cache.errors.js';
import { KEEPS_CACHE, type CacheKind } from './cache-directives.decorators.js';
import { parseCacheDirectives } from './cache-directives.js';

/**
 * Refuses `only-if-cached` on routes without a cache. Runs after the guard, before the pipes and the Idempotency-Key.
 */
@Injectable()
export class RefuseOnlyIfCached implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    const keepsCache = this.reflector.get<CacheKind | undefined>(KEEPS_CACHE, context.getHandler()) !== undefined;
    if (!keepsCache && parseCacheDirectives(headers['cache-control']).onlyIfCached) throw new CacheInvalidPath();
    return next.handle();
  }
}
