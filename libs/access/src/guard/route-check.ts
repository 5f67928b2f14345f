import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { ACCESS_RULE } from './access-rule.decorators.js';

/** A controller declares routes without an access rule. */
class RoutesWithoutAccessRule extends Error {
  constructor(routes: string[]) {
    super(`Routes without @RequireScope, @AnyKey, @Public or @AdminOnly: ${routes.join(', ')}`);
  }
}

/** Keeps the API from starting while a route of any controller has no access rule. */
@Injectable()
export class RouteCheck implements OnApplicationBootstrap {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onApplicationBootstrap(): void {
    const open = this.discovery.getControllers().flatMap(({ metatype }) => {
      if (typeof metatype !== 'function') return [];
      const methods = metatype.prototype as Record<string, () => unknown>;
      return this.scanner
        .getAllMethodNames(methods)
        .filter((name) => this.isOpenRoute(methods[name]))
        .map((name) => `${metatype.name}.${name}`);
    });
    if (open.length > 0) throw new RoutesWithoutAccessRule(open);
  }

  private isOpenRoute(handler: (() => unknown) | undefined): boolean {
    if (handler === undefined) return false;
    return Reflect.hasMetadata(PATH_METADATA, handler) && this.reflector.get(ACCESS_RULE, handler) === undefined;
  }
}
