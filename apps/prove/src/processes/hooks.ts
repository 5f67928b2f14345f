/** Moments in the work of API and worker that the preloaded module can name. */
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
  | 'find.after';

/** `kill`: the process ends at once, by SIGKILL. `hold`: it waits until it is let go. `refuse`: nobody listens where it connects to. */
export type Action = 'kill' | 'hold' | 'refuse';

export interface ArmedPoint {
  id: string;
  hook: Hook;
  action: Action;
  /** It happens at this visit of the moment, the first being 1. */
  visits: number;
  /** A file: whoever creates it first of several processes that are armed alike may go on with it, and no other. */
  token: string | null;
}

/** From the harness to a process of the service. */
export type ToService = { kind: 'arm'; order: number; points: ArmedPoint[] } | { kind: 'go'; id: string };
/** And back. */
export type FromService = { kind: 'armed'; order: number } | { kind: 'reached'; id: string };
