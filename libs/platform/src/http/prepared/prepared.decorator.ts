import { UseInterceptors, type Type } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { SendPrepared } from './send-prepared.interceptor.js';

export interface PreparedOptions {
  /**
   * The query parameters of the route, each with the pattern of its values in plain requests. Fastify and Nest
   * handle requests with other values. The pattern must not match `%` and `+`, because these values are not decoded.
   */
  query?: Readonly<Record<string, RegExp>>;
}

/** The method behind a `@Prepared()` route, and the options of the decorator. Fastify keeps them with the route. */
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
 * Declares that the response of a public GET route is prepared in memory. The response depends only on the path
 * parameters and on the query parameters that are named here. The method takes nothing but `@Param(name)` and
 * `@Query()`, returns a `PreparedResult` at once and throws `DomainError`s. `PreparedRoutes` then serves plain requests
 * without Fastify and Nest, which handle every other request with the same method. The load class of the route is
 * `public`. The process does not start when the method takes another input.
 */
export function Prepared(options: PreparedOptions = {}): MethodDecorator {
  return (target, key, descriptor) => {
    const prepared = { controller: target.constructor as Type, method: String(key), ...options };
    RouteConfig({ loadClass: 'public', prepared })(target, key, descriptor);
    UseInterceptors(SendPrepared)(target, key, descriptor);
  };
}
