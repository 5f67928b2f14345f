import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { migrate } from '#platform/database';
import {
  eraseEmbeddedPostgres,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from '#platform/embedded-postgres';

const PORT = 57_000;
const RECOVERY_TIMEOUT_MS = 20_000;
const DATABASE = 'causeway';

interface Epoch {
  epoch: string;
  restored_at: unknown;
}

let parent: string;
let options: EmbeddedPostgresOptions;
let server: EmbeddedPostgres;

beforeEach(async () => {
  // All users can read the folder, because the server runs under another account when root runs the tests.
  parent = mkdtempSync(path.join(tmpdir(), 'causeway-epoch-'));
  chmodSync(parent, 0o755);
  options = { dir: path.join(parent, 'data'), port: PORT, nextFreePort: true, durable: true };
  server = await startEmbeddedPostgres(options);
  await server.createDatabase(DATABASE);
  await migrate(server.ownerUrl(DATABASE));
}, 60_000);

afterEach(() => {
  eraseEmbeddedPostgres(options);
  rmSync(parent, { recursive: true, force: true });
});

/** Reads the epoch as the role of the worker. */
function readEpoch(database = DATABASE): Promise<Epoch> {
  return query<Epoch>(
    server.roleUrl('worker', database),
    'select current_database_epoch() as epoch, database_restored_at() as restored_at',
  );
}

async function query<Row>(url: string, sql: string): Promise<Row> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query(sql);
    return rows.at(-1) as Row;
  } finally {
    await client.end();
  }
}

function copy(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

describe('the epoch of a database', () => {
  it('stays the same when the server is stopped and started', async () => {
    const before = await readEpoch();
    expect(before.restored_at).toBe(-Infinity);
    server.stop();
    server = await startEmbeddedPostgres(options);
    expect(await readEpoch()).toEqual(before);
  }, 60_000);

  it('is new after a recovery from a backup, and the restore time is not known yet', async () => {
    const { epoch } = await readEpoch();
    const { data_directory: dir } = await query<{ data_directory: string }>(
      server.ownerUrl('postgres'),
      'show data_directory',
    );
    server.stop();
    const backup = path.join(parent, 'backup');
    copy(dir, backup);
    server = await startEmbeddedPostgres(options);
    await query(server.ownerUrl(DATABASE), 'create table made_since ()');
    server.stop();

    rmSync(dir, { recursive: true });
    copy(backup, dir);
    appendFileSync(path.join(dir, 'postgresql.auto.conf'), `restore_command = 'false'\n`);
    copy(path.join(dir, 'PG_VERSION'), path.join(dir, 'recovery.signal'));
    server = await startEmbeddedPostgres(options);
    const deadline = Date.now() + RECOVERY_TIMEOUT_MS;
    const recovering = `select pg_is_in_recovery() as is_recovering`;
    while ((await query<{ is_recovering: boolean }>(server.ownerUrl('postgres'), recovering)).is_recovering) {
      if (Date.now() > deadline) throw new Error('the server is still recovering');
      await sleep(50);
    }

    const restored = await readEpoch();
    expect(restored.epoch).not.toBe(epoch);
    expect(restored.restored_at).toBe(Infinity);
    await expect(query(server.ownerUrl(DATABASE), 'table made_since')).rejects.toThrow('does not exist');
  }, 60_000);

  it('is new when the tables are loaded as from a dump, into another database or into the same one', async () => {
    const { epoch } = await readEpoch();
    const { rows } = await query<{ rows: object[] }>(
      server.ownerUrl(DATABASE),
      'select json_agg(e) as rows from database_epochs e',
    );
    await server.createDatabase('restored');
    await migrate(server.ownerUrl('restored'));
    const client = new pg.Client(server.ownerUrl('restored'));
    await client.connect();
    await client.query('delete from database_epochs');
    const load = 'insert into database_epochs select * from json_populate_recordset(null::database_epochs, $1)';
    expect((await client.query(load, [JSON.stringify(rows)])).rowCount).toBe(1);
    await client.end();

    const restored = await readEpoch('restored');
    expect(restored.epoch).not.toBe(epoch);
    expect(restored.restored_at).toBe(Infinity);
    expect(await readEpoch()).toEqual({ epoch, restored_at: -Infinity });

    for (const statement of [
      'alter table database_epochs rename to lost',
      'create table database_epochs as table lost',
      'grant select on database_epochs to causeway_worker',
    ]) {
      await query(server.ownerUrl(DATABASE), statement);
    }
    const loaded = await readEpoch();
    expect(loaded.epoch).not.toBe(epoch);
    expect(loaded.restored_at).toBe(Infinity);
  }, 60_000);
});
