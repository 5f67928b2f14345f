import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { DATABASE_OUTAGES } from '#platform/database';
import { ChildProgram } from '#platform/child-program';
import type { ArmedPoint, FromService, ToService } from '../hooks.js';
import type { ProcessMutant } from '../preload/process-mutants.js';
import { distDir } from './dist-dir.js';
import { until } from '../until.js';

const LINES_MAX = 10_000;
const START_TIMEOUT_MS = 240_000;
const STOP_TIMEOUT_MS = 10_000;
const FAILURES_MAX = 3;

export interface ServiceOptions {
  app: 'api' | 'worker' | 'sandbox-exchange';
  /** Name of the process in printed lines. */
  name: string;
  env: Readonly<Record<string, string>>;
  mutant: ProcessMutant | null;
}

/** Runs one built program as a process, as in production, and starts it again whenever it ends. */
export class ServiceProcess {
  /** Called when an armed point is reached. */
  onReached: (id: string) => void = () => undefined;
  private program: ChildProgram | null = null;
  private readonly surprises: string[] = [];
  private lines: string[] = [];
  private url: string | null = null;
  private isStopping = false;
  private armed: ArmedPoint[] = [];
  private requests = 0;
  /** Number of failed starts in a row. */
  private failures = 0;

  constructor(private readonly options: ServiceOptions) {}

  get name(): string {
    return this.options.name;
  }

  /** The current address; null while the process is not listening. */
  get address(): string | null {
    return this.url;
  }

  start(): void {
    const { app, env, mutant } = this.options;
    const file = path.join(distDir, `apps/${app}/src/main.js`);
    this.url = null;
    this.program =
      app === 'sandbox-exchange'
        ? new ChildProgram({ file, env })
        : new ChildProgram({ file, env, execArgv: ['--import', preload(mutant)] });
    const { child } = this.program;
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text: string) => this.read(text));
    child.on('message', (message: FromService) => {
      if (message.kind === 'reached') this.onReached(message.id);
    });
    child.on('exit', (code, signal) => this.onExit(code, signal));
    // The new process gets the points that the old one did not reach before its end.
    if (this.armed.length > 0) this.send({ kind: 'arm', request: ++this.requests, points: this.armed });
  }

  /** Resolves when the process listens. */
  async listening(): Promise<string> {
    return until(`${this.name} listens`, START_TIMEOUT_MS, () => {
      if (this.failures >= FAILURES_MAX)
        throw new Error(`${this.name} does not start: ${this.lines.slice(-5).join('\n')}`);
      return this.url;
    });
  }

  /** Replaces the armed points. */
  async arm(points: ArmedPoint[]): Promise<void> {
    this.armed = points;
    const request = ++this.requests;
    const { program } = this;
    if (program?.child.connected !== true) return;
    const { child } = program;
    const done = new Promise<void>((resolve) => {
      const onMessage = (message: FromService): void => {
        if (message.kind !== 'armed' || message.request !== request) return;
        child.off('message', onMessage);
        resolve();
      };
      child.on('message', onMessage);
    });
    this.send({ kind: 'arm', request, points });
    await Promise.race([done, program.exitCode()]);
  }

  go(id: string): void {
    this.send({ kind: 'go', id });
  }

  /** The log lines since the last call of `forget`. */
  log(): readonly string[] {
    return this.lines;
  }

  forget(): void {
    this.lines = [];
  }

  /**
   * Returns a text for each unexpected end of the process since the last call. Such an end is a fault of the service.
   */
  takeSurprises(): string[] {
    return this.surprises.splice(0);
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await this.program?.stop(STOP_TIMEOUT_MS);
  }

  private send(message: ToService): void {
    // Sending fails only when the process has ended. The failure is ignored, because the caller notices the end of the
    // process.
    const child = this.program?.child;
    if (child?.connected === true) child.send(message, () => undefined);
  }

  private onExit(code: number | null, signal: NodeJS.Signals | null): void {
    this.failures = this.url === null ? this.failures + 1 : 0;
    this.url = null;
    if (this.isStopping) return;
    this.lines.push(`-- ended: ${signal ?? `code ${String(code)}`}`);
    // SIGKILL comes only from the armed points. Any other end is unexpected, unless the database did not respond.
    if (signal !== 'SIGKILL' && !this.wasWithoutDatabase())
      this.surprises.push(`${this.name} ended by itself (${signal ?? String(code)})`);
    if (this.failures < FAILURES_MAX) this.start();
  }

  /** Whether the process failed to start because of an outage of the database server, which schedules kill, too. */
  private wasWithoutDatabase(): boolean {
    const lines = this.lines.slice(-5);
    return this.failures > 0 && lines.some((line) => DATABASE_OUTAGES.some((text) => line.includes(text)));
  }

  private read(text: string): void {
    this.url ??= /https?:\/\/[0-9.]+:\d+/.exec(text)?.[0] ?? null;
    this.lines.push(...text.split('\n').filter((line) => line !== ''));
    if (this.lines.length > LINES_MAX) this.lines.splice(0, this.lines.length - LINES_MAX);
  }
}

function preload(mutant: ProcessMutant | null): string {
  const url = pathToFileURL(path.join(distDir, 'apps/prove/src/processes/preload/crash-points.js'));
  if (mutant !== null) url.searchParams.set('mutant', mutant);
  return url.href;
}
