import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '#platform/testing';
import { Child } from './child.js';

/** Notes its process id in the file that its argument names, and runs until it is stopped or the test has ended. */
const PROGRAM = `
import { appendFileSync } from 'node:fs';
appendFileSync(process.argv[2], process.pid + '\\n');
setInterval(() => {}, 1_000);
process.on('disconnect', () => process.exit());
`;

describe('a process of the local installation', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'causeway-child-'));
  const file = path.join(folder, 'program.mjs');
  writeFileSync(file, PROGRAM);
  afterAll(() => rmSync(folder, { recursive: true }));

  const childNamed = (name: string): Child =>
    new Child({ name, file, args: [path.join(folder, name)], environment: {}, readyUrl: null }, 0);
  /** The ids of all processes that the child has started. */
  const idsOf = ({ name }: Child): number[] => {
    const started = path.join(folder, name);
    return existsSync(started) ? readFileSync(started, 'utf8').split('\n').filter(Boolean).map(Number) : [];
  };
  const hasStarted = (child: Child, count: number): Promise<void> =>
    until(`${child.name} has started ${count} times`, () => idsOf(child).length >= count);
  const killLast = async (child: Child): Promise<void> => {
    const id = idsOf(child).at(-1) ?? 0;
    process.kill(id, 'SIGKILL');
    await until('the process has ended', () => !isAlive(id));
  };

  it('runs once when it is restarted during the pause after an unexpected end', async () => {
    const [child, other] = [childNamed('child'), childNamed('other')];
    await Promise.all([child.start(), other.start()]);
    await Promise.all([hasStarted(child, 1), hasStarted(other, 1)]);
    await killLast(child);
    await child.restart();
    await hasStarted(child, 2);
    // The pause of this child begins later and is as long, so the pause of the first child has then ended, too.
    await killLast(other);
    await hasStarted(other, 2);
    await Promise.all([child.stop(), other.stop()]);
    expect(idsOf(child).filter(isAlive)).toEqual([]);
    expect(idsOf(child)).toHaveLength(2);
  });
});

function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}
