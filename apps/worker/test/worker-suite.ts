import { WorkerBench } from './worker-bench.js';

const TIMEOUT_MS = 60_000;
const LOCK_MS = 2_000;
const STALLED_CHECK_MS = 1_000;
/** A machine with other work, and the job itself. */
const SLACK_MS = 2_000;

export const quickQueues = { QUEUE_LOCK_MS: String(LOCK_MS), QUEUE_STALLED_CHECK_MS: String(STALLED_CHECK_MS) };

/** What holds for built workers wherever their queues live. */
export function describeWorkers(where: string, open: () => Promise<Record<string, string>>): void {
  describe(`workers with queues in ${where}`, () => {
    let bench: WorkerBench;

    beforeEach(async () => {
      bench = await WorkerBench.start({ ...quickQueues, ...(await open()) });
    });
    afterEach(() => bench.close());

    const survivesKill = async () => {
      const wallet = await bench.wallet();
      const first = await bench.worker();
      await bench.slowExchange(60_000, 1);
      const since = new Date();
      await bench.isAsked(wallet);
      await bench.worker();
      first.child.kill('SIGKILL');
      const tookMs = await bench.allRefreshedSince(since, LOCK_MS + STALLED_CHECK_MS + SLACK_MS);
      expect(tookMs).toBeGreaterThan(0);
    };
    it('take up the job of a worker that was killed in it, when its lock is over', survivesKill, TIMEOUT_MS);

    const finishesOnSignal = async () => {
      const wallet = await bench.wallet();
      const worker = await bench.worker();
      await bench.slowExchange(1_500, 1);
      const since = new Date();
      await bench.isAsked(wallet);
      worker.child.kill('SIGTERM');
      expect(await worker.exitCode()).toBe(0);
      expect(await bench.notRefreshedSince(since)).toBe(0);
      expect(worker.stderr).toBe('');
    };
    it('finish the job that they are in when they are told to stop', finishesOnSignal, TIMEOUT_MS);
  });
}
