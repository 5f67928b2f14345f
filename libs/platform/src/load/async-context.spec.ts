import { spawnSync } from 'node:child_process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { AsyncContext } from './async-context.js';

const OUTPUT = { encoding: 'utf8' } as const;

describe('AsyncContext', () => {
  it('keeps the value of each piece of work over all its awaits, however the pieces interleave', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 12 }), async (turns) => {
        const context = new AsyncContext<number>();
        const seen = async (count: number): Promise<(number | undefined)[]> => {
          const values = [context.get()];
          for (let turn = 0; turn < count; turn += 1) {
            await nextTurn();
            values.push(context.get());
          }
          return values;
        };
        const ended = turns.map((count, index) => context.run(index, () => seen(count)));
        const without = seen(5);
        for (const [index, values] of (await Promise.all(ended)).entries()) {
          expect(values).toEqual(Array((turns[index] ?? 0) + 1).fill(index));
        }
        expect(new Set(await without)).toEqual(new Set([undefined]));
      }),
      { numRuns: 50 },
    );
  });

  it('keeps the value of started work until the work is ended', async () => {
    const context = new AsyncContext<string>();
    const values: (string | undefined)[] = [];
    await new Promise<void>((resolve) =>
      context.start('started', (end) => {
        values.push(context.get());
        void nextTurn().then(() => {
          values.push(context.get());
          end();
          end();
          resolve();
        });
      }),
    );
    await context.run('next', async () => void values.push(context.get()));
    expect([...values, context.get()]).toEqual(['started', 'started', 'next', undefined]);
  });

  it('gives nested work its own value, and the outer work its value back', async () => {
    const context = new AsyncContext<string>();
    await context.run('outer', async () => {
      expect(await context.run('inner', async () => context.get())).toBe('inner');
      await nextTurn();
      expect(context.get()).toBe('outer');
    });
  });

  // Runs in a process of its own, because Jest makes Node follow promises.
  it('makes Node follow promises only while work has a value', () => {
    const program = `
      import { executionAsyncId } from 'node:async_hooks';
      import { spawnSync } from 'node:child_process';
      import { AsyncContext } from ${JSON.stringify(new URL('./async-context.js', import.meta.url))};
      const context = new AsyncContext();
      const isFollowed = async () => (await null, executionAsyncId() !== 0);
      await context.run('work', isFollowed);
      await new Promise((resolve) => setImmediate(resolve));
      console.log(await isFollowed());`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], OUTPUT);
    expect([stdout, stderr]).toEqual(['false\n', '']);
  });

  it('ends the work also when it fails', async () => {
    const context = new AsyncContext<string>();
    await expect(context.run('failing', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(context.get()).toBeUndefined();
  });
});
