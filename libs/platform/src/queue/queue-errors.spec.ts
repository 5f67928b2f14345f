import { capturedLog } from '#platform/testing';
import { QueueErrors } from './queue-errors.js';
import type { Queues } from './queues.js';

describe('the log of queues and jobs', () => {
  const { logger, lines } = capturedLog();
  const queues: Pick<Queues, 'all'> = { all: () => [] };
  const errors = new QueueErrors(queues as Queues, logger);
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:6379'), { code: 'ECONNREFUSED' });
  beforeEach(() => lines.splice(0));

  it('has one warning without a stack for a server that refuses the connections of every queue', () => {
    for (const queue of ['wallet.sync', 'withdrawal.reconcile']) errors.report(queue, refused);
    expect(lines).toMatchObject([{ level: 40, msg: 'a queue failed', queue: 'wallet.sync' }]);
    expect(lines[0]).not.toHaveProperty('err');
  });

  it('has one warning without a stack for a queue that has lost its jobs, although each message has another job id', () => {
    for (const id of ['01a1fb00-0523-7459-8d7f-6a4f6f1f3f61', '01a1fb00-0552-71e6-86dd-0070f9f9fdc9']) {
      errors.report('wallet.sync', new Error(`Missing key for job ${id}. moveToFinished`));
    }
    expect(lines).toMatchObject([{ level: 40, because: expect.stringContaining('Missing key for job') as string }]);
    expect(lines[0]).not.toHaveProperty('err');
  });

  it('has one warning without a stack for all jobs that fail at an unreachable database', () => {
    for (let row = 0; row < 50; row += 1) errors.reportJob('wallet.sync', { row }, new Error('Connection terminated'));
    expect(lines).toMatchObject([{ level: 40, msg: 'job failed', job: 'wallet.sync', data: { row: 0 } }]);
    expect(lines[0]).not.toHaveProperty('err');
  });

  it('has the stack of a fault in a job', () => {
    errors.reportJob('wallet.sync', { row: 1 }, new TypeError('x is not a function'));
    expect(lines).toMatchObject([{ level: 50, job: 'wallet.sync', err: { type: 'TypeError' } }]);
  });
});
