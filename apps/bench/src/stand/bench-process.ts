import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const dist = path.resolve(import.meta.dirname, '../../../..');
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 20_000;
const TAIL = 3_000;

/** What a process has used since it started. */
export interface Usage {
  cpuSeconds: number;
  /** Resident memory at this moment. */
  rssMb: number;
}

export interface ProcessOptions {
  env?: Readonly<Record<string, string>>;
  args?: string[];
  /** Of Node itself. */
  execArgv?: string[];
}

/** One built program as a process of its own, as production runs it. */
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

  /** @param program below `dist`, such as `apps/worker/src/main.js`. Resolves when it says where it listens. */
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

  /** Where it listens. */
  get address(): string {
    return new URL(this.url((url) => !url.endsWith('/metrics'))).origin;
  }

  /** Where its metrics are, and its probes once more. */
  get metricsAddress(): string {
    return new URL(this.url((url) => url.endsWith('/metrics'))).origin;
  }

  /** By its metrics. */
  async usage(): Promise<Usage> {
    const metrics = await fetch(`${this.metricsAddress}/metrics`);
    const text = await metrics.text();
    const value = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
    return {
      cpuSeconds: value('process_cpu_seconds_total'),
      rssMb: value('process_resident_memory_bytes') / 2 ** 20,
    };
  }

  /** The largest resident memory since the start, as Linux counts it; NaN on other systems. */
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

  private url(isMeant: (url: string) => boolean): string {
    const url = this.urls.find(isMeant);
    if (url === undefined) throw new Error(`no such address in: ${this.output}`);
    return url;
  }
}
