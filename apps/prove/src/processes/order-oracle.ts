import { Amount } from '#money';
import type { Reply } from './api-client.js';
import type { OrderRecord } from './installation/exchange-control.js';
import type { OrderRow } from './order-rows.js';

/** An order that clients asked for, and all responses that they got. */
export interface AskedOrder {
  /** Its Idempotency-Key. */
  key: string;
  /** No other order of the account has this volume. */
  volume: string;
  replies: Reply[];
  /** The responses to reads of the order at the end, one for each API process. */
  reads: Reply[];
}

/** The facts about orders after a schedule. */
export interface OrderFacts {
  orders: AskedOrder[];
  /** The orders of the account at the exchange. */
  records: OrderRecord[];
  rows: OrderRow[];
}

type Answer = Extract<Reply, { status: number }>;

const OK = 200;
const CONFLICT = 409;
const TOO_MANY = 429;
/** Statuses of an order that the exchange certainly has. */
const PLACED: readonly string[] = ['open', 'filled', 'expired'];
/** States of an order that the exchange does not have. */
const NONE: readonly string[] = ['refused', 'not_placed'];
/** For each final status of the exchange, the status that the service reports. */
const STATUS_OF: Readonly<Record<string, string>> = { closed: 'filled', canceled: 'canceled', expired: 'expired' };

/** Whether the response is final. After any other response, a client repeats the request with the same key. */
export function isFinalForOrder(reply: Reply): reply is Answer {
  return 'status' in reply && reply.status < 500 && reply.status !== CONFLICT && reply.status !== TOO_MANY;
}

/** Whether the order is final: the exchange has ended it or does not have it. */
export function isFinalState(state: string): boolean {
  return state === 'closed' || NONE.includes(state);
}

/** Returns every broken rule in words; the list is empty when the schedule broke none. */
export function judgeOrders({ orders, records, rows }: OrderFacts): string[] {
  const known = new Set(orders.map(({ volume }) => textOf(volume)));
  const unasked = records.filter(({ volume }) => !known.has(textOf(volume)));
  return [
    ...unasked.map(({ id }) => `duplicate: nobody asked for the order ${id}`),
    ...orders.flatMap((order) =>
      judgeOrder(order, {
        records: records.filter(({ volume }) => textOf(volume) === textOf(order.volume)),
        rows: rows.filter(({ key }) => key === order.key),
      }),
    ),
  ];
}

function judgeOrder(order: AskedOrder, facts: Omit<OrderFacts, 'orders'>): string[] {
  const { records, rows } = facts;
  const [record] = records;
  const problems: string[] = [];
  if (records.length > 1) {
    problems.push(`duplicate: ${records.map(({ id }) => id).join(', ')} for the one order ${order.key}`);
  }
  for (const { id, state } of rows) {
    if (!isFinalState(state)) problems.push(`stuck: order ${id} is ${state}`);
  }
  for (const { id, isContradicted } of rows) {
    if (isContradicted) problems.push(`lost: order ${id} was reported as absent, but the exchange has it`);
  }
  const placed = rows.filter(({ state }) => state === 'closed');
  if (placed.length > 1) problems.push(`duplicate: ${placed.length} rows for the one order ${order.key}`);
  if (placed.length > 0 && record === undefined) problems.push(`unplaced: the exchange has no order ${order.key}`);
  if (placed.length === 0 && record !== undefined) {
    const states = rows.map(({ state }) => state).join(', ');
    problems.push(`lost: the exchange has ${record.id} for ${order.key}, which is ${states}`);
  }
  return [...problems, ...answersOf(order, record), ...readsOf(order, record)];
}

/**
 * Checks that clients got a final response, that all their success responses name one order, that this order exists if
 * they report it as placed, and that a refusal is the only final response and right.
 */
function answersOf({ key, replies }: AskedOrder, record: OrderRecord | undefined): string[] {
  const final = replies.filter(isFinalForOrder);
  if (final.length === 0) return [`no answer for order ${key}`];
  const ids = new Set(final.filter(({ status }) => status === OK).map(idOf));
  const refusals = final.filter(({ status }) => status !== OK);
  const problems: string[] = [];
  if (ids.size > 1) problems.push(`different answers for order ${key}: ${[...ids].join(', ')}`);
  if (ids.size > 0 && refusals.length > 0) problems.push(`order ${key} got a success response and a refusal`);
  const placed = final.filter(
    ({ status, body }) => status === OK && PLACED.includes((body as { status: string }).status),
  );
  if (placed.length > 0 && record === undefined) {
    problems.push(`unplaced: order ${key} was reported as placed, but the exchange has none`);
  }
  if (refusals.length > 0 && record !== undefined) {
    problems.push(`lost: order ${key} got a refusal, but the exchange has ${record.id}`);
  }
  return problems;
}

/** Checks that each API process reports the order as the exchange has it. */
function readsOf({ key, reads }: AskedOrder, record: OrderRecord | undefined): string[] {
  return reads.flatMap((reply) => {
    if (!('status' in reply) || reply.status !== OK) return [`order ${key} cannot be read: ${JSON.stringify(reply)}`];
    const { status, rawStatus, executedVolume } = reply.body as Record<string, string>;
    const said = `${status} (${rawStatus}, executed ${executedVolume})`;
    if (record === undefined) {
      return NONE.includes(rawStatus ?? '') ? [] : [`order ${key} is reported as ${said}, and the exchange has none`];
    }
    const isSame =
      status === STATUS_OF[record.status] && textOf(executedVolume ?? '') === textOf(record.executedVolume);
    const has = `${record.status}, executed ${record.executedVolume}`;
    return isSame && !NONE.includes(rawStatus ?? '')
      ? []
      : [`order ${key} is reported as ${said}, and the exchange has it as ${has}`];
  });
}

/** The id of the order in the first success response; null = there is no such response. */
export function placedIdOf({ replies }: AskedOrder): string | null {
  const [placed] = replies.filter(isFinalForOrder).filter(({ status }) => status === OK);
  return placed === undefined ? null : idOf(placed);
}

function idOf({ body }: Answer): string {
  return (body as { orderId: string }).orderId;
}

function textOf(volume: string): string {
  return Amount.of(volume).toString();
}
