import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ChildProgram } from '#platform/child-program';

const dist = path.resolve(import.meta.dirname, '../../../..');

/** The unit of CPU times in /proc on Linux. */
const TICK_MS = 10;

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
  /** Folder of the compiled programs; default: those of this commit. */
  distDir?: string;
}

/** One built program in its own process, as in production. */
export class BenchProcess extends ChildProgram {
  private urls: string[] = [];

  /**
   * Starts a program and resolves when it logs its address.
   * @param program path below `dist`, such as `apps/worker/src/main.js`
   */
  static async start(
    program: string,
    { env = {}, args = [], execArgv = [], distDir = dist }: ProcessOptions,
  ): Promise<BenchProcess> {
    const started = new BenchProcess({ file: path.join(distDir, program), args, env, execArgv });
    const [line] = await started.printed(/^.*http:\/\/.*\n/m);
    started.urls = line.match(/http:\/\/[^\s,"]+/g) ?? [];
    started.discardOutput();
    return started;
  }

  get baseUrl(): string {
    return new URL(this.url((url) => !url.endsWith('/metrics'))).origin;
  }

  /** Base URL of the port that serves the process's metrics and probes. */
  get metricsUrl(): string {
    return new URL(this.url((url) => url.endsWith('/metrics'))).origin;
  }

  /** Reads the usage from the metrics of the process. */
  async usage(): Promise<Usage> {
    const metrics = await fetch(`${this.metricsUrl}/metrics`);
    const text = await metrics.text();
    const value = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
    return {
      cpuSeconds: value('process_cpu_seconds_total'),
      rssMb: value('process_resident_memory_bytes') / 2 ** 20,
    };
  }

  /**
   * CPU time since the start of the process, including the time before its metrics start. NaN on systems other than
   * Linux.
   */
  cpuMsOfLife(): number {
    if (process.platform !== 'linux') return NaN;
    const stat = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8');
    // The second field is the name of the program in parentheses, and may contain spaces. Of the fields after it, user
    // and system time have the indices 11 and 12.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  }

  /** The highest resident memory since the start; NaN on systems other than Linux. */
  peakRssMb(): number {
    if (process.platform !== 'linux') return NaN;
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024;
  }

  private url(isMatch: (url: string) => boolean): string {
    const url = this.urls.find(isMatch);
    if (url === undefined) throw new Error(`the program did not print the address; its output: ${this.stdout}`);
    return url;
  }
}
