import { askForLink, newIdem, type Link } from '../support/page-browser.js';
import { ADMIN_TOKEN, TestApp, type TestProjectWithClient } from '../support/test-app.js';
import { btcQuote } from '../support/withdrawal-client.js';

interface Refusal {
  type: string;
  error: string;
}

describe('links to the hosted page', () => {
  let app: TestApp;
  let project: TestProjectWithClient;

  beforeAll(async () => {
    app = await TestApp.create({
      env: {
        TRUST_PROXY: 'true',
        CONNECT_COUNTRY_HEADER: 'CF-IPCountry',
        CONNECT_COUNTRIES_EXCLUDED: 'kraken:US|KP',
      },
    });
    project = await app.project();
  });
  afterAll(() => app.close());

  const admin = () => app.http.with({ authorization: `Bearer ${ADMIN_TOKEN}` });
  const ask = (
    query: Record<string, string> = {},
    { who = project, exchange = 'sandbox', headers = {} }: AskOptions = {},
  ) =>
    who.http.get<Link & Refusal>(`/v0/oauth2/${exchange}/url`, {
      headers: { 'x-svc-wallet-id': 'w', ...headers },
      query: { idem: newIdem(), ...query },
    });
  interface AskOptions {
    who?: TestProjectWithClient;
    exchange?: string;
    headers?: Record<string, string>;
  }
  const refusalOf = ({ status, body }: { status: number; body: Refusal }) => [status, body.type];

  it('are the same when a request is repeated during the connect session', async () => {
    const first = await askForLink(project, { walletId: 'same', access: 'read' });
    const again = await askForLink(project, { walletId: 'same', access: 'read', idem: first.idem });
    expect(again).toEqual(first);
  });

  it.each<[string, Record<string, string>]>([
    ['another wallet', { walletId: 'another' }],
    ['another exchange', { exchange: 'kraken', country: 'DE' }],
    ['other access', { access: 'read,deposit' }],
    ['another method', { way: 'qr' }],
    ['another country', { country: 'FR' }],
  ])('are refused when the idem belongs to a connect session for %s', async (_, change) => {
    const { idem } = await askForLink(project, { walletId: 'taken', access: 'read' });
    const { walletId = 'taken', exchange = 'sandbox', ...query } = change;
    const answer = await ask(
      { access: 'read', ...query, idem },
      { exchange, headers: { 'x-svc-wallet-id': walletId } },
    );
    expect(refusalOf(answer)).toEqual([409, 'GENERIC_INVALID_REQUEST']);
  });

  it('are refused when another project of the organization uses the idem; other organizations may use it', async () => {
    const { idem, url } = await askForLink(project, { walletId: 'w' });
    const sibling = await app.project({ organizationId: project.organizationId });
    expect(refusalOf(await ask({ idem }, { who: sibling }))).toEqual([409, 'GENERIC_INVALID_REQUEST']);
    const stranger = await ask({ idem }, { who: await app.project() });
    expect(stranger.status).toBe(200);
    expect(stranger.body.url).not.toBe(url);
  });

  it('get the error of a used idem when the idem is the id of any quote of the organization', async () => {
    const { id } = await btcQuote(await app.wallet(project));
    const { idem: used } = await askForLink(project, { walletId: 'w' });
    const sibling = await app.project({ organizationId: project.organizationId });
    const settings = { browserConnects: true, origins: ['https://shop.example'], returnUrls: [] };
    await admin().put(`/v0/admin/projects/${sibling.projectId}/connect`, { body: settings });
    const { organizationId, projectId } = sibling;
    const ofPage = {
      origin: 'https://shop.example',
      'x-svc-org-id': organizationId,
      'x-svc-project-id': projectId,
      'x-svc-wallet-id': 'w',
    };
    const fromPage = (idem: string) =>
      app.http.get<Refusal>('/v0/oauth2/sandbox/url', { headers: ofPage, query: { idem } });
    for (const askWith of [
      (idem: string) => ask({ idem }, { headers: { 'x-svc-wallet-id': 'another' } }),
      (idem: string) => ask({ idem }, { who: sibling }),
      fromPage,
    ]) {
      const [ofQuote, ofSession] = [await askWith(id), await askWith(used)];
      expect(refusalOf(ofQuote)).toEqual([409, 'GENERIC_INVALID_REQUEST']);
      expect(ofQuote.body.error).toBe(ofSession.body.error);
    }
    expect((await ask({ idem: id.toUpperCase() })).status).toBe(409);
    expect((await ask({ idem: id }, { who: await app.project() })).status).toBe(200);
  });

  it('are refused when the connect session of the idem has expired', async () => {
    const { idem } = await askForLink(project, { walletId: 'w' });
    app.clock.advance(900_001);
    expect(refusalOf(await ask({ idem }))).toEqual([409, 'GENERIC_INVALID_REQUEST']);
  });

  const accessFor = async (who: TestProjectWithClient, query = {}): Promise<string[] | undefined> => {
    const { body } = await ask(query, { who });
    const [row] = await app.db.query<{ access: string[] }>(`select access from connect_sessions where idem = $1`, [
      body.idem,
    ]);
    return row?.access;
  };

  it('request the access that the API keys of the project can use, unless the caller names an access', async () => {
    const accessOf = async (scopes: ('connect' | 'read' | 'trade' | 'withdrawal')[], query = {}) =>
      await accessFor(await app.project({ scopes }), query);
    expect(await accessOf(['connect'])).toEqual(['read']);
    // The connector of this exchange (`sandbox`) supports no trading, so the link does not request `trade`.
    expect(await accessOf(['connect', 'withdrawal', 'trade'])).toEqual(['read', 'withdrawal']);
    expect(await accessOf(['connect', 'withdrawal'], { access: 'deposit' })).toEqual(['read', 'deposit']);
  });

  it('request at most the access in the connect settings of the project, unless the caller names an access', async () => {
    const who = await app.project({ scopes: ['connect', 'withdrawal'] });
    const settings = { browserConnects: false, origins: [], returnUrls: [] };
    const set = (connectAccess: string[] | null) =>
      admin().put<Refusal>(`/v0/admin/projects/${who.projectId}/connect`, { body: { ...settings, connectAccess } });
    expect((await set([])).body).toMatchObject({ connectAccess: [] });
    expect(await accessFor(who)).toEqual(['read']);
    expect((await set(['read', 'withdrawal', 'deposit'])).status).toBe(200);
    // The link does not request `deposit`, because no API key of the project has the scope for it.
    expect(await accessFor(who)).toEqual(['read', 'withdrawal']);
    expect(await accessFor(who, { access: 'deposit' })).toEqual(['read', 'deposit']);
    expect((await set(null)).body).toMatchObject({ connectAccess: null });
    expect(await accessFor(who)).toEqual(['read', 'withdrawal']);
    const wrong = await set(['everything']);
    expect(refusalOf(wrong)).toEqual([400, 'GENERIC_VALIDATION_ERROR']);
    expect(wrong.body.error).toContain('connectAccess');
  });

  it('are refused when the caller names an access that Causeway does not offer at the exchange', async () => {
    const answer = await ask({ access: 'read,trade' });
    expect(refusalOf(answer)).toEqual([400, 'GENERIC_INVALID_REQUEST']);
    expect(answer.body.error).toContain('read, deposit, withdrawal');
    const everything = await ask({ access: 'trade', country: 'DE' }, { exchange: 'kraken' });
    expect(everything.status).toBe(200);
  });

  it('require the scope connect', async () => {
    const answer = await ask({}, { who: await app.project({ scopes: ['read'] }) });
    expect(refusalOf(answer)).toEqual([403, 'APIKEY_INSUFFICIENT_PERMISSIONS']);
  });

  it.each<[string, Record<string, string>]>([
    ['idem', { idem: 'short' }],
    ['idem', { idem: 'with spaces in between' }],
    ['idem', { idem: 'x'.repeat(129) }],
    ['access', { access: 'everything' }],
    ['access', { access: '' }],
    ['way', { way: 'fax' }],
    ['origin', { origin: 'https://not-registered.example' }],
    ['returnUrl', { returnUrl: 'https://not-registered.example/' }],
  ])('are refused with the name of an invalid parameter: %s', async (field, query) => {
    const answer = await ask(query);
    expect(refusalOf(answer)).toEqual([400, 'GENERIC_VALIDATION_ERROR']);
    expect(answer.body.error).toContain(field);
  });

  it('are refused for an exchange that the project cannot connect to, and for an unavailable connect method', async () => {
    expect(refusalOf(await ask({}, { exchange: 'nowhere' }))).toEqual([400, 'GENERIC_INVALID_REQUEST']);
    const live = await app.project({ mode: 'live' });
    expect(refusalOf(await ask({}, { who: live }))).toEqual([400, 'GENERIC_INVALID_REQUEST']);
    expect(refusalOf(await ask({ way: 'qr', country: 'DE' }, { exchange: 'kraken' }))).toEqual([
      400,
      'GENERIC_INVALID_REQUEST',
    ]);
  });

  describe('an exchange that is restricted to some countries', () => {
    const from = (country: string | null, header?: string) =>
      ask(country === null ? {} : { country }, {
        exchange: 'kraken',
        headers: header === undefined ? {} : { 'cf-ipcountry': header },
      });

    it.each<[string, string | null, string | undefined, number, string | undefined]>([
      ['allows a supported country', 'DE', undefined, 200, undefined],
      ['allows the country in lower case', 'de', undefined, 200, undefined],
      ['uses the country that the CDN reports', null, 'FR', 200, undefined],
      ['prefers the caller’s country to the CDN’s', 'DE', 'US', 200, undefined],
      ['requires a country', null, undefined, 400, 'OAUTH_COUNTRY_NOT_DETECTED'],
      ['requires a country when the CDN reports XX', null, 'XX', 400, 'OAUTH_COUNTRY_NOT_DETECTED'],
      ['requires a country for Tor', null, 'T1', 400, 'OAUTH_COUNTRY_NOT_DETECTED'],
      ['refuses an unknown country code', 'ZZ', undefined, 400, 'OAUTH_COUNTRY_CODE_INVALID'],
      ['refuses a code of three letters', 'DEU', undefined, 400, 'OAUTH_COUNTRY_CODE_INVALID'],
      ['refuses an empty code', '', undefined, 400, 'OAUTH_COUNTRY_CODE_INVALID'],
      ['refuses an excluded country', 'us', undefined, 403, 'OAUTH_COUNTRY_NOT_SUPPORTED'],
      ['refuses an excluded country that the CDN reports', null, 'KP', 403, 'OAUTH_COUNTRY_NOT_SUPPORTED'],
    ])('%s', async (_, country, header, status, type) => {
      const answer = await from(country, header);
      expect(refusalOf(answer)).toEqual([status, type]);
    });

    it('uses the country that the CDN reports, and ignores the country that a page names', async () => {
      const { organizationId, projectId } = await app.project();
      const settings = { browserConnects: true, origins: ['https://shop.example'], returnUrls: [] };
      await admin().put(`/v0/admin/projects/${projectId}/connect`, { body: settings });
      const fromPage = async (country: string, detected: string) => {
        const page = { 'x-svc-org-id': organizationId, 'x-svc-project-id': projectId, origin: 'https://shop.example' };
        const headers = { ...page, 'x-svc-wallet-id': 'w', 'cf-ipcountry': detected };
        return (await app.http.get('/v0/oauth2/kraken/url', { headers, query: { idem: newIdem(), country } })).status;
      };
      expect(await fromPage('DE', 'US')).toBe(403);
      expect(await fromPage('US', 'DE')).toBe(200);
    });

    it('requires a country, unlike unrestricted exchanges, which only refuse an invalid country', async () => {
      expect((await ask()).status).toBe(200);
      expect(refusalOf(await ask({ country: 'Q1' }))).toEqual([400, 'OAUTH_COUNTRY_CODE_INVALID']);
    });
  });

  describe('the connect settings of a project', () => {
    const path = ({ projectId }: { projectId: string }) => `/v0/admin/projects/${projectId}/connect`;
    const settings = {
      browserConnects: true,
      origins: ['https://shop.example', 'http://localhost:3000'],
      returnUrls: ['https://shop.example/connected?from=app', 'http://127.0.0.1:3000/'],
      connectAccess: ['read', 'withdrawal'],
      exchanges: ['kraken', 'sandbox'],
      displayName: 'Shop',
      color: '#0a7c66',
      logoUrl: 'https://shop.example/logo.png',
    };

    it('are empty at first, and each change is stored with an entry in the audit log', async () => {
      const own = await app.project();
      expect((await admin().get(path(own))).body).toEqual({
        browserConnects: false,
        origins: [],
        returnUrls: [],
        connectAccess: null,
        exchanges: null,
        displayName: null,
        color: null,
        logoUrl: null,
      });
      expect((await admin().put(path(own), { body: settings })).body).toEqual(settings);
      expect((await admin().get(path(own))).body).toEqual(settings);
      const [entry] = await app.db.query(
        `select actor, action, details from audit_entries where project_id = $1 order by sequence desc limit 1`,
        [own.projectId],
      );
      expect(entry).toEqual({
        actor: 'admin API',
        action: 'project.connect_changed',
        details: {
          browserConnects: 'on',
          origins: settings.origins.join(' '),
          returnUrls: settings.returnUrls.join(' '),
          connectAccess: 'read withdrawal',
          exchanges: 'kraken sandbox',
          displayName: 'Shop',
          color: '#0a7c66',
          logoUrl: 'https://shop.example/logo.png',
        },
      });
    });

    it('can be read and changed by the operator alone, and only for existing projects', async () => {
      expect((await project.http.get(path(project))).status).toBe(401);
      expect((await project.http.put(path(project), { body: settings })).status).toBe(401);
      const unknown = { projectId: '01890000-0000-7000-8000-000000000000' };
      expect((await admin().get(path(unknown))).status).toBe(404);
      expect((await admin().put(path(unknown), { body: settings })).status).toBe(404);
    });

    it.each([
      { origins: ['https://shop.example/'] },
      { origins: Array.from({ length: 21 }, (_, index) => `https://shop-${index}.example`) },
      { returnUrls: ['com.example.app:/connected'] },
      { returnUrls: 'https://shop.example/' },
      { browserConnects: 'yes' },
    ])('are refused with the name of the invalid field: %j', async (wrong) => {
      const answer = await admin().put<Refusal>(path(project), { body: { ...settings, ...wrong } });
      expect(refusalOf(answer)).toEqual([400, 'GENERIC_VALIDATION_ERROR']);
      expect(answer.body.error).toContain(Object.keys(wrong)[0]);
    });
  });
});

describe('links of an installation without a public address', () => {
  it('are refused in production, and the response and the log name PUBLIC_URL', async () => {
    const app = await TestApp.create({
      env: { NODE_ENV: 'production', VAULT_ALLOW_ENV_KEYS: 'true', TICKERS_FROM_SANDBOX: 'false' },
    });
    try {
      const own = await app.project();
      const answer = await own.http.get('/v0/oauth2/kraken/url', {
        headers: { 'x-svc-wallet-id': 'w' },
        query: { idem: newIdem() },
      });
      expect(answer.status).toBe(503);
      expect(answer.body.error).toContain('PUBLIC_URL');
      expect(app.logLines.join('')).toContain('PUBLIC_URL is not set');
      expect((await own.http.get('/v0/organization/api-key')).status).toBe(200);
    } finally {
      await app.close();
    }
  });
});
