import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { freePort } from './free-port.js';

const READY_LINE = 'Ready to accept connections';
const PROGRAM = 'redis-server';

/** A Redis server on a free port and without files. */
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

  async flushAll(): Promise<void> {
    const client = new Redis(this.url);
    await client.flushall();
    client.disconnect();
  }

  async configure(name: string, value: string): Promise<void> {
    const client = new Redis(this.url);
    await client.config('SET', name, value);
    client.disconnect();
  }

  /** Kills the process without an orderly stop, as a power failure does. */
  async kill(): Promise<void> {
    if (this.process === null) return;
    const ended = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await ended;
    this.process = null;
  }

  /** Starts the server on the same port without data. */
  async launch(): Promise<void> {
    const settings = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    const started = spawn(PROGRAM, settings, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.process = started;
    let output = '';
    for await (const text of started.stdout.iterator({ destroyOnReturn: false })) {
      output += String(text);
      if (output.includes(READY_LINE)) break;
    }
    if (!output.includes(READY_LINE)) throw new Error(`${PROGRAM} did not start: ${output}`);
    started.stdout.resume();
  }
}
