import pg from 'pg';
import { EVERY_PROJECT, PROJECT_TABLES, type ProcessRole } from '#platform/database';
import { createTestDatabase, type TestDatabase } from '#platform/testing';
import { insertTenant, type TenantRows } from './tenant-rows.js';

/** PostgreSQL refuses a statement for lack of a right, or a row because of a policy. */
const REFUSED = '42501';
/** A rule of the row refuses it before the policy does, because the rule sees no row of the other project. */
const BY_RULE = '23001';
/** The setting is unknown to a new connection, and no UUID on a connection whose last project has ended. */
const WITHOUT_PROJECT = ['42704', '22P02'];

let database: TestDatabase;
let owner: pg.Client;
let own: TenantRows;
let other: TenantRows;
const clients: pg.Client[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  owner = await connect(database.ownerUrl);
  own = await insertTenant(owner);
  other = await insertTenant(owner);
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await database.drop();
});

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  clients.push(client);
  return client;
}

interface Outcome {
  code: string | undefined;
  rows: unknown[];
  count: number | null;
}

/** Runs a statement as a role in a transaction for a project, and rolls it back. */
async function run(role: ProcessRole, projectId: string | null, sql: string, values: unknown[] = []): Promise<Outcome> {
  const client = new pg.Client(database.roleUrl(role));
  await client.connect();
  try {
    await client.query('begin');
    if (projectId !== null) await client.query(`select set_config('causeway.project_id', $1, true)`, [projectId]);
    const { rows, rowCount } = await client.query(sql, values);
    return { code: undefined, rows, count: rowCount };
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    return { code: error.code, rows: [], count: null };
  } finally {
    await client.end();
  }
}

/** Returns a row of the other project as JSON. */
async function foreignRow(table: string): Promise<string> {
  const { rows } = await owner.query<{ row: string }>(
    `select to_jsonb(t)::text as row from ${table} t where project_id = $1 limit 1`,
    [other.projectId],
  );
  if (rows[0] === undefined) throw new Error(`no row in ${table}`);
  return rows[0].row;
}

const INSERT = (table: string): string =>
  `insert into ${table} overriding user value select (jsonb_populate_record(null::${table}, $1)).*`;
/** Either the role has no right to it at all, or no row is visible to the statement. */
const isWithoutEffect = ({ code, count }: Outcome): boolean => code === REFUSED || (code === undefined && count === 0);

describe('a row of a project', () => {
  it('is in a table that row-level security protects', async () => {
    const { rows } = await owner.query<{ name: string; is_secured: boolean }>(
      `select c.relname as name, c.relrowsecurity as is_secured
         from pg_attribute a join pg_class c on c.oid = a.attrelid
        where a.attname = 'project_id' and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
    );
    expect(rows.map(({ name }) => name).sort()).toEqual([...PROJECT_TABLES].sort());
    expect(rows.filter(({ is_secured: isSecured }) => !isSecured)).toEqual([]);
  });

  it('is hidden behind every view, apart from the listed ones', async () => {
    const { rows } = await owner.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'v' and relnamespace = 'public'::regnamespace
         and coalesce(not 'security_invoker=true' = any(reloptions), true)`,
    );
    // One shows ids of projects only. The others show sealed records, which a process compares with its keys.
    expect(rows.map(({ name }) => name).sort()).toEqual([
      'every_replaced_credentials',
      'every_wallet_credentials',
      'every_wallet_grants',
      'every_wallet_identities',
      'every_webhook_secrets',
      'stopped_projects',
    ]);
  });

  describe.each(PROJECT_TABLES)('in %s', (table) => {
    it('is visible to the API for its own project only', async () => {
      const { rows } = await run('api', own.projectId, `select distinct project_id from ${table}`);
      expect(rows).toEqual([{ project_id: own.projectId }]);
    });

    it('cannot be changed, deleted or locked by the API for another project', async () => {
      const statements = [
        `update ${table} set project_id = project_id where project_id = $1`,
        `delete from ${table} where project_id = $1`,
        `select from ${table} where project_id = $1 for share`,
      ];
      for (const sql of statements)
        expect([sql, isWithoutEffect(await run('api', own.projectId, sql, [other.projectId]))]).toEqual([sql, true]);
    });

    it('cannot be inserted by the API for another project', async () => {
      const { code } = await run('api', own.projectId, INSERT(table), [await foreignRow(table)]);
      expect([REFUSED, BY_RULE]).toContain(code);
    });

    it('cannot be read, changed or deleted by the API without a project', async () => {
      const { rows } = await owner.query<{ ctid: string }>(`select ctid from ${table} limit 1`);
      const statements = [
        `select from ${table}`,
        `update ${table} set project_id = project_id where ctid = '${rows[0]?.ctid}'`,
        `delete from ${table} where ctid = '${rows[0]?.ctid}'`,
      ];
      for (const sql of statements) {
        for (const project of [null, '']) {
          const { code } = await run('api', project, sql);
          expect([...WITHOUT_PROJECT, REFUSED]).toContain(code);
        }
      }
      expect(WITHOUT_PROJECT).toContain((await run('api', null, `select from ${table}`)).code);
    });

    it('is visible to a statement of the API for every project', async () => {
      const { rows } = await run('api', EVERY_PROJECT, `select distinct project_id from ${table}`);
      expect(rows).toHaveLength(2);
    });

    it('is visible to the worker and the command line', async () => {
      for (const role of ['worker', 'cli'] as const) {
        const { rows } = await run(role, null, `select distinct project_id from ${table}`);
        expect(rows).toHaveLength(2);
      }
    });
  });

  it('never moves to another project', async () => {
    for (const table of PROJECT_TABLES) {
      const move = `update ${table} set project_id = $1 where project_id = $2`;
      await expect(owner.query(move, [own.projectId, other.projectId])).rejects.toMatchObject({ code: '23001' });
    }
  }); // prettier-ignore

  it('gets the project of its wallet, whatever project the statement names', async () => {
    const { rows } = await owner.query<{ projectId: string }>(
      `insert into deposit_locks values ($1, 'ETH', 'ethereum', gen_random_uuid(), now(), $2) returning project_id as "projectId"`,
      [other.walletId, own.projectId],
    );
    expect(rows).toEqual([{ projectId: other.projectId }]);
  });

  it('is written by statements for every project only where the administration writes', async () => {
    const writable: string[] = [];
    for (const table of PROJECT_TABLES) {
      const { count } = await run('api', EVERY_PROJECT, `update ${table} set project_id = project_id where project_id = $1`, [
        other.projectId,
      ]);
      if (count !== null && count > 0) writable.push(table);
    }
    expect(writable.sort()).toEqual(['api_keys', 'connect_projects', 'webhook_deliveries', 'webhook_endpoints', 'webhook_secrets']);
  }); // prettier-ignore
});

describe('a project', () => {
  it('is created and changed by the administration only', async () => {
    const create = `insert into projects (id, organization_id, name, mode) values (gen_random_uuid(), '${own.organizationId}', 'p', 'live')`;
    const suspend = `update projects set suspended_at = now() where id = '${own.projectId}'`;
    expect((await run('api', own.projectId, create)).code).toBe(REFUSED);
    expect((await run('api', own.projectId, suspend)).count).toBe(0);
    expect((await run('api', EVERY_PROJECT, create)).count).toBe(1);
    expect((await run('api', EVERY_PROJECT, suspend)).count).toBe(1);
  });
});

describe('the function find_api_key', () => {
  it('finds one key by its hash without a project, for the API only', async () => {
    const { rows } = await owner.query<{ hash: Buffer }>(`select hash from api_keys where id = $1`, [other.apiKeyId]);
    const find = `select id from find_api_key($1)`;
    expect((await run('api', null, find, [rows[0]?.hash])).rows).toEqual([{ id: other.apiKeyId }]);
    for (const role of ['worker', 'cli'] as const) expect((await run(role, null, find, [Buffer.alloc(32)])).code).toBe(REFUSED);
  }); // prettier-ignore
});
