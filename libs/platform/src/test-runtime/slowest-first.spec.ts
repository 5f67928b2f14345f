import { inOrder } from './slowest-first.js';

describe('the order of test files', () => {
  const files = ['b.spec.ts', 'a.spec.ts', 'okx-contract.spec.ts', 'd.int-spec.ts', 'c.proof-spec.ts', 'e.e2e-spec.ts'];
  const sorted = (seed?: string): string[] =>
    inOrder(
      files.map((path) => ({ path })),
      seed,
    ).map(({ path }) => path);

  it('begins with the slow kinds of tests, and keeps the order within a kind', () => {
    const [b, a, contract, int, proof, e2e] = files;
    expect(sorted()).toEqual([proof, contract, e2e, int, b, a]);
  });

  it('begins with the simulation and the proof with real processes', () => {
    const longest = ['test/simulation.proof-spec.ts', 'test/processes.proof-spec.ts'].map((path) => ({ path }));
    const race = { path: 'test/race.proof-spec.ts' };
    expect(inOrder([race, ...longest], undefined)).toEqual([...longest, race]);
  });

  it('is random with a seed, and the same for an equal seed', () => {
    const orders = Array.from({ length: 20 }, (_, seed) => sorted(String(seed)));
    for (const [seed, order] of orders.entries()) {
      expect(sorted(String(seed))).toEqual(order);
      expect([...order].sort()).toEqual([...files].sort());
    }
    expect(new Set(orders.map((order) => order.join())).size).toBeGreaterThan(15);
  });
});
