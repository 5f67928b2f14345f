import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isPortFree } from './is-port-free.js';
import { findBinaries, findServerAccount, type ServerAccount } from './binaries.js';

const MAX_CONNECTIONS = 200;
/** Maximum number of ports that are tried when the wanted ones are in use. */
const PORTS_MAX = 200;
const CONNECT_TRIES = 40;
const RETRY_MS = 250;
/** Maximum number of attempts to start, each at another port. An attempt fails when another process takes its port. */
const START_TRIES = 5;
const LOG_TAIL = 1_500;
/**
 * Options that run a program in a separate process group. Ctrl-C in a terminal ends every process of the terminal's
 * group, and would also end a `pg_ctl` that is stopping the server.
 */
const OWN_GROUP = { detached: true };

export interface ClusterOptions {
  /** Folder of the data, kept between runs. */
  dir: string;
  /** Name of the superuser, which owns the databases. */
  owner: string;
  password: string;
  port: number;
  /** Whether a later free port is used when `port` is busy. Otherwise a busy port is an error. */
  nextFreePort: boolean;
  /** Whether a commit waits for the disk. If not, commits are faster, but a crash may destroy the data. */
  durable: boolean;
}

/** A local PostgreSQL server, controlled with `initdb` and `pg_ctl`. */
export class Cluster {
  readonly dir: string;
  private readonly account: ServerAccount;
  private readonly bin: string;

  constructor(
    private readonly options: ClusterOptions,
    private readonly isFree: (host: string, port: number) => Promise<boolean> = isPortFree,
  ) {
    this.account = findServerAccount();
    this.bin = findBinaries(this.account);
    this.dir = this.reachable(path.resolve(options.dir));
  }

  /** Creates the data folder if it is missing, and starts the server unless it runs. */
  async start(): Promise<{ port: number; reused: boolean }> {
    if (!existsSync(path.join(this.dir, 'PG_VERSION'))) this.init();
    const running = await this.findRunning();
    if (running !== null) return { port: running, reused: true };
    for (let tries = 1; ; tries++) {
      const port = await this.choosePort();
      try {
        this.startAt(port);
        return { port, reused: false };
      } catch (error) {
        // Another process may have taken the port since it was chosen.
        const isLast = tries === START_TRIES || !this.options.nextFreePort;
        if (isLast || (await this.isFree('127.0.0.1', port))) throw error;
      }
    }
  }

  private startAt(port: number): void {
    const settings = [
      `-p ${port}`,
      '-c listen_addresses=127.0.0.1',
      "-c unix_socket_directories=''",
      `-c max_connections=${MAX_CONNECTIONS}`,
      ...(this.options.durable ? [] : ['-c synchronous_commit=off', '-c fsync=off']),
    ];
    const log = path.join(this.dir, 'server.log');
    this.run('pg_ctl', ['-D', this.dir, '-l', log, '-w', '-t', '60', '-o', settings.join(' '), 'start']);
  }

  stop(): void {
    if (existsSync(this.dir)) this.run('pg_ctl', ['-D', this.dir, '-m', 'fast', '-w', 'stop'], [0, 1]);
  }

  /** Stops the server and deletes its data. */
  erase(): void {
    if (existsSync(path.join(this.dir, 'PG_VERSION'))) this.stop();
    rmSync(this.dir, { recursive: true, force: true });
  }

  /**
   * Creates the data in a draft folder and renames it when complete, so that a killed start never leaves half the data.
   */
  private init(): void {
    const parent = path.dirname(this.dir);
    const prefix = `${path.basename(this.dir)}.draft-`;
    mkdirSync(parent, { recursive: true });
    for (const name of readdirSync(parent).filter((entry) => entry.startsWith(prefix))) {
      rmSync(path.join(parent, name), { recursive: true, force: true });
    }
    const draft = path.join(parent, `${prefix}${process.pid}-${Date.now()}`);
    mkdirSync(draft, { mode: 0o700 });
    this.chown(draft);
    const passwordFile = path.join(tmpdir(), `causeway-${process.pid}-${Date.now()}`);
    writeFileSync(passwordFile, this.options.password, { mode: 0o600 });
    this.chown(passwordFile);
    try {
      this.run('initdb', [
        ...['-D', draft, '-U', this.options.owner, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
        ...['--encoding=UTF8', '--locale=C', '--no-instructions', ...(this.options.durable ? [] : ['--no-sync'])],
      ]);
      renameSync(draft, this.dir);
    } finally {
      rmSync(passwordFile, { force: true });
      rmSync(draft, { recursive: true, force: true });
    }
  }

  /**
   * Returns the port of the running server; null = none runs. `pg_ctl status` still reports a killed server until its
   * process is reaped, so the server must also accept a connection.
   */
  private async findRunning(): Promise<number | null> {
    for (let tries = 0; tries < CONNECT_TRIES; tries++) {
      if (this.run('pg_ctl', ['-D', this.dir, 'status'], [0, 3]) !== 0) return null;
      const port = Number(readFileSync(path.join(this.dir, 'postmaster.pid'), 'utf8').split('\n')[3]);
      if (await this.acceptsConnections(port)) return port;
      await sleep(RETRY_MS);
    }
    throw new Error(`a PostgreSQL server runs in ${this.dir} but accepts no connection: stop it, and start again`);
  }

  private async acceptsConnections(port: number): Promise<boolean> {
    const { owner, password } = this.options;
    const client = new pg.Client({ host: '127.0.0.1', port, user: owner, password, database: 'postgres' });
    try {
      await client.connect();
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  private async choosePort(): Promise<number> {
    for (let port = this.options.port; port < this.options.port + PORTS_MAX; port++) {
      if (await this.isFree('127.0.0.1', port)) return port;
      if (!this.options.nextFreePort) break;
    }
    throw new Error(`port ${this.options.port} for PostgreSQL is in use by another process`);
  }

  /**
   * Returns `dir`, or a folder under /var/tmp when the server's account cannot enter the folders above `dir`. The name
   * of that folder depends on the password, too, because a new checkout in the place of a deleted one has another
   * password and cannot use the old data.
   */
  private reachable(dir: string): string {
    if (this.account.uid === undefined) return dir;
    let parent = path.dirname(dir);
    while (!existsSync(parent)) parent = path.dirname(parent);
    if (spawnSync('test', ['-x', parent], { ...this.account, cwd: '/' }).status === 0) return dir;
    const name = createHash('sha256').update(`${dir} ${this.options.password}`).digest('hex').slice(0, 12);
    return path.join('/var/tmp', `causeway-${name}`);
  }

  private chown(file: string): void {
    const { uid, gid } = this.account;
    if (uid !== undefined && gid !== undefined) chownSync(file, uid, gid);
  }

  private run(program: string, args: string[], allowed = [0]): number {
    const command = path.join(this.bin, process.platform === 'win32' ? `${program}.exe` : program);
    const done = spawnSync(command, args, {
      ...this.account,
      cwd: tmpdir(),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      ...OWN_GROUP,
    });
    if (done.error) throw done.error;
    if (done.status !== null && allowed.includes(done.status)) return done.status;
    const log = path.join(this.dir, 'server.log');
    const tail = existsSync(log) ? readFileSync(log, 'utf8').slice(-LOG_TAIL) : '';
    throw new Error(`${program} failed: ${done.stdout}${done.stderr}${tail}`);
  }
}
