import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from './problem.js';
import { printLines, say } from './terminal.js';

const RESTARTS_MAX = 10;
const RESTART_PAUSE_MS = 500;
const KILL_AFTER_MS = 35_000;
const READY_TIMEOUT_MS = 30_000;
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
  private process: ChildProcess | null = null;
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
    const { process } = this;
    if (process === null || this.hasEnded()) return;
    const exited = once(process, 'exit');
    process.kill('SIGTERM');
    const timer = setTimeout(() => process.kill('SIGKILL'), KILL_AFTER_MS);
    await exited;
    clearTimeout(timer);
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  private spawn(): void {
    // The IPC channel closes when the launcher ends in any way, and the child exits then.
    const child = fork(this.spec.file, this.spec.args ?? [], {
      env: this.spec.environment,
      execArgv: ['--enable-source-maps'],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.process = child;
    if (child.stdout) printLines(child.stdout, this.spec.name, this.index);
    if (child.stderr) printLines(child.stderr, this.spec.name, this.index);
    child.on('exit', (code, signal) => void this.onExit(code, signal));
  }

  private async onExit(code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    if (this.stopping) return;
    const end = signal ?? `code ${String(code)}`;
    // A process that never became ready has logged the reason, and the launcher stops.
    if (!this.wasReady) return;
    if (this.restarts === RESTARTS_MAX) return say(`${this.name} ended (${end}) too often; it is not started again`);
    this.restarts += 1;
    say(`${this.name} ended (${end}); starting it again`);
    await sleep(RESTART_PAUSE_MS);
    if (!this.stopping) this.spawn();
  }

  private async untilReady(): Promise<void> {
    const { readyUrl } = this.spec;
    const deadline = Date.now() + READY_TIMEOUT_MS;
    while (readyUrl !== null && !(await respondsOk(readyUrl))) {
      if (this.stopping) return;
      if (this.hasEnded()) throw new Problem(`${this.name} could not start`);
      if (Date.now() > deadline) throw this.tooLate();
      await sleep(READY_PAUSE_MS);
    }
    this.wasReady = true;
  }

  private hasEnded(): boolean {
    return this.process !== null && (this.process.exitCode !== null || this.process.signalCode !== null);
  }

  private tooLate(): Error {
    return new Error(`${this.name} did not become ready within ${READY_TIMEOUT_MS / 1_000} s`);
  }
}

async function respondsOk(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => null);
  return response?.ok ?? false;
}
