/**
 * This module is loaded into API and worker before all other modules (`node --import`). It wraps methods of the
 * product's classes, so that the moments before, in and after their calls have names. At an armed moment it ends the
 * process, holds it, or refuses its next connection. The product does not know this module. When a wrapped method was
 * renamed, the process does not start.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { closeSync, openSync } from 'node:fs';
import type { ArmedPoint, FromService, Hook, ToService } from '../hooks.js';
import type { WrappedFile } from '../wrapped-files.js';
import { processMutants, type ProcessMutant } from './process-mutants.js';
import { wrap } from './product.js';

/** An address without a server. */
const NOBODY = 'http://127.0.0.1:1';

let armed: ArmedPoint[] = [];
const held = new Map<string, () => void>();

process.on('message', (message: ToService) => {
  if (message.kind === 'go') return held.get(message.id)?.();
  armed = message.points;
  tell({ kind: 'armed', request: message.request });
});

function tell(message: FromService): void {
  process.send?.(message);
}

/** Counts a visit of the hook. Returns the armed point that makes the process act at this visit. */
function dueAt(hook: Hook): ArmedPoint | undefined {
  const here = armed.filter((point) => point.hook === hook);
  for (const point of here) point.visits -= 1;
  const due = here.find(({ visits, token }) => visits === 0 && takes(token));
  if (due !== undefined) tell({ kind: 'reached', id: due.id });
  return due;
}

function takes(token: string | null): boolean {
  if (token === null) return true;
  try {
    closeSync(openSync(token, 'wx'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Ends this process at once: SIGKILL takes effect before the call returns. */
function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

async function visit(hook: Hook | undefined): Promise<void> {
  const due = hook === undefined ? undefined : dueAt(hook);
  if (due?.action === 'kill') die();
  if (due?.action === 'hold') await new Promise<void>((resolve) => held.set(due.id, resolve));
}

interface Moments {
  before?: Hook;
  after?: Hook;
  /** Whether a call with this result counts as a visit of the moment `after`. Default: every call counts. */
  counts?: (result: unknown) => boolean;
}

function watch(file: WrappedFile, className: string, method: string, moments: Moments): Promise<void> {
  const { before, after, counts = () => true } = moments;
  return wrap(
    file,
    className,
    method,
    (original) =>
      async function (...args) {
        await visit(before);
        const result = await original.apply(this, args);
        if (counts(result)) await visit(after);
        return result;
      },
  );
}

const maySend = (begun: unknown): boolean => (begun as { attempt: unknown }).attempt !== null;
await watch('libs/withdrawal/src/withdrawals/withdrawal-store.js', 'WithdrawalStore', 'begin', {
  before: 'claim.before',
  after: 'intent.after',
  counts: maySend,
});
await watch('libs/withdrawal/src/withdrawals/withdrawal-store.js', 'WithdrawalStore', 'insertAttempt', {
  after: 'claim.inside',
});
await watch('libs/withdrawal/src/withdrawals/withdrawal-store.js', 'WithdrawalStore', 'takeDue', {
  after: 'take.after',
  counts: (due) => (due as string[]).length > 0,
});
await watch('libs/withdrawal/src/settling/settlement.js', 'Settlement', 'seek', { after: 'find.after' });
for (const outcome of ['accepted', 'rejected', 'notSent', 'unknown', 'notExecuted', 'toReview', 'settled', 'absent']) {
  await watch('libs/withdrawal/src/withdrawals/withdrawal-transitions.js', 'WithdrawalTransitions', outcome, {
    before: 'result.before',
    after: 'result.after',
  });
}

await watch('libs/trading/src/orders/order-store.js', 'OrderStore', 'begin', {
  after: 'order.intent.after',
  counts: (begun) => (begun as { isNew: boolean }).isNew,
});
await watch('libs/trading/src/orders/order-store.js', 'OrderStore', 'takeDue', {
  after: 'order.take.after',
  counts: (due) => (due as string[]).length > 0,
});
for (const outcome of ['accepted', 'refused', 'notSent', 'unknown', 'notPlaced', 'read']) {
  await watch('libs/trading/src/orders/order-transitions.js', 'OrderTransitions', outcome, {
    before: 'order.result.before',
    after: 'order.result.after',
  });
}

/** Set while a call sends an order; every other request that is sent once is of a withdrawal. */
const sendingOrder = new AsyncLocalStorage<true>();
await wrap(
  'libs/trading/src/placement/place-order.js',
  'PlaceOrder',
  'send',
  (original) =>
    function (...args) {
      return sendingOrder.run(true, () => original.apply(this, args));
    },
);

/** A moment of a request that is sent once. Orders have a hook of their own for each. */
type RequestHook = 'connect.before' | 'bytes.before' | 'bytes.after';

interface SendOnceOptions {
  beforeWrite: () => void;
}

await wrap(
  'libs/exchange/src/transport/transport.js',
  'Transport',
  'sendOnce',
  (original) =>
    function (...args) {
      const [address, sign, options] = args as [string, unknown, SendOnceOptions];
      const isOrder = sendingOrder.getStore() === true;
      const hook = (name: RequestHook): Hook => (isOrder ? `order.${name}` : name);
      const beforeWrite = (): void => {
        if (dueAt(hook('bytes.before')) !== undefined) die();
        options.beforeWrite();
        // The HTTP library writes when this callback returns. In the next turn of the event loop the kernel has the
        // bytes, so the process ends after they were sent.
        if (dueAt(hook('bytes.after')) !== undefined) setImmediate(die);
      };
      const where = dueAt(hook('connect.before')) === undefined ? address : NOBODY;
      return original.apply(this, [where, sign, { ...options, beforeWrite }]);
    },
);

const mutant = new URL(import.meta.url).searchParams.get('mutant');
if (mutant !== null) await processMutants[mutant as ProcessMutant]();
