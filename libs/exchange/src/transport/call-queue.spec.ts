import { setImmediate as nextTurn } from 'node:timers/promises';
import { Clock } from '#platform/clock';
import { runWithLoad } from '#platform/load';
import { CallQueue, OverBudget, type QueueLimits } from './call-queue.js';
import { ManualClock } from '../testing/manual-clock.js';
import type { LimitReached, LimitScope } from './call-limit.js';
import { PauseBook } from './pauses.js';
import { TokenBucket } from './token-bucket.js';
import type { HttpResponse } from './transport.js';

const limits = { waitingMax: 3, waitMaxMs: 1_000 };

interface QueueOptions extends Partial<QueueLimits> {
  buckets?: TokenBucket[];
  book?: PauseBook;
  credentialId?: string;
}

const READ = 'GET orders';
const SUBMISSION = 'POST withdrawals';

/** A response that asks for a pause. */
const asking = (retryAfterMs: number): HttpResponse => ({ status: 429, body: '', retryAfterMs });
/** A response that shows a limit as used up. */
const showing = (of: LimitScope, shownBy: LimitReached['shownBy'] = 'header'): HttpResponse => ({
  status: 200,
  body: '',
  limitsReached: [{ of, pauseMs: 60_000, shownBy }],
});

const SITE = { exchange: 'kraken', origin: 'https://api.kraken.com' };

function queueWith(
  clock: Clock,
  { buckets = [], book = new PauseBook(clock), credentialId = 'one', ...own }: QueueOptions = {},
): CallQueue {
  return new CallQueue(clock, buckets, { ...limits, ...own }, book.of({ site: SITE, credentialId }));
}

/** A call that runs until the test ends it. */
function openCall(): { call: () => Promise<string>; end: (value: string) => void; fail: (error: Error) => void } {
  let end: (value: string) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const ended = new Promise<string>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  return { call: () => ended, end: (value) => end(value), fail: (error) => fail(error) };
}

describe('CallQueue', () => {
  it('runs calls one after the other, in the order in which they came', async () => {
    const queue = queueWith(new Clock());
    const order: string[] = [];
    const first = openCall();
    const calls = [
      queue.run(async () => order.push(`end of ${await first.call()}`)),
      queue.run(async () => order.push('second')),
      queue.run(async () => order.push('third')),
    ];
    await nextTurn();
    expect(order).toEqual([]);
    first.end('first');
    await Promise.all(calls);
    expect(order).toEqual(['end of first', 'second', 'third']);
  });

  it('runs as many calls at a time as its limit allows, and starts them in the order in which they came', async () => {
    const queue = queueWith(new Clock(), { atOnce: 2 });
    const order: string[] = [];
    const open = ['first', 'second', 'third', 'fourth'].map((name) => ({ name, ...openCall() }));
    const calls = open.map(({ name, call }) =>
      queue.run(() => {
        order.push(name);
        return call();
      }),
    );
    await nextTurn();
    expect(order).toEqual(['first', 'second']);
    open[1]?.end('');
    await nextTurn();
    expect(order).toEqual(['first', 'second', 'third']);
    for (const { end } of open) end('');
    await Promise.all(calls);
    expect(order).toEqual(['first', 'second', 'third', 'fourth']);
  });

  it('starts the calls of executions and orders before reads that came earlier', async () => {
    const queue = queueWith(new Clock());
    const asMoney = <T>(work: () => Promise<T>): Promise<T> => runWithLoad({ loadClass: 'money' }, work);
    const order: string[] = [];
    const first = openCall();
    const calls = [
      queue.run(first.call),
      ...['read', 'second read', 'third read'].map((name) => queue.run(async () => order.push(name))),
      ...['question', 'submission'].map((name) => asMoney(() => queue.run(async () => order.push(name)))),
    ];
    // The maximum number of reads waits already. The calls of the execution are accepted all the same.
    await expect(queue.run(async () => 'one read too many')).rejects.toThrow(OverBudget);
    first.end('');
    await Promise.all(calls);
    expect(order).toEqual(['question', 'submission', 'read', 'second read', 'third read']);
  });

  it('continues after a call that fails', async () => {
    const queue = queueWith(new Clock());
    const first = openCall();
    const failing = queue.run(first.call);
    const next = queue.run(async () => 'next');
    first.fail(new Error('broken'));
    await expect(failing).rejects.toThrow('broken');
    await expect(next).resolves.toBe('next');
  });

  it('refuses calls beyond the limit of waiting calls, and no others', async () => {
    const queue = queueWith(new Clock());
    const first = openCall();
    const running = queue.run(first.call);
    await nextTurn();
    const waiting = [2, 3, 4].map((n) => queue.run(async () => n));
    await expect(queue.run(async () => 5)).rejects.toThrow(OverBudget);
    first.end('1');
    await running;
    await expect(Promise.all(waiting)).resolves.toEqual([2, 3, 4]);
  });

  it('refuses a call that waits too long, without starting the next call early', async () => {
    const queue = queueWith(new Clock(), { waitMaxMs: 20 });
    const first = openCall();
    const order: string[] = [];
    const running = queue.run(first.call).then(() => order.push('first'));
    const late = queue.run(async () => order.push('late'));
    await expect(late).rejects.toThrow(OverBudget);
    const after = queue.run(async () => order.push('after'));
    await nextTurn();
    first.end('first');
    await Promise.all([running, after]);
    expect(order).toEqual(['first', 'after']);
  });

  it('waits until every bucket allows the call', async () => {
    const clock = new ManualClock();
    const startedAt = clock.now().getTime();
    const buckets = [new TokenBucket(clock, 10, 1), new TokenBucket(clock, 2, 1)];
    const queue = queueWith(clock, { buckets });
    await queue.run(async () => undefined);
    const elapsedMs = await queue.run(async () => clock.now().getTime() - startedAt);
    expect(elapsedMs).toBe(500);
  });

  it('refuses a call, and takes no token, when a bucket requires a longer wait than allowed', async () => {
    const clock = new ManualClock();
    const shared = new TokenBucket(clock, 1, 2);
    const queue = queueWith(clock, { buckets: [new TokenBucket(clock, 0.1, 1), shared] });
    await queue.run(async () => undefined);
    await expect(queue.run(async () => undefined)).rejects.toThrow(OverBudget);
    expect(shared.waitMs()).toBe(0);
  });

  it('takes as many tokens for a call as the call costs', async () => {
    const clock = new ManualClock();
    const bucket = new TokenBucket(clock, 10, 5);
    const queue = queueWith(clock, { buckets: [bucket] });
    await queue.run(async () => undefined, { cost: 5 });
    expect(bucket.waitMs()).toBe(100);
  });

  it('delays a call until the end of a short pause, and refuses a call during a longer pause', async () => {
    const clock = new ManualClock();
    const startedAt = clock.now().getTime();
    const queue = queueWith(clock);
    queue.heed(asking(800), READ);
    queue.heed(asking(300), READ);
    const elapsedMs = await queue.run(async () => clock.now().getTime() - startedAt);
    expect(elapsedMs).toBe(800);
    queue.heed(asking(5_000), READ);
    await expect(queue.run(async () => undefined)).rejects.toThrow('pause');
    clock.advance(5_000);
    await queue.run(async () => undefined);
  });

  describe('when the exchange asks for a pause while a call waits for our own rate limit', () => {
    /** @returns the milliseconds after which the call starts. Without the pause they are 200. */
    async function startWith(pauseMs: number): Promise<number> {
      const clock = new ManualClock();
      const startedAt = clock.now().getTime();
      const queue = queueWith(clock, { buckets: [new TokenBucket(clock, 5, 1)], atOnce: 2 });
      await queue.run(async () => undefined);
      clock.onSleep = () => {
        clock.onSleep = () => undefined;
        queue.heed(asking(pauseMs), READ);
      };
      return queue.run(async () => clock.now().getTime() - startedAt);
    }

    it('starts the call after the pause', async () => {
      expect(await startWith(500)).toBe(700);
    });

    it('refuses the call when the pause is longer than it may wait', async () => {
      await expect(startWith(5_000)).rejects.toThrow('pause');
    });
  });

  it('pauses for ten minutes at most, even when a 429 response asks for a longer pause', async () => {
    const clock = new ManualClock();
    const queue = queueWith(clock);
    queue.heed(asking(Number.MAX_SAFE_INTEGER), READ);
    clock.advance(600_000);
    await queue.run(async () => undefined);
  });

  describe('after a response that shows a limit as used up', () => {
    /**
     * Tries three calls after `show`: to READ, to another endpoint, and to READ with another credential. true = the
     * call runs.
     */
    async function running(show: (queue: CallQueue) => void): Promise<boolean[]> {
      const clock = new ManualClock();
      const book = new PauseBook(clock);
      const queue = queueWith(clock, { book });
      const other = queueWith(clock, { book, credentialId: 'other' });
      show(queue);
      const runs = (of: CallQueue, endpoint: string): Promise<boolean> =>
        of
          .run(() => Promise.resolve(true), { endpoint })
          .catch((error: unknown) => {
            if (error instanceof OverBudget) return false;
            throw error;
          });
      return [await runs(queue, READ), await runs(queue, 'GET balances'), await runs(other, READ)];
    }

    it.each([
      ['endpoint', [false, true, true]],
      ['credential', [false, false, true]],
      ['address_endpoint', [false, true, false]],
      ['address', [false, false, false]],
    ] as const)('starts no call that a limit of the scope %s counts', async (of, expected) => {
      expect(await running((queue) => queue.heed(showing(of), READ))).toEqual(expected);
    });

    it.each([429, 418, 503])('starts no call of the credential after Retry-After with HTTP %d', async (status) => {
      expect(await running((queue) => queue.heed({ ...asking(60_000), status }, READ))).toEqual([false, false, true]);
    });

    /** Checks that the queue refuses a call until the rest of the pause is short enough to wait for. */
    async function expectPauseOf(pauseMs: number, queue: CallQueue, clock: ManualClock): Promise<void> {
      const runs = (): Promise<boolean> =>
        queue.run(() => Promise.resolve(true), { endpoint: READ }).catch(() => false);
      clock.advance(pauseMs - limits.waitMaxMs - 1);
      expect(await runs()).toBe(false);
      clock.advance(1);
      expect(await runs()).toBe(true);
    }

    it.each([429, 418, 503])('refuses calls for at most ten minutes after HTTP %d', async (status) => {
      const clock = new ManualClock();
      const queue = queueWith(clock);
      queue.heed({ ...asking(Number.MAX_SAFE_INTEGER), status }, READ);
      await expectPauseOf(600_000, queue, clock);
    });

    /** Binance, rate limits: "IP bans … scale in duration for repeat offenders, from 2 minutes to 3 days." */
    it.each([
      ['a limit that is used up', 600_000, 'header'],
      ['a refusal beyond the limit', 600_000, 'rate_limit'],
      ['a documented ban', 259_200_000, 'ban'],
    ] as const)('refuses calls after %s for at most %d ms', async (_what, longestMs, shownBy) => {
      const clock = new ManualClock();
      const queue = queueWith(clock);
      const reached = { of: 'credential', pauseMs: 2 * longestMs, shownBy } as const;
      queue.heed({ status: 200, body: '', limitsReached: [reached] }, READ);
      await expectPauseOf(longestMs, queue, clock);
    });

    it('stops every call when a submission is refused because our address is banned', async () => {
      const banned = showing('address', 'ban');
      expect(await running((queue) => queue.heedSubmission(banned, SUBMISSION))).toEqual([false, false, false]);
    });

    it('stops only further submissions of the credential when no declaration calls the refusal a ban', async () => {
      const undocumented = { ...asking(999_999_999_000), status: 418 };
      expect(await running((queue) => queue.heedSubmission(undocumented, SUBMISSION))).toEqual([true, true, true]);
    });

    it('starts reads, but no further submission, when the response was to a submission', async () => {
      const clock = new ManualClock();
      const reports = [showing('endpoint'), showing('credential'), showing('address'), asking(60_000)];
      for (const response of [...reports, showing('address', 'rate_limit')]) {
        expect(await running((queue) => queue.heedSubmission(response, SUBMISSION))).toEqual([true, true, true]);
        const queue = queueWith(clock);
        queue.heedSubmission(response, SUBMISSION);
        await expect(queue.run(() => Promise.resolve(1), { endpoint: SUBMISSION })).rejects.toThrow(OverBudget);
      }
    });
  });
});
