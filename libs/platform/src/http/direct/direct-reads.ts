import type { PipeTransform } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { sendError } from '#platform/errors';
import { beginWithLoad, runWithLoad } from '#platform/load';
import { DirectArguments } from './direct-arguments.js';
import type { DirectReadDeclaration } from './direct-read.decorator.js';

/**
 * Matches the URL of a plain request. It has no encoded characters, so its parameters have no control characters.
 */
const PLAIN_URL = /^[\x21-\x24\x26-\x7e]+$/;

/** Writes a response as JSON. */
export type Serializer = (response: unknown) => string;

/** Checks a request. @returns a promise only when it has to wait. @throws DomainError */
export type Admission = (request: FastifyRequest, reply: FastifyReply) => Promise<void> | null;

export interface DirectReadsOptions {
  /** Returns the function that checks the credentials and the rate limit of a request, as the global guard does. */
  admit: (handler: object) => Admission;
  /** Returns the serializer of a route's successful response. @throws when the route documents none */
  serializerOf: (route: { url: string; method: string }) => Serializer;
  /** The global pipes. */
  pipes: readonly PipeTransform[];
}

type Handler = (...args: unknown[]) => Promise<unknown>;

/**
 * Serves plain requests of `@DirectRead()` routes without Nest's guards, interceptors and pipes, which take more CPU
 * time than such a read. Fastify's hooks run as for every other request: admission, limits, headers, log.
 */
export class DirectReads {
  private readonly added: DirectRoute[] = [];

  constructor(
    private readonly app: NestFastifyApplication,
    private readonly options: DirectReadsOptions,
  ) {}

  /**
   * Must be called before the routes are added. The application does not start when a route breaks the rules of
   * `@DirectRead()`.
   */
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
    route.config = { ...route.config, runsWithLoad: true };
    route.handler = function (request, reply) {
      if (isPlain(request)) return direct.serve(request, reply);
      return runWithLoad(request.load ?? null, async () => {
        await wholePipeline.call(this, request, reply);
        return reply;
      });
    };
  }
}

/**
 * Whether the request is plain. Nest handles all others: those with a body, the directive `only-if-cached`, an
 * encoded character or an empty path parameter.
 */
function isPlain({ method, url, headers, params }: FastifyRequest): boolean {
  if (method !== 'GET' || !PLAIN_URL.test(url)) return false;
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return false;
  if (headers['cache-control']?.toLowerCase().includes('only-if-cached') === true) return false;
  for (const name in params as object) if ((params as Record<string, string>)[name] === '') return false;
  return true;
}

function within<T>({ load }: FastifyRequest, work: () => T): T {
  return beginWithLoad(load ?? null, work);
}

class DirectRoute {
  private readonly args: DirectArguments;
  private call: Handler = () => Promise.resolve();
  private admit: Admission = () => null;
  private serializer: Serializer | null = null;
  private compile: () => Serializer = () => JSON.stringify;

  constructor(
    private readonly url: string,
    private readonly declaration: DirectReadDeclaration,
    pipes: readonly PipeTransform[],
  ) {
    this.args = new DirectArguments(declaration, pipes);
  }

  /** Finds the controller. Must be called after all routes were added, because the controllers exist only then. */
  prepare(app: NestFastifyApplication, { admit, serializerOf }: DirectReadsOptions): void {
    const { controller } = this.declaration;
    this.admit = admit(this.handler);
    // The first response compiles the serializer: that needs the OpenAPI document, and a start must not wait for it.
    this.compile = () => serializerOf({ url: this.url, method: 'GET' });
    this.call = this.handler.bind(app.get<object>(controller, { strict: false }));
  }

  /** Awaits as few promises as possible, because promises cost more than the rest of a read. */
  serve(request: FastifyRequest, reply: FastifyReply): void {
    const fail = (error: unknown): void => sendError(error, request, reply);
    try {
      const response = within(request, () => {
        const waits = this.admit(request, reply);
        return waits === null ? this.read(request, reply) : waits.then(() => this.read(request, reply));
      });
      response.then((value) => this.send(value, request, reply), fail);
    } catch (error) {
      fail(error);
    }
  }

  private read(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const context = new ExecutionContextHost([request, reply], this.declaration.controller, this.handler);
    const args = this.args.of(request, context);
    const waits = this.args.addQuery(args, request);
    const call = (): Promise<unknown> => within(request, () => this.call(...args));
    return waits === null ? call() : waits.then(call);
  }

  private send(response: unknown, request: FastifyRequest, reply: FastifyReply): void {
    try {
      this.serializer ??= this.compile();
      void reply.type('application/json; charset=utf-8').send(this.serializer(response));
    } catch (error) {
      sendError(error, request, reply);
    }
  }

  private get handler(): Handler {
    const { controller, method } = this.declaration;
    return (controller.prototype as Record<string, Handler>)[method];
  }
}
