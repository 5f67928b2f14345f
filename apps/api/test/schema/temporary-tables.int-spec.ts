import pg from 'pg';
import type { ProcessRole } from '#platform/database';
import { createTestDatabase, type TestDatabase } from '#platform/testing';
import { codeAs } from './run-as-role.js';
import { insertTenant, type TenantRows } from './tenant-rows.js';

/** A rule refuses the change, or the role lacks the right. */
const REFUSALS = ['23001', '42501'];

let database: TestDatabase;
let owner: pg.Client;
let rows: TenantRows;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = new pg.Client(database.ownerUrl);
  await owner.connect();
  rows = await insertTenant(owner);
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

const codeOf = (role: ProcessRole, ...statements: string[]): Promise<string | undefined> =>
  codeAs({ database, rows }, role, ...statements);

type Attack = [name: string, temporary: (rows: TenantRows) => string, attack: (rows: TenantRows) => string];

const FAIL = ({ withdrawalId }: TenantRows): string =>
  `update public.withdrawals set state = 'failed' where id = '${withdrawalId}'`;
const FORGET = ({ walletId }: TenantRows): string =>
  `delete from public.wallet_credentials where wallet_id = '${walletId}'`;

/** Temporary tables with the names of the tables that the rules read. */
const ATTACKS: Attack[] = [
  [
    'the attempts of an open withdrawal',
    () =>
      `create temporary table withdrawal_attempts (withdrawal_id uuid, outcome text, exchange_id text, answer jsonb)`,
    FAIL,
  ],
  [
    'the decisions of operators',
    ({ withdrawalId }) =>
      `create temporary table audit_entries as select '${withdrawalId}' as subject, 'withdrawal.settled' as action`,
    FAIL,
  ],
  [
    'the table whose rights show that an operator decides',
    () => `create temporary table unmatched_records ()`,
    ({ organizationId, projectId, withdrawalId }) =>
      `insert into public.audit_entries values ('${organizationId}', 2, '${projectId}', now(), 'operator',
         'withdrawal.settled', '${withdrawalId}', '{}', sha256('a'), sha256('b'))`,
  ],
  [
    'the wallets and the holds of credentials',
    ({ walletId }) =>
      `create temporary table wallets as select '${walletId}'::uuid as id, now() as deleted_at;
       create temporary table credential_holds (wallet_id uuid, version text)`,
    FORGET,
  ],
];

describe('temporary tables with the names of tables', () => {
  describe.each(['api', 'worker'] as const)('of the role of the %s', (role) => {
    it.each(ATTACKS)('do not replace %s in the rules of the rows', async (_, temporary, attack) => {
      // Where the role may create temporary tables all the same, the rules find the real ones.
      await owner.query(`grant temporary on database ${owner.database} to public`);
      expect(REFUSALS).toContain(await codeOf(role, temporary(rows), attack(rows)));
    });
  });

  it('are named before no table in any function of the schema', async () => {
    const { rows: functions } = await owner.query<{ name: string }>(
      `select p.proname as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where n.nspname = 'public' and not coalesce(p.proconfig @> '{"search_path=public, pg_temp"}', false)
        order by 1`,
    );
    // Its policies run it for each statement; it reads no table.
    expect(functions.map(({ name }) => name)).toEqual(['current_project']);
  });
});
