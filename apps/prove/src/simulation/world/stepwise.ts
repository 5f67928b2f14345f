import { EntityManager } from 'typeorm';
import type { Process } from './process.js';
import type { Scheduler } from './scheduler.js';

/** What goes wrong with a call of the database. */
export type DatabaseFault = 'statement_failed' | 'commit_lost';

/** The connection broke; whether the transaction was committed the caller cannot know. */
export class DatabaseGone extends Error {
  constructor(what: DatabaseFault) {
    super(`connection to the database lost (${what})`);
  }
}

export interface DatabaseSteps {
  scheduler: Scheduler;
  process: Process;
  /** Draws what goes wrong with this call. */
  faultOf: (label: string) => DatabaseFault | null;
  /** Draws how long the answer of a call that had its effect is on its way; null = no time in which anything happens. */
  delayOf: () => number | null;
  /** Called when a call has had its effect, whoever still waits for it. */
  onDone: (label: string, fault: DatabaseFault | null) => void;
}

/** Methods that only compute something. */
const WITHOUT_DATABASE: readonly string[] = ['leaseEnd'];

type Method = (...given: unknown[]) => Promise<unknown>;

/**
 * `port`, every call of which waits until the scheduler lets it happen. A call is one transaction: it happens as a whole,
 * and what its caller learns of it is another matter.
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
        // Inside of a transaction a call is part of the step that the transaction is.
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

/** What a call has found may be old when its caller learns it. */
function answerLater(label: string, { scheduler, process, delayOf }: DatabaseSteps, answer: () => void): void {
  if (!process.isAlive) return;
  const delay = delayOf();
  if (delay === null) answer();
  else scheduler.add({ owner: process, label: `answer of ${label}`, kind: 'event', in: delay, run: answer });
}

/** Quote locks come as plain statements. */
function labelOf(name: string, method: string, [first]: unknown[]): string {
  if (name !== 'locks') return `${name}.${method}`;
  return String(first).startsWith('insert') ? 'locks.take' : 'locks.release';
}
