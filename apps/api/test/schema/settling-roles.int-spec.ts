import pg from 'pg';
import type { ProcessRole } from '#platform/database';
import { createTestDatabase, type TestDatabase } from '#platform/testing';
import { codeAs } from './run-as-role.js';
import { insertTenant, type TenantRows } from './tenant-rows.js';

const REFUSED = '23001';

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

const attempt = (change: string): string => `update withdrawal_attempts set ${change} where id = '${rows.attemptId}'`;
const withdrawal = (change: string): string => `update withdrawals set ${change} where id = '${rows.withdrawalId}'`;
const transaction = (change: string): string => `update transactions set ${change} where id = '${rows.transactionId}'`;
const accepted = (): string[] => [
  attempt(`outcome = 'accepted', exchange_id = 'X'`),
  withdrawal(`state = 'submitted', exchange_id = 'X'`),
];

/** Statements with which only the worker or the command line ends an open withdrawal. */
const SETTLEMENTS: [name: string, statements: () => string[]][] = [
  ['counts a listing without the withdrawal', () => [attempt('clean_listings = clean_listings + 1')]],
  [
    'ends an unknown withdrawal as failed',
    () => [attempt('clean_listings = 2'), attempt(`outcome = 'not_executed'`), withdrawal(`state = 'failed'`)],
  ],
  ['ends a submitted withdrawal as failed', () => [...accepted(), withdrawal(`state = 'failed'`)]],
  ['ends a submitted withdrawal as canceled', () => [...accepted(), withdrawal(`state = 'canceled'`)]],
  ['ends a submitted withdrawal as completed', () => [...accepted(), withdrawal(`state = 'completed'`)]],
];

describe('an open withdrawal', () => {
  it.each(SETTLEMENTS)('keeps its state when the role of the API %s', async (_, statements) => {
    expect(await codeOf('api', statements().join(';'))).toBe(REFUSED);
  });

  it.each(SETTLEMENTS)('changes when the role of the worker %s', async (_, statements) => {
    expect(await codeOf('worker', statements().join(';'))).toBeUndefined();
  });

  it('cannot get an attempt with listings that nobody has read', async () => {
    const forged = `insert into withdrawal_attempts select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(),
      'outcome', 'rejected', 'clean_listings', 1))).* from withdrawal_attempts a where id = '${rows.attemptId}'`;
    expect(await codeOf('api', forged)).toBe(REFUSED);
  });

  describe.each(['api', 'worker', 'cli'] as const)('of which the role of the %s changes the transaction', (role) => {
    it.each(['ok', 'failed', 'canceled'])('keeps a pending transaction instead of %s', async (status) => {
      expect(await codeOf(role, transaction(`status = '${status}'`))).toBe(REFUSED);
    });
  });

  it('gives its transaction the end that it has itself', async () => {
    const end = [...accepted(), withdrawal(`state = 'completed'`)].join(';');
    expect(await codeOf('worker', `${end}; ${transaction(`status = 'failed'`)}`)).toBe(REFUSED);
    expect(await codeOf('worker', `${end}; ${transaction(`status = 'ok'`)}`)).toBeUndefined();
  });
});
