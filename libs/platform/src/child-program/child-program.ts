import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';

/**
 * Maximum number of characters of standard output, and of standard error, that are kept. In a test, a program writes
 * less.
 */
const OUTPUT_MAX = 1_000_000;
/** Longest wait for a text in a program's output. A program starts in less time, even on a busy machine. */
const START_TIMEOUT_MS = 60_000;
/** Longest wait for the end of a stopped program. A program needs less time to finish its work in progress. */
const STOP_TIMEOUT_MS = 35_000;

export interface ChildProgramOptions {
  /** Path of the compiled program. */
  file: string;
  args?: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Arguments of Node itself. */
  execArgv?: readonly string[];
}

/** A Node program that runs as a child process. Its IPC channel closes when this process ends (`exitWithParent`). */
export class ChildProgram {
  /** The last `OUTPUT_MAX` characters that the program has written. */
  stdout = '';
  stderr = '';
  readonly child: ChildProcess;
  private readonly ended: Promise<unknown>;

  constructor({ file, args = [], env, execArgv = [] }: ChildProgramOptions) {
    this.child = fork(file, args, { env, execArgv: [...execArgv], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    this.ended = Promise.all([once(this.child, 'exit'), this.collect('stdout'), this.collect('stderr')]);
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Resolves with the first HTTP address that the program prints. */
  async address(): Promise<string> {
    const [address] = await this.printed(/http:\/\/[0-9.]+:\d+/);
    return address;
  }

  /**
   * Resolves with the first match in standard output.
   * @throws Error when the program ends without printing a match, or prints none within START_TIMEOUT_MS
   */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    const timeout = AbortSignal.timeout(START_TIMEOUT_MS);
    for (;;) {
      const found = pattern.exec(this.stdout);
      if (found !== null) return found;
      const isOver = await Promise.race([this.ended.then(() => true), this.moreOutput(timeout)]);
      if (isOver) throw new Error(`${this.end()} without printing ${String(pattern)}: ${this.stdout}${this.stderr}`);
    }
  }

  /** Resolves when the program has ended: with its exit code, or with null when a signal ended it. */
  async exitCode(): Promise<number | null> {
    await this.ended;
    return this.child.exitCode;
  }

  /**
   * Discards what the program prints from now on. Otherwise a benchmark, which sends its requests from this process,
   * would also measure the time that this process spends on the program's log.
   */
  discardOutput(): void {
    this.child.stdout?.removeAllListeners('data').resume();
  }

  /** Asks the program to end, and kills it when it has not ended after `killAfterMs`. Resolves when it has ended. */
  async stop(killAfterMs = STOP_TIMEOUT_MS): Promise<void> {
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), killAfterMs);
    await this.ended;
    clearTimeout(timer);
  }

  private end(): string {
    const { exitCode, signalCode, spawnfile, spawnargs } = this.child;
    const program = spawnargs.join(' ') || spawnfile;
    if (!this.hasEnded) return `${program} runs`;
    return `${program} ended (${signalCode ?? `code ${String(exitCode)}`})`;
  }

  /** Waits for more output. Resolves to false when the program printed some, and to true at `timeout`. */
  private async moreOutput(timeout: AbortSignal): Promise<boolean> {
    if (this.child.stdout === null) return true;
    return once(this.child.stdout, 'data', { signal: timeout }).then(
      () => false,
      () => true,
    );
  }

  private async collect(name: 'stdout' | 'stderr'): Promise<void> {
    const stream = this.child[name];
    if (stream === null) return;
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => (this[name] = (this[name] + text).slice(-OUTPUT_MAX)));
    await finished(stream);
  }
}
