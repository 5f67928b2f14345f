import type { Type } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { LoadClass } from '#platform/load';

/** The method behind a `@DirectRead()` route. Fastify keeps it with the route. */
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
 * Declares that a GET route reads from our own tables. Its method takes nothing but path parameters, one query class,
 * and parameters of the access lib. `DirectReads` then serves plain requests without Nest's guards, pipes and
 * interceptors; Nest handles every other request with the same method. A serializer that was compiled from the OpenAPI
 * schema writes the response, so that no undeclared member is sent. The process does not start when the method takes
 * another input or has a guard, pipe or interceptor of its own. It begins with
 * the load of the request: what it does after an await needs `runWithLoad` or `beginWithLoad`.
 * @param loadClass default: `ordinary`
 */
export function DirectRead(loadClass?: LoadClass): MethodDecorator {
  return (target, key, descriptor) => {
    const directRead = { controller: target.constructor as Type, method: String(key) };
    RouteConfig({ ...(loadClass !== undefined && { loadClass }), directRead })(target, key, descriptor);
  };
}
