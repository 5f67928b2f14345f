import type { Type } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { LoadClass } from '#platform/load';

/** A route with `@DirectRead()`, as the router gets it. */
export interface DirectReadDeclaration {
  controller: Type;
  method: string;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    directRead?: DirectReadDeclaration;
  }
}

/**
 * Declares that a GET route reads from our own tables, and that its method takes nothing but path parameters, one query
 * class, and parameters of the access lib. An ordinary request is then served without the stages of Nest that such a
 * route does not need (`DirectReads`); every other request takes the whole pipeline, with the same method. The response
 * is written by a serializer that was compiled from its OpenAPI schema, so that nothing undeclared leaves. The process
 * does not start when the method takes another input or has a guard, pipe or interceptor of its own.
 * @param loadClass default: `ordinary`
 */
export function DirectRead(loadClass?: LoadClass): MethodDecorator {
  return (target, key, descriptor) => {
    const directRead = { controller: target.constructor as Type, method: String(key) };
    RouteConfig({ ...(loadClass !== undefined && { loadClass }), directRead })(target, key, descriptor);
  };
}
