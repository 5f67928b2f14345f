import pg from 'pg';
import { processRoles, TABLE_RIGHTS, type ProcessRole } from '#platform/database';
import { createTestDatabase, type TestDatabase } from '#platform/testing';
import { insertTenant, type TenantRows } from './tenant-rows.js';

const PRIVILEGES = { s: 'select', i: 'insert', u: 'update', d: 'delete' } as const;

let database: TestDatabase;
let owner: pg.Client;
let rows: TenantRows;
const clients = new Map<ProcessRole, pg.Client>();

beforeAll(async () => {
  database = await createTestDatabase();
  owner = new pg.Client(database.ownerUrl);
  await owner.connect();
  rows = await insertTenant(owner);
  for (const role of processRoles) {
    const client = new pg.Client(database.roleUrl(role));
    await client.connect();
    await client.query(`select set_config('causeway.project_id', $1, false)`, [rows.projectId]);
    clients.set(role, client);
  }
});
afterAll(async () => {
  await Promise.all([owner, ...clients.values()].map((client) => client.end()));
  await database.drop();
});

/** Returns PostgreSQL's code when it refuses the statement, which is then rolled back in any case. */
async function codeOf(role: ProcessRole, sql: string): Promise<string | undefined> {
  const client = clients.get(role);
  if (client === undefined) throw new Error('no client');
  await client.query('begin');
  try {
    await client.query(sql);
    return undefined;
  } catch (error) {
    return error instanceof pg.DatabaseError ? error.code : String(error);
  } finally {
    await client.query('rollback');
  }
}

describe('the rights of the roles of the processes', () => {
  it('are stated in TABLE_RIGHTS for every table and view', async () => {
    const { rows: found } = await owner.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')`,
    );
    // A new table is closed to all roles until it has an entry in libs/platform/src/database/rights.ts.
    expect(found.map(({ name }) => name).sort()).toEqual(Object.keys(TABLE_RIGHTS).sort());
  });

  const matrix = Object.entries(TABLE_RIGHTS).flatMap(([table, rights]) =>
    processRoles.map((role): [ProcessRole, string, string] => [role, table, rights[role]]),
  );

  it.each(matrix)('give the %s on %s exactly: %s', async (role, table, letters) => {
    const granted = await Promise.all(
      Object.entries(PRIVILEGES).map(async ([letter, privilege]) => {
        const { rows: found } = await owner.query<{ has: boolean }>(`select has_table_privilege($1, $2, $3) as has`, [
          `causeway_${role}`,
          table,
          privilege,
        ]);
        return found[0]?.has === true ? letter : '';
      }),
    );
    expect(granted.sort().join('')).toBe([...letters].sort().join(''));
  });

  it.each(processRoles)('let the %s own nothing, and neither truncate, reference nor guard a table by triggers', async (role) => {
    const { rows: found } = await owner.query(
      `select c.relname from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v')
          and (c.relowner = $1::regrole or has_table_privilege($1, c.oid, 'truncate, references, trigger'))`,
      [`causeway_${role}`],
    );
    expect(found).toEqual([]);
  }); // prettier-ignore

  type Refused = [ProcessRole, string, (rows: TenantRows) => string];
  const REFUSED: Refused[] = [
    ['worker', 'issue an API key', ({ projectId }) =>
      `insert into api_keys (id, project_id, name, hint, hash, scopes)
       values (gen_random_uuid(), '${projectId}', 'k', 'h', sha256('known'), '{withdrawal}')`],
    ['worker', 'revoke an API key', ({ apiKeyId }) => `update api_keys set revoked_at = now() where id = '${apiKeyId}'`],
    ['worker', 'create a project', ({ organizationId }) =>
      `insert into projects (id, organization_id, name, mode) values (gen_random_uuid(), '${organizationId}', 'p', 'live')`],
    ['worker', 'begin a withdrawal', ({ quoteId }) => `insert into withdrawals select * from withdrawals where quote_id = '${quoteId}'`],
    ['worker', 'begin an attempt', ({ attemptId }) =>
      `insert into withdrawal_attempts select * from withdrawal_attempts where id = '${attemptId}'`],
    ['worker', 'place an order', ({ orderId }) => `insert into orders select * from orders where id = '${orderId}'`],
    ['worker', 'write to the audit log', ({ organizationId }) =>
      `insert into audit_entries select * from audit_entries where organization_id = '${organizationId}'`],
    ['api', 'settle an unmatched record', ({ recordId }) => `update unmatched_records set settled_at = now() where id = '${recordId}'`],
    ['api', 'end the stop of a wallet after a restore', ({ walletId }) =>
      `update epoch_checks set checked_at = now() where wallet_id = '${walletId}'`],
    ['api', 'hide a restore of the database', () => `insert into database_epochs values ('x', now(), false)`],
    ['api', 'delete an event', ({ eventId }) => `delete from events where id = '${eventId}'`],
    ['api', 'delete an order', ({ orderId }) => `delete from orders where id = '${orderId}'`],
    ['cli', 'delete an order', ({ orderId }) => `delete from orders where id = '${orderId}'`],
    ['api', 'change a price', () => `insert into ticker_snapshots values ('kraken', '{}', now())`],
    ['api', 'add work to the queues', () => `select * from bullmq.queues`],
    ['cli', 'begin a withdrawal', ({ quoteId }) => `insert into withdrawals select * from withdrawals where quote_id = '${quoteId}'`],
    ['cli', 'make a quote', ({ quoteId }) => `insert into quotes select * from quotes where id = '${quoteId}'`],
  ]; // prettier-ignore

  it.each(REFUSED)('do not let the %s %s', async (role, _, sql) => {
    expect(['42501', '42P01']).toContain(await codeOf(role, sql(rows)));
  });

  it('let only the command line record the decision of an operator', async () => {
    const { organizationId, projectId, withdrawalId } = rows;
    const decision = `insert into audit_entries values ('${organizationId}', 2, '${projectId}', now(), 'operator',
      'withdrawal.settled', '${withdrawalId}', '{}', sha256('a'), sha256('b'))`;
    expect(await codeOf('api', decision)).toBe('23001');
    expect(await codeOf('worker', decision)).toBe('42501');
    expect(await codeOf('cli', decision)).toBeUndefined();
  });
});
