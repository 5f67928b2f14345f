import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const dist = path.resolve(import.meta.dirname, '../../../..');
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 20_000;
const TAIL = 3_000;

/** Resources that a process has used since its start. */
export interface Usage {
  cpuSeconds: number;
  /** Resident memory now. */
  rssMb: number;
}

export interface ProcessOptions {
  env?: Readonly<Record<string, string>>;
  args?: string[];
  /** Options of Node itself. */
  execArgv?: string[];
}

/** One built program in its own process, as in production. */
export class BenchProcess {
  private output = '';
  private urls: string[] = [];
  private readonly ended: Promise<unknown>;

  private constructor(private readonly child: ChildProcess) {
    this.ended = once(child, 'exit');
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (text: Buffer) => (this.output = (this.output + text.toString()).slice(-TAIL)));
    }
  }

  /**
   * Starts a program and resolves when it logs its address. @param program path below `dist`, such as
   * `apps/worker/src/main.js`
   */
  static async start(program: string, { env = {}, args = [], execArgv = [] }: ProcessOptions): Promise<BenchProcess> {
    const started = new BenchProcess(fork(path.join(dist, program), args, { env, execArgv, silent: true }));
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (started.child.exitCode === null && Date.now() < deadline) {
      if (started.child.stdout !== null) await Promise.race([once(started.child.stdout, 'data'), started.ended]);
      started.urls = started.output.match(/http:\/\/[^\s,"]+/g) ?? [];
      if (started.urls.length > 0) return started;
    }
    throw new Error(`${program} does not start: ${started.output}`);
  }

  /** Base URL of the process. */
  get address(): string {
    return new URL(this.url((url) => !url.endsWith('/metrics'))).origin;
  }

  /** Base URL of its metrics, where its probes are available, too. */
  get metricsAddress(): string {
    return new URL(this.url((url) => url.endsWith('/metrics'))).origin;
  }

  /** Reads the usage from the metrics of the process. */
  async usage(): Promise<Usage> {
    const metrics = await fetch(`${this.metricsAddress}/metrics`);
    const text = await metrics.text();
    const value = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
    return {
      cpuSeconds: value('process_cpu_seconds_total'),
      rssMb: value('process_resident_memory_bytes') / 2 ** 20,
    };
  }

  /** The highest resident memory since the start; NaN on systems other than Linux. */
  peakRssMb(): number {
    if (process.platform !== 'linux') return NaN;
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024;
  }

  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await this.ended;
    clearTimeout(timer);
  }

  private url(isMatch: (url: string) => boolean): string {
    const url = this.urls.find(isMatch);
    if (url === undefined) throw new Error(`no such address in: ${this.output}`);
    return url;
  }
}
