import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import helmet from '@fastify/helmet';
import Fastify from 'fastify';
import { securityHeadersWith, setSecurityHeaders, strictHeaders } from './security-headers.js';

@Module({})
class EmptyModule {}

const STRICT = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"], frameAncestors: ["'none'"] },
  },
};

describe('the security headers', () => {
  it('equal those that helmet sets with the strict policy', async () => {
    const fastify = Fastify();
    await fastify.register(helmet, STRICT);
    fastify.get('/', (_request, reply) => reply.send(''));
    const { headers } = await fastify.inject('/');
    await fastify.close();
    const own = Object.entries(headers).filter(
      ([name]) => !['content-length', 'content-type', 'connection', 'date'].includes(name),
    );
    expect(strictHeaders).toEqual(Object.fromEntries(own));
  });

  it('that a route declares replace the strict headers', async () => {
    const module = await Test.createTestingModule({ imports: [EmptyModule] }).compile();
    const app = module.createNestApplication<NestFastifyApplication>(new FastifyAdapter());
    setSecurityHeaders(app);
    const fastify = app.getHttpAdapter().getInstance();
    const config = { securityHeaders: securityHeadersWith(["script-src 'self'"]) };
    fastify.get('/own', { config }, (_request, reply) => reply.send(''));
    const policyOf = async (url: string): Promise<unknown> =>
      (await fastify.inject(url)).headers['content-security-policy'];
    expect(await policyOf('/own')).toBe("script-src 'self'");
    expect(await policyOf('/no-such-path')).toBe(strictHeaders['content-security-policy']);
    await app.close();
  });
});
