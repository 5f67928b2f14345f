import { randomUUID } from 'node:crypto';
import { maxHeaderSize, type IncomingMessage } from 'node:http';
import { ValidationPipe } from '@nestjs/common';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ValidationError } from 'class-validator';
import { LogController, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { Config } from '#platform/config';
import { CannotListen, HttpErrorFilter, ValidationFailed, sendError, type InvalidField } from '#platform/errors';
import { Shutdown } from '#platform/lifecycle';
import { admitRequests, type LoadClass } from '#platform/load';
import type { Logger } from '#platform/logging';
import { Metrics } from '#platform/metrics';
import { refuseUnreadable } from './connections/client-error.js';
import { Connections } from './connections/connections.js';
import { drainRequests } from './connections/drain-requests.js';
import { measureRequests, type MeasureRequest } from './measure-requests.js';
import { RefuseOtherThanObjects } from './bodies/object-body.pipe.js';
import { isProbe } from './connections/probes.js';
import { readBodies } from './bodies/read-bodies.js';
import { boundHeaders, countOf, hostIsCheckedHere, refuseAmbiguousHeads } from './connections/request-head.js';
import { CheckQueryParameters } from './parameters/query-parameters.pipe.js';
import { RequestLog } from './request-log.js';

/** How often Node checks for clients that exceed the time-outs of a request. */
const TIMEOUTS_CHECKED_MS = 1_000;
/** The status, in logs and metrics, of a request whose client disconnected before the response, as in nginx. */
const CLIENT_LEFT = 499;
const REQUEST_ID = /^[\x20-\x7e]{1,128}$/;

/** Creates the Fastify adapter with the limits of the configuration, for `NestFactory.create`. */
export function createHttpAdapter(config: Config, logger: Logger): FastifyAdapter {
  const { values, constants } = config;
  const adapter = new FastifyAdapter({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    // Only the configured number of hops is trusted, because the client can write the leftmost addresses.
    trustProxy: values.TRUST_PROXY && ((_address: string, hop: number) => hop < values.TRUST_PROXY_HOPS),
    bodyLimit: constants.BODY_LIMIT_BYTES,
    requestTimeout: constants.REQUEST_TIMEOUT_MS,
    connectionTimeout: 0,
    keepAliveTimeout: values.CONNECTION_IDLE_MS,
    http: { ...hostIsCheckedHere, connectionsCheckingInterval: TIMEOUTS_CHECKED_MS },
    // Path parameters of any length reach the route, so that the route reports an unknown id with its own error code.
    // Node limits the length of the request line.
    routerOptions: { maxParamLength: maxHeaderSize },
    // `drainRequests` sends the 503 with an error body of the interface.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: refuseUnreadable,
    genReqId: requestIdOf,
    frameworkErrors: refuseMalformedPath,
    // No middleware is used. The adapter would otherwise run its middleware engine for each request.
    skipMiddie: true,
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  fastify.server.headersTimeout = constants.HEADERS_TIMEOUT_MS;
  boundHeaders(fastify.server);
  new Connections(config).watch(fastify);
  nameRequests(fastify);
  refuseAmbiguousHeads(fastify);
  readBodies(adapter);
  return adapter;
}

export interface HttpAppOptions {
  /** Returns the caller of a request for the limits per caller; null = these limits do not apply to the request. */
  callerOf?: (request: IncomingMessage) => string | null;
}

/** Configures error responses, validation, metrics, admission and the orderly stop of an HTTP application. */
export function configureHttpApp(app: NestFastifyApplication, { callerOf = () => null }: HttpAppOptions = {}): void {
  app.useGlobalFilters(new HttpErrorFilter());
  app.useGlobalPipes(
    new CheckQueryParameters(),
    new RefuseOtherThanObjects(),
    new ValidationPipe({
      whitelist: true,
      transform: true,
      stopAtFirstError: true,
      exceptionFactory: (errors) => new ValidationFailed(errors.flatMap((error) => invalidFields(error))),
    }),
  );
  const fastify = app.getHttpAdapter().getInstance();
  const measure = measureRequests(app.get(Metrics));
  reportRequests(fastify, new RequestLog(app.get(Config).values.PUBLIC_READ_LOG_EVERY), measure);
  const refused = app.get(Metrics).counter({
    name: 'causeway_requests_refused_total',
    help: 'Requests that were refused with 503 because of overload, by load class.',
    labels: ['class'],
  });
  const onRefused = (loadClass: LoadClass): void => refused.inc({ class: loadClass });
  admitRequests(fastify, { isExempt, callerOf, onRefused });
  drainRequests(fastify, app.get(Shutdown));
}

/**
 * Starts the application and its server. Nest's own `listen` is not used, because it logs a busy port as a fault.
 * @param announce returns the log line for the address.
 * @throws CannotListen when the operating system refuses the address or the port
 */
export async function listen(
  app: NestFastifyApplication,
  port: number,
  host: string,
  announce: (address: string) => string,
): Promise<void> {
  await app.init();
  const fastify = app.getHttpAdapter().getInstance();
  await fastify.listen({ port, host, listenTextResolver: announce }).catch((error: unknown) => {
    // Errors of the operating system have a system call. Others are faults of this program, whose stack must be logged.
    throw error instanceof Error && 'syscall' in error ? new CannotListen(host, port, error) : error;
  });
}

/**
 * Whether a request is served without admission: probes, and WebSockets and event streams, which have their own limits.
 */
function isExempt({ routeOptions: { url, config } }: FastifyRequest): boolean {
  return isProbe(url) || config.isHandedOver === true;
}

/** Returns the request id that the caller sent, if it was sent once and is printable, else a new id. */
function requestIdOf({ headers, rawHeaders }: IncomingMessage): string {
  const { 'x-request-id': given } = headers;
  const isOne = typeof given === 'string' && countOf(rawHeaders, 'x-request-id') === 1;
  return isOne && REQUEST_ID.test(given) ? given : randomUUID();
}

/** Sends the response for a malformed path. Fastify detects such a path before it finds a route or runs a hook. */
function refuseMalformedPath(_error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const message = 'path must be UTF-8, with two hexadecimal digits after each percent sign';
  sendError(new ValidationFailed([{ field: 'path', message }]), request, reply);
}

function nameRequests(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    done();
  });
}

/** Logs and measures each request once: when its response is sent, or when its client disconnects before that. */
function reportRequests(fastify: FastifyInstance, lines: RequestLog, measure: MeasureRequest): void {
  const left = new WeakSet<FastifyRequest>();
  const report = (request: FastifyRequest, status: number, ms: number): void => {
    const { method, routeOptions, log } = request;
    const { url: route, config } = routeOptions;
    measure({ method, route: route ?? 'none', status, ms });
    const line = { method, route, status, ms };
    if (config.loadClass === 'public') lines.writePublic(log, line);
    // Successful probes arrive every second and are logged only at `debug`.
    else lines.write(log, line, isProbe(route) && status === 200 ? 'debug' : 'info');
  };
  fastify.addHook('onRequest', (request, reply, done) => {
    const { raw } = reply;
    // A WebSocket or event stream normally ends when its client disconnects.
    if (request.routeOptions.config.isHandedOver !== true)
      raw.on('close', () => {
        if (raw.writableFinished) return;
        left.add(request);
        report(request, CLIENT_LEFT, reply.elapsedTime);
      });
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    if (!left.has(request)) report(request, reply.statusCode, reply.elapsedTime);
    done();
  });
}

function invalidFields(error: ValidationError, path = ''): InvalidField[] {
  const field = path === '' ? error.property : `${path}.${error.property}`;
  // A missing field gets a message of its own, because a message about its form would not say that it is missing.
  const isMissing = error.value === undefined && error.constraints !== undefined;
  const messages = isMissing ? [`${error.property} is required`] : Object.values(error.constraints ?? {});
  const own = messages.map((message) => ({ field, message: path === '' ? message : `${path}.${message}` }));
  return [...own, ...(error.children ?? []).flatMap((child) => invalidFields(child, field))];
}
