import { validateHeaderName, validateHeaderValue, type IncomingMessage, type ServerResponse } from 'node:http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { RouteOptions } from 'fastify';
import { chooseEncoding } from '../caching/content-encoding.js';
import { matchesTag, type PreparedResult, type Representation } from '../caching/prepared-response.js';
import { readPlainRequest, type PlainRequest } from './plain-request.js';
import { PreparedRoute } from './prepared-route.js';
import { HeadText } from './head-text.js';

/** The parts that hooks and the access guard add to the responses of a public route. */
export interface PublicTerms {
  /** The headers that every response of the route has. */
  headers: Readonly<Record<string, string>>;
  /**
   * Counts a request from this IP address. Returns the rate-limit headers of its response, or null when the limit is
   * exceeded. A route without a rate limit has null instead of this function.
   */
  count: ((ip: string) => Readonly<Record<string, string>> | null) | null;
}

export interface PreparedRoutesOptions {
  termsOf: (route: RouteOptions, handler: object) => PublicTerms;
  /** Returns the id of a request. @param given the id that the client sent, if any */
  requestIdOf: (given: string | undefined) => string;
  /** Returns the client's address, as the proxies in front report it. */
  addressOf: (request: IncomingMessage, forwardedFor: string | undefined) => string;
  /** Whether the process is stopping. Each response then closes its connection, so Fastify handles every request. */
  isStopping: () => boolean;
  onServed: (served: Served) => void;
  /** Called for a fault of this program. The connection is closed. */
  onFault: (error: unknown) => void;
}

export interface Served {
  requestId: string;
  /** Pattern of the route. */
  route: string;
  status: number;
  ms: number;
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** The parts that all responses with the same body share. Other headers, such as the request id, differ. */
interface Head {
  /** The header lines of a response with the status 200. */
  found: string;
  /** The header lines of a response with the status 304. */
  notModified: string;
  /** A short body is a text in latin1, with one character for each byte: Node then sends head and body in one write. */
  body: string | Buffer;
}

interface KnownRoute {
  route: PreparedRoute;
  terms: PublicTerms;
  call: (...args: unknown[]) => PreparedResult;
  heads: WeakMap<Representation, Head>;
}

/** The route and the arguments of its method for one URL. Further requests with the same URL use them again. */
interface Call {
  known: KnownRoute;
  args: unknown[];
}

interface Admitted {
  plain: PlainRequest;
  /** The rate-limit headers of the response. */
  rate: Readonly<Record<string, string>>;
  response: ServerResponse;
  /** Monotonic time at which the request arrived. */
  began: number;
}

/** Maximum number of cached URLs, each with its route and its arguments. At the limit all are deleted. */
const CALLS_MAX = 1_000;
/** Maximum length of a body that is sent as a text. Node copies longer texts, so they are sent as bytes. */
const TEXT_BYTES_MAX = 12_000;

/**
 * Serves plain requests for `@Prepared()` routes without Fastify and Nest, and sends only successful responses.
 * Fastify and Nest handle a request that is not plain, exceeds its rate limit or fails, and send the error response.
 */
export class PreparedRoutes {
  private readonly added: { route: PreparedRoute; options: RouteOptions }[] = [];
  private known: KnownRoute[] | null = null;
  private readonly calls = new Map<string, Call>();
  private readonly heads: HeadText;

  constructor(
    private readonly app: NestFastifyApplication,
    private readonly options: PreparedRoutesOptions,
  ) {
    this.heads = new HeadText(app.getHttpAdapter().getInstance().server);
  }

  /**
   * Must be called before the routes are added. The application does not start when a route breaks the rules of
   * `@Prepared()`.
   */
  serve(): void {
    const fastify = this.app.getHttpAdapter().getInstance();
    fastify.addHook('onRoute', (options) => {
      const { prepared } = options.config ?? {};
      if (prepared === undefined || options.method !== 'GET') return;
      this.added.push({ route: new PreparedRoute(options.url, prepared), options });
    });
    fastify.addHook('onReady', (done) => {
      this.routes();
      done();
    });
    const { server } = fastify;
    // The framework's listener is the last one. The listeners before it count every request.
    const wholePipeline = server.listeners('request').at(-1) as Listener;
    server.removeListener('request', wholePipeline);
    server.on('request', (request, response) => {
      if (!this.begin(request, response)) wholePipeline.call(server, request, response);
    });
  }

  /** Sends the response of a plain request. @returns false when Fastify has to handle the request */
  private begin(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'GET' || this.options.isStopping() || request.socket.destroyed) return false;
    if (!response.shouldKeepAlive) return false;
    const began = performance.now();
    const call = this.callOf(request.url ?? '');
    const plain = call === null ? null : readPlainRequest(request);
    if (call === null || plain === null) return false;
    const result = resultOf(call);
    if (result === null) return false;
    const { count } = call.known.terms;
    try {
      const rate = count === null ? {} : count(this.options.addressOf(request, plain.forwardedFor));
      if (rate === null) return false;
      this.send(call.known, result, { plain, rate, response, began });
    } catch (error) {
      this.options.onFault(error);
      response.destroy();
    }
    return true;
  }

  private send(
    { route, terms, heads }: KnownRoute,
    { response: prepared, cacheControl }: Exclude<PreparedResult, { movedTo: string }>,
    { plain, rate, response, began }: Admitted,
  ): void {
    const requestId = this.options.requestIdOf(plain.requestId);
    const representation = prepared.in(chooseEncoding(plain.acceptEncoding));
    let head = heads.get(representation);
    if (head === undefined) {
      head = headOf(representation, prepared.contentType, terms);
      heads.set(representation, head);
    }
    const isKnown = plain.ifNoneMatch !== undefined && matchesTag(plain.ifNoneMatch, representation.etag);
    const status = isKnown ? 304 : 200;
    let lines = isKnown ? head.notModified : head.found;
    for (const name in rate) lines += `${name}: ${rate[name]}\r\n`;
    lines += `cache-control: ${cacheControl}\r\nx-request-id: ${requestId}\r\n`;
    response.on('finish', () => {
      this.options.onServed({ requestId, route: route.url, status, ms: performance.now() - began });
    });
    this.heads.set(response, status, lines);
    if (!isKnown) writeAtOnce(response, head.body);
    response.end();
  }

  private callOf(url: string): Call | null {
    const before = this.calls.get(url);
    if (before !== undefined) return before;
    for (const known of this.routes()) {
      const args = known.route.argumentsOf(url);
      if (args === null) continue;
      if (this.calls.size >= CALLS_MAX) this.calls.clear();
      const call = { known, args };
      this.calls.set(url, call);
      return call;
    }
    return null;
  }

  /**
   * Returns the prepared routes, bound to their controllers, which exist only after all routes were added.
   * @throws when a route is not `@Public()`
   */
  private routes(): KnownRoute[] {
    this.known ??= this.added.map(({ route, options }) => {
      const controller: object = this.app.get(route.declaration.controller, { strict: false });
      return {
        route,
        terms: this.options.termsOf(options, route.handler),
        call: route.handler.bind(controller),
        heads: new WeakMap(),
      };
    });
    return this.known;
  }
}

/** Returns null for a redirect or an error. Nest then calls the method again, and sends its result. */
function resultOf({ known, args }: Call): Exclude<PreparedResult, { movedTo: string }> | null {
  try {
    const result = known.call(...args);
    return 'movedTo' in result ? null : result;
  } catch {
    return null;
  }
}

/** Sends head and body in one write. `end` with a body would add an empty part, and Node would write several parts. */
function writeAtOnce(response: ServerResponse, body: string | Buffer): void {
  const { socket } = response;
  socket?.cork();
  response.write(body, 'latin1');
  socket?.uncork();
}

function headOf({ etag, encoding, body }: Representation, contentType: string, { headers }: PublicTerms): Head {
  const always = { ...headers, etag, vary: 'accept-encoding' };
  const found = {
    ...always,
    ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    'content-type': contentType,
    'content-length': String(body.length),
  };
  return {
    found: linesOf(found),
    notModified: linesOf(always),
    body: body.length > TEXT_BYTES_MAX ? body : body.toString('latin1'),
  };
}

/** Returns the header lines. Node's checks throw for a name or a value that is not valid in a header. */
function linesOf(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => {
      validateHeaderName(name);
      validateHeaderValue(name, value);
      return `${name}: ${value}\r\n`;
    })
    .join('');
}
