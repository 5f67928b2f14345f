import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { processRoles } from '#platform/database';
import {
  eraseEmbeddedPostgres,
  isPortFree,
  startEmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from '#platform/embedded-postgres';
import { Cluster } from './cluster.js';

const PORT = 56_800;

describe('an embedded PostgreSQL server', () => {
  let parent: string;
  let options: EmbeddedPostgresOptions;

  beforeEach(() => {
    // All users can read the folder, because the server runs under another account when root runs the tests.
    parent = mkdtempSync(path.join(tmpdir(), 'causeway-embedded-'));
    chmodSync(parent, 0o755);
    options = { dir: path.join(parent, 'data', 'postgres'), port: PORT, nextFreePort: true, durable: false };
  });

  afterEach(() => {
    eraseEmbeddedPostgres(options);
    rmSync(parent, { recursive: true, force: true });
  });

  it('is started once when several callers start it at the same moment', async () => {
    const servers = await Promise.all([1, 2, 3].map(() => startEmbeddedPostgres(options)));
    expect(new Set(servers.map((server) => server.ownerUrl('postgres'))).size).toBe(1);
    expect(servers.filter((server) => !server.reused)).toHaveLength(1);
  }, 30_000);

  it('keeps its data when it is stopped and started', async () => {
    const first = await startEmbeddedPostgres(options);
    await first.createDatabase('kept');
    await query(first.ownerUrl('kept'), 'create table t as select 42 as answer');
    first.stop();
    const second = await startEmbeddedPostgres(options);
    expect(second.reused).toBe(false);
    expect(await query(second.ownerUrl('kept'), 'select answer from t')).toEqual([{ answer: 42 }]);
  }, 30_000);

  it('recovers committed rows after its process was killed', async () => {
    const first = await startEmbeddedPostgres({ ...options, durable: true });
    await first.createDatabase('kept');
    await query(first.ownerUrl('kept'), 'create table t as select 42 as answer');
    process.kill(await serverPid(first.ownerUrl('postgres')), 'SIGKILL');
    const second = await startEmbeddedPostgres({ ...options, durable: true });
    expect(await query(second.ownerUrl('kept'), 'select answer from t')).toEqual([{ answer: 42 }]);
  }, 180_000);

  it('starts although an earlier start was killed while it created the data', async () => {
    const draft = `${options.dir}.draft-1-1`;
    mkdirSync(draft, { recursive: true });
    writeFileSync(path.join(draft, 'PG_VERSION'), '18');
    const server = await startEmbeddedPostgres(options);
    expect(await query(server.ownerUrl('postgres'), 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(existsSync(draft)).toBe(false);
  }, 30_000);

  it('does not wait for the lock of an earlier start that was killed', async () => {
    mkdirSync(path.dirname(options.dir), { recursive: true });
    writeFileSync(`${options.dir}.lock`, String(endedProcess()));
    const before = Date.now();
    await startEmbeddedPostgres(options);
    expect(Date.now() - before).toBeLessThan(15_000);
  }, 30_000);

  it('starts although only the current user may enter the parent of its folder, and returns the folder of its data', async () => {
    chmodSync(parent, 0o700);
    const server = await startEmbeddedPostgres(options);
    expect(existsSync(path.join(server.dir, 'PG_VERSION'))).toBe(true);
    server.stop();
    expect((await startEmbeddedPostgres(options)).dir).toBe(server.dir);
  }, 30_000);

  it('starts a new server when a checkout that only the current user may enter replaces a deleted checkout', async () => {
    chmodSync(parent, 0o700);
    const server = await startEmbeddedPostgres(options);
    rmSync(path.dirname(options.dir), { recursive: true });
    const second = await startEmbeddedPostgres({ ...options, port: PORT + 1 });
    try {
      expect(second.reused).toBe(false);
      expect(await query(second.ownerUrl('postgres'), 'select 1 as one')).toEqual([{ one: 1 }]);
    } finally {
      server.stop();
      rmSync(server.dir, { recursive: true, force: true });
    }
  }, 30_000);

  it.each(processRoles)(
    'has a role of the %s that owns nothing and can create nothing',
    async (process) => {
      const server = await startEmbeddedPostgres(options);
      await server.createDatabase('app');
      const [role] = await query(
        server.roleUrl(process, 'app'),
        `select rolname, rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls,
        (select count(*)::int from pg_class where relowner = r.oid) as relations,
        (select count(*)::int from pg_database where datdba = r.oid) as databases
       from pg_roles r where rolname = current_user`,
      );
      expect(role).toEqual({
        rolname: `causeway_${process}`,
        rolsuper: false,
        rolcreatedb: false,
        rolcreaterole: false,
        rolreplication: false,
        rolbypassrls: false,
        relations: 0,
        databases: 0,
      });
      await expect(query(server.roleUrl(process, 'app'), 'create table t ()')).rejects.toThrow('permission denied');
    },
    30_000,
  );

  describe('when its port is taken', () => {
    let other: Server;

    beforeEach(async () => {
      other = createServer();
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      const address = other.address();
      if (address === null || typeof address === 'string') throw new Error('the other program has no port');
      options = { ...options, port: address.port };
    });

    afterEach(() => new Promise((resolve) => other.close(resolve)));

    it('uses a later port when another port is allowed', async () => {
      const server = await startEmbeddedPostgres(options);
      expect(Number(new URL(server.ownerUrl('postgres')).port)).toBeGreaterThan(options.port);
    }, 30_000);

    it('uses a later port when another program takes the port after it was found free', async () => {
      let isTaken = false;
      const cluster = new Cluster({ ...options, owner: 'owner', password: 'password' }, async (host, port) => {
        if (isTaken) return isPortFree(host, port);
        isTaken = true;
        return true;
      });
      try {
        expect((await cluster.start()).port).toBeGreaterThan(options.port);
      } finally {
        cluster.erase();
      }
    }, 30_000);

    it('fails with an error that names the port when no other port is allowed', async () => {
      await expect(startEmbeddedPostgres({ ...options, nextFreePort: false })).rejects.toThrow(String(options.port));
    }, 30_000);
  });

  it('stops and leaves no file behind when it is erased', async () => {
    const server = await startEmbeddedPostgres(options);
    expect(readdirSync(path.dirname(options.dir))).not.toEqual([]);
    eraseEmbeddedPostgres(options);
    expect([readdirSync(path.dirname(options.dir)), existsSync(server.dir)]).toEqual([[], false]);
    await expect(query(server.ownerUrl('postgres'), 'select')).rejects.toThrow('ECONNREFUSED');
  }, 30_000);
});

function endedProcess(): number {
  return spawnSync(process.execPath, ['--version']).pid;
}

/** Returns the id of the server's main process, from the first line of its lock file. */
async function serverPid(ownerUrl: string): Promise<number> {
  const [row] = await query<{ pid: string }>(
    ownerUrl,
    `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1) as pid`,
  );
  return Number(row?.pid);
}

async function query<Row>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}
