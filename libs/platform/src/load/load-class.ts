import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pass } from './gate.js';

/**
 * What a request is to whoever shares this process with it, from what is refused first to what is refused last:
 * `public`: answered to anybody, from memory; `list`: reads many rows; `money`: a withdrawal or an order, whose result
 * must be recorded; `ordinary`: everything else.
 */
export type LoadClass = 'public' | 'list' | 'ordinary' | 'money';

export interface Load {
  loadClass: LoadClass;
  /** Who asks, once that is known: id of the API key. */
  owner?: string;
  /** What the request was let in with. */
  pass?: Pass;
  /** Aborted when the client has left; only where the work can then stop. */
  clientLeft?: AbortSignal;
}

const current = new AsyncLocalStorage<Load>();

/** The load that the caller is part of; null = none: work in the background. */
export function currentLoad(): Load | null {
  return current.getStore() ?? null;
}

/** Runs `work`, which waits for something that costs this process nothing: meanwhile another request is worked on. */
export function waitOutside<T>(work: () => Promise<T>): Promise<T> {
  const pass = currentLoad()?.pass;
  return pass === undefined ? work() : pass.outside(work);
}

/** Runs `work` as part of the money class, for results that must be stored: it waits neither with reads nor for them. */
export function runAsMoney<T>(work: () => T): T {
  const { pass } = currentLoad() ?? {};
  return runWithLoad({ loadClass: 'money', pass }, work);
}

export function runWithLoad<T>(load: Load, work: () => T): T {
  return current.run(load, work);
}
