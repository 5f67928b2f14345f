import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type library from '@jest/test-sequencer';

// Loaded with `require`, because the types of the package do not describe what `import` returns.
const { default: TestSequencer } = createRequire(import.meta.url)('@jest/test-sequencer') as typeof library;

type Tests = Parameters<library.default['sort']>[0];

/** The kinds of test files, from the slowest to the fastest. Most files of the last kind take less than a second. */
const KINDS = [
  // These two take minutes. No run may end later because one of them began late.
  /\/(simulation|processes)\.proof-spec\.ts$/,
  /\.(proof|proxy|redis)-spec\.ts$/,
  // These wait for time-outs most of the time. At the end of a run, too few files could use the cores meanwhile.
  /-contract\.spec\.ts$/,
  /\.(e2e|browser)-spec\.ts$/,
  /\.int-spec\.ts$/,
  /\.spec\.ts$/,
];

/**
 * Runs slow kinds of test files first, for Jest's option `testSequencer`: a slow file that begins last would leave the
 * other worker processes idle. Within a kind, Jest's own order decides: the times of the last run, else the sizes.
 *
 * `TEST_ORDER=<seed>` runs the files in a random order instead, which finds tests that depend on what ran before them.
 */
export default class SlowestFirst extends TestSequencer {
  override async sort(tests: Tests): Promise<Tests> {
    return inOrder(await super.sort(tests), process.env.TEST_ORDER);
  }
}

/** @param seed of a random order; undefined = the order of KINDS. */
export function inOrder<T extends { path: string }>(tests: readonly T[], seed: string | undefined): T[] {
  const keyOf = (path: string): number | string =>
    seed === undefined ? KINDS.findIndex((kind) => kind.test(path)) : sha1(seed + path);
  const keyed = tests.map((test) => ({ test, key: keyOf(test.path) }));
  return keyed.sort((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key))).map(({ test }) => test);
}

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}
