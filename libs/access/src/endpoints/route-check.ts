import { Injectable, RequestMethod, type OnApplicationBootstrap } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { TAKES_IDEMPOTENCY_KEY } from '../idempotency/idempotency.interceptor.js';
import { ACCESS_RULE, type AccessRule } from '../guard/access-rule.decorators.js';

type Handler = () => unknown;

/** A controller declares routes without a decorator that every such route needs. */
class RoutesLackDecorator extends Error {
  constructor(lacking: string, routes: string[]) {
    super(`Routes without ${lacking}: ${routes.join(', ')}`);
  }
}

/**
 * Keeps the API from starting while a route of any controller has no access rule, or while a POST or PUT of a project
 * takes no `Idempotency-Key`.
 */
@Injectable()
export class RouteCheck implements OnApplicationBootstrap {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onApplicationBootstrap(): void {
    this.refuseRoutes((handler) => this.ruleOf(handler) === undefined, '@RequireScope, @AnyKey, @Public or @AdminOnly');
    this.refuseRoutes((handler) => this.lacksIdempotency(handler), '@TakesIdempotencyKey');
  }

  private refuseRoutes(isRefused: (handler: Handler) => boolean, lacking: string): void {
    const refused = this.discovery.getControllers().flatMap(({ metatype }) => {
      if (typeof metatype !== 'function') return [];
      const methods = metatype.prototype as Record<string, Handler>;
      return this.scanner
        .getAllMethodNames(methods)
        .filter((name) => isRoute(methods[name]) && isRefused(methods[name]))
        .map((name) => `${metatype.name}.${name}`);
    });
    if (refused.length > 0) throw new RoutesLackDecorator(lacking, refused);
  }

  private lacksIdempotency(handler: Handler): boolean {
    const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod;
    if (this.ruleOf(handler)?.kind !== 'key' || ![RequestMethod.POST, RequestMethod.PUT].includes(method)) return false;
    return this.reflector.get<object | undefined>(TAKES_IDEMPOTENCY_KEY, handler) === undefined;
  }

  private ruleOf(handler: Handler): AccessRule | undefined {
    return this.reflector.get<AccessRule | undefined>(ACCESS_RULE, handler);
  }
}

function isRoute(handler: Handler): boolean {
  return Reflect.hasMetadata(PATH_METADATA, handler);
}
