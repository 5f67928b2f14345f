import type { Order } from '#trading/testing';
import { lastOf, type BookedOrder } from './order-book.js';
import { isConflict, textOfReply, type OrderCall, type WrittenOrder } from './order-records.js';
import type { OrderScenario } from './order-scenario.js';
import { orderTiming } from './order-timing.js';

/** The facts after a run: the exchange's book, the service's rows, and the responses. */
export interface OrderFacts {
  scenario: Pick<OrderScenario, 'deeds' | 'exchange'>;
  rows: readonly Order[];
  /** Every order that the exchange has accepted, of all accounts. */
  book: readonly BookedOrder[];
  calls: readonly OrderCall[];
  written: readonly WrittenOrder[];
  /** Whether every call of the database succeeded. */
  isDatabaseWell: boolean;
  /** The step in which the database was restored; null = it was not restored. */
  restoredInStep: number | null;
}

/** Returns every broken rule in words; the list is empty when the run broke none. */
export function judgeOrders(facts: OrderFacts): string[] {
  const keys = new Set(facts.calls.flatMap(({ plan: { key } }) => key ?? []));
  return [
    ...[...keys].flatMap((key) => duplicatesOfKey(key, facts)),
    ...facts.book.flatMap((booked) => [...duplicatesOf(booked, facts), ...unknownOrders(booked, facts)]),
    ...facts.rows.flatMap((row) => [...restOf(row), ...endOf(row, facts)]),
    ...facts.calls.flatMap((call) => [...falseRefusals(call, facts), ...internalErrors(call, facts)]),
    ...changedResults(facts),
    ...secondSubmissions(facts),
  ];
}

/** Lists the requests of which the exchange has accepted a copy. Copies are made by the network, not by the service. */
function requestsOf(booked: readonly BookedOrder[]): BookedOrder[] {
  return booked.filter(
    (order, index) => booked.findIndex(({ sentInStep }) => sentInStep === order.sentInStep) === index,
  );
}

function idsOf(booked: readonly BookedOrder[]): string {
  return booked.map(({ exchangeId }) => exchangeId).join(', ');
}

function duplicatesOfKey(key: string, { book, calls, rows }: OrderFacts): string[] {
  const ids = new Set([
    ...calls.flatMap(({ plan, clientOrderIds }) => (plan.key === key ? [...clientOrderIds] : [])),
    ...rows.flatMap(({ idempotencyKey, clientOrderId }) => (idempotencyKey === key ? clientOrderId : [])),
  ]);
  const made = requestsOf(book.filter(({ clientOrderId }) => ids.has(clientOrderId)));
  return made.length > 1 ? [`duplicate: ${idsOf(made)} were placed under the key ${key}`] : [];
}

function duplicatesOf(booked: BookedOrder, { book }: OrderFacts): string[] {
  const made = requestsOf(book.filter(({ clientOrderId }) => clientOrderId === booked.clientOrderId));
  return made.length > 1 && made[0] === booked ? [`duplicate: ${idsOf(made)} have one client order id`] : [];
}

/** Reports an order at the exchange that no row contains, or that every row calls refused or not placed. */
function unknownOrders(booked: BookedOrder, { rows, calls, restoredInStep }: OrderFacts): string[] {
  const { clientOrderId, exchangeId, sentInStep } = booked;
  const own = rows.filter((row) => row.clientOrderId === clientOrderId);
  if (own.some(({ state }) => state !== 'refused' && state !== 'not_placed')) return [];
  const call = calls.find(({ clientOrderIds }) => clientOrderIds.has(clientOrderId));
  // A restored database has lost the row, and without a key no later call can find the order.
  const isForgotten = restoredInStep !== null && sentInStep <= restoredInStep && call?.plan.key === null;
  if (own.length === 0) return isForgotten ? [] : [`ghost: no row contains ${exchangeId}`];
  const words = own.map(({ id, state, errorCode }) => `${id} is ${state} (${errorCode})`).join(', ');
  return [`lost: ${exchangeId} is at the exchange, but the order ${words}`];
}

/** Reports orders whose outcome stays unknown. */
function restOf({ id, state, nextCheckAt }: Order): string[] {
  if (state !== 'placing' && state !== 'unknown') return [];
  return [`stuck: the order ${id} is ${state}${nextCheckAt === null ? ' and is not followed' : ''}`];
}

/** Reports a row whose final state is not that of the order at the exchange. */
function endOf(row: Order, { book, scenario }: OrderFacts): string[] {
  if (row.state !== 'open' && row.state !== 'closed') return [];
  const linked = book.find(({ exchangeId }) => exchangeId === row.exchangeIds[0]);
  const name = `the order ${row.id} (${row.state}, ${row.rawStatus})`;
  const isOwn = linked?.clientOrderId === row.clientOrderId;
  // After a wrong id, the client order id decides.
  const mayBeWrong = scenario.exchange.faults.includes('wrong_id');
  const booked = isOwn ? linked : book.find(({ clientOrderId }) => clientOrderId === row.clientOrderId);
  if (booked === undefined || (!isOwn && !mayBeWrong)) {
    return [`wrong link: ${name} is linked to ${row.exchangeIds.join(', ')}, which is not its own`];
  }
  const { status, executed } = lastOf(booked);
  if (row.state === 'closed') {
    const isSame = row.status === status && row.executedVolume.equals(executed);
    return isSame ? [] : [`false end: ${name} is ${row.status}, but ${booked.exchangeId} is ${status}`];
  }
  // Credentials of another account do not show the order.
  const isInvisible = scenario.deeds.some(({ key }) => key.startsWith('B'));
  return status === 'open' || isInvisible ? [] : [`not followed: ${name} has ended at the exchange as ${status}`];
}

/** Whether the response means that this request has placed no order (docs/trading.md). */
function meansNone({ reply }: OrderCall): boolean {
  if (reply.kind !== 'refused' || isConflict(reply)) return false;
  return !['database_restored', 'host_clock_differs'].includes(String(reply.result['reason']));
}

/** Reports a refusal of an order that was sent before the response, and that the exchange has accepted. */
function falseRefusals(call: OrderCall, facts: OrderFacts): string[] {
  const { book, calls } = facts;
  if (!meansNone(call)) return [];
  const { key } = call.plan;
  const same = key === null ? [call] : calls.filter(({ plan }) => plan.key === key);
  const ids = new Set(same.flatMap(({ clientOrderIds }) => [...clientOrderIds]));
  const booked = book.find(
    ({ clientOrderId, sentInStep }) =>
      ids.has(clientOrderId) && sentInStep <= call.endedAt && !isOfAnother(sentInStep, call, same),
  );
  if (booked === undefined || isCorrected(booked, facts)) return [];
  return [`false refusal: ${call.client} got ${textOfReply(call.reply)}, but ${booked.exchangeId} is at the exchange`];
}

/**
 * Whether another call with the same key sent the order while the refused call ran. The refusal states only what the
 * refused call did, and the order of simultaneous calls is open: the refused call may have come first.
 */
function isOfAnother(sentInStep: number, refused: OrderCall, same: readonly OrderCall[]): boolean {
  if (sentInStep <= refused.startedAt) return false;
  return same.some(
    ({ reply, startedAt, endedAt }) => reply.kind !== 'refused' && startedAt <= sentInStep && sentInStep <= endedAt,
  );
}

/**
 * Whether a wrong refusal is excused: the exchange shows orders later than the service assumes, and the service has
 * corrected the order and told the operator when the exchange showed it.
 */
function isCorrected({ clientOrderId }: BookedOrder, { rows, scenario }: OrderFacts): boolean {
  const isVeryLate = Math.max(...Object.values(scenario.exchange.lags)) > orderTiming.viewLagMax;
  return isVeryLate && rows.some((row) => row.clientOrderId === clientOrderId && row.contradictedAt !== null);
}

/** Checks that only a failing database, or its restore during the call, causes a response with an internal error. */
function internalErrors({ client, reply, startedAt, endedAt }: OrderCall, facts: OrderFacts): string[] {
  const { isDatabaseWell, restoredInStep } = facts;
  const isRestored = restoredInStep !== null && startedAt <= restoredInStep && restoredInStep <= endedAt;
  if (reply.kind !== 'broken' || !isDatabaseWell || isRestored) return [];
  return [`${client} got a 500, but nothing had failed: ${reply.message}`];
}

/** Reports a call whose result differs from an earlier success under the same key. */
function changedResults({ calls, rows, isDatabaseWell, restoredInStep }: OrderFacts): string[] {
  if (restoredInStep !== null) return [];
  return calls.flatMap((call) => {
    const { plan, startedAt, reply, client } = call;
    if (plan.key === null || reply.kind === 'lost' || (reply.kind === 'broken' && !isDatabaseWell)) return [];
    const earlier = calls.find(
      (other) => other.plan.key === plan.key && other.reply.kind === 'ok' && other.endedAt <= startedAt,
    );
    if (earlier?.reply.kind !== 'ok') return [];
    const { id, status } = earlier.reply;
    if (reply.kind === 'ok' ? reply.id === id : isConflict(reply)) return [];
    // The outcome was unknown at first; then a refusal was confirmed, or the order was proven absent.
    const isNone = rows.some((row) => row.id === id && (row.state === 'not_placed' || row.state === 'refused'));
    if (status === 'unknown' && isNone) return [];
    const word = reply.kind === 'ok' ? `the order ${reply.id}` : textOfReply(reply);
    return [`changed result: ${client} got ${word}, but an earlier call with ${plan.key} got the order ${id}`];
  });
}

/**
 * Reports a second submission under one key after a first one that may have been executed. Only an order that was
 * proven absent may be followed by another submission.
 */
function secondSubmissions({ written, rows, restoredInStep }: OrderFacts): string[] {
  if (restoredInStep !== null) return [];
  const stateOf = (orderId: string): string | undefined => rows.find(({ id }) => id === orderId)?.state;
  return written.flatMap(({ clientOrderId, orderId }, index) => {
    const earlier = written.slice(0, index).find((other) => other.clientOrderId === clientOrderId);
    if (earlier === undefined || (earlier.orderId !== orderId && stateOf(earlier.orderId) === 'not_placed')) return [];
    return [`second submission: ${clientOrderId} was written again, after the order ${earlier.orderId}`];
  });
}
