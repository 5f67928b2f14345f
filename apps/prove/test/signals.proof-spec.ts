import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ChildProgram } from '#platform/child-program';
import { byExtent, projectRoot, until } from '#platform/testing';

const file = path.join(projectRoot, 'dist/apps/prove/src/main.js');
/** The folders of the system's programs, which PostgreSQL's start needs. */
const PATH = '/usr/sbin:/usr/bin:/sbin:/bin';
/** Other test files may use all cores while the program starts its servers. */
const TIMEOUT_MS = 300_000;
/** Shorter than half of the time-out, so that each of two waits can fail with its own message. */
const WAIT_MS = 140_000;

/**
 * Proofs that start processes, servers or compilers. The test sends the signal when `count` of the started processes
 * run `program`.
 */
const INTERRUPTED = {
  schedules: { signal: 'SIGTERM', code: 143, program: 'node', count: 3, args: ['--schedules', '1'] },
  seeds: {
    signal: 'SIGHUP',
    code: 129,
    program: 'postgres',
    count: 3,
    args: ['--seeds', '100000', '--store', 'postgres'],
  },
  mutants: { signal: 'SIGINT', code: 130, program: 'node', count: 1, args: ['--mutants', 'misspelled-dry-runs-pay'] },
} as const;
const ALL_PROOFS = Object.values(INTERRUPTED);
const PROOFS = byExtent<typeof ALL_PROOFS>({
  short: [INTERRUPTED.schedules],
  medium: ALL_PROOFS,
  long: ALL_PROOFS,
});

/** Returns `otherwise` when the file is gone, because its process or thread has ended. */
function unlessGone<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/** Returns the ids of all processes that a process has started, directly or through its child processes. */
function startedBy(pid: number): number[] {
  const threads = unlessGone(() => readdirSync(`/proc/${pid}/task`), []);
  const children = threads.map((thread) => textOf(`/proc/${pid}/task/${thread}/children`)).join(' ');
  const own = [...children.matchAll(/\d+/g)].map(([id]) => Number(id));
  return own.flatMap((child) => [child, ...startedBy(child)]);
}

function textOf(file: string): string {
  return unlessGone(() => readFileSync(file, 'utf8'), '');
}

function nameOf(pid: number): string {
  return textOf(`/proc/${pid}/comm`);
}

/** Whether a process runs. A zombie, which has ended without being waited for, does not run. */
function runs(pid: number): boolean {
  return /^State:\s+[^ZX]/m.test(textOf(`/proc/${pid}/status`));
}

describe('a proof that gets a signal', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'prove-signals-'));
    // When the tests run as root, PostgreSQL runs under another account, which must be able to enter the folder.
    chmodSync(folder, 0o755);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it.each(PROOFS)(
    'leaves no process behind after $signal: $args',
    async ({ signal, code, program, count, args }) => {
      const proof = new ChildProgram({ file, args, env: { PATH, TMPDIR: folder } });
      const pid = proof.child.pid ?? 0;
      const running = (): number => startedBy(pid).filter((each) => nameOf(each).startsWith(program)).length;
      await until('the processes run', () => proof.hasEnded || running() >= count, WAIT_MS);
      expect([proof.hasEnded, proof.stderr]).toEqual([false, '']);
      const started = startedBy(pid);
      proof.child.kill(signal);
      expect(await proof.exitCode()).toBe(code);
      await until('the processes have ended', () => !started.some((each) => runs(each)), WAIT_MS);
    },
    TIMEOUT_MS,
  );
});
