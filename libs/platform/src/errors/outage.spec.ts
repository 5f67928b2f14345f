import { isOutage } from './outage.js';

const withCode = (code: string, message = 'refused'): Error => Object.assign(new Error(message), { code });

describe('outages of the database or the queue', () => {
  it.each(['08006', '53300', '57P01', '57014', '55P03', '25006', 'ECONNREFUSED', 'ETIMEDOUT'])(
    'are recognized by the code %s',
    (code) => {
      expect(isOutage(withCode(code))).toBe(true);
      // TypeORM wraps the driver's error. When all addresses of a host name fail, Node throws one AggregateError.
      expect(isOutage(Object.assign(new Error('query failed'), { driverError: withCode(code) }))).toBe(true);
      expect(isOutage(new AggregateError([withCode(code)]))).toBe(true);
    },
  );

  it.each([
    'timeout exceeded when trying to connect',
    'Connection terminated unexpectedly',
    'Query read timeout',
    'Connection is closed.',
    'Command timed out',
    // Texts from createSharedObjects in https://github.com/redis/redis/blob/7.0/src/server.c
    'LOADING Redis is loading the dataset in memory',
    "READONLY You can't write against a read only replica.",
    "OOM command not allowed when used memory > 'maxmemory'.",
    // BullMQ: src/classes/worker.ts, finished-errors.ts and lock-manager.ts in https://github.com/taskforcesh/bullmq
    "Failed to add repeatable job for next iteration: OOM command not allowed when used memory > 'maxmemory'.",
    'Missing key for job 01a1fb00-0523-7459-8d7f-6a4f6f1f3f61. moveToFinished',
    'Missing lock for job 01a1fb00-0523-7459-8d7f-6a4f6f1f3f61. moveToFinished',
    'Lock mismatch for job 01a1fb00-0523-7459-8d7f-6a4f6f1f3f61. Cmd moveToFinished from active',
    'could not renew lock for job 01a1fb00-0523-7459-8d7f-6a4f6f1f3f61',
  ])('are recognized by the message "%s"', (message) => {
    expect(isOutage(new Error(message))).toBe(true);
  });

  it.each(['42P01', '23505', '22P02', 'ERR_INVALID_ARG_TYPE'])('are not recognized by the code %s', (code) => {
    expect(isOutage(withCode(code))).toBe(false);
    expect(isOutage('timeout exceeded when trying to connect')).toBe(false);
  });
});
