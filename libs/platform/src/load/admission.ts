import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Overloaded, RateLimitExceeded, type DomainError } from '#platform/errors';
import { AcceptQueue } from './accept-queue.js';
import { Gate, type GateLimits, type NoPlace, type Pass } from './gate.js';
import { Client, runWithLoad, type Load, type LoadClass } from './load-class.js';
import { LoopDelay } from './loop-delay.js';

/**
 * How long an execution or an order waits for admission. A client that was refused at once would repeat the request
 * within this time, and a repeated request costs more than a waiting one.
 */
export const MONEY_WAIT_MS = 4_000;

/**
 * The limits of one process for each class. They are low, because all active requests share one event loop: each of the
 * many steps of an execution waits for steps of the other requests.
 */
const GATES: Record<LoadClass, GateLimits> = {
  public: { inside: 16, admitted: 256, waiting: 256, waitMs: 250 },
  list: { inside: 4, admitted: 256, waiting: 256, waitMs: 250 },
  ordinary: { inside: 16, admitted: 512, waiting: 256, waitMs: 250 },
  money: { inside: 128, admitted: 512, waiting: 512, waitMs: MONEY_WAIT_MS },
};

/**
 * A late event loop causes refusals only if at least this many requests are active. Requests that wait for an exchange
 * do not count.
 */
const BUSY_FROM = 8;
/** Beyond this delay of the event loop, a busy process refuses requests of the class. */
const REFUSED_FROM_DELAY_MS: Record<LoadClass, number> = { public: 50, list: 50, ordinary: 75, money: 2_000 };

/** Up to this delay, no class is refused. */
const CALM_DELAY_MS = Math.min(...Object.values(REFUSED_FROM_DELAY_MS));

/** Number of active executions and orders above which no other request is admitted. */
const MONEY_FIRST_FROM = 32;
/**
 * At most this many active executions and orders of one API key count towards MONEY_FIRST_FROM. One key alone can
 * therefore never stop the other requests of all keys.
 */
const MONEY_FIRST_OF_ONE_CALLER = 16;

/**
 * The caller of all requests without an API key, except those of the class `public`. Together these requests get the
 * share of one caller, so that they leave room for callers with a key.
 */
const KEYLESS = 'requests without an API key';

const RETRY_AFTER_SECONDS = 1;
/** The errors are created once, because a refusal must be cheap. */
const ERRORS: Record<NoPlace, DomainError> = {
  none: new Overloaded(),
  caller_has_all: new RateLimitExceeded(RETRY_AFTER_SECONDS),
};

export interface AdmissionOptions {
  /** Requests that are always served. */
  isExempt: (request: FastifyRequest) => boolean;
  /**
   * Returns the caller of a request for the limits per caller, before the credentials are verified; null = the request
   * has no API key.
   */
  callerOf: (request: IncomingMessage) => string | null;
  /**
   * Called for each request that is refused because of the load of the process, and not because of the limits of its
   * caller.
   */
  onRefused: (loadClass: LoadClass) => void;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the request is admitted. */
    load?: Load;
  }
}

const atTheEnd = new WeakMap<FastifyRequest, (() => void)[]>();

/** Calls `end` when the response is sent, also when the client has disconnected. */
export function whenAnswered(request: FastifyRequest, end: () => void): void {
  const ends = atTheEnd.get(request);
  if (ends === undefined) atTheEnd.set(request, [end]);
  else ends.push(end);
}

/**
 * Limits the active and the waiting requests of this process, and refuses the rest at once with 503: public reads and
 * lists first, withdrawals and orders last. Probes are always served.
 */
export function admitRequests(fastify: FastifyInstance, options: AdmissionOptions): void {
  const { isExempt, onRefused } = options;
  const callerOf = (loadClass: LoadClass, request: IncomingMessage): string | null =>
    options.callerOf(request) ?? (loadClass === 'public' ? null : KEYLESS);
  const delay = new LoopDelay();
  const acceptQueue = new AcceptQueue(fastify.server);
  const gates: Record<LoadClass, Gate> = {
    public: new Gate(GATES.public),
    list: new Gate(GATES.list),
    ordinary: new Gate(GATES.ordinary),
    money: new Gate(GATES.money),
  };
  const all = Object.values(gates);
  const areBusy = (): boolean => all.reduce((sum, gate) => sum + gate.busy(), 0) >= BUSY_FROM;
  delay.start();
  // Without load, these cheap checks let a request pass. Only under load are its class and its caller looked up, too.
  const isCalm = (): boolean =>
    delay.ms <= CALM_DELAY_MS && gates.money.busy() <= MONEY_FIRST_FROM && all.every((gate) => gate.hasRoomForAll);
  // Before the body is read, because refusing a request must cost less than serving it.
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (isCalm() || isExempt(request)) return done();
    const { loadClass = 'ordinary' } = request.routeOptions.config;
    const isLate = delay.ms > REFUSED_FROM_DELAY_MS[loadClass] && areBusy();
    const isMoneyFirst = loadClass !== 'money' && gates.money.busy(MONEY_FIRST_OF_ONE_CALLER) > MONEY_FIRST_FROM;
    const refusal = isLate || isMoneyFirst ? 'none' : gates[loadClass].refusalOf(callerOf(loadClass, request.raw));
    if (refusal === null) return done();
    if (refusal === 'none') onRefused(loadClass);
    done(ERRORS[refusal]);
  });

  fastify.decorateRequest('load', undefined);
  // A request is admitted only after its body has arrived, because a client may send the body slowly.
  fastify.addHook('preValidation', (request, reply, done) => {
    if (isExempt(request)) return done();
    const { loadClass = 'ordinary' } = request.routeOptions.config;
    gates[loadClass].ask(callerOf(loadClass, request.raw), (pass) => {
      if (typeof pass === 'string') {
        if (pass === 'none') onRefused(loadClass);
        return done(ERRORS[pass]);
      }
      const begin = (): void => {
        if (request.raw.socket.destroyed) {
          reply.hijack();
          return pass.end();
        }
        whenAnswered(request, pass.end);
        const load = loadOf(loadClass, pass, reply.raw);
        request.load = load;
        // Another request, whose end made room for this one, may have called this function.
        runWithLoad(load, done);
      };
      // A long list takes about 20 ms of CPU time, so many lists would delay the connections in the accept queue.
      if (loadClass === 'list') acceptQueue.whenEmpty(begin);
      else begin();
    });
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

function loadOf(loadClass: LoadClass, pass: Pass, response: ServerResponse): Load {
  if (loadClass !== 'list') return { loadClass, pass };
  const client = new Client();
  response.on('close', () => {
    if (!response.writableFinished) client.leave();
  });
  return { loadClass, pass, client };
}
