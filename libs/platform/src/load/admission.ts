import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Overloaded } from '#platform/errors';
import { Gate, type GateLimits } from './gate.js';
import { runWithLoad, type Load, type LoadClass } from './load-class.js';
import { LoopDelay } from './loop-delay.js';
import { RouteLoads } from './route-loads.js';

/** What one process works on at a time. Most of it waits: for exchanges, or for a connection of the database. */
const GATES: Record<LoadClass, GateLimits> = {
  public: { inside: 256, waiting: 256, waitMs: 500 },
  list: { inside: 256, waiting: 64, waitMs: 500 },
  ordinary: { inside: 256, waiting: 128, waitMs: 500 },
  money: { inside: 512, waiting: 256, waitMs: 900 },
};

/** From this delay of the process on, requests of a class are refused while so many others are in flight. */
const BUSY_FROM = 32;
const REFUSED_FROM_DELAY_MS: Record<LoadClass, number> = { public: 100, list: 100, ordinary: 200, money: 2_000 };

const OVERLOADED = new Overloaded();

export interface AdmissionOptions {
  /** Requests that are always served. */
  isExempt: (request: FastifyRequest) => boolean;
  /** The same by the path alone. */
  isProbe: (path: string | undefined) => boolean;
  requestIdOf: (request: IncomingMessage) => string;
  /** Is called for each request that is refused. */
  onRefused: (loadClass: LoadClass) => void;
}

const atTheEnd = new WeakMap<FastifyRequest, (() => void)[]>();

/** Calls `end` when the request has its answer, also when its client is gone by then. */
export function whenAnswered(request: FastifyRequest, end: () => void): void {
  const ends = atTheEnd.get(request);
  if (ends === undefined) atTheEnd.set(request, [end]);
  else ends.push(end);
}

/**
 * Bounds what this process works on and what waits, and refuses the rest at once with 503: public reads and lists first,
 * withdrawals and orders last. Probes are always answered.
 */
export function admitRequests(fastify: FastifyInstance, options: AdmissionOptions): void {
  const { isExempt, onRefused } = options;
  const delay = new LoopDelay();
  const gates = new Map(Object.entries(GATES).map(([name, limits]) => [name as LoadClass, new Gate(limits)]));
  const loads = new WeakMap<FastifyRequest, Load>();
  let inFlight = 0;
  delay.start();
  refuseEarly(fastify, options, (loadClass) => {
    const isTooLate = inFlight >= BUSY_FROM && delay.ms > REFUSED_FROM_DELAY_MS[loadClass];
    if (isTooLate) onRefused(loadClass);
    return isTooLate;
  });

  fastify.addHook('onRequest', (request, reply, done) => {
    if (isExempt(request)) return done();
    const { loadClass = 'ordinary' } = request.routeOptions.config;
    const gate = gates.get(loadClass);
    gate?.ask((isAdmitted) => {
      if (!isAdmitted) {
        onRefused(loadClass);
        return done(new Overloaded());
      }
      if (request.raw.socket.destroyed) {
        reply.hijack();
        return gate.leave();
      }
      inFlight += 1;
      whenAnswered(request, () => {
        inFlight -= 1;
        gate.leave();
      });
      loads.set(request, loadOf(loadClass, reply.raw));
      done();
    });
  });
  // Not earlier: a body is read outside of the hooks.
  fastify.addHook('preValidation', (request, _reply, done) => {
    const load = loads.get(request);
    if (load === undefined) done();
    else runWithLoad(load, done);
  });
  fastify.addHook('onSend', (request, _reply, _payload, done) => {
    const ends = atTheEnd.get(request) ?? [];
    atTheEnd.delete(request);
    for (const end of ends) end();
    done();
  });
  fastify.addHook('onClose', (_instance, done) => {
    delay.stop();
    done();
  });
}

/** Before the framework has seen the request: a refusal that costs as much as an answer would not help. */
function refuseEarly(
  fastify: FastifyInstance,
  { isProbe, requestIdOf }: AdmissionOptions,
  isTooLate: (loadClass: LoadClass) => boolean,
): void {
  const { server } = fastify;
  const routes = new RouteLoads();
  fastify.addHook('onRoute', (route) => routes.add(route));
  const serve = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const { method = '', url = '' } = request;
    if (!isProbe(url) && isTooLate(routes.classOf(method, url))) return refuse(requestIdOf(request), response);
    for (const one of serve) one.call(server, request, response);
  });
}

function refuse(requestId: string, response: ServerResponse): void {
  const { message: error, code: type, status } = OVERLOADED;
  response
    .writeHead(status, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'retry-after': '1',
      'x-request-id': requestId,
    })
    .end(JSON.stringify({ error, requestId, type }));
}

function loadOf(loadClass: LoadClass, response: ServerResponse): Load {
  if (loadClass !== 'list') return { loadClass };
  const left = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) left.abort();
  });
  return { loadClass, clientLeft: left.signal };
}
