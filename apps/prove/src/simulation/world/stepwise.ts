import { EntityManager } from 'typeorm';
import type { NamedStatement } from '#platform/database';
import type { Process } from './process.js';
import type { Scheduler } from './scheduler.js';

/** The fault of a call of the database. */
export type DatabaseFault = 'statement_failed' | 'commit_lost';

/** The connection broke, and the caller cannot know whether the transaction was committed. */
export class DatabaseGone extends Error {
  constructor(what: DatabaseFault) {
    super(`connection to the database lost (${what})`);
  }
}

export interface DatabaseSteps {
  scheduler: Scheduler;
  process: Process;
  /** Draws the fault of this call. */
  faultOf: (label: string) => DatabaseFault | null;
  /** Draws how long the response of a call takes; null = the response comes before any other step. */
  delayOf: () => number | null;
  /** Called when the database has executed a call or the call has failed, also when the calling process has died. */
  onDone: (label: string, fault: DatabaseFault | null) => void;
}

/** Methods that make no call to the database. */
const WITHOUT_DATABASE: readonly string[] = ['leaseEnd', 'together'];

type Method = (...given: unknown[]) => Promise<unknown>;

/**
 * Wraps `port` so that every call waits until the scheduler runs it. A call is one transaction and happens as a whole,
 * also when its caller never gets the result.
 */
export function stepwise<Port extends object>(port: Port, name: string, steps: DatabaseSteps): Port {
  const methods = new Map<string, Method>();
  return new Proxy(port, {
    get(target, key) {
      const method: unknown = Reflect.get(target, key);
      if (typeof method !== 'function' || typeof key !== 'string') return method;
      if (WITHOUT_DATABASE.includes(key)) return method.bind(target) as unknown;
      let wrapped = methods.get(key);
      if (wrapped === undefined) {
        const call = method.bind(target) as Method;
        // Inside a transaction, a call belongs to the step of the transaction.
        wrapped = (...given) =>
          given.some((each) => each instanceof EntityManager)
            ? call(...given)
            : later(labelOf(name, key, given), () => call(...given), steps);
        methods.set(key, wrapped);
      }
      return wrapped;
    },
  });
}

function later(label: string, call: () => Promise<unknown>, steps: DatabaseSteps): Promise<unknown> {
  const { scheduler, process, faultOf, onDone } = steps;
  return new Promise((resolve, reject) => {
    const run = async (): Promise<void> => {
      const fault = process.isAlive ? faultOf(label) : null;
      const failure = fault === null ? null : new DatabaseGone(fault);
      const [ended] = await Promise.allSettled([fault === 'statement_failed' ? null : call()]);
      onDone(label, fault);
      answerLater(label, steps, () => {
        if (failure !== null) reject(failure);
        else if (ended.status === 'fulfilled') resolve(ended.value);
        else reject(ended.reason as Error);
      });
    };
    scheduler.add({ owner: process, label, kind: 'database', run });
  });
}

/** Delivers the result later, when it may be out of date. */
function answerLater(label: string, { scheduler, process, delayOf }: DatabaseSteps, answer: () => void): void {
  if (!process.isAlive) return;
  const delay = delayOf();
  if (delay === null) answer();
  else scheduler.add({ owner: process, label: `answer of ${label}`, kind: 'event', in: delay, run: answer });
}

/**
 * Returns the label of a call. Taking and releasing an execution lock are calls of the same method, so the statement
 * decides their label.
 */
function labelOf(name: string, method: string, [first]: unknown[]): string {
  if (name !== 'statements') return `${name}.${method}`;
  return (first as NamedStatement).text.startsWith('insert') ? 'locks.take' : 'locks.release';
}
