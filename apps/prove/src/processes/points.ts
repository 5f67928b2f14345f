import type { Hook } from './hooks.js';

/** The disturbance of one process at a named moment of a schedule. */
export type Disturbance =
  | { kind: 'none' }
  | { kind: 'kill'; in: 'api' | 'worker'; at: Hook }
  | { kind: 'database'; in: 'api' | 'worker'; at: Hook; what: 'kill' | 'disconnect' }
  | { kind: 'commit'; in: 'api' | 'worker'; of: RegExp; fate: CommitFate };

/**
 * `lost`: the database commits, and the connection ends before the response. `refused`: the connection ends before
 * COMMIT arrives.
 */
export type CommitFate = 'lost' | 'refused';

/** Statements by which the relay recognizes the transaction at whose COMMIT it ends the connection. */
const INTENT = /insert into withdrawal_attempts/;
const RESULT = /update withdrawal_attempts set outcome/;
const SETTLING = /update withdrawals set state/;
const ORDER_INTENT = /insert into "orders"/i;
const ORDER_RESULT = /update "orders" set/i;

const kill = (process: 'api' | 'worker', at: Hook): Disturbance => ({ kind: 'kill', in: process, at });
const commit = (process: 'api' | 'worker', of: RegExp, fate: CommitFate): Disturbance => ({
  kind: 'commit',
  in: process,
  of,
  fate,
});
const database = (process: 'api' | 'worker', at: Hook, what: 'kill' | 'disconnect'): Disturbance => ({
  kind: 'database',
  in: process,
  at,
  what,
});

/** Points in the work with orders. */
const orderPoints = {
  api_after_order_intent: kill('api', 'order.intent.after'),
  api_before_order_bytes: kill('api', 'order.bytes.before'),
  api_after_order_bytes: kill('api', 'order.bytes.after'),
  api_before_order_result: kill('api', 'order.result.before'),
  api_after_order_result: kill('api', 'order.result.after'),
  worker_after_order_take: kill('worker', 'order.take.after'),
  worker_before_order_result: kill('worker', 'order.result.before'),
  worker_after_order_result: kill('worker', 'order.result.after'),
  postmaster_before_order_result: database('api', 'order.result.before', 'kill'),
  order_intent_commit_lost: commit('api', ORDER_INTENT, 'lost'),
  order_intent_commit_refused: commit('api', ORDER_INTENT, 'refused'),
  order_result_commit_lost: commit('api', ORDER_RESULT, 'lost'),
  order_result_commit_refused: commit('api', ORDER_RESULT, 'refused'),
} as const satisfies Record<string, Disturbance>;

export const crashPoints = {
  none: { kind: 'none' },
  api_before_claim: kill('api', 'claim.before'),
  api_in_claim: kill('api', 'claim.inside'),
  api_after_intent: kill('api', 'intent.after'),
  api_before_bytes: kill('api', 'bytes.before'),
  api_after_bytes: kill('api', 'bytes.after'),
  api_before_result: kill('api', 'result.before'),
  api_after_result: kill('api', 'result.after'),
  worker_after_take: kill('worker', 'take.after'),
  worker_after_find: kill('worker', 'find.after'),
  worker_before_result: kill('worker', 'result.before'),
  worker_after_result: kill('worker', 'result.after'),
  postmaster_after_intent: database('api', 'intent.after', 'kill'),
  postmaster_before_result: database('api', 'result.before', 'kill'),
  postmaster_after_find: database('worker', 'find.after', 'kill'),
  disconnect_in_claim: database('api', 'claim.inside', 'disconnect'),
  disconnect_before_result: database('api', 'result.before', 'disconnect'),
  intent_commit_lost: commit('api', INTENT, 'lost'),
  intent_commit_refused: commit('api', INTENT, 'refused'),
  result_commit_lost: commit('api', RESULT, 'lost'),
  result_commit_refused: commit('api', RESULT, 'refused'),
  settling_commit_lost: commit('worker', SETTLING, 'lost'),
  settling_commit_refused: commit('worker', SETTLING, 'refused'),
  ...orderPoints,
} as const satisfies Record<string, Disturbance>;

export type PointName = keyof typeof crashPoints;
export const pointNames = Object.keys(crashPoints) as [PointName, ...PointName[]];

/** Whether the point is in the work with orders, and not with withdrawals. */
export function isOfOrders(point: PointName): boolean {
  return Object.hasOwn(orderPoints, point);
}
