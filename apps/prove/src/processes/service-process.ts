import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { DATABASE_IS_SILENT } from '#platform/app';
import type { ArmedPoint, FromService, ToService } from './hooks.js';
import type { PlantedBug } from './preload/planted-bugs.js';
import { distDir } from './dist-dir.js';
import { until } from './until.js';

const LINES_MAX = 10_000;
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 10_000;
const FAILURES_MAX = 3;

export interface ServiceOptions {
  app: 'api' | 'worker' | 'sandbox-exchange';
  /** Among the others, in what is printed. */
  name: string;
  env: Readonly<Record<string, string>>;
  bug: PlantedBug | null;
}

/** One built program as a process of its own, as production runs it; started again whenever it was killed. */
export class ServiceProcess {
  /** Called when an armed point is reached. */
  onReached: (id: string) => void = () => undefined;
  private child: ChildProcess | null = null;
  private exited: Promise<unknown> = Promise.resolve();
  private readonly surprises: string[] = [];
  private lines: string[] = [];
  private url: string | null = null;
  private isStopping = false;
  private armed: ArmedPoint[] = [];
  private orders = 0;
  /** Starts in a row that came to nothing. */
  private failures = 0;

  constructor(private readonly options: ServiceOptions) {}

  get name(): string {
    return this.options.name;
  }

  /** Where it listens at this moment; null while it starts. */
  get address(): string | null {
    return this.url;
  }

  start(): void {
    const { app, env, bug } = this.options;
    this.url = null;
    const child = fork(path.join(distDir, 'apps', app, 'src/main.js'), {
      env,
      execArgv: app === 'sandbox-exchange' ? [] : ['--import', preload(bug)],
      silent: true,
    });
    this.child = child;
    this.exited = once(child, 'exit');
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text: Buffer) => this.read(String(text)));
    child.on('message', (message: FromService) => {
      if (message.kind === 'reached') this.onReached(message.id);
    });
    child.on('exit', (code, signal) => this.onExit(code, signal));
    // What was not reached before its end is still due.
    if (this.armed.length > 0) this.send({ kind: 'arm', order: ++this.orders, points: this.armed });
  }

  /** Resolves when it listens. */
  async listening(): Promise<string> {
    return until(`${this.name} listens`, START_TIMEOUT_MS, () => {
      if (this.failures >= FAILURES_MAX)
        throw new Error(`${this.name} does not start: ${this.lines.slice(-5).join('\n')}`);
      return this.url;
    });
  }

  /** Replaces what was armed before. */
  async arm(points: ArmedPoint[]): Promise<void> {
    this.armed = points;
    const order = ++this.orders;
    const { child, exited } = this;
    if (child?.connected !== true) return;
    const done = new Promise<void>((resolve) => {
      const onMessage = (message: FromService): void => {
        if (message.kind !== 'armed' || message.order !== order) return;
        child.off('message', onMessage);
        resolve();
      };
      child.on('message', onMessage);
    });
    this.send({ kind: 'arm', order, points });
    await Promise.race([done, exited]);
  }

  go(id: string): void {
    this.send({ kind: 'go', id });
  }

  /** What it has logged since the last call of `forget`. */
  log(): readonly string[] {
    return this.lines;
  }

  forget(): void {
    this.lines = [];
  }

  /** Ends that nobody ordered since the last call: faults of the service. */
  takeSurprises(): string[] {
    return this.surprises.splice(0);
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    const { child, exited } = this;
    child?.kill('SIGTERM');
    const timer = setTimeout(() => child?.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await exited;
    clearTimeout(timer);
  }

  private send(message: ToService): void {
    // Whether it still lives shows elsewhere.
    if (this.child?.connected === true) this.child.send(message, () => undefined);
  }

  private onExit(code: number | null, signal: NodeJS.Signals | null): void {
    this.failures = this.url === null ? this.failures + 1 : 0;
    this.url = null;
    if (this.isStopping) return;
    this.lines.push(`-- ended: ${signal ?? `code ${String(code)}`}`);
    // Only the armed points end a process by this signal.
    if (signal !== 'SIGKILL' && !this.wasWithoutDatabase())
      this.surprises.push(`${this.name} ended by itself (${signal ?? String(code)})`);
    if (this.failures < FAILURES_MAX) this.start();
  }

  /** Whether it ended because the database, which is killed too, did not answer while it started. */
  private wasWithoutDatabase(): boolean {
    return this.failures > 0 && this.lines.slice(-5).some((line) => line.includes(DATABASE_IS_SILENT));
  }

  private read(text: string): void {
    this.url ??= /https?:\/\/[0-9.]+:\d+/.exec(text)?.[0] ?? null;
    this.lines.push(...text.split('\n').filter((line) => line !== ''));
    if (this.lines.length > LINES_MAX) this.lines.splice(0, this.lines.length - LINES_MAX);
  }
}

function preload(bug: PlantedBug | null): string {
  const url = pathToFileURL(path.join(distDir, 'apps/prove/src/processes/preload/crash-points.js'));
  if (bug !== null) url.searchParams.set('bug', bug);
  return url.href;
}
