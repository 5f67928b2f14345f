import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort, projectRoot, until } from '#platform/testing';
import { acceptsConnections } from '../support/accepts-connections.js';

const FILE = path.join(projectRoot, 'docker/nginx/causeway.conf');
/** Debian installs nginx in a folder that is not on the PATH of a user. */
const PATH = '/usr/sbin:/usr/bin:/usr/local/bin:/opt/homebrew/bin';

/** nginx with the configuration of the project, except for addresses, certificate and log files. */
export class NginxServer {
  private constructor(
    private readonly dir: string,
    private readonly child: ChildProcess,
    readonly port: number,
  ) {}

  /** Starts nginx in front of servers on these two ports of 127.0.0.1. */
  static async start(ports: readonly [number, number]): Promise<NginxServer> {
    const dir = mkdtempSync(path.join(tmpdir(), 'causeway-nginx-'));
    const port = await freePort();
    writeFileSync(path.join(dir, 'causeway.conf'), adapt(readFileSync(FILE, 'utf8'), { dir, port, ports }));
    writeFileSync(path.join(dir, 'nginx.conf'), mainFile(dir));
    const settings = ['-p', dir, '-e', 'stderr', '-c', path.join(dir, 'nginx.conf')];
    const child = spawn('nginx', settings, { stdio: ['ignore', 'ignore', 'inherit'], env: { PATH } });
    const server = new NginxServer(dir, child, port);
    try {
      await until('nginx listens', () => {
        if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`);
        return acceptsConnections(port);
      });
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Returns the current content of the access log. */
  get accessLog(): string {
    return readFileSync(path.join(this.dir, 'access.log'), 'utf8');
  }

  /** Returns the current content of the error logs: the one of nginx itself, and the one of the configuration. */
  get errorLogs(): string {
    return ['main-error.log', 'error.log'].map((name) => readFileSync(path.join(this.dir, name), 'utf8')).join('');
  }

  async stop(): Promise<void> {
    if (this.child.kill('SIGTERM')) await once(this.child, 'exit');
    rmSync(this.dir, { recursive: true, force: true });
  }
}

function adapt(text: string, at: { dir: string; port: number; ports: readonly [number, number] }): string {
  const changes: [string | RegExp, string][] = [
    ['listen 443 ssl http2;', `listen 127.0.0.1:${at.port};`],
    [/ +ssl_certificate +\S+;\n/, ''],
    [/ +ssl_certificate_key +\S+;\n/, ''],
    ['api-1.internal:8787', `127.0.0.1:${at.ports[0]}`],
    ['api-2.internal:8787', `127.0.0.1:${at.ports[1]}`],
    ['/var/log/nginx/causeway.log', path.join(at.dir, 'access.log')],
    ['/var/log/nginx/causeway-error.log', path.join(at.dir, 'error.log')],
  ];
  let adapted = text;
  for (const [from, to] of changes) {
    const next = adapted.replace(from, to);
    if (next === adapted) throw new Error(`${FILE} has no ${from.toString()}`);
    adapted = next;
  }
  return adapted;
}

function mainFile(dir: string): string {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const folders = kinds.map((kind) => `${kind}_temp_path ${path.join(dir, kind)};`).join(' ');
  return [
    'daemon off; worker_processes 1;',
    `pid ${path.join(dir, 'pid')};`,
    // The level is the default of nginx, which Debian's configuration does not change.
    `error_log ${path.join(dir, 'main-error.log')};`,
    'events {}',
    `http { ${folders} include ${path.join(dir, 'causeway.conf')}; }`,
    '',
  ].join('\n');
}
