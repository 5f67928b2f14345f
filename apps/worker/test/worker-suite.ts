import { WorkerHarness } from './worker-harness.js';

const TIMEOUT_MS = 300_000;
const LOCK_MS = 2_000;
const STALLED_CHECK_MS = 1_000;
/** Longer than the job of a killed worker stays locked, so that the lease alone decides when another worker begins. */
const LEASE_MS = 6_000;
/** Additional time for other work on the machine and for the job itself. */
const SLACK_MS = 10_000;

export const quickQueues = {
  QUEUE_LOCK_MS: LOCK_MS,
  QUEUE_STALLED_CHECK_MS: STALLED_CHECK_MS,
  QUEUE_LEASE_MS: LEASE_MS,
};

/** Defines tests of compiled worker processes. `open` returns the settings that select the store of the queues. */
export function describeWorkers(where: string, open: () => Promise<Record<string, string>>): void {
  describe(`workers with queues in ${where}`, () => {
    let harness: WorkerHarness;

    beforeEach(async () => {
      harness = await WorkerHarness.start(await open(), quickQueues);
    });
    afterEach(() => harness.close());

    const survivesKill = async () => {
      const wallet = await harness.wallet();
      const first = await harness.worker();
      await harness.slowExchange(60_000, 1);
      const since = new Date();
      await harness.isCalled(wallet);
      first.child.kill('SIGKILL');
      await first.exitCode();
      const killedAt = new Date();
      const { dueAt: leaseEnd } = await harness.timesOf(wallet);
      expect(leaseEnd.getTime()).toBeGreaterThan(killedAt.getTime());
      await harness.worker();
      await harness.allRefreshedSince(since, LEASE_MS + SLACK_MS);
      const { refreshedAt } = await harness.timesOf(wallet);
      expect(refreshedAt?.getTime()).toBeGreaterThanOrEqual(leaseEnd.getTime());
    };
    it('take over the work of a killed worker soon after its lease expires, and not before', survivesKill, TIMEOUT_MS);

    const finishesOnSignal = async () => {
      const wallet = await harness.wallet();
      const worker = await harness.worker();
      await harness.slowExchange(1_500, 1);
      const since = new Date();
      await harness.isCalled(wallet);
      worker.child.kill('SIGTERM');
      expect(await worker.exitCode()).toBe(0);
      expect(await harness.notRefreshedSince(since)).toBe(0);
      expect(worker.stderr).toBe('');
    };
    it('finish their current job after SIGTERM', finishesOnSignal, TIMEOUT_MS);
  });
}
