import { RouteConfig } from '@nestjs/platform-fastify';
import type { LoadClass } from './load-class.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    loadClass?: LoadClass;
  }
}

/** Says what requests for this route are to others. Without it they are `ordinary`. */
export const HasLoad = (loadClass: LoadClass): MethodDecorator => RouteConfig({ loadClass });
