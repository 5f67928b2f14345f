import { SharedTurns } from './shared-turns.js';

describe('SharedTurns', () => {
  /** Work whose runs end when they are told to. */
  function scripted() {
    const runs: { end: () => void; fail: (error: Error) => void }[] = [];
    const turns = new SharedTurns(
      () =>
        new Promise<void>((resolve, reject) => {
          runs.push({ end: resolve, fail: reject });
        }),
    );
    return { runs, turns };
  }
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

  it('never runs twice at once, and once for all who ask during a run', async () => {
    const { runs, turns } = scripted();
    const first = turns.run();
    await settled();
    const during = [turns.run(), turns.run()];
    await settled();
    expect(runs).toHaveLength(1);
    runs[0]?.end();
    await first;
    await settled();
    expect(runs).toHaveLength(2);
    runs[1]?.end();
    await Promise.all(during);
    await settled();
    expect(runs).toHaveLength(2);
  });

  it('tells those who asked for a run that it failed, and runs for the next', async () => {
    const { runs, turns } = scripted();
    const first = turns.run();
    await settled();
    const second = turns.run();
    runs[0]?.fail(new Error('no database'));
    await expect(first).rejects.toThrow('no database');
    await settled();
    runs[1]?.end();
    await expect(second).resolves.toBeUndefined();
  });
});
