import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createTestModule, type TestModule } from '#platform/testing';
import { AccessModule } from '../access.module.js';
import { CreateOrganization } from '../projects/create-organization.js';
import { createProject } from '../testing/index.js';
import { RevokeApiKey } from '../keys/revoke-api-key.js';
import { RotateApiKey } from '../keys/rotate-api-key.js';
import { Audit } from './audit.js';
import { hashOf } from './audit-entry.js';
import { VerifyAudit, type AuditVerdict } from './verify-audit.js';

const PAGE = { page: 0, limit: 100 };

let module: TestModule['module'];
let db: TestModule['db'];
let close: TestModule['close'];
let owner: pg.Client;
let audit: Audit;

beforeAll(async () => {
  const created = await createTestModule({ imports: [AccessModule] });
  ({ module, db, close } = created);
  audit = module.get(Audit);
  owner = new pg.Client(created.database.ownerUrl);
  await owner.connect();
});

afterAll(async () => {
  await owner.end();
  await close();
});

/** Creates an organization with a chain of `length` entries. */
async function chainOf(length: number): Promise<string> {
  const { organizationId, projectId } = await createProject(module);
  const made = (await audit.list(organizationId, PAGE)).length;
  for (let count = made; count < length; count++) await record(organizationId, projectId, `entry ${count + 1}`);
  return organizationId;
}

function record(organizationId: string, projectId: string, name: string): Promise<void> {
  const event = {
    organizationId,
    projectId,
    actor: 'Ada',
    action: 'thing.done',
    subject: projectId,
    details: { name },
  };
  return db.transaction((tx) => audit.record(tx, event));
}

async function verdictOn(organizationId: string): Promise<AuditVerdict | undefined> {
  return (await module.get(VerifyAudit).execute(organizationId))[0];
}

/** Acts as the owner of the tables, with their triggers switched off. */
async function forge(sql: string, values: unknown[]): Promise<void> {
  await owner.query(`set session_replication_role = replica`);
  await owner.query(sql, values);
}

describe('the audit log', () => {
  it('names the actor who created a project and who issued, rotated and revoked a key, and never contains the key itself', async () => {
    const { organizationId, projectId, apiKeyId, apiKey } = await createProject(module, { scopes: ['read', 'quote'] });
    const rotated = await module.get(RotateApiKey).execute({ apiKeyId, overlapSeconds: 60, actor: 'Ada' });
    await module.get(RevokeApiKey).execute(apiKeyId, 'Bob');
    await module.get(RevokeApiKey).execute(apiKeyId, 'Bob');
    const entries = await audit.list(organizationId, PAGE);
    expect(entries.map(({ sequence, actor, action, subject }) => [sequence, actor, action, subject])).toEqual([
      [4, 'Bob', 'api_key.revoked', apiKeyId],
      [3, 'Ada', 'api_key.rotated', apiKeyId],
      [2, 'tests', 'api_key.issued', apiKeyId],
      [1, 'tests', 'project.created', projectId],
    ]);
    expect(entries[1]?.details).toMatchObject({ replacedBy: rotated.apiKey.id, scopes: 'read,quote' });
    expect(JSON.stringify(entries)).not.toContain(apiKey.slice(-20));
    expect(await verdictOn(organizationId)).toMatchObject({ entries: 4, fault: null });
  });

  it('is one chain without a gap, however many callers append to it at the same time', async () => {
    const { organizationId, projectId } = await createProject(module);
    await Promise.all(Array.from({ length: 20 }, (_, index) => record(organizationId, projectId, `entry ${index}`)));
    expect(await verdictOn(organizationId)).toMatchObject({ entries: 22, fault: null });
  });

  it('keeps an entry only if the transaction of its action commits', async () => {
    const organizationId = await chainOf(2);
    const event = { organizationId, projectId: null, actor: 'Ada', action: 'thing.done', subject: 'x', details: {} };
    const failing = db.transaction(async (tx) => {
      await audit.record(tx, event);
      throw new Error('the thing itself has failed');
    });
    await expect(failing).rejects.toThrow('the thing itself');
    expect(await verdictOn(organizationId)).toMatchObject({ entries: 2, fault: null });
  });

  it('passes its verification, whatever text an entry contains', async () => {
    const { organizationId, projectId } = await createProject(module);
    await record(organizationId, projectId, 'NUL \0, half \ud800, "quoted" \\ \u2028 ß €');
    expect(await verdictOn(organizationId)).toMatchObject({ entries: 3, fault: null });
  });

  it('verifies an organization without entries', async () => {
    const { id } = await module.get(CreateOrganization).execute({ name: 'New' });
    expect(await verdictOn(id)).toMatchObject({ organizationId: id, entries: 0, fault: null });
    expect(await module.get(VerifyAudit).execute(randomUUID())).toEqual([]);
  });

  it('verifies chains that are longer than one statement reads', async () => {
    const { organizationId, projectId } = await createProject(module);
    const event = { organizationId, projectId, actor: 'Ada', action: 'thing.done', subject: 'x', details: {} };
    await db.transaction(async (tx) => {
      for (let count = 2; count < 1_003; count++) await audit.record(tx, event);
    });
    expect(await verdictOn(organizationId)).toMatchObject({ entries: 1_003, fault: null });
    await forge(`update audit_entries set actor = 'Eve' where organization_id = $1 and sequence = 1002`, [
      organizationId,
    ]);
    expect(await verdictOn(organizationId)).toMatchObject({ entries: 1_001, fault: { sequence: 1_002 } });
  });

  it.each<[string, string, number, string]>([
    [
      'an edited actor',
      `update audit_entries set actor = 'Eve' where organization_id = $1 and sequence = 3`,
      3,
      'changed',
    ],
    [
      'edited details',
      `update audit_entries set details = '{"name": "other"}' where organization_id = $1 and sequence = 4`,
      4,
      'changed',
    ],
    [
      'an edited time',
      `update audit_entries set at = at - interval '1 ms' where organization_id = $1 and sequence = 2`,
      2,
      'changed',
    ],
    ['a deleted entry', `delete from audit_entries where organization_id = $1 and sequence = 3`, 3, 'missing'],
    ['a deleted beginning', `delete from audit_entries where organization_id = $1 and sequence < 3`, 1, 'missing'],
    ['a deleted end', `delete from audit_entries where organization_id = $1 and sequence > 4`, 5, 'missing'],
    ['a chain without entries', `delete from audit_entries where organization_id = $1`, 1, 'missing'],
    [
      'a chain that was deleted with its entries',
      `with entries as (delete from audit_entries where organization_id = $1)
       delete from audit_chains where organization_id = $1`,
      1,
      'missing',
    ],
    ['entries without a chain', `delete from audit_chains where organization_id = $1`, 1, 'past the end'],
    [
      'two entries in the other order',
      `update audit_entries set sequence = case when sequence = 3 then 4 when sequence = 4 then 3 else sequence end + 10000
         where organization_id = $1;`,
      3,
      'follow',
    ],
  ])('reports the first wrong or missing entry: %s', async (_name, sql, sequence, reason) => {
    const organizationId = await chainOf(5);
    const untouched = await chainOf(3);
    await forge(sql, [organizationId]);
    await forge(
      `update audit_entries set sequence = sequence - 10000 where organization_id = $1 and sequence > 10000`,
      [organizationId],
    );
    expect((await verdictOn(organizationId))?.fault).toMatchObject({
      sequence,
      reason: expect.stringContaining(reason) as string,
    });
    expect((await verdictOn(untouched))?.fault).toBeNull();
  });

  it('reports the entry after an entry whose content and hash were both changed', async () => {
    const organizationId = await chainOf(4);
    const [third] = (await audit.list(organizationId, PAGE)).filter(({ sequence }) => sequence === 3);
    if (third === undefined) throw new Error('no third entry');
    const { rows } = await owner.query<{ hash: Buffer }>(
      `select hash from audit_entries where organization_id = $1 and sequence = 2`,
      [organizationId],
    );
    const hash = hashOf(rows[0]?.hash ?? Buffer.alloc(0), { ...third, actor: 'Eve' });
    await forge(`update audit_entries set actor = 'Eve', hash = $2 where organization_id = $1 and sequence = 3`, [
      organizationId,
      hash,
    ]);
    expect((await verdictOn(organizationId))?.fault).toMatchObject({ sequence: 4 });
  });

  it.each([
    `update audit_entries set actor = 'Eve'`,
    `delete from audit_entries`,
    `update audit_chains set length = length - 1`,
    `update audit_chains set head = '\\x${'00'.repeat(32)}'`,
    `delete from audit_chains`,
  ])('refuses this statement of the application role: %s', async (sql) => {
    await chainOf(2);
    await expect(db.query(sql)).rejects.toThrow(/permission denied|cannot be deleted|only grow/);
  });
});
