import type { Caller, ProjectIdentity } from '#access';
import { createApiKey } from '#access/testing';
import { Conflict, ValidationFailed } from '#platform/errors';
import { createConnectHarness, type ConnectHarness } from '../testing/connect-harness.js';
import { BeginSession, type BegunSession } from './begin-session.js';

const ORIGIN = 'https://shop.example';
const RETURN_URL = 'https://shop.example/back?from=connect';

let harness: ConnectHarness;
let project: ProjectIdentity;

beforeAll(async () => {
  harness = await createConnectHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  project = await harness.fresh();
  await register(project);
});

const register = (of: ProjectIdentity) =>
  harness.db.query(
    `insert into connect_projects (project_id, browser_connects, origins, return_urls, updated_at)
     values ($1, true, $2, $3, now())`,
    [of.id, [ORIGIN], [RETURN_URL]],
  );

let links = 0;
const begin = (
  caller: Caller,
  { idem = `idem-of-return-${++links}`, ...input }: Partial<Record<'returnUrl' | 'openerOrigin' | 'idem', string>>,
): Promise<BegunSession> =>
  harness.get(BeginSession).execute(caller, {
    exchange: 'kraken',
    externalWalletId: 'w',
    idem,
    access: null,
    method: null,
    country: null,
    detectedCountry: null,
    returnUrl: null,
    openerOrigin: null,
    ...input,
  });
const ofPage = (origin = ORIGIN): Caller => ({ project, key: null, origin });
const withKey = async (of = project): Promise<Caller> => {
  const ids = { organizationId: of.organizationId, projectId: of.id };
  const { apiKeyId } = await createApiKey({ get: (token: never) => harness.get(token) }, ids);
  return { project: of, key: { ...of, apiKeyId, scopes: ['connect'] }, origin: null };
};

describe('the idem of a connect link', () => {
  it('names one session of each organization, which an equal request gets again', async () => {
    const idem = 'idem-of-two-organizations';
    const callers = [await withKey(), await withKey(await harness.fresh())];
    const urls = async (): Promise<string[]> => {
      const begun: string[] = [];
      for (const caller of callers) begun.push((await begin(caller, { idem })).url);
      return begun;
    };
    const first = await urls();
    expect(new Set(first).size).toBe(2);
    expect(await urls()).toEqual(first);
  });
});

describe('the return address of a connect link', () => {
  it('is accepted when the project has registered exactly this address', async () => {
    const begun = await begin(ofPage(), { returnUrl: RETURN_URL });
    expect(begun).toMatchObject({ idem: expect.stringMatching(/^idem-of-return/) as string });
  });

  it.each([
    ['another path', 'https://shop.example/open-redirect?to=https://evil.example'],
    ['another query', 'https://shop.example/back?from=elsewhere'],
    ['no query', 'https://shop.example/back'],
    ['a fragment', `${RETURN_URL}#token`],
    ['only the origin', ORIGIN],
    ['another port', 'https://shop.example:8443/back?from=connect'],
    ['another scheme', 'http://shop.example/back?from=connect'],
    ['another host that begins alike', 'https://shop.example.evil.example/back?from=connect'],
    ['user information', 'https://shop.example@evil.example/back?from=connect'],
    ['another case of the path', 'https://shop.example/Back?from=connect'],
  ])('is refused with %s, although the project has registered an address of the origin', async (_what, returnUrl) => {
    await expect(begin(ofPage(), { returnUrl })).rejects.toThrow(ValidationFailed);
  });
});

describe('the origin of the page that opens a connect link', () => {
  it('is accepted when the project has registered exactly this origin', async () => {
    await begin(await withKey(), { openerOrigin: ORIGIN });
    await begin(ofPage(), {});
  });

  it.each([
    ['another host that begins alike', 'https://shop.example.evil.example'],
    ['another host that ends alike', 'https://evil-shop.example'],
    ['a part of the host', 'https://shop'],
    ['another port', 'https://shop.example:8443'],
    ['another scheme', 'http://shop.example'],
    ['a path', `${ORIGIN}/`],
    ['another case', 'https://Shop.example'],
    ['user information', 'https://shop.example@evil.example'],
    ['an opaque origin', 'null'],
    ['no text', ''],
  ])('is refused with %s, with an API key and without one', async (_what, openerOrigin) => {
    await expect(begin(await withKey(), { openerOrigin })).rejects.toThrow(ValidationFailed);
    await expect(begin(ofPage(openerOrigin), {})).rejects.toThrow(ValidationFailed);
  });

  it('is refused when only another project has registered it', async () => {
    const other = await harness.fresh();
    await expect(begin(await withKey(other), { openerOrigin: ORIGIN })).rejects.toThrow(ValidationFailed);
  });
});

describe('the idem of a connect link', () => {
  it('gives the link again to an equal request of its project, and to no other project of the organization', async () => {
    const input = { idem: `idem-of-two-projects-${++links}` };
    const first = await begin(ofPage(), input);
    expect(await begin(ofPage(), input)).toEqual(first);
    const sibling = { ...(await harness.fresh()), organizationId: project.organizationId };
    await register(sibling);
    await expect(begin({ project: sibling, key: null, origin: ORIGIN }, input)).rejects.toThrow(Conflict);
  });
});
