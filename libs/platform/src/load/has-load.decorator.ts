import { RouteConfig } from '@nestjs/platform-fastify';
import type { LoadClass } from './load-class.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    loadClass?: LoadClass;
  }
}

/** Sets the load class of a route. The default is `ordinary`. */
export const HasLoad = (loadClass: LoadClass): MethodDecorator => RouteConfig({ loadClass });
