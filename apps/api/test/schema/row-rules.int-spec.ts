import pg from 'pg';
import type { ProcessRole } from '#platform/database';
import { createTestDatabase, withoutRules, type TestDatabase } from '#platform/testing';
import { insertTenant, type TenantRows } from './tenant-rows.js';

let database: TestDatabase;
let owner: pg.Client;
let app: pg.Client;
let own: TenantRows;
let other: TenantRows;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = new pg.Client(database.ownerUrl);
  // Policies of row-level security hide no row from this role, so that only the rules of the rows refuse something.
  app = new pg.Client(database.appUrl);
  await Promise.all([owner.connect(), app.connect()]);
  own = await insertTenant(owner);
  other = await insertTenant(owner);
});
afterAll(async () => {
  await Promise.all([owner.end(), app.end()]);
  await database.drop();
});

/** Every refusal is one of a rule: a trigger, a foreign key, or a right that the role lacks. */
const REFUSALS = ['23001', '23503', '42501'];

async function codeOf(sql: string, client = app): Promise<string | undefined> {
  await client.query('begin');
  try {
    const { rowCount } = await client.query(sql);
    if (rowCount === 0) throw new Error(`no row is concerned by: ${sql}`);
    return undefined;
  } catch (error) {
    return error instanceof pg.DatabaseError ? error.code : String(error);
  } finally {
    await client.query('rollback');
  }
}

type Attack = [name: string, sql: (own: TenantRows, other: TenantRows) => string];

const TAKEOVERS: Attack[] = [
  ['an API key to another project', (a, b) => `update api_keys set project_id = '${b.projectId}' where id = '${a.apiKeyId}'`],
  ['more scopes to an API key', ({ apiKeyId }) => `update api_keys set scopes = '{read,withdrawal}' where id = '${apiKeyId}'`],
  ['the hash of a known key to the API key of another project', (_, b) =>
    `update api_keys set hash = sha256('known') where id = '${b.apiKeyId}'`],
  ['an empty allow-list to an API key', ({ apiKeyId }) => `update api_keys set ip_allowlist = '{}' where id = '${apiKeyId}'`],
  ['a wider allow-list to an API key', ({ apiKeyId }) => `update api_keys set ip_allowlist = '{0.0.0.0/0}' where id = '${apiKeyId}'`],
  ['a later expiry to an API key', ({ apiKeyId }) => `update api_keys set expires_at = expires_at + interval '1 day' where id = '${apiKeyId}'`],
  ['no expiry to an API key', ({ apiKeyId }) => `update api_keys set expires_at = null where id = '${apiKeyId}'`],
  ['no revocation to a revoked API key', ({ apiKeyId }) => `update api_keys set revoked_at = null where id = '${apiKeyId}'`],
  ['a later revocation to an API key', ({ apiKeyId }) => `update api_keys set revoked_at = revoked_at + interval '1 day' where id = '${apiKeyId}'`],
  ['a project to another organization', (a, b) => `update projects set organization_id = '${b.organizationId}' where id = '${a.projectId}'`],
  ['another mode to a project', ({ projectId }) => `update projects set mode = 'test' where id = '${projectId}'`],
  ['a wallet to another project', (a, b) => `update wallets set project_id = '${a.projectId}' where id = '${b.walletId}'`],
  ['another id of the caller to a wallet', ({ walletId }) => `update wallets set external_id = 'x' where id = '${walletId}'`],
  ['another exchange to a wallet', ({ walletId }) => `update wallets set exchange = 'okx' where id = '${walletId}'`],
  ['a connect session to another project', (a, b) =>
    `update connect_sessions set project_id = '${b.projectId}', organization_id = '${b.organizationId}' where id = '${a.sessionId}'`],
  ['another wallet to a connect session', ({ sessionId }) => `update connect_sessions set external_wallet_id = 'x' where id = '${sessionId}'`],
  ['a webhook endpoint to another project', (a, b) => `update webhook_endpoints set project_id = '${b.projectId}' where id = '${a.endpointId}'`],
  ['a webhook secret to another endpoint', (a, b) => `update webhook_secrets set endpoint_id = '${a.endpointId}' where endpoint_id = '${b.endpointId}'`],
  ['a transaction to another project', (a, b) => `update transactions set project_id = '${a.projectId}' where id = '${b.transactionId}'`],
  ['another text to an event', ({ eventId }) => `update events set data = '{"forged": true}' where id = '${eventId}'`],
  ['another number to a dispatched event', ({ eventId }) => `update events set wallet_sequence = 2 where id = '${eventId}'`],
  ['another text to a message of a topic', ({ projectId }) => `update topic_messages set body = '{"forged": true}' where project_id = '${projectId}'`],
  ['another body to a stored response', ({ projectId }) => `update idempotent_responses set body = '"x"' where project_id = '${projectId}'`],
  ['no body to a stored response', ({ projectId }) => `update idempotent_responses set status = null, body = null where project_id = '${projectId}'`],
  ['other sealed bytes to held credentials', ({ walletId }) =>
    `update wallet_credentials set sealed = jsonb_set(sealed, '{id}', '"v2"') where wallet_id = '${walletId}'`],
  ['other sealed bytes to replaced credentials', ({ walletId }) => `update replaced_credentials set sealed = '{}' where wallet_id = '${walletId}'`],
  ['the end to an unknown withdrawal', ({ withdrawalId }) =>
    `update withdrawals set state = 'failed' where id = '${withdrawalId}'`],
  ['an id without a record of the exchange to an unknown withdrawal', ({ withdrawalId }) =>
    `update withdrawals set state = 'submitted', exchange_id = 'forged' where id = '${withdrawalId}'`],
  ['no next check to an unknown withdrawal', ({ withdrawalId }) => `update withdrawals set next_check_at = null where id = '${withdrawalId}'`],
  ['an endless wait to an unknown withdrawal', ({ withdrawalId }) =>
    `update withdrawals set next_check_at = 'infinity' where id = '${withdrawalId}'`],
  ['an outcome without a listing to an unknown attempt', ({ attemptId }) =>
    `update withdrawal_attempts set outcome = 'not_executed' where id = '${attemptId}'`],
  ['a settlement to an unmatched record', ({ recordId }) => `update unmatched_records set settled_at = now() where id = '${recordId}'`],
]; // prettier-ignore

const INSERTS: Attack[] = [
  ['a quote of the own project for the wallet of another one', (a, b) =>
    `insert into quotes select (jsonb_populate_record(q, jsonb_build_object('id', gen_random_uuid(), 'wallet_id', '${b.walletId}'))).*
       from quotes q where id = '${a.quoteId}'`],
  ['a withdrawal of the own project for the quote of another one', (a, b) =>
    `with q as (insert into quotes select (jsonb_populate_record(q, jsonb_build_object('id', gen_random_uuid()))).*
       from quotes q where id = '${b.quoteId}' returning id),
     t as (insert into transactions select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid()))).*
       from transactions t where id = '${a.transactionId}' returning id)
     insert into withdrawals select (jsonb_populate_record(w, jsonb_build_object('id', gen_random_uuid(), 'client_ref', 'x',
       'quote_id', q.id, 'transaction_id', t.id))).* from withdrawals w, q, t where w.id = '${a.withdrawalId}'`],
  ['an order of the own project for the wallet of another one', (a, b) =>
    `insert into orders select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(), 'client_order_id', 'x',
       'wallet_id', '${b.walletId}', 'route_id', 'x'))).* from orders o where id = '${a.orderId}'`],
  ['a message to the topic of another organization', (a, b) =>
    `insert into topic_messages (id, organization_id, project_id, topic, body, created_at)
       values (gen_random_uuid(), '${b.organizationId}', '${a.projectId}', 't', '{}', now())`],
  ['a connect session of another organization', (a, b) =>
    `insert into connect_sessions select (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(),
       'organization_id', '${b.organizationId}', 'token_hash', sha256('x')))).* from connect_sessions s where id = '${a.sessionId}'`],
]; // prettier-ignore

/** Copies the current credentials of a wallet, with an end in the past. */
function copyOf(walletId: string, sealed: string): string {
  return `insert into replaced_credentials (wallet_id, version, sealed, replaced_at, erase_after)
    select wallet_id, sealed->>'id', ${sealed}, '2001-01-01', '2001-01-02' from wallet_credentials where wallet_id = '${walletId}'`;
}

const DELETIONS: Attack[] = [
  ['the credentials of a connected wallet', ({ walletId }) => `delete from wallet_credentials where wallet_id = '${walletId}'`],
  ['replaced credentials that an order needs', ({ walletId }) => `delete from replaced_credentials where wallet_id = '${walletId}'`],
  ['the hold of an unknown withdrawal', ({ withdrawalId }) => `delete from credential_holds where holder = '${withdrawalId}'`],
  ['the credentials of an unknown withdrawal when the wallet is deleted in the same moment', ({ walletId }) =>
    `update wallets set deleted_at = '2001-01-01' where id = '${walletId}';
     update wallet_credentials set erase_after = '2001-01-02' where wallet_id = '${walletId}';
     delete from wallet_credentials where wallet_id = '${walletId}'`],
  ['replaced credentials that an order needs when their time is shortened', ({ walletId }) =>
    `update replaced_credentials set erase_after = '2001-01-02' where wallet_id = '${walletId}';
     delete from replaced_credentials where wallet_id = '${walletId}'`],
  ['a copy of held credentials that was made for a past time', ({ walletId }) =>
    `${copyOf(walletId, 'sealed')};
     update wallet_credentials set sealed = jsonb_set(sealed, '{id}', '"v2"') where wallet_id = '${walletId}';
     delete from replaced_credentials where wallet_id = '${walletId}' and version = 'v1'`],
  ['an unknown order', ({ orderId }) => `delete from orders where id = '${orderId}'`],
  ['the hold of an unknown order', ({ orderId }) => `delete from credential_holds where holder = '${orderId}'`],
]; // prettier-ignore

describe('the rules of the rows, for the passwords of all processes', () => {
  it.each(TAKEOVERS)('never give %s', async (_, attack) => {
    expect(REFUSALS).toContain(await codeOf(attack(own, other)));
  });

  it.each(INSERTS)('refuse %s', async (_, attack) => {
    expect(REFUSALS).toContain(await codeOf(attack(own, other)));
  });

  it.each(DELETIONS)('keep %s', async (_, attack) => {
    expect(REFUSALS).toContain(await codeOf(attack(own, other)));
  });

  it('bring no deleted project and no deleted wallet back', async () => {
    const gone = await insertTenant(owner);
    await owner.query(`update projects set deleted_at = now() where id = '${gone.projectId}'`);
    await owner.query(`update wallets set deleted_at = now() where id = '${gone.walletId}'`);
    for (const table of [`projects set deleted_at = null where id = '${gone.projectId}'`, `wallets set deleted_at = null where id = '${gone.walletId}'`])
      expect(REFUSALS).toContain(await codeOf(`update ${table}`));
  }); // prettier-ignore

  it('bind the owner of the tables, too', async () => {
    for (const [, attack] of [...TAKEOVERS, ...INSERTS, ...DELETIONS])
      expect(['23001', '23503']).toContain(await codeOf(attack(own, other), owner));
  });

  it('let a withdrawal be closed with the evidence of its attempts, or of an operator', async () => {
    const { withdrawalId, attemptId, organizationId, projectId } = own;
    const fail = `update withdrawals set state = 'failed' where id = '${withdrawalId}'`;
    const listed = `update withdrawal_attempts set clean_listings = 1 where id = '${attemptId}';
      update withdrawal_attempts set outcome = 'not_executed' where id = '${attemptId}'`;
    const decided = `insert into audit_entries values ('${organizationId}', 2, '${projectId}', now(), 'operator',
      'withdrawal.settled', '${withdrawalId}', '{}', sha256('a'), sha256('b'))`;
    for (const evidence of [listed, decided]) {
      await owner.query(`begin; ${evidence}`);
      expect((await owner.query(fail)).rowCount).toBe(1);
      await owner.query('rollback');
    }
  });
});

/** Statements that make the only copy of held credentials useless. The command line may encrypt credentials again. */
const OVERWRITES: Attack[] = [
  ['by other bytes of the same version', ({ walletId }) =>
    `delete from wallet_grants where wallet_id = '${walletId}';
     update wallet_credentials set sealed = jsonb_set(sealed, '{fields}', '{}') where wallet_id = '${walletId}'`],
  ['by a grant that was added to them', ({ walletId }) =>
    `delete from wallet_grants where wallet_id = '${walletId}';
     insert into wallet_grants (wallet_id, revision, sealed, client_id, scopes, created_at, updated_at)
       values ('${walletId}', gen_random_uuid(), '{}', 'c', '{}', now(), now())`],
  ['by the number of a later write', ({ walletId }) =>
    `delete from wallet_grants where wallet_id = '${walletId}';
     update wallets set credentials_sequence = credentials_sequence + 1 where id = '${walletId}'`],
  ['by a false copy', ({ walletId }) => copyOf(walletId, `jsonb_set(sealed, '{fields}', '{}')`)],
]; // prettier-ignore

/** Runs statements as the role of a process, and rolls them back. */
async function codeAs(role: ProcessRole, statements: string): Promise<string | undefined> {
  const client = new pg.Client(database.roleUrl(role));
  await client.connect();
  await client.query(`select set_config('causeway.project_id', '${own.projectId}', false)`);
  const code = await codeOf(statements, client);
  await client.end();
  return code;
}

describe('credentials that an unknown withdrawal needs', () => {
  it.each(OVERWRITES)('are not lost %s', async (_, attack) => {
    for (const role of ['api', 'worker'] as const) expect(REFUSALS).toContain(await codeAs(role, attack(own, other)));
  });

  it('are renewed with their grant, by the API and the worker', async () => {
    const renewal = `update wallets set credentials_sequence = credentials_sequence + 1 where id = '${own.walletId}';
      update wallet_credentials set sealed = jsonb_set(sealed, '{sequence}', '1') where wallet_id = '${own.walletId}'`;
    for (const role of ['api', 'worker'] as const) expect(await codeAs(role, renewal)).toBeUndefined();
  });

  it('are encrypted again by the command line only', async () => {
    const rotation = `delete from wallet_grants where wallet_id = '${own.walletId}';
      update wallet_credentials set sealed = jsonb_set(sealed, '{fields}', '{}') where wallet_id = '${own.walletId}'`;
    expect(await codeAs('cli', rotation)).toBeUndefined();
    expect(REFUSALS).toContain(await codeAs('api', rotation));
  });

  it('are copied only while something needs them, so that no copy is older than its need', async () => {
    const free = await insertTenant(owner);
    await withoutRules(database.ownerUrl, `delete from credential_holds where wallet_id = '${free.walletId}'`);
    expect(REFUSALS).toContain(await codeOf(copyOf(free.walletId, 'sealed')));
  });

  it('are erased with their wallet an hour after its deletion, and replaced ones an hour after their replacement', async () => {
    const { walletId } = await insertTenant(owner);
    await owner.query(`update wallets set deleted_at = now() where id = '${walletId}'`);
    const past = `now() - interval '1 hour'`;
    await withoutRules(
      database.ownerUrl,
      `update wallet_credentials set erase_after = ${past}, kept_since = ${past} where wallet_id = '${walletId}';
       update replaced_credentials set erase_after = ${past}, stored_at = ${past} where wallet_id = '${walletId}'`,
    );
    for (const table of ['wallet_credentials', 'replaced_credentials'])
      expect(await codeOf(`delete from ${table} where wallet_id = '${walletId}'`)).toBeUndefined();
  });

  it('are replaced when the same transaction copies them', async () => {
    const { walletId } = own;
    const replace = `update wallets set credentials_sequence = credentials_sequence + 1 where id = '${walletId}';
      update wallet_credentials set sealed = '{"id": "v2", "sequence": 1, "fields": {}}' where wallet_id = '${walletId}'`;
    expect(await codeOf(`${copyOf(walletId, 'sealed')}; ${replace}`)).toBeUndefined();
  });
});

describe('the columns that name the tenant of a row', () => {
  it('are kept by a trigger in every table', async () => {
    const { rows } = await owner.query<{ unguarded: string }>(
      `select c.table_name || '.' || c.column_name as unguarded from information_schema.columns c
         join information_schema.tables t using (table_schema, table_name)
        where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
          and c.column_name in ('organization_id', 'project_id', 'wallet_id')
          and not exists (
            select from pg_trigger g join pg_attribute a on a.attrelid = g.tgrelid and a.attnum = any (g.tgattr)
             where g.tgrelid = c.table_name::regclass and a.attname = c.column_name)
          -- When a wallet is connected again, its history moves to the new wallet of the same project.
          and (c.table_name, c.column_name) <> ('transactions', 'wallet_id')
          and c.table_name not in (select tgrelid::regclass::text from pg_trigger where not tgisinternal
             and tgname in ('keep_quote', 'keep_withdrawal', 'keep_attempt', 'keep_order', 'keep_audit_entry'))`,
    );
    // A new table names its columns in KEPT_COLUMNS of row-rules.ts.
    expect(rows.map(({ unguarded }) => unguarded)).toEqual([]);
  });
});
