/** Moments in the work of API and worker at which the preloaded module can end, hold or disturb the process. */
export type Hook =
  | 'claim.before'
  | 'claim.inside'
  | 'intent.after'
  | 'connect.before'
  | 'bytes.before'
  | 'bytes.after'
  | 'result.before'
  | 'result.after'
  | 'take.after'
  | 'find.after'
  | OrderHook;

/** The same moments in the work with orders. */
export type OrderHook =
  | 'order.intent.after'
  | 'order.connect.before'
  | 'order.bytes.before'
  | 'order.bytes.after'
  | 'order.result.before'
  | 'order.result.after'
  | 'order.take.after';

/**
 * `kill`: the process ends at once, by SIGKILL. `hold`: the process waits until it is released. `refuse`: its next
 * connection to the exchange is refused.
 */
export type Action = 'kill' | 'hold' | 'refuse';

export interface ArmedPoint {
  id: string;
  hook: Hook;
  action: Action;
  /** How often the process visits (reaches) the hook until it acts; 1 = it acts at the first visit. */
  visits: number;
  /** Path of a file. When several processes have the same armed point, only the process that creates the file acts. */
  token: string | null;
}

/** A message from the harness to a process of the service. */
export type ToService = { kind: 'arm'; request: number; points: ArmedPoint[] } | { kind: 'go'; id: string };
/** A message from a process of the service to the harness. */
export type FromService = { kind: 'armed'; request: number } | { kind: 'reached'; id: string };
