import type { OrderStatus } from '#exchange';
import { DomainError, type ErrorCode } from '#platform/errors';
import type { Logger } from '#platform/logging';
import { Counts } from '../../counts.js';
import type { OrderFault } from './order-faults.js';
import type { OrderPlan } from './order-scenario.js';

/** The response to one call that places an order. */
export type OrderReply =
  | { kind: 'ok'; id: string; status: OrderStatus }
  | { kind: 'refused'; code: ErrorCode; status: number; result: Record<string, unknown> }
  /** 500: an internal error. */
  | { kind: 'broken'; message: string }
  /** The process died. */
  | { kind: 'lost' };

/** A call of a client and its response. The times are numbers of steps of the run. */
export interface OrderCall {
  client: string;
  plan: OrderPlan;
  startedAt: number;
  /** Infinity = the call has not ended. */
  endedAt: number;
  /** The client order ids that were made for this call. */
  clientOrderIds: Set<string>;
  reply: OrderReply;
}

/** A request that was written to the exchange. */
export interface WrittenOrder {
  clientOrderId: string;
  /** The id of its row. */
  orderId: string;
  inStep: number;
}

/** The observations of one run: at the clients, on the network and in the log. */
export class OrderRecords {
  readonly violations: string[] = [];
  readonly counts = new Counts();
  /** The kinds of fault that have affected a submission. */
  readonly faults = new Set<OrderFault>();
  readonly calls: OrderCall[] = [];
  readonly written: WrittenOrder[] = [];
  /** Orders whose outcome was unknown for some time. */
  readonly unknown = new Set<string>();
  /** The step in which the database was restored; null = it was not restored. */
  restoredInStep: number | null = null;
  isDatabaseWell = true;
  steps = 0;
}

/** A logger that drops all lines. */
export function silentLogger(): Logger {
  const silent = (): void => undefined;
  return { info: silent, warn: silent, error: silent } as Pick<Logger, 'info' | 'warn' | 'error'> as Logger;
}

export function orderRefusalIn(error: unknown): OrderReply {
  if (!(error instanceof DomainError)) return { kind: 'broken', message: String(error) };
  const { code, status, details } = error;
  return { kind: 'refused', code, status, result: details.result ?? {} };
}

/** Whether the response leaves open whether the order exists, and asks for a repeat of the call. */
export function isConflict(reply: OrderReply): boolean {
  return reply.kind === 'refused' && reply.status === 409 && reply.code === 'GENERIC_INVALID_REQUEST';
}

export function textOfReply(reply: OrderReply): string {
  if (reply.kind === 'ok') return `ok ${reply.status}`;
  if (reply.kind !== 'refused') return reply.kind;
  const { reason } = reply.result;
  return `${reply.status} ${reply.code}${typeof reason === 'string' ? ` (${reason})` : ''}`;
}
