import { randomUUID } from 'node:crypto';
import { Controller, Get, Post } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { pino } from 'pino';
import { Database } from '#platform/database';
import { createTestDatabase } from '#platform/testing';
import { Public } from './access-rule.decorators.js';
import { generateApiKey } from '../keys/api-key-format.js';
import { ApiKeys } from '../keys/api-keys.service.js';
import { LastUse } from '../keys/last-use.js';
import { RevokeApiKey } from '../keys/revoke-api-key.js';
import { createAccessApp, send, type AccessApp, type Answer } from '../testing/access-app.js';
import { createApiKey, createProject, type TestProject } from '../testing/index.js';

type Headers = Record<string, string | string[]>;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let api: AccessApp;
let project: TestProject;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await createAccessApp(database.appUrl, { env: { TRUST_PROXY: 'true' } });
  project = await createProject(api.app);
});

afterAll(async () => {
  await api.app.close();
  await database.drop();
});

const get = (path: string, headers: Headers, at = api): Promise<Answer> => send(`${at.url}/probe/${path}`, headers);
const withoutRequestId = ({ body: { requestId, ...rest } }: Answer): unknown => ({ ...rest, traced: requestId !== '' });
const revoke = (apiKeyId: string): Promise<unknown> =>
  api.app.get(RevokeApiKey, { strict: false }).execute(apiKeyId, 'tests');

describe('the credentials of a request', () => {
  it('name the project that the request acts for', async () => {
    const live = await createProject(api.app, { mode: 'live', scopes: ['read', 'trade'] });
    const answer = await get('any', live.headers);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id: live.projectId,
      organizationId: live.organizationId,
      mode: 'live',
      apiKeyId: live.apiKeyId,
      scopes: ['read', 'trade'],
    });
    expect(live.apiKey).toMatch(/^svc_live_/);
    expect(project.apiKey).toMatch(/^svc_test_/);
  });

  it('are not required on public routes', async () => {
    expect((await get('public', { 'x-svc-api-key': 'nonsense' })).status).toBe(200);
  });

  it('are refused with the same response, whatever is wrong with them', async () => {
    const { headers, organizationId } = project;
    const sibling = await createProject(api.app, { organizationId });
    const stranger = await createProject(api.app);
    const expired = await createApiKey(api.app, project, { expiresAt: new Date(api.clock.now().getTime() + 60_000) });
    const elsewhere = await createApiKey(api.app, project, { ipAllowlist: ['192.0.2.7'] });
    const revoked = await createApiKey(api.app, project);
    await revoke(revoked.apiKeyId);
    const deleted = await createProject(api.app);
    await api.app
      .get(Database, { strict: false })
      .query(`update projects set deleted_at = now() where id = $1`, [deleted.projectId]);
    const key = 'x-svc-api-key';
    const org = 'x-svc-org-id';
    const proj = 'x-svc-project-id';
    const without = (name: string): Headers => Object.fromEntries(Object.entries(headers).filter(([n]) => n !== name));
    const cases: Record<string, Headers> = {
      'no header': {},
      'no key': without(key),
      'no organization': without(org),
      'no project': without(proj),
      'empty key': { ...headers, [key]: '' },
      'mistyped key': { ...headers, [key]: headers[key].replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')) },
      'unknown key': { ...headers, [key]: generateApiKey('test') },
      'very long key': { ...headers, [key]: 'svc_test_'.padEnd(4_000, 'x') },
      'malformed organization': { ...headers, [org]: `${organizationId}'` },
      'unknown organization': { ...headers, [org]: randomUUID() },
      'unknown project': { ...headers, [proj]: randomUUID() },
      'other organization': { ...headers, [org]: stranger.organizationId },
      'other project of the same organization': { ...headers, [proj]: sibling.projectId },
      'key of another project': { ...headers, [key]: sibling.apiKey },
      'key of another organization': { ...headers, [key]: stranger.apiKey },
      'repeated key': { ...headers, [key]: [headers[key], headers[key]] },
      'repeated organization': { ...headers, [org]: [headers[org], headers[org]] },
      'repeated project': { ...headers, [proj]: [headers[proj], stranger.projectId] },
      'expired key': expired.headers,
      'revoked key': revoked.headers,
      'key from a foreign address': elsewhere.headers,
      'key of a deleted project': deleted.headers,
    };
    api.clock.advance(60_000);
    expect((await get('any', headers)).status).toBe(200);
    for (const [name, sent] of Object.entries(cases)) {
      const answer = await get('any', sent);
      expect({ name, status: answer.status, body: withoutRequestId(answer) }).toEqual({
        name,
        status: 401,
        body: { error: 'Invalid or missing API credentials', type: 'GENERIC_UNAUTHORIZED', traced: true },
      });
      expect(Object.keys(answer.headers).filter((header) => header.startsWith('ratelimit'))).toEqual([]);
    }
  });

  it('are checked before scopes, and scopes before parameters', async () => {
    const reader = await createApiKey(api.app, project, { scopes: ['read'] });
    const url = `${api.url}/probe/note`;
    const wrong = { text: 7 };
    expect((await send(url, { ...reader.headers, 'x-svc-org-id': randomUUID() }, wrong)).status).toBe(401);
    const forbidden = await send(url, reader.headers, wrong);
    expect(forbidden.status).toBe(403);
    expect(forbidden.body).toMatchObject({ type: 'APIKEY_INSUFFICIENT_PERMISSIONS', missing: ['withdrawal', 'quote'] });
    const invalid = await send(url, project.headers, wrong);
    expect(invalid.status).toBe(400);
    expect(invalid.body).toMatchObject({ type: 'GENERIC_VALIDATION_ERROR', result: { fields: [{ field: 'text' }] } });
    expect((await get('wallet', reader.headers)).status).toBe(403);
  });

  it('are accepted only from the addresses of the allow-list', async () => {
    const { headers } = await createApiKey(api.app, project, { ipAllowlist: ['10.0.0.0/8', '2001:db8::7'] });
    const from = async (address: string) => (await get('any', { ...headers, 'x-forwarded-for': address })).status;
    expect(await from('10.1.2.3')).toBe(200);
    expect(await from('::ffff:10.1.2.3')).toBe(200);
    expect(await from('2001:db8::7')).toBe(200);
    expect(await from('11.0.0.1')).toBe(401);
    expect(await from('2001:db8::8')).toBe(401);
  });
});

describe('the wallet header', () => {
  it('reaches the handler exactly as it was sent', async () => {
    const answer = await get('wallet', { ...project.headers, 'x-svc-wallet-id': 'user:42_a.b-C' });
    expect(answer.body).toEqual({ walletId: 'user:42_a.b-C' });
    const optional = await get('optional-wallet', { ...project.headers, 'x-svc-wallet-id': 'w' });
    expect(optional.body).toEqual({ walletId: 'w' });
    expect((await get('optional-wallet', project.headers)).body).toEqual({ walletId: null });
  });

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['malformed', 'a/b'],
    ['too long', 'w'.repeat(129)],
    ['repeated', ['w', 'w']],
  ])('is refused when it is %s, and the error names the header', async (_, value) => {
    const headers: Headers = { ...project.headers, ...(value === undefined ? {} : { 'x-svc-wallet-id': value }) };
    const answer = await get('wallet', headers);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      type: 'GENERIC_VALIDATION_ERROR',
      result: { fields: [{ field: 'x-svc-wallet-id' }] },
    });
    if (value !== undefined) expect((await get('optional-wallet', headers)).status).toBe(400);
  });
});

describe('rate limits', () => {
  it('allow each key a number of requests per minute, and report the remaining requests in headers', async () => {
    const limited = await createAccessApp(database.appUrl, { clock: api.clock, env: { API_KEY_RATE_PER_MINUTE: '3' } });
    try {
      const { headers } = await createApiKey(api.app, project);
      for (const left of [2, 1, 0]) {
        const answer = await get('any', headers, limited);
        expect(answer.status).toBe(200);
        expect(answer.headers['ratelimit-policy']).toBe('"api-key";q=3;w=60');
        expect(answer.headers['ratelimit']).toMatch(new RegExp(`^"api-key";r=${left};t=(60|59)$`));
      }
      const refused = await get('any', headers, limited);
      expect(refused.status).toBe(429);
      expect(refused.body).toMatchObject({ type: 'GENERIC_RATE_LIMIT_EXCEEDED' });
      expect(refused.headers['ratelimit']).toMatch(/^"api-key";r=0;t=/);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      const other = await createApiKey(api.app, project);
      expect((await get('any', other.headers, limited)).status).toBe(200);
    } finally {
      await limited.app.close();
    }
  });

  it('block an address with too many failed authentications, except for keys that were valid shortly before', async () => {
    const limited = await createAccessApp(database.appUrl, {
      clock: api.clock,
      env: { AUTH_FAILURES_PER_MINUTE: '3', TRUST_PROXY: 'true' },
    });
    try {
      const known = await createApiKey(api.app, project);
      const unseen = await createApiKey(api.app, project);
      const from = (address: string, headers: Headers) =>
        get('any', { ...headers, 'x-forwarded-for': address }, limited);
      const wrong = { ...project.headers, 'x-svc-api-key': generateApiKey('test') };
      expect((await from('192.0.2.1', known.headers)).status).toBe(200);
      for (const status of [401, 401, 401, 429]) expect((await from('192.0.2.1', wrong)).status).toBe(status);
      const refused = await from('192.0.2.1', unseen.headers);
      expect(refused.status).toBe(429);
      expect(withoutRequestId(refused)).toEqual(withoutRequestId(await from('192.0.2.1', {})));
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect((await from('192.0.2.1', known.headers)).status).toBe(200);
      expect((await from('192.0.2.1', { ...known.headers, 'x-svc-org-id': randomUUID() })).status).toBe(429);
      expect((await from('192.0.2.2', unseen.headers)).status).toBe(200);
    } finally {
      await limited.app.close();
    }
  });
});

describe('the last use of a key', () => {
  it('is written at most once a minute', async () => {
    const { headers, apiKeyId } = await createApiKey(api.app, project);
    const keys = api.app.get(ApiKeys, { strict: false });
    const lastUse = async (): Promise<Date | null> => {
      await api.app.get(LastUse, { strict: false }).settled();
      return (await keys.get(apiKeyId)).lastUsedAt;
    };
    expect(await lastUse()).toBeNull();
    await get('any', headers);
    const first = await lastUse();
    expect(first).not.toBeNull();
    api.clock.advance(30_000);
    await get('any', headers);
    expect(await lastUse()).toEqual(first);
    // Less than a minute after the last write, the process sends no statement. A statement would overwrite the null
    // that this test stores.
    const db = api.app.get(Database, { strict: false });
    await db.query(`update api_keys set last_used_at = null where id = $1`, [apiKeyId]);
    await get('any', headers);
    expect(await lastUse()).toBeNull();
    api.clock.advance(30_000);
    await get('any', headers);
    expect((await lastUse())?.getTime()).toBeGreaterThanOrEqual((first?.getTime() ?? Infinity) + 60_000);
  });
});

describe('the log of requests', () => {
  it('names the project and key id of a request and the reason of refused credentials, and never a key', async () => {
    const lines: string[] = [];
    const logger = pino({ level: 'trace', messageKey: 'message' }, { write: (line) => lines.push(line) });
    const logged = await createAccessApp(database.appUrl, { clock: api.clock, logger });
    const { headers, projectId, apiKeyId } = await createApiKey(logged.app, project);
    await get('any', headers, logged);
    await get('any', { ...headers, 'x-svc-org-id': randomUUID() }, logged);
    await logged.app.close();
    const served = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ message }) => message === 'request');
    expect(served).toMatchObject([{ status: 200, project: projectId, apiKeyId }, { status: 401 }]);
    expect(lines.filter((line) => line.includes('key of another organization'))).toHaveLength(1);
    expect(lines.join('')).not.toContain(headers['x-svc-api-key'].slice('svc_test_'.length));
  });
});

describe('an outage of the database', () => {
  it('is reported as an internal error, never as wrong credentials', async () => {
    const doomed = await createTestDatabase();
    const other = await createAccessApp(doomed.appUrl);
    try {
      const { headers } = await createProject(other.app);
      await doomed.drop();
      const answer = await get('any', headers, other);
      expect(answer.status).toBe(500);
      expect(answer.body.type).toBe('GENERIC_INTERNAL_SERVER_ERROR');
      const lastUse = other.app.get(LastUse, { strict: false });
      lastUse.note(randomUUID(), randomUUID());
      await expect(lastUse.settled()).resolves.toBeUndefined();
    } finally {
      await other.app.close();
    }
  });
});

describe('the API', () => {
  @Controller('forgotten')
  class ForgottenController {
    @Get('fine')
    @Public()
    fine(): void {}

    @Get('one')
    one(): void {}

    @Post('two')
    two(): void {}
  }

  it('does not start while a route has no access rule, and names each such route', async () => {
    await expect(createAccessApp(database.appUrl, { controllers: [ForgottenController] })).rejects.toThrow(
      /: ForgottenController\.one, ForgottenController\.two$/,
    );
  });

  it('documents the credentials and scopes that a route requires', () => {
    const document = SwaggerModule.createDocument(api.app, new DocumentBuilder().build());
    const wallet = document.paths['/probe/wallet']?.get;
    expect(wallet?.security).toEqual([{ 'x-svc-api-key': [], 'x-svc-org-id': [], 'x-svc-project-id': [] }]);
    expect(wallet).toMatchObject({
      'x-required-scopes': ['read', 'kyc'],
      parameters: [{ name: 'x-svc-wallet-id', in: 'header', required: true }],
    });
    expect(document.paths['/probe/optional-wallet']?.get).toMatchObject({
      parameters: [{ name: 'x-svc-wallet-id', in: 'header', required: false }],
    });
    expect(document.paths['/probe/public']?.get?.security).toBeUndefined();
    expect(document.paths['/v0/admin/organizations']?.post?.security).toEqual([{ 'admin-token': [] }]);
  });
});
