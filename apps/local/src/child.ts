import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from './problem.js';
import { passOn, say } from './terminal.js';

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
  /** Answers 200 once the process is ready; null = it is ready at once. */
  readyUrl: string | null;
}

/** One process of the installation: started again when it dies by itself, stopped with the launcher. */
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

  /** Resolves when the process is ready; rejects when it is not in time or gives up. */
  async start(): Promise<void> {
    this.stopping = false;
    this.spawn();
    await this.untilReady();
  }

  /** From now on an end is no surprise: Ctrl-C reaches every process of a terminal by itself. */
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
    // The IPC channel is how a child learns that the launcher is gone, however it ended.
    const child = fork(this.spec.file, this.spec.args ?? [], {
      env: this.spec.environment,
      execArgv: ['--enable-source-maps'],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.process = child;
    if (child.stdout) passOn(child.stdout, this.spec.name, this.index);
    if (child.stderr) passOn(child.stderr, this.spec.name, this.index);
    child.on('exit', (code, signal) => void this.onExit(code, signal));
  }

  private async onExit(code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    if (this.stopping) return;
    const end = signal ?? `code ${String(code)}`;
    // What cannot even start has said why; the launcher stops for it.
    if (!this.wasReady) return;
    if (this.restarts === RESTARTS_MAX) return say(`${this.name} ended (${end}) once too often and stays down`);
    this.restarts += 1;
    say(`${this.name} ended (${end}); starting it again`);
    await sleep(RESTART_PAUSE_MS);
    if (!this.stopping) this.spawn();
  }

  private async untilReady(): Promise<void> {
    const { readyUrl } = this.spec;
    const deadline = Date.now() + READY_TIMEOUT_MS;
    while (readyUrl !== null && !(await answers(readyUrl))) {
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

async function answers(url: string): Promise<boolean> {
  const answer = await fetch(url).catch(() => null);
  return answer?.ok ?? false;
}
