import type { PipeTransform } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { sendError } from '#platform/errors';
import { DirectArguments } from './direct-arguments.js';
import type { DirectReadDeclaration } from './direct-read.decorator.js';

/** The address of an ordinary request has no encoded character, so it has no control character either. */
const PLAIN_URL = /^[\x21-\x24\x26-\x7e]+$/;

/** Writes a response as JSON. */
export type Serializer = (response: unknown) => string;

export interface DirectReadsOptions {
  /** Checks the credentials and the rate of a request, like the global guard. @throws DomainError */
  admit: (handler: object) => (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** Returns the serializer of a route's successful response. @throws when the route documents none */
  serializerOf: (route: { url: string; method: string }) => Serializer;
  /** The global pipes. */
  pipes: readonly PipeTransform[];
}

type Handler = (...args: unknown[]) => unknown;

/**
 * Serves ordinary requests of `@DirectRead()` routes without the guards', interceptors' and pipes' machinery of Nest, which
 * costs more than such a read. The framework's hooks run as for every other request: admission, limits, headers, log.
 */
export class DirectReads {
  private readonly added: DirectRoute[] = [];

  constructor(
    private readonly app: NestFastifyApplication,
    private readonly options: DirectReadsOptions,
  ) {}

  /** Must be called before the routes are added. A route that is not direct keeps the application from starting. */
  serve(): void {
    const fastify = this.app.getHttpAdapter().getInstance();
    fastify.addHook('onRoute', (route) => {
      const { directRead } = route.config ?? {};
      if (directRead !== undefined && route.method === 'GET') this.replace(route, directRead);
    });
    fastify.addHook('onReady', (done) => {
      for (const route of this.added) route.prepare(this.app, this.options);
      done();
    });
  }

  private replace(route: RouteOptions, declaration: DirectReadDeclaration): void {
    const direct = new DirectRoute(route.url, declaration, this.options.pipes);
    const wholePipeline = route.handler;
    this.added.push(direct);
    route.handler = function (request, reply) {
      return isPlain(request) ? direct.serve(request, reply) : wholePipeline.call(this, request, reply);
    };
  }
}

/** Whether the whole pipeline would neither refuse the request nor read more of it. */
function isPlain({ method, url, headers, params }: FastifyRequest): boolean {
  if (method !== 'GET' || !PLAIN_URL.test(url)) return false;
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return false;
  if (headers['cache-control']?.toLowerCase().includes('only-if-cached') === true) return false;
  for (const name in params as object) if ((params as Record<string, string>)[name] === '') return false;
  return true;
}

class DirectRoute {
  private readonly args: DirectArguments;
  private call: Handler = () => undefined;
  private admit: (request: FastifyRequest, reply: FastifyReply) => Promise<void> = () => Promise.resolve();
  private serializer: Serializer | null = null;
  private compile: () => Serializer = () => JSON.stringify;

  constructor(
    private readonly url: string,
    private readonly declaration: DirectReadDeclaration,
    pipes: readonly PipeTransform[],
  ) {
    this.args = new DirectArguments(declaration, pipes);
  }

  /** The controllers exist only after all routes were added. */
  prepare(app: NestFastifyApplication, { admit, serializerOf }: DirectReadsOptions): void {
    const { controller } = this.declaration;
    this.admit = admit(this.handler);
    // Compiled at the first response, so that a start does not wait for the description of the whole API.
    this.compile = () => serializerOf({ url: this.url, method: 'GET' });
    this.call = this.handler.bind(app.get<object>(controller, { strict: false }));
  }

  async serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    try {
      await this.admit(request, reply);
      const context = new ExecutionContextHost([request, reply], this.declaration.controller, this.handler);
      const args = this.args.of(request, context);
      if (this.args.hasQuery) await this.args.addQuery(args, request);
      const response = await this.call(...args);
      this.serializer ??= this.compile();
      void reply.type('application/json; charset=utf-8').send(this.serializer(response));
    } catch (error) {
      sendError(error, request, reply);
    }
    return reply;
  }

  private get handler(): Handler {
    const { controller, method } = this.declaration;
    return (controller.prototype as Record<string, Handler>)[method];
  }
}
