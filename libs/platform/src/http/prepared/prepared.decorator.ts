import { UseInterceptors, type Type } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { SendPrepared } from './send-prepared.interceptor.js';

export interface PreparedOptions {
  /**
   * The query parameters that the route takes, each with the form of the values that are served directly. The pattern
   * must not match `%` and `+`, because values are not decoded.
   */
  query?: Readonly<Record<string, RegExp>>;
}

/** A route with `@Prepared()`, as the router gets it. */
export interface PreparedDeclaration extends PreparedOptions {
  controller: Type;
  method: string;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    prepared?: PreparedDeclaration;
  }
}

/**
 * Declares that the response of a public GET route is prepared in memory, and depends only on its path parameters and
 * on the query parameters that are named here. The method takes nothing but `@Param(name)` and `@Query()`, returns a
 * `PreparedResult` at once and throws `DomainError`s. A successful response is then served without the stages that such
 * a route does not need (`PreparedRoutes`); every other request takes the whole pipeline, with the same method.
 * The load class of the route is `public`. The process does not start when the method takes another input.
 */
export function Prepared(options: PreparedOptions = {}): MethodDecorator {
  return (target, key, descriptor) => {
    const prepared = { controller: target.constructor as Type, method: String(key), ...options };
    RouteConfig({ loadClass: 'public', prepared })(target, key, descriptor);
    UseInterceptors(SendPrepared)(target, key, descriptor);
  };
}
