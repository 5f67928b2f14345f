import type { FastifyReply } from 'fastify';
import type { SandboxServer } from '../server.js';
import type { Dialect, Reply } from './dialect.js';
import { faultActions, sent, type Delivery, type FaultedCall } from './faults.js';

/** A call of any dialect, as it came in. */
export interface ServedCall {
  dialect: Dialect;
  /** Its name for faults and the list of requests. */
  endpoint: string;
  /** API key or token, whatever it is worth. */
  credential: string | undefined;
  /** Verifies the call by this clock; what it returns carries it out. Refusals are replies. */
  admit: (now: () => Date) => () => Reply;
}

/** The one place where a fault meets a call. */
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
  logged.outcome = outcomeOf(delivery, call.dialect);
  return deliver(delivery, reply);
}

function faultedCall(
  { faults, now }: SandboxServer,
  { admit, dialect }: ServedCall,
  { delayMs, error }: { delayMs: number; error: string | undefined },
): FaultedCall {
  return {
    dialect,
    act: ({ clockMs = 0 } = {}) => admit(() => new Date(now().getTime() + clockMs))(),
    admit: () => admit(now),
    later: (work) => faults.later(delayMs, work),
    delay: () => faults.delay(delayMs),
    released: faults.released,
    delayMs,
    error,
    now,
  };
}

/** An answer that is longer tells of no error. */
const ERROR_LENGTH_MAX = 10_000;

function outcomeOf(delivery: Delivery, { errorIn }: Dialect): string {
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
