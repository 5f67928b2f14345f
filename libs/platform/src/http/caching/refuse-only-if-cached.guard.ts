import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { CacheInvalidPath } from './cache.errors.js';
import { KEEPS_CACHE, type CacheKind } from './cache-directives.decorators.js';
import { parseCacheDirectives } from './cache-directives.js';

/** Refuses `only-if-cached` on routes without a cache. */
@Injectable()
export class RefuseOnlyIfCached implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    if (headers['cache-control'] === undefined) return true;
    const keepsCache = this.reflector.get<CacheKind | undefined>(KEEPS_CACHE, context.getHandler()) !== undefined;
    if (!keepsCache && parseCacheDirectives(headers['cache-control']).onlyIfCached) throw new CacheInvalidPath();
    return true;
  }
}
