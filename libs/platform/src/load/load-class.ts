import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pass } from './gate.js';

/**
 * The class of a request under load. `public`: served to every caller, from memory. `list`: reads many rows. `money`:
 * executes a withdrawal or places an order, whose result must be stored. `ordinary`: every other request. Under load
 * `public` and `list` are refused first, and `money` last.
 */
export type LoadClass = 'public' | 'list' | 'ordinary' | 'money';

/**
 * Reports when the client of a request disconnects before the response. An `AbortSignal` would take more CPU time than
 * the whole admission.
 */
export class Client {
  hasLeft = false;
  private readonly leaving = new Set<() => void>();

  leave(): void {
    this.hasLeft = true;
    for (const run of this.leaving) run();
  }

  /** Calls `run` when the client disconnects. @returns the function that removes `run` */
  whenLeft(run: () => void): () => void {
    this.leaving.add(run);
    return () => void this.leaving.delete(run);
  }
}

export interface Load {
  /** Absent = background work, which no class limits. */
  loadClass?: LoadClass;
  /** Id of the API key, once it is verified. */
  owner?: string;
  /** The project for which the request acts, once that is verified. */
  projectId?: string;
  /** The admission of the request. */
  pass?: Pass;
  /** Only set when the work can stop after the client has disconnected. */
  client?: Client;
}

const current = new AsyncLocalStorage<Load | null>();

/** Returns the load of the current request; null in background work. */
export function currentLoad(): Load | null {
  return current.getStore() ?? null;
}

/** Runs `work`, which waits for something outside of this process. Another request may be active in the meantime. */
export function waitOutside<T>(work: () => Promise<T>): Promise<T> {
  const pass = currentLoad()?.pass;
  return pass === undefined ? work() : pass.outside(work);
}

/** Runs `work`, which stores a result, in the class `money`, so that it never waits until reads free a connection. */
export function runAsMoney<T>(work: () => Promise<T>): Promise<T> {
  const { pass, projectId } = currentLoad() ?? {};
  return runWithLoad({ loadClass: 'money', pass, projectId }, work);
}

/** Runs `work`, and everything that it awaits, with `load`; null = as background work. */
export function runWithLoad<T>(load: Load | null, work: () => T): T {
  return current.run(load, work);
}
