import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { PreparedResult } from '../caching/prepared-response.js';
import { hasOwnStages } from '../declared-stages.js';
import type { PreparedDeclaration } from './prepared.decorator.js';
import { SendPrepared } from './send-prepared.interceptor.js';

/** A parameter of a controller's method, as Nest stores it. */
interface Argument {
  index: number;
  data?: unknown;
  pipes: unknown[];
}

type Handler = (...args: unknown[]) => PreparedResult;

/** The source of an argument: the name of a path parameter, or null for all query parameters. */
type Source = string | null;

/**
 * Matches a path parameter of a plain request. Fastify and Nest handle a request with any other value, such as an
 * encoded character.
 */
const PATH_VALUE = '([A-Za-z0-9._-]{1,64})';

/** The method of a `@Prepared()` route takes an unsupported input, or has for example a guard or pipe of its own. */
export class NotPrepared extends Error {
  constructor(method: string, reason: string) {
    super(`${method} is @Prepared(): ${reason}`);
  }
}

/** Finds the arguments of a `@Prepared()` route in the URL of a request. */
export class PreparedRoute {
  private readonly path: RegExp;
  /** The path before its first parameter. A URL of another route mostly differs here, which is cheap to check first. */
  private readonly beginning: string;
  private readonly names: string[];
  private readonly sources: Source[];
  /** For each query parameter, the pattern of its values in plain requests. */
  private readonly forms: ReadonlyMap<string, RegExp>;

  /** @throws NotPrepared when the method takes anything but path parameters and declared query parameters */
  constructor(
    readonly url: string,
    readonly declaration: PreparedDeclaration,
  ) {
    this.names = [...url.matchAll(/:(\w+)|\*/g)].map(([text, name]) => name ?? text);
    this.path = new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+|\*/g, PATH_VALUE)}$`);
    this.beginning = url.split(/[:*]/, 1)[0] ?? '';
    this.sources = sourcesOf(declaration, this.names);
    this.forms = new Map(Object.entries(declaration.query ?? {}));
  }

  get handler(): Handler {
    const { controller, method } = this.declaration;
    return (controller.prototype as Record<string, (...args: unknown[]) => PreparedResult>)[method];
  }

  /**
   * Returns the arguments of the method. Returns null for the URL of another route, and for an unusual URL: with an
   * encoded character, or with an undeclared or repeated query parameter.
   */
  argumentsOf(url: string): unknown[] | null {
    if (!url.startsWith(this.beginning)) return null;
    const [path = '', search, ...rest] = url.split('?');
    const found = this.path.exec(path);
    const query = search === undefined ? {} : this.queryOf(search);
    if (found === null || query === null || rest.length > 0) return null;
    return this.sources.map((source) => (source === null ? query : found[this.names.indexOf(source) + 1]));
  }

  private queryOf(search: string): Record<string, string> | null {
    const query: Record<string, string> = {};
    for (const pair of search.split('&')) {
      const [name = '', value = '', ...rest] = pair.split('=');
      const isPlain = this.forms.get(name)?.test(value) === true && !/[%+]/.test(value);
      if (!isPlain || rest.length > 0 || Object.hasOwn(query, name)) return null;
      query[name] = value;
    }
    return query;
  }
}

function sourcesOf(declaration: PreparedDeclaration, names: readonly string[]): Source[] {
  const { controller, method } = declaration;
  const prototype = controller.prototype as Record<string, object>;
  const name = `${controller.name}.${method}`;
  if (hasOwnStages(controller, prototype[method] ?? {}, SendPrepared)) {
    throw new NotPrepared(name, 'it has a guard, pipe, interceptor, header or status of its own');
  }
  const given = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<string, Argument>;
  const sources: Source[] = [];
  for (const [key, { index, data, pipes }] of Object.entries(given)) {
    const type = Number(key.split(':')[0]);
    const isQuery = type === Number(RouteParamtypes.QUERY) && data === undefined;
    const isParameter = type === Number(RouteParamtypes.PARAM) && typeof data === 'string' && names.includes(data);
    if (pipes.length > 0 || !(isQuery || isParameter))
      throw new NotPrepared(name, 'it may take only @Param(name) and @Query()');
    if (isQuery && declaration.query === undefined)
      throw new NotPrepared(name, 'it takes query parameters, but the decorator declares none');
    sources[index] = isQuery ? null : String(data);
  }
  return sources;
}
