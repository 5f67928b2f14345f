import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createTestDatabase } from '#platform/testing';
import { CommandLine, type Outcome } from './command-line.js';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let cli: CommandLine;

beforeAll(async () => {
  database = await createTestDatabase();
  cli = new CommandLine({ DATABASE_URL: database.roleUrl('cli') });
});

afterAll(() => database.drop());

const causeway = (args: string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> => cli.run(args, env);
const json = <T>(...args: string[]): Promise<T> => cli.json<T>(...args);

interface Created {
  id: string;
}

async function project(): Promise<string> {
  const { id } = await json<Created>('orgs', 'create', 'Acme');
  return (await json<Created>('projects', 'create', id, 'Shop', '--mode', 'test')).id;
}

describe('the command line', () => {
  it('creates an organization, a project and an API key, and shows the key once', async () => {
    const organization = await json<Created>('orgs', 'create', 'Acme Ltd');
    expect(organization).toMatchObject({ name: 'Acme Ltd' });
    const created = await json<Created>('projects', 'create', organization.id, 'Shop', '--mode', 'live');
    expect(created).toMatchObject({ mode: 'live', organizationId: organization.id });
    const options = ['--scopes', 'read,trade', '--expires-at', '2999-01-01', '--allow-from', '10.0.0.0/8,::1'];
    const key = await json<Created & { key: string }>('keys', 'create', created.id, 'backend', ...options);
    expect(key).toMatchObject({
      projectId: created.id,
      scopes: ['read', 'trade'],
      expiresAt: '2999-01-01T00:00:00.000Z',
      ipAllowlist: ['10.0.0.0/8', '::1'],
    });
    expect(key.key).toMatch(/^svc_live_[A-Za-z0-9]{49}$/);
    expect(key).not.toHaveProperty('hash');
    const listed = await json<unknown[]>('keys', 'list', created.id);
    expect(listed).toMatchObject([{ id: key.id, hint: `svc_live_…${key.key.slice(-4)}` }]);
    expect(JSON.stringify(listed)).not.toContain(key.key);
    expect(await json('projects', 'list', organization.id)).toMatchObject([{ id: created.id }]);
    expect(await json('orgs', 'list', '--limit', '1')).toMatchObject([{ id: organization.id }]);
  });

  it('prints a table when --json is not given', async () => {
    const id = await project();
    const { out } = await causeway(['keys', 'create', id, 'backend', '--scopes', 'read']);
    const [head, row, remark] = out.split('\n');
    expect(head).toMatch(/^ID +NAME +KEY +SCOPES +ALLOWED FROM +CREATED +EXPIRES +REVOKED +LAST USED$/);
    expect(row).toMatch(/^[0-9a-f-]{36} +backend +svc_test_[A-Za-z0-9]{49} +read +everywhere +\S+Z +- +- +-$/);
    expect(remark).toMatch(/shown only now/);
    expect((await causeway(['keys', 'list', id])).out).toMatch(/svc_test_…[A-Za-z0-9]{4} /);
  });

  it('rotates an API key with an overlap, and revokes an API key', async () => {
    const id = await project();
    const old = await json<Created>('keys', 'create', id, 'backend', '--scopes', 'read');
    const before = Date.now();
    const fresh = await json<Created & { previousWorksUntil: string }>(
      'keys',
      'rotate',
      old.id,
      '--overlap-seconds',
      '90',
    );
    const untilMs = new Date(fresh.previousWorksUntil).getTime();
    expect(untilMs).toBeGreaterThanOrEqual(before + 90_000);
    expect(untilMs).toBeLessThanOrEqual(Date.now() + 90_000);
    expect(await causeway(['keys', 'rotate', old.id])).toMatchObject({ code: 1, err: /already rotated/ });
    const revoked = await json<Created & { revokedAt: string }>('keys', 'revoke', fresh.id);
    expect(new Date(revoked.revokedAt).getTime()).toBeGreaterThanOrEqual(before);
  });

  it('shows the connect settings of a project, and changes only the settings that are named', async () => {
    const id = await project();
    const looks = { exchanges: null, displayName: null, color: null, logoUrl: null };
    const nothing = { browserConnects: false, origins: [], returnUrls: [], connectAccess: null, ...looks };
    expect(await json('projects', 'connect', id)).toEqual(nothing);
    const origins = ['https://shop.example', 'https://app.example'];
    expect(await json('projects', 'connect', id, '--browser-connects', 'on', '--origin', ...origins)).toEqual({
      ...nothing,
      browserConnects: true,
      origins,
    });
    await json('projects', 'connect', id, '--return-url', 'https://shop.example/connected');
    expect(await json('projects', 'connect', id, '--origin', 'none')).toEqual({
      ...nothing,
      browserConnects: true,
      origins: [],
      returnUrls: ['https://shop.example/connected'],
      connectAccess: null,
    });
    const access = async (...kinds: string[]): Promise<unknown> =>
      (await json<{ connectAccess: unknown }>('projects', 'connect', id, '--access', ...kinds)).connectAccess;
    expect(await access('read', 'withdrawal')).toEqual(['read', 'withdrawal']);
    expect(await access('default')).toBeNull();
    const page = ['--exchange', 'kraken', 'okx', '--display-name', 'Shop', '--color', '#0a7c66'];
    const shown = { exchanges: ['kraken', 'okx'], displayName: 'Shop', color: '#0a7c66' };
    expect(await json('projects', 'connect', id, ...page)).toMatchObject(shown);
    const reset = ['--exchange', 'all', '--display-name', 'none', '--color', 'none'];
    expect(await json('projects', 'connect', id, ...reset)).toMatchObject(looks);
    expect(await causeway(['projects', 'connect', id, '--exchange', 'nowhere'])).toMatchObject({
      code: 1,
      err: /one of/,
    });
    expect(await causeway(['projects', 'connect', id, '--color', 'red'])).toMatchObject({ code: 1, err: /#rrggbb/ });
    const wrong = ['projects', 'connect', id, '--return-url', 'com.example.app:/connected'];
    expect(await causeway(wrong)).toMatchObject({ code: 1, err: /returnUrls must each be/ });
    expect((await causeway(['projects', 'connect', id, '--browser-connects', 'maybe'])).code).toBe(2);
  });

  it('loses no change when several operators change the connect settings of a project at once', async () => {
    const id = await project();
    const changes = [
      ['--display-name', 'Shop'],
      ['--color', '#0a7c66'],
      ['--exchange', 'kraken'],
      ['--origin', 'https://shop.example'],
    ];
    await Promise.all(changes.map((change) => json('projects', 'connect', id, ...change)));
    expect(await json('projects', 'connect', id)).toMatchObject({
      displayName: 'Shop',
      color: '#0a7c66',
      exchanges: ['kraken'],
      origins: ['https://shop.example'],
    });
  });

  it('keeps an audit log, and reports its first invalid entry', async () => {
    const organization = await json<Created>('orgs', 'create', 'Audited');
    const { id } = await json<Created>('projects', 'create', organization.id, 'Shop', '--mode', 'test');
    const key = await json<Created>('keys', 'create', id, 'backend', '--scopes', 'read');
    await json('keys', 'revoke', key.id);
    const entries = await json<{ action: string; actor: string }[]>('audit', 'list', organization.id);
    expect(entries.map(({ action }) => action)).toEqual(['api_key.revoked', 'api_key.issued', 'project.created']);
    expect(entries[0]?.actor).toMatch(/^command line \(.+\)$/);
    const verify = ['audit', 'verify', '--organization', organization.id];
    expect(await causeway(verify)).toMatchObject({ code: 0, out: expect.stringMatching(/ 3 .* complete\n/) as string });

    const owner = new pg.Client(database.ownerUrl);
    await owner.connect();
    await owner.query(`set session_replication_role = replica`);
    await owner.query(`update audit_entries set actor = 'nobody' where subject = $1 and sequence = 2`, [key.id]);
    await owner.end();
    const { code, out, err } = await causeway(verify);
    expect({ code, err }).toEqual({
      code: 1,
      err: `error: the audit log is not intact in organization ${organization.id}: compare it with a backup, and find out who could change the table audit_entries\n`,
    });
    expect(out).toMatch(/entry 2 was changed after it was recorded/);
  });

  it.each([
    [['orgs', 'create']],
    [['orgs', 'create', 'Acme', '--colour', 'red']],
    [['nonsense']],
    [['projects', 'create', randomUUID(), 'Shop']],
    [['projects', 'create', randomUUID(), 'Shop', '--mode', 'prod']],
    [['projects', 'list', '7']],
    [['keys', 'create', randomUUID(), 'x']],
    [['keys', 'create', randomUUID(), 'x', '--scopes', 'read,admin']],
    [['keys', 'create', randomUUID(), 'x', '--scopes', 'read', '--expires-at', 'tomorrow']],
    [['keys', 'rotate', randomUUID(), '--overlap-seconds', '1e3']],
    [['orgs', 'list', '--limit', '0']],
    [['audit', 'verify', '--organization', '7']],
    [['withdrawals', 'list', '--state', 'lost']],
    [['withdrawals', 'settle', randomUUID(), '--outcome', 'failed']],
    [['withdrawals', 'settle', randomUUID(), '--by', 'Ada', '--outcome', 'lost']],
  ])('exits with 2 for the wrong usage %j', async (args) => {
    const { code, out, err } = await causeway(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^error: /);
  });

  it.each([
    [['projects', 'create', randomUUID(), 'Shop', '--mode', 'test'], /^error: Organization not found\n$/],
    [['projects', 'list', randomUUID()], /^error: Organization not found\n$/],
    [['keys', 'create', randomUUID(), 'x', '--scopes', 'read'], /^error: Project not found\n$/],
    [['keys', 'list', randomUUID()], /^error: Project not found\n$/],
    [['keys', 'revoke', randomUUID()], /^error: API key not found\n$/],
    [['orgs', 'create', ''], /^error: .*name must be/],
    [['audit', 'list', randomUUID()], /^error: Organization not found\n$/],
    [['audit', 'verify', '--organization', randomUUID()], /^error: Organization not found\n$/],
    [['withdrawals', 'list'], /^error: .*VAULT_KEYS_FILE or VAULT_KEYS must be set/s],
  ])('exits with 1 and prints the reason when it refuses %j', async (args, reason) => {
    const { code, out, err } = await causeway(args);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(reason);
  });

  it('names all missing settings', async () => {
    const outcome = await causeway(['orgs', 'list'], { DATABASE_URL: '', API_KEY_PEPPER: '' });
    expect(outcome.code).toBe(1);
    expect(outcome.err).toMatch(/DATABASE_URL[\s\S]*API_KEY_PEPPER/);
  });

  it('prints the reason and the remedy when the database does not respond', async () => {
    // Port 1 belongs to no server.
    const outcome = await causeway(['orgs', 'list'], { DATABASE_URL: 'postgres://causeway@127.0.0.1:1/causeway' });
    expect(outcome.code).toBe(1);
    expect(outcome.err).toMatch(/the database does not respond \(ECONNREFUSED\).*run npm start/);
  });

  it('reports that the database is read-only', async () => {
    const url = new URL(database.appUrl);
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    const outcome = await causeway(['orgs', 'create', 'Acme'], { DATABASE_URL: url.href });
    expect(outcome.code).toBe(1);
    expect(outcome.err).toMatch(/^error: the database is read-only: connect to a server that accepts writes \(/);
  });

  it('prints its help without a database', async () => {
    const outcome = await causeway(['--help'], { DATABASE_URL: '' });
    expect(outcome.code).toBe(0);
    expect(outcome.out).toMatch(/orgs[\s\S]*projects[\s\S]*keys[\s\S]*withdrawals[\s\S]*audit/);
  });
});
