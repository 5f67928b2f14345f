import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { freePort } from './free-port.js';

const READY_LINE = 'Ready to accept connections';
const PROGRAM = 'redis-server';

/** A Redis of one test file on a free port, which keeps nothing on disk. */
export class RedisServer {
  private process: ChildProcess | null = null;

  private constructor(private readonly port: number) {}

  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await freePort());
    await server.launch();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}/0`;
  }

  /** Forgets everything. */
  async flushAll(): Promise<void> {
    const client = new Redis(this.url);
    await client.flushall();
    client.disconnect();
  }

  /** As a machine that loses power. */
  async kill(): Promise<void> {
    if (this.process === null) return;
    const ended = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await ended;
    this.process = null;
  }

  /** On the same port, empty. */
  async launch(): Promise<void> {
    const settings = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    const started = spawn(PROGRAM, settings, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.process = started;
    let said = '';
    for await (const text of started.stdout.iterator({ destroyOnReturn: false })) {
      said += String(text);
      if (said.includes(READY_LINE)) break;
    }
    if (!said.includes(READY_LINE)) throw new Error(`${PROGRAM} did not start: ${said}`);
    started.stdout.resume();
  }
}
