import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { TEST_API_KEY_PEPPER } from '#access/testing';

const dist = join(import.meta.dirname, '../../../dist/apps');

/** A built app as a process of its own, as production runs it. */
export class BuiltProcess {
  stdout = '';
  stderr = '';
  private readonly ended: Promise<unknown>;

  private constructor(readonly child: ChildProcess) {
    this.ended = Promise.all([once(child, 'exit'), this.collect('stdout'), this.collect('stderr')]);
  }

  static start(app: 'api' | 'worker', env: Record<string, string>): BuiltProcess {
    return new BuiltProcess(fork(join(dist, app, 'src/main.js'), { env, silent: true }));
  }

  /** The address in the one line that the process logs when it listens. */
  async address(): Promise<string> {
    for (;;) {
      const found = /http:\/\/[0-9.]+:\d+/.exec(this.stdout);
      if (found) return found[0];
      const isOver = await Promise.race([this.ended.then(() => true), this.moreOutput().then(() => false)]);
      if (isOver) throw new Error(`ended with ${this.child.exitCode}: ${this.stderr}`);
    }
  }

  async exitCode(): Promise<number | null> {
    await this.ended;
    return this.child.exitCode;
  }

  private async moreOutput(): Promise<void> {
    if (this.child.stdout !== null) await once(this.child.stdout, 'data');
  }

  private async collect(name: 'stdout' | 'stderr'): Promise<void> {
    const stream = this.child[name];
    if (stream === null) return;
    stream.on('data', (text: Buffer) => (this[name] += text.toString()));
    await finished(stream);
  }
}

export function processEnv(databaseUrl: string): Record<string, string> {
  return {
    NODE_ENV: 'test',
    DATABASE_URL: databaseUrl,
    API_KEY_PEPPER: TEST_API_KEY_PEPPER,
    VAULT_KEYS: `test:${Buffer.alloc(32, 1).toString('base64')}`,
    SANDBOX_URL: 'http://127.0.0.1:9',
    TICKERS_FROM_SANDBOX: 'true',
    CATALOGUE_EXCHANGES: 'none',
    PORT: '0',
    WORKER_PORT: '0',
    METRICS_PORT: '0',
    SHUTDOWN_DELAY_MS: '0',
    WORKER_METRICS_PORT: '0',
  };
}
