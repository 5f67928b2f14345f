import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { configureHttpApp } from '#platform/http';
import { ShownDescription } from './docs/docs.controller.js';
import { buildOpenApi } from './openapi.js';

const DOCS_PATH = 'docs';

/** For everything but Swagger UI: nothing may be loaded, run, framed or sent anywhere. */
const strictPolicy: FastifyHelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"], frameAncestors: ["'none'"] },
  },
};

/** Swagger UI: its own scripts, inline styles and icons, and calls to this API alone. */
const docsPolicy: FastifyHelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      fontSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
};

/** Everything between the modules and `listen`: errors, validation, headers, and what Swagger UI at `/docs` shows. */
export async function configureApi(app: NestFastifyApplication): Promise<void> {
  configureHttpApp(app);
  const fastify = app.getHttpAdapter().getInstance();
  // Before helmet's own hook, which reads what this one sets.
  fastify.addHook('onRoute', (route) => {
    if (route.url === `/${DOCS_PATH}` || route.url.startsWith(`/${DOCS_PATH}/`)) route.helmet = docsPolicy;
  });
  await app.register(helmet, strictPolicy);
  app.get(ShownDescription).describe = () => buildOpenApi(app);
}
