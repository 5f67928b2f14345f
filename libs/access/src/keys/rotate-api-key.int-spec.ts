import { testOverrides } from '#platform/config';
import { createTestDatabase, RunningClock } from '#platform/testing';
import { generateApiKey } from './api-key-format.js';
import { ApiKeyLookup, nameOfKey } from './api-key-lookup.js';
import { Callers } from '../guard/callers.js';
import { ApiKeys } from './api-keys.service.js';
import { RevokeApiKey } from './revoke-api-key.js';
import { RotateApiKey } from './rotate-api-key.js';
import { createAccessApp, send, type AccessApp, type Answer } from '../testing/access-app.js';
import { createApiKey, createProject, type TestProject } from '../testing/index.js';

/** A clock that moves only when the test advances it. */
class StoppedClock extends RunningClock {
  private at = Date.now();

  override trueNow(): Date {
    return new Date(this.at);
  }

  override advance(ms: number): void {
    this.at += ms;
  }
}

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let api: AccessApp;
let project: TestProject;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await createAccessApp(database.appUrl);
  project = await createProject(api.app);
});

afterAll(async () => {
  await api.app.close();
  await database.drop();
});

const get = (path: string, headers: Record<string, string>, at = api): Promise<Answer> =>
  send(`${at.url}/probe/${path}`, headers);
const revoke = (apiKeyId: string): Promise<unknown> =>
  api.app.get(RevokeApiKey, { strict: false }).execute(apiKeyId, 'tests');

describe('a revoked key', () => {
  it('is refused at once by a process without a cached copy', async () => {
    const replica = await createAccessApp(database.appUrl, {
      clock: api.clock,
      env: testOverrides({ API_KEY_CACHE_TTL_MS: 0 }),
    });
    try {
      const { headers, apiKeyId } = await createApiKey(api.app, project);
      expect((await get('any', headers, replica)).status).toBe(200);
      await revoke(apiKeyId);
      expect((await get('any', headers, replica)).status).toBe(401);
    } finally {
      await replica.app.close();
    }
  });

  it('keeps the time of its first revocation', async () => {
    const { apiKeyId } = await createApiKey(api.app, project);
    await revoke(apiKeyId);
    const keys = api.app.get(ApiKeys, { strict: false });
    const { revokedAt } = await keys.get(apiKeyId);
    api.clock.advance(1_000);
    await revoke(apiKeyId);
    expect((await keys.get(apiKeyId)).revokedAt).toEqual(revokedAt);
  });
});

describe('the scopes that the keys of a project have together', () => {
  it('are those of the keys that are valid now', async () => {
    const own = await createProject(api.app, { scopes: ['read'] });
    const revoked = await createApiKey(api.app, own, { scopes: ['connect'] });
    await createApiKey(api.app, own, { scopes: ['kyc'], expiresAt: new Date(api.clock.now().getTime() + 60_000) });
    const scopes = async () => (await api.app.get(ApiKeys, { strict: false }).scopesOf(own.projectId)).sort();
    expect(await scopes()).toEqual(['connect', 'kyc', 'read']);
    await revoke(revoked.apiKeyId);
    expect(await scopes()).toEqual(['kyc', 'read']);
    api.clock.advance(60_000);
    expect(await scopes()).toEqual(['read']);
  });
});

describe('a rotated key', () => {
  const rotate = (apiKeyId: string, overlapSeconds: number, more: { expiresAt?: Date | null } = {}) =>
    api.app.get(RotateApiKey, { strict: false }).execute({ apiKeyId, overlapSeconds, actor: 'tests', ...more });
  const inSeconds = (seconds: number): Date => new Date(api.clock.now().getTime() + seconds * 1_000);

  it('works until the overlap ends, while the new key works during and after the overlap', async () => {
    const old = await createApiKey(api.app, project, { scopes: ['read', 'kyc'], ipAllowlist: ['127.0.0.0/8'] });
    const rotated = await rotate(old.apiKeyId, 3_600);
    const fresh = { ...old.headers, 'x-svc-api-key': rotated.key.reveal() };
    expect(rotated.apiKey).toMatchObject({ name: 'tests', scopes: ['read', 'kyc'], ipAllowlist: ['127.0.0.0/8'] });
    api.clock.advance(3_590_000);
    expect((await get('any', old.headers)).status).toBe(200);
    expect((await get('any', fresh)).status).toBe(200);
    api.clock.advance(10_000);
    expect((await get('any', old.headers)).status).toBe(401);
    expect((await get('any', fresh)).status).toBe(200);
  });

  it('passes its expiry on to the new key, unless the caller gives another', async () => {
    const expiresAt = inSeconds(7_200);
    const other = inSeconds(9_000);
    const keys = [1, 2, 3].map(() => createApiKey(api.app, project, { expiresAt }));
    const [first, second, third] = (await Promise.all(keys)).map(({ apiKeyId }) => apiKeyId) as [
      string,
      string,
      string,
    ];
    expect((await rotate(first, 60)).apiKey.expiresAt).toEqual(expiresAt);
    expect((await rotate(second, 60, { expiresAt: other })).apiKey.expiresAt).toEqual(other);
    expect((await rotate(third, 60, { expiresAt: null })).apiKey.expiresAt).toBeNull();
  });

  it('works at most until its own expiry, which the response names when it comes before the end of the overlap', async () => {
    const expiresAt = inSeconds(60);
    const { apiKeyId, headers } = await createApiKey(api.app, project, { expiresAt });
    expect((await rotate(apiKeyId, 3_600)).previousWorksUntil).toEqual(expiresAt);
    api.clock.advance(60_000);
    expect((await get('any', headers)).status).toBe(401);
  });

  it('is refused as a conflict once it has expired, and no key is issued', async () => {
    const own = await createProject(api.app);
    const { apiKeyId } = await createApiKey(api.app, own, { expiresAt: inSeconds(60) });
    api.clock.advance(60_000);
    await expect(rotate(apiKeyId, 60)).rejects.toMatchObject({ code: 'GENERIC_INVALID_REQUEST', status: 409 });
    const keys = api.app.get(ApiKeys, { strict: false });
    expect((await keys.list(own.projectId, { page: 0, limit: 10 })).totalCount).toBe(2);
  });

  it('is refused from the millisecond in which its overlap ends, as an expiring key is from that of its expiry', async () => {
    const stopped = await createAccessApp(database.appUrl, { clock: new StoppedClock() });
    const second = { expiresAt: new Date(stopped.clock.now().getTime() + 1_000) };
    const [old, expiring] = [
      await createApiKey(stopped.app, project),
      await createApiKey(stopped.app, project, second),
    ];
    const rotation = { apiKeyId: old.apiKeyId, overlapSeconds: 1, actor: 'tests' };
    await stopped.app.get(RotateApiKey, { strict: false }).execute(rotation);
    const statuses = async () =>
      [await get('any', old.headers, stopped), await get('any', expiring.headers, stopped)].map(({ status }) => status);
    stopped.clock.advance(999);
    expect(await statuses()).toEqual([200, 200]);
    stopped.clock.advance(1);
    expect(await statuses()).toEqual([401, 401]);
    await stopped.app.close();
  });

  it('can be revoked within its overlap', async () => {
    const old = await createApiKey(api.app, project);
    await rotate(old.apiKeyId, 3_600);
    await revoke(old.apiKeyId);
    expect((await get('any', old.headers)).status).toBe(401);
  });

  it('is rotated by only one of several concurrent calls', async () => {
    const old = await createApiKey(api.app, project);
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => rotate(old.apiKeyId, 60)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { totalCount } = await api.app
      .get(ApiKeys, { strict: false })
      .list(project.projectId, { page: 0, limit: 1_000 });
    await expect(rotate(old.apiKeyId, 60)).rejects.toMatchObject({ code: 'GENERIC_INVALID_REQUEST', status: 409 });
    const after = await api.app.get(ApiKeys, { strict: false }).list(project.projectId, { page: 0, limit: 1_000 });
    expect(after.totalCount).toBe(totalCount);
  });
});

describe('the look-up of keys', () => {
  it('shares one query among concurrent calls, and caches found keys but not unknown ones', async () => {
    const lookup = api.app.get(ApiKeyLookup, { strict: false });
    const { apiKey } = await createApiKey(api.app, project);
    const name = nameOfKey(apiKey);
    expect([lookup.isFamiliar(name), lookup.findKnown(name)]).toEqual([false, null]);
    const [one, other] = await Promise.all([lookup.find(apiKey), lookup.find(apiKey)]);
    expect(one).not.toBeNull();
    expect(other).toBe(one);
    expect(await lookup.find(apiKey)).toBe(one);
    expect([lookup.isFamiliar(name), lookup.findKnown(name)]).toEqual([true, one]);
    api.clock.advance(5_000);
    expect([lookup.isFamiliar(name), lookup.findKnown(name)]).toEqual([true, null]);
    const two = await lookup.find(apiKey);
    expect(two).not.toBe(one);
    lookup.forgetAll();
    expect(lookup.findKnown(name)).toBeNull();
    const unknown = generateApiKey('test');
    expect(await lookup.find(unknown)).toBeNull();
    expect(lookup.isFamiliar(nameOfKey(unknown))).toBe(false);
  });

  it('counts all keys that it has not found as one caller, so that invented keys get no more places than one caller', async () => {
    const lookup = api.app.get(ApiKeyLookup, { strict: false });
    const callers = api.app.get(Callers, { strict: false });
    const callerOf = (key?: string): string | null =>
      callers.of({ headers: key === undefined ? {} : { 'x-svc-api-key': key } });
    const { apiKey } = await createApiKey(api.app, project);
    const inventedKeys = [generateApiKey('test'), generateApiKey('test')];
    const finding = [...inventedKeys, apiKey].map((key) => lookup.find(key));
    expect(new Set([...inventedKeys, apiKey].map(callerOf)).size).toBe(1);
    await Promise.all(finding);
    expect(new Set(inventedKeys.map(callerOf)).size).toBe(1);
    expect(callerOf(apiKey)).toBe(callerOf(apiKey));
    expect(callerOf(apiKey)).not.toBe(callerOf(inventedKeys[0]));
    expect(callerOf(apiKey)).not.toContain(apiKey);
    expect(callerOf()).toBeNull();
  });
});
