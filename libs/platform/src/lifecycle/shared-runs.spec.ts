import { SharedRuns } from './shared-runs.js';

describe('runs that callers share', () => {
  /** Work whose runs end when the test ends them. */
  function scripted() {
    const started: { end: () => void; fail: (error: Error) => void }[] = [];
    const runs = new SharedRuns(
      () =>
        new Promise<void>((resolve, reject) => {
          started.push({ end: resolve, fail: reject });
        }),
    );
    return { started, runs };
  }
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

  it('never overlap, and one run serves all callers that asked during the previous run', async () => {
    const { started, runs } = scripted();
    const first = runs.run();
    await settled();
    const during = [runs.run(), runs.run()];
    await settled();
    expect(started).toHaveLength(1);
    started[0]?.end();
    await first;
    await settled();
    expect(started).toHaveLength(2);
    started[1]?.end();
    await Promise.all(during);
    await settled();
    expect(started).toHaveLength(2);
  });

  it('reject only for the callers of a run that failed, and continue with the next run', async () => {
    const { started, runs } = scripted();
    const first = runs.run();
    await settled();
    const second = runs.run();
    started[0]?.fail(new Error('no database'));
    await expect(first).rejects.toThrow('no database');
    await settled();
    started[1]?.end();
    await expect(second).resolves.toBeUndefined();
  });
});
