import { loadConfig } from '#platform/config';
import { defineJob, jobsPerSecond, rowsPerJob } from './define-job.js';

const options = { concurrency: 'WALLET_SYNC_CONCURRENCY' } as const;
const job = defineJob('probe.rows', { ...options, perSecond: 'WALLET_SYNC_PER_SECOND', rowsPerJob: 10 });

describe('jobs that take several rows', () => {
  it.each([
    [1, 1, 1],
    [19, 1, 19],
    [50, 5, 10],
    [100, 10, 10],
    [199, 10, 19],
    [100_000, 10, 10_000],
  ])(
    'with a limit of %d rows a second take %d rows each and begin at most %d times a second',
    (perSecond, rows, jobs) => {
      const config = loadConfig({ WALLET_SYNC_PER_SECOND: String(perSecond) });
      expect([rowsPerJob(job, config), jobsPerSecond(job, config)]).toEqual([rows, jobs]);
    },
  );

  it('begin without a limit if they have no `perSecond`; a job without `rowsPerJob` takes one row', () => {
    const config = loadConfig({});
    const unlimited = defineJob('probe.unlimited', { ...options, rowsPerJob: 10 });
    expect([rowsPerJob(unlimited, config), jobsPerSecond(unlimited, config)]).toEqual([10, undefined]);
    const single = defineJob('probe.single', { ...options, perSecond: 'WALLET_SYNC_PER_SECOND' });
    expect([rowsPerJob(single, config), jobsPerSecond(single, config)]).toEqual([1, 50]);
  });
});
