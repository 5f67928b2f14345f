import type { ExecutionContext, PipeTransform, Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { hasOwnStages } from '../declared-stages.js';
import type { DirectReadDeclaration } from './direct-read.decorator.js';

/**
 * Maximum number of query strings whose validated query objects are kept: clients repeat them, and validation costs
 * more than the rest of a request.
 */
const QUERIES_MAX = 1_000;
const QUERY_LENGTH_MAX = 200;

/** A parameter of a controller's method, as Nest stores it. */
interface Argument {
  index: number;
  data?: unknown;
  pipes: unknown[];
  /** The function of a decorator that `createParamDecorator` made. */
  factory?: (data: unknown, context: ExecutionContext) => unknown;
}

/** The part of a request that has the path parameters. Custom decorators read everything else from the context. */
type RequestParameters = Pick<FastifyRequest, 'params'>;

/** Returns the value of one parameter. */
type Source = (request: RequestParameters, context: ExecutionContext) => unknown;

/** The method of a `@DirectRead()` route takes an unsupported input, or has for example a guard or pipe of its own. */
export class NotDirect extends Error {
  constructor(method: string, reason: string) {
    super(`${method} is @DirectRead(): ${reason}`);
  }
}

/** Finds the arguments of a method in a request, as Nest does. */
export class DirectArguments {
  private readonly sources: Source[] = [];
  private readonly query: { index: number; type: Type } | null;
  private readonly queries = new LRUCache<string, object>({ max: QUERIES_MAX });

  /**
   * @param pipes the global pipes
   * @throws NotDirect when the method takes other inputs than path parameters, one query class and custom decorators
   */
  constructor(
    { controller, method }: DirectReadDeclaration,
    private readonly pipes: readonly PipeTransform[],
  ) {
    const name = `${controller.name}.${method}`;
    const prototype = controller.prototype as Record<string, object>;
    if (hasOwnStages(controller, prototype[method] ?? {})) {
      throw new NotDirect(name, 'it has a guard, pipe, interceptor, header or status of its own');
    }
    const given = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<string, Argument>;
    const types = (Reflect.getMetadata('design:paramtypes', prototype, method) ?? []) as Type[];
    let query: DirectArguments['query'] = null;
    for (const [key, argument] of Object.entries(given)) {
      const type = types[argument.index];
      if (argument.pipes.length > 0) throw new NotDirect(name, 'a parameter has a pipe of its own');
      if (isQuery(key, argument) && type !== undefined && query === null) {
        query = { index: argument.index, type };
        this.sources[argument.index] = () => undefined;
      } else this.sources[argument.index] = sourceOf(name, key, argument);
    }
    this.query = query;
  }

  /** Returns the arguments, with undefined in place of the query object. @throws what a custom decorator throws */
  of(request: RequestParameters, context: ExecutionContext): unknown[] {
    return this.sources.map((source) => source(request, context));
  }

  /**
   * Puts the query object into `args`. Validates the query only if no object is kept for the same query string.
   * @returns a promise only when it validates the query. @throws ValidationFailed
   */
  addQuery(args: unknown[], { url, query }: Pick<FastifyRequest, 'url' | 'query'>): Promise<void> | null {
    if (this.query === null) return null;
    const { index, type } = this.query;
    const begin = url.indexOf('?');
    const search = begin < 0 ? '' : url.slice(begin + 1);
    const isKept = search.length <= QUERY_LENGTH_MAX;
    const kept = isKept ? this.queries.get(search) : undefined;
    if (kept !== undefined) {
      args[index] = kept;
      return null;
    }
    return this.validated(query, type).then((valid) => {
      args[index] = valid;
      if (isKept) this.queries.set(search, valid);
    });
  }

  private async validated(query: unknown, metatype: Type): Promise<object> {
    let value = query;
    for (const pipe of this.pipes) value = await pipe.transform(value, { type: 'query', metatype, data: undefined });
    return Object.freeze(value as object);
  }
}

function isQuery(key: string, { data }: Argument): boolean {
  return typeOf(key) === Number(RouteParamtypes.QUERY) && data === undefined;
}

function sourceOf(name: string, key: string, { data, factory }: Argument): Source {
  if (factory !== undefined) return (_request, context) => factory(data, context);
  if (typeOf(key) !== Number(RouteParamtypes.PARAM) || typeof data !== 'string') {
    throw new NotDirect(name, 'it may take only path parameters, one query class, and parameters of the access lib');
  }
  return ({ params }) => (params as Record<string, string>)[data];
}

function typeOf(key: string): number {
  return Number(key.split(':')[0]);
}
