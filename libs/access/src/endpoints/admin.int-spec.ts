import { Database } from '#platform/database';
import { createTestDatabase } from '#platform/testing';
import { ApiKeyHasher } from '../keys/api-key-hasher.js';
import { createAccessApp, send, type AccessApp, type Answer } from '../testing/access-app.js';
import { createProject } from '../testing/index.js';

/** The id of no organization, project or API key. */
const UNKNOWN_ID = '0191d0a3-7c1e-7f00-8a4b-5c6d7e8f9a0b';
const TOKEN = 'an-admin-token-of-more-than-32-characters';
const bearer = { authorization: `Bearer ${TOKEN}` };

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let api: AccessApp;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await createAccessApp(database.appUrl, { env: { ADMIN_TOKEN: TOKEN } });
});

afterAll(async () => {
  await api.app.close();
  await database.drop();
});

const admin = (path: string, body?: unknown, method?: string): Promise<Answer> =>
  send(`${api.url}/v0/admin/${path}`, bearer, body, method);

async function created(path: string, body: unknown): Promise<Record<string, unknown> & { id: string }> {
  const answer = await admin(path, body);
  expect({ path, status: answer.status, id: typeof answer.body.id }).toEqual({ path, status: 201, id: 'string' });
  return { ...answer.body, id: String(answer.body.id) };
}

describe('the administration API', () => {
  it('creates an organization, a project and a working key, and shows the key only once', async () => {
    const organization = await created('organizations', { name: 'Acme' });
    const project = await created(`organizations/${organization.id}/projects`, { name: 'Shop', mode: 'live' });
    expect(project).toMatchObject({ organizationId: organization.id, mode: 'live', deletedAt: null });
    const issued = await created(`projects/${project.id}/api-keys`, {
      name: 'backend',
      scopes: ['read', 'trade'],
      expiresAt: '2999-01-01T00:00:00+01:00',
      ipAllowlist: ['127.0.0.1', '2001:DB8::/32'],
    });
    expect(issued).toMatchObject({
      projectId: project.id,
      name: 'backend',
      scopes: ['read', 'trade'],
      expiresAt: '2998-12-31T23:00:00.000Z',
      ipAllowlist: ['127.0.0.1', '2001:db8::/32'],
      revokedAt: null,
      lastUsedAt: null,
    });
    const key = String(issued.key);
    const used = await send(`${api.url}/probe/any`, {
      'x-svc-api-key': key,
      'x-svc-org-id': organization.id,
      'x-svc-project-id': project.id,
    });
    expect(used.body).toMatchObject({ id: project.id, mode: 'live', scopes: ['read', 'trade'] });
    const listed = await admin(`projects/${project.id}/api-keys`);
    expect(listed.body).toMatchObject({ apiKeys: [{ id: issued.id, hint: `svc_live_…${key.slice(-4)}` }] });
    expect(JSON.stringify(listed.body)).not.toContain(key);
  });

  it('stores a keyed hash of the key and nothing that contains the key', async () => {
    const project = await createProject(api.app);
    const [row] = await api.app
      .get(Database, { strict: false })
      .query<{ hash: Buffer; text: string }>(`select hash, k::text as text from api_keys k where id = $1`, [
        project.apiKeyId,
      ]);
    expect(row?.hash).toEqual(api.app.get(ApiKeyHasher, { strict: false }).hash(project.apiKey));
    expect(row?.text).not.toContain(project.apiKey.slice('svc_test_'.length, -6));
  });

  it('lists organizations and projects page by page, newest first', async () => {
    const { id } = await created('organizations', { name: 'Pages' });
    for (const name of ['a', 'b', 'c']) await created(`organizations/${id}/projects`, { name, mode: 'test' });
    const page = await admin(`organizations/${id}/projects?page=0&limit=2`);
    expect(page.body).toMatchObject({
      projects: [{ name: 'c' }, { name: 'b' }],
      pagination: { totalCount: 3, page: 0, limit: 2, pageCount: 2 },
    });
    expect((await admin(`organizations/${id}/projects?page=1&limit=2`)).body).toMatchObject({
      projects: [{ name: 'a' }],
    });
    expect((await admin('organizations?limit=1')).body).toMatchObject({ organizations: [{ id, name: 'Pages' }] });
  });

  it('rotates a key once, with an overlap', async () => {
    const project = await createProject(api.app, { scopes: ['read'] });
    const answer = await admin(`api-keys/${project.apiKeyId}/rotate`, { overlapSeconds: 60 });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ scopes: ['read'], projectId: project.projectId });
    const fresh = { ...project.headers, 'x-svc-api-key': String(answer.body.key) };
    expect((await send(`${api.url}/probe/any`, fresh)).status).toBe(200);
    expect((await send(`${api.url}/probe/any`, project.headers)).status).toBe(200);
    const until = new Date(String(answer.body.previousWorksUntil)).getTime() - api.clock.now().getTime();
    expect(Math.abs(until - 60_000)).toBeLessThan(5_000);
    const again = await admin(`api-keys/${project.apiKeyId}/rotate`, undefined, 'POST');
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({ type: 'GENERIC_INVALID_REQUEST' });
  });

  it('revokes a key, and returns the same response when the call is repeated', async () => {
    const project = await createProject(api.app);
    const first = await admin(`api-keys/${project.apiKeyId}`, undefined, 'DELETE');
    expect(first.status).toBe(200);
    expect(typeof first.body.revokedAt).toBe('string');
    expect((await send(`${api.url}/probe/any`, project.headers)).status).toBe(401);
    expect((await admin(`api-keys/${project.apiKeyId}`, undefined, 'DELETE')).body).toEqual(first.body);
  });

  it.each([
    [`organizations/${UNKNOWN_ID}/projects`, undefined, 'GET'],
    [`organizations/${UNKNOWN_ID}/projects`, { name: 'x', mode: 'test' }, 'POST'],
    [`projects/${UNKNOWN_ID}/api-keys`, undefined, 'GET'],
    [`projects/${UNKNOWN_ID}/api-keys`, { name: 'x', scopes: ['read'] }, 'POST'],
    [`api-keys/${UNKNOWN_ID}/rotate`, {}, 'POST'],
    [`api-keys/${UNKNOWN_ID}`, undefined, 'DELETE'],
  ])('returns not found for an unknown id: %s (%j, %s)', async (path, body, method) => {
    const answer = await admin(path, body, method);
    expect(answer.status).toBe(404);
    expect(answer.body.type).toBe('GENERIC_NOT_FOUND');
  });

  it.each<[string, unknown, string]>([
    ['organizations', {}, 'name'],
    ['organizations', { name: '' }, 'name'],
    ['organizations', { name: 'a\u0000b' }, 'name'],
    ['organizations', { name: 'a'.repeat(201) }, 'name'],
    ['organizations', { name: ['a'] }, 'name'],
    ['organizations/7/projects', { name: 'a', mode: 'test' }, 'id'],
    [`organizations/${UNKNOWN_ID}/projects`, { name: 'a', mode: 'prod' }, 'mode'],
    [`projects/${UNKNOWN_ID}/api-keys`, { name: 'a', scopes: [] }, 'scopes'],
    [`projects/${UNKNOWN_ID}/api-keys`, { name: 'a', scopes: 'read' }, 'scopes'],
    [`projects/${UNKNOWN_ID}/api-keys`, { name: 'a', scopes: ['read', 'read'] }, 'scopes'],
    [`projects/${UNKNOWN_ID}/api-keys`, { name: 'a', scopes: ['admin'] }, 'scopes'],
    [
      `projects/${UNKNOWN_ID}/api-keys`,
      { name: 'a', scopes: ['read'], expiresAt: '2001-01-01T00:00:00Z' },
      'expiresAt',
    ],
    [
      `projects/${UNKNOWN_ID}/api-keys`,
      { name: 'a', scopes: ['read'], expiresAt: '2999-02-30T00:00:00Z' },
      'expiresAt',
    ],
    [`projects/${UNKNOWN_ID}/api-keys`, { name: 'a', scopes: ['read'], expiresAt: '2999-01-01' }, 'expiresAt'],
    [`projects/${UNKNOWN_ID}/api-keys`, { name: 'a', scopes: ['read'], expiresAt: 4_000_000_000 }, 'expiresAt'],
    [`projects/${UNKNOWN_ID}/api-keys`, { name: 'a', scopes: ['read'], ipAllowlist: ['here'] }, 'ipAllowlist'],
    [`projects/${UNKNOWN_ID}/api-keys`, { name: 'a', scopes: ['read'], ipAllowlist: [7] }, 'ipAllowlist'],
    [
      `projects/${UNKNOWN_ID}/api-keys`,
      { name: 'a', scopes: ['read'], ipAllowlist: Array(51).fill('::1') },
      'ipAllowlist',
    ],
    [`api-keys/${UNKNOWN_ID}/rotate`, { overlapSeconds: -1 }, 'overlapSeconds'],
    [`api-keys/${UNKNOWN_ID}/rotate`, { overlapSeconds: 2_592_001 }, 'overlapSeconds'],
    [`api-keys/${UNKNOWN_ID}/rotate`, { overlapSeconds: '60' }, 'overlapSeconds'],
    [`api-keys/${UNKNOWN_ID}/rotate`, { expiresAt: 'tomorrow' }, 'expiresAt'],
  ])('refuses %s %j, and names the field %s', async (path, body, field) => {
    const answer = await admin(path, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ type: 'GENERIC_VALIDATION_ERROR', result: { fields: [{ field }] } });
  });

  it.each<[string, object, string]>([
    [`projects/${UNKNOWN_ID}/api-keys`, { name: 'a', scopes: 'read' }, 'scopes must be an array'],
    [
      `projects/${UNKNOWN_ID}/api-keys`,
      { name: 'a', scopes: ['read'], ipAllowlist: '::1' },
      'ipAllowlist must be an array',
    ],
    [`api-keys/${UNKNOWN_ID}/rotate`, { overlapSeconds: '60' }, 'overlapSeconds must be an integer number'],
  ])('refuses %s %j, and names the required type', async (path, body, message) => {
    expect((await admin(path, body)).body).toMatchObject({ error: `Invalid request: ${message}` });
  });

  it('accepts a request only with ADMIN_TOKEN as its bearer token', async () => {
    const { headers } = await createProject(api.app);
    const wrong: Record<string, string>[] = [
      {},
      headers,
      { authorization: TOKEN },
      { authorization: `Basic ${TOKEN}` },
      { authorization: `Bearer ${TOKEN}x` },
      { authorization: `Bearer ${TOKEN.slice(0, -1)}` },
      { authorization: 'Bearer ' },
    ];
    for (const sent of wrong) {
      const answer = await send(`${api.url}/v0/admin/organizations`, sent);
      expect(answer.status).toBe(401);
      expect(answer.body).toMatchObject({ type: 'GENERIC_UNAUTHORIZED' });
    }
    expect((await send(`${api.url}/v0/admin/organizations`, { authorization: `bearer ${TOKEN}` })).status).toBe(200);
    // On a route that requires an API key, the token is refused.
    expect((await send(`${api.url}/probe/any`, bearer)).status).toBe(401);
  });

  it.each<[string, unknown]>([
    ['GET', undefined],
    ['POST', { name: 'Acme' }],
    ['POST', { name: 7 }],
    ['POST', '{broken'],
  ])('responds like an unknown path when ADMIN_TOKEN is not set (%s %j)', async (method, body) => {
    const bare = await createAccessApp(database.appUrl);
    try {
      const ask = (path: string) => send(`${bare.url}/v0/${path}`, { ...bearer, 'x-request-id': 'same' }, body, method);
      const [absent, nowhere] = [await ask('admin/organizations'), await ask('nowhere/organizations')];
      expect(absent.status).toBe(nowhere.status);
      expect(absent.body).toEqual(nowhere.body);
      if (body !== '{broken') expect(absent.body.type).toBe('GENERIC_NOT_FOUND');
    } finally {
      await bare.app.close();
    }
  });

  it('blocks an address that sends several wrong tokens', async () => {
    const limited = await createAccessApp(database.appUrl, {
      env: { ADMIN_TOKEN: TOKEN, AUTH_FAILURES_PER_MINUTE: '2' },
    });
    try {
      const ask = async (token: string) =>
        (await send(`${limited.url}/v0/admin/organizations`, { authorization: `Bearer ${token}` })).status;
      for (const [token, status] of [
        ['a', 401],
        ['b', 401],
        ['c', 429],
        [TOKEN, 429],
      ] as const) {
        expect(await ask(token)).toBe(status);
      }
    } finally {
      await limited.app.close();
    }
  });
});

describe('GET /v0/organization/api-key', () => {
  it('reports the scopes and the request rate of any valid key', async () => {
    const project = await createProject(api.app, { scopes: ['trade', 'connect'] });
    const ask = (headers: Record<string, string>) => send(`${api.url}/v0/organization/api-key`, headers);
    const first = await ask(project.headers);
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      permissions: {
        read: false,
        kyc: false,
        quote: false,
        withdrawal: false,
        trade: true,
        deposit: false,
        delete: false,
        connect: true,
      },
      rateLimit: { rateLimitEnabled: true, rateLimitTimeWindow: 60_000, rateLimitMax: 600, requestCount: 1 },
    });
    expect((await ask(project.headers)).body).toMatchObject({ rateLimit: { requestCount: 2 } });
    expect((await ask({})).status).toBe(401);
  });
});
