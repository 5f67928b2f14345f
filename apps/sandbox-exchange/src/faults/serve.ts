import type { FastifyReply } from 'fastify';
import type { SandboxServer } from '../server.js';
import type { Protocol, Reply } from './protocol.js';
import { faultActions, sent, type Delivery, type FaultedCall } from './faults.js';

/** An incoming call of any protocol. */
export interface ServedCall {
  protocol: Protocol;
  /** The name of the endpoint, as in `/control/faults` and `/control/requests`. */
  endpoint: string;
  /** The API key or token of the call, valid or not. */
  credential: string | undefined;
  /** Verifies the call by this clock. The returned function carries it out, and returns errors as responses. */
  admit: (now: () => Date) => () => Reply;
}

/** Serves a call, with the fault that applies to it. No other place applies faults. */
export async function serve(server: SandboxServer, call: ServedCall, reply: FastifyReply): Promise<FastifyReply> {
  const { faults, requests } = server;
  const fault = faults.take(call);
  const logged = requests.add({
    endpoint: call.endpoint,
    apiKeyHint: call.credential?.slice(-4) ?? null,
    at: server.now().toISOString(),
    outcome: 'pending',
    fault: fault?.fault ?? null,
  });
  const faulted = faultedCall(server, call, { delayMs: fault?.delayMs ?? 0, error: fault?.error });
  const delivery: Delivery = await (fault === null ? sent(faulted.act()) : faultActions[fault.fault](faulted));
  if (delivery?.delayMs !== undefined) await faults.delay(delivery.delayMs);
  logged.outcome = outcomeOf(delivery, call.protocol);
  return deliver(delivery, reply);
}

function faultedCall(
  { exchange, faults, now }: SandboxServer,
  { admit, protocol }: ServedCall,
  { delayMs, error }: { delayMs: number; error: string | undefined },
): FaultedCall {
  return {
    protocol,
    act: ({ clockMs = 0 } = {}) => admit(() => new Date(now().getTime() + clockMs))(),
    actWithOldBalances: () => exchange.withBalancesOf(now().getTime() - delayMs, () => admit(now)()),
    admit: () => admit(now),
    later: (work) => faults.later(delayMs, work),
    delay: () => faults.delay(delayMs),
    released: faults.released,
    delayMs,
    error,
    now,
  };
}

/** A response body longer than this contains no error, so the log does not parse it. */
const ERROR_LENGTH_MAX = 10_000;

function outcomeOf(delivery: Delivery, { errorIn }: Protocol): string {
  if (delivery === null) return 'dropped';
  const { status, contentType, body } = delivery;
  const error =
    contentType === 'application/json' && body !== '' && body.length <= ERROR_LENGTH_MAX
      ? errorIn(JSON.parse(body))
      : null;
  return error ?? (status < 300 ? 'ok' : `http ${status}`);
}

function deliver(delivery: Delivery, reply: FastifyReply): FastifyReply {
  if (delivery === null) {
    reply.hijack();
    reply.raw.destroy();
    return reply;
  }
  const { status, contentType, body, headers = {}, times = 1 } = delivery;
  if (times === 1) return reply.code(status).headers(headers).type(contentType).send(body);
  const head = `HTTP/1.1 ${status} OK\r\ncontent-type: ${contentType}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  reply.hijack();
  reply.raw.socket?.end((head + body).repeat(times));
  return reply;
}
