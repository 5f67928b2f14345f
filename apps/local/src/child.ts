import { setTimeout as sleep } from 'node:timers/promises';
import { ChildProgram } from '#platform/child-program';
import { Problem } from './problem.js';
import { printLines, say } from './terminal.js';

const RESTARTS_MAX = 10;
const RESTART_PAUSE_MS = 500;
/** Longest wait until a process is ready, also on a busy machine. The wait ends at once when the process ends. */
const READY_TIMEOUT_MS = 120_000;
const READY_PAUSE_MS = 50;

export interface ChildSpec {
  name: string;
  file: string;
  args?: string[];
  environment: NodeJS.ProcessEnv;
  /** A URL that returns 200 when the process is ready; null when the process counts as ready at once. */
  readyUrl: string | null;
}

/** A process of the local installation. It restarts when it ends unexpectedly, and stops with the launcher. */
export class Child {
  private program: ChildProgram | null = null;
  private stopping = false;
  private wasReady = false;
  private restarts = 0;

  constructor(
    private readonly spec: ChildSpec,
    private readonly index: number,
  ) {}

  get name(): string {
    return this.spec.name;
  }

  /** Resolves when the process is ready; rejects when that takes too long or the process ends. */
  async start(): Promise<void> {
    this.stopping = false;
    this.spawn();
    await this.untilReady();
  }

  /** Stops treating an exit as a failure, because Ctrl-C reaches every process of the terminal directly. */
  expectEnd(): void {
    this.stopping = true;
  }

  async stop(): Promise<void> {
    this.expectEnd();
    await this.program?.stop();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  private spawn(): void {
    const { file, args, environment: env } = this.spec;
    const program = (this.program = new ChildProgram({ file, args, env, execArgv: ['--enable-source-maps'] }));
    const { child } = program;
    if (child.stdout) printLines(child.stdout, this.spec.name, this.index);
    if (child.stderr) printLines(child.stderr, this.spec.name, this.index);
    child.on('exit', (code, signal) => void this.onExit(program, code, signal));
  }

  private async onExit(ended: ChildProgram, code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    if (this.stopping) return;
    const end = signal ?? `code ${String(code)}`;
    // A process that never became ready is not started again: it has logged the reason, and the launcher stops.
    if (!this.wasReady) return;
    if (this.restarts === RESTARTS_MAX)
      return say(`${this.name} ended (${end}) too often and is not started again; its output above may show why`);
    this.restarts += 1;
    say(`${this.name} ended (${end}); starting it again`);
    await sleep(RESTART_PAUSE_MS);
    // `restart` may have started the process during the pause.
    if (!this.stopping && this.program === ended) this.spawn();
  }

  private async untilReady(): Promise<void> {
    const { readyUrl } = this.spec;
    const deadline = Date.now() + READY_TIMEOUT_MS;
    while (readyUrl !== null && !(await respondsOk(readyUrl))) {
      if (this.stopping) return;
      if (this.program?.hasEnded === true)
        throw new Problem(`${this.name} could not start; its output above shows why`);
      if (Date.now() > deadline) {
        const seconds = READY_TIMEOUT_MS / 1_000;
        throw new Problem(`${this.name} did not become ready within ${seconds} s; its output above may show why`);
      }
      await sleep(READY_PAUSE_MS);
    }
    this.wasReady = true;
  }
}

async function respondsOk(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => null);
  return response?.ok ?? false;
}
