import { request as httpRequest } from 'node:http';
import { ExchangePerson, newIdem, outcomeOf, PageBrowser, type Link } from '../support/page-browser.js';
import { ADMIN_TOKEN, TestApp, type TestProjectWithClient } from '../support/test-app.js';

const PAGE = 'https://shop.example';
const OTHER_PAGE = 'https://other.example';
const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';

type Headers = Record<string, string>;

describe('connecting without an API key', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let person: ExchangePerson;

  beforeAll(async () => {
    app = await TestApp.create({ env: { CONNECT_VISITS_PER_MINUTE: '100000', CONNECT_KEYLESS_PER_MINUTE: '100000' } });
    project = await app.project();
    person = new ExchangePerson(app.sandbox.url);
    await allow(project, { browserConnects: true, origins: [PAGE] });
  });
  afterAll(() => app.close());

  const admin = () => app.http.with({ authorization: `Bearer ${ADMIN_TOKEN}` });
  const allow = async (
    { projectId }: TestProjectWithClient,
    settings: { browserConnects: boolean; origins: string[]; returnUrls?: string[] },
  ): Promise<void> => {
    const { status } = await admin().put(`/v0/admin/projects/${projectId}/connect`, {
      body: { returnUrls: [], ...settings },
    });
    if (status !== 200) throw new Error(`settings refused: ${status}`);
  };
  /** Returns the headers that a page sends. */
  const pageOf = ({ organizationId, projectId }: TestProjectWithClient, origin = PAGE): Headers => ({
    'x-svc-org-id': organizationId,
    'x-svc-project-id': projectId,
    origin,
  });
  const ask = (headers: Headers, query: Record<string, string> = {}, walletId = 'of-a-page') =>
    app.http.get<Link & { type: string; error: string }>('/v0/oauth2/sandbox/url', {
      headers: { 'x-svc-wallet-id': walletId, ...headers },
      query: { idem: newIdem(), ...query },
    });

  it('a page of a registered origin may connect a new wallet, with the access that the keys of the project can use', async () => {
    const answer = await ask(pageOf(project));
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({ 'access-control-allow-origin': PAGE, vary: 'origin' });
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    const [row] = await app.db.query(
      `select may_replace, access, opener_origin from connect_sessions where idem = $1`,
      [answer.body.idem],
    );
    expect(row).toEqual({ may_replace: false, access: ['read', 'deposit', 'withdrawal'], opener_origin: PAGE });
    const browser = new PageBrowser();
    const { redirectTo } = await person.decide(await browser.leave(answer.body.url));
    await browser.get(redirectTo);
    expect((await outcomeOf(app, project, answer.body)).status).toBe('success');
  });

  it('all pages that may not connect get the same refusal, and the refusal names the setting to change', async () => {
    const off = await app.project();
    await allow(off, { browserConnects: false, origins: [PAGE] });
    const untouched = await app.project();
    const other = await app.project();
    await allow(other, { browserConnects: true, origins: [OTHER_PAGE] });
    const own = pageOf(project);
    const wrong: Headers[] = [
      { ...own, origin: 'null' },
      { ...own, origin: 'https://shop.example.evil.example' },
      { ...own, origin: 'https://evilshop.example' },
      { ...own, origin: 'https://shop.example:8443' },
      { ...own, origin: 'http://shop.example' },
      { ...own, origin: 'https://SHOP.example' },
      { ...own, origin: 'https://shop.example/' },
      { ...own, origin: OTHER_PAGE },
      { ...own, 'x-svc-org-id': '' },
      { ...own, 'x-svc-project-id': '' },
      { ...own, 'x-svc-org-id': other.organizationId },
      { ...own, 'x-svc-project-id': other.projectId },
      { ...own, 'x-svc-project-id': UNKNOWN_ID },
      { ...own, 'x-svc-project-id': 'not-an-id' },
      pageOf(off),
      pageOf(untouched),
    ];
    for (const headers of wrong) {
      const { status, body } = await ask(headers);
      expect({ headers, status, type: body.type }).toEqual({ headers, status: 401, type: 'GENERIC_UNAUTHORIZED' });
      expect(body.error).toContain('projects connect <projectId> --origin <origin> --browser-connects on');
      expect(body.error).toContain('PUT /v0/admin/projects/{id}/connect');
    }
    // A request without an origin, or with a wrong API key, does not come from a page. It gets the error for wrong
    // credentials, without the instructions for pages.
    for (const headers of [
      { ...own, origin: '' },
      { ...own, 'x-svc-api-key': 'nonsense' },
    ]) {
      const { status, body } = await ask(headers);
      expect([status, body.error]).toEqual([401, 'Invalid or missing API credentials']);
    }
  });

  it('a page cannot replace a wallet, and learns only after the authorization that the wallet exists', async () => {
    const { walletId } = await app.wallet(project);
    const before = await app.db.query(`select sealed->>'id' as id from wallet_credentials order by wallet_id`);
    const link = (await ask(pageOf(project), {}, walletId)).body;
    const fresh = (await ask(pageOf(project), {}, 'nobody-has-it')).body;
    expect(Object.keys(link)).toEqual(Object.keys(fresh));
    const browser = new PageBrowser();
    const { redirectTo } = await person.decide(await browser.leave(link.url));
    const tokenCalls = async () =>
      await (await fetch(`${app.sandbox.url}/control/requests?endpoint=oauth.partner.token`)).text();
    const asked = await tokenCalls();
    await browser.get(redirectTo);
    const outcome = await outcomeOf(app, project, link);
    expect(outcome).toMatchObject({ status: 'failed', body: { success: false, code: 'GENERIC_INVALID_REQUEST' } });
    expect(await app.db.query(`select sealed->>'id' as id from wallet_credentials order by wallet_id`)).toEqual(before);
    // The outcome is already known, so the API requests no token.
    expect(await tokenCalls()).toBe(asked);
  });

  it('the response to a wrong key does not show whether the wallet exists', async () => {
    const { walletId } = await app.wallet(project);
    for (const name of [walletId, 'nobody-has-this-one']) {
      const headers = { 'x-svc-wallet-id': name, ...pageOf(project) };
      const link = (await app.http.get<Link>('/v0/oauth2/kraken/url', { headers, query: { idem: newIdem() } })).body;
      await new PageBrowser().post(`${link.url}/key`, { apiKey: 'wrong', apiSecret: 'd3Jvbmc=' });
      expect(await outcomeOf(app, project, link)).toMatchObject({
        status: 'pending',
        body: { code: 'WALLET_INVALID_CREDENTIALS' },
      });
    }
  });

  it('a repeated request gets the same link until a browser has opened the session', async () => {
    const { body } = await ask(pageOf(project));
    const again = await ask(pageOf(project), { idem: body.idem });
    expect(again.body.url).toBe(body.url);
    await new PageBrowser().post(`${body.url}/qr`);
    expect((await ask(pageOf(project), { idem: body.idem })).status).toBe(409);
  });

  it('the connect session stores the origin of the page that began it, even when the request names another origin', async () => {
    const { body } = await ask(pageOf(project), { origin: 'https://evil.example' });
    const [row] = await app.db.query(`select opener_origin from connect_sessions where idem = $1`, [body.idem]);
    expect(row).toEqual({ opener_origin: PAGE });
  });

  describe('the CORS headers', () => {
    const preflight = (origin: string | null, path = '/v0/oauth2/kraken/url') =>
      new Promise<{ status: number; headers: Record<string, unknown> }>((resolve, reject) => {
        const headers = {
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'x-svc-org-id,x-svc-project-id,x-svc-wallet-id',
          ...(origin === null ? {} : { origin }),
        };
        const request = httpRequest(`${app.url}${path}`, { method: 'OPTIONS', agent: false, headers }, (response) => {
          response.resume();
          resolve({ status: response.statusCode ?? 0, headers: response.headers });
        });
        request.on('error', reject);
        request.end();
      });

    it('allow registered origins to send the headers of connecting, without credentials of the browser', async () => {
      const { status, headers } = await preflight(PAGE);
      expect(status).toBe(204);
      expect(headers).toMatchObject({
        'access-control-allow-origin': PAGE,
        'access-control-allow-methods': 'GET',
        'access-control-allow-headers': 'x-svc-org-id, x-svc-project-id, x-svc-wallet-id, last-event-id',
        vary: 'origin',
      });
      expect(headers['access-control-allow-credentials']).toBeUndefined();
    });

    it.each([
      'null',
      'https://evil.example',
      'https://shop.example.evil.example',
      'https://shop.example:444',
      'http://shop.example',
    ])('allow the origin %s to read refusals only', async (origin) => {
      const { status, headers } = await preflight(origin);
      expect([status, headers['access-control-allow-origin']]).toEqual([204, '*']);
      expect(headers['access-control-allow-headers']).not.toContain('x-svc-api-key');
      const refused = await ask(pageOf(project, origin));
      expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([401, '*']);
      const asked = await ask({ ...project.headers, origin });
      expect([asked.status, asked.headers['access-control-allow-origin']]).toEqual([200, undefined]);
    });

    it.each(['/v0/oauth2/status', '/v0/oauth2/events?idem=x', '/v0/oauth2/exchanges'])(
      'allow pages of any origin to read %s and to send the headers of connecting',
      async (path) => {
        const { status, headers } = await preflight('https://any.example', path);
        expect(status).toBe(204);
        expect(headers).toMatchObject({
          'access-control-allow-origin': '*',
          'access-control-allow-methods': 'GET',
          'access-control-allow-headers': 'x-svc-org-id, x-svc-project-id, x-svc-wallet-id, last-event-id',
        });
        expect(headers['access-control-allow-credentials']).toBeUndefined();
      },
    );

    it('allow pages of any origin to read a refused request for a link without an exchange, but no successful one', async () => {
      const { status, headers } = await preflight('https://evil.example', '/v0/oauth2/url');
      expect([status, headers['access-control-allow-origin']]).toEqual([204, '*']);
      const askFor = (from: Headers) =>
        app.http.get('/v0/oauth2/url', {
          headers: { 'x-svc-wallet-id': 'of-a-page', ...from },
          query: { idem: newIdem() },
        });
      const refused = await askFor(pageOf(project, 'https://evil.example'));
      expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([401, '*']);
      const asked = await askFor({ ...project.headers, origin: 'https://evil.example' });
      expect([asked.status, asked.headers['access-control-allow-origin']]).toEqual([200, undefined]);
    });

    it('are absent at paths that pages do not use', async () => {
      for (const path of ['/v0/wallet', '/v0/admin/organizations', '/v0/oauth2', '/v0/oauth2/kraken/callback']) {
        expect((await preflight('https://any.example', path)).headers['access-control-allow-origin']).toBeUndefined();
      }
      for (const path of ['/v0/wallet', '/v0/admin/organizations', '/v0/oauth2']) {
        expect((await preflight(PAGE, path)).headers['access-control-allow-origin']).toBeUndefined();
      }
    });

    it('allow pages to read the refusal of an unknown organization or project', async () => {
      const refused = await ask({ ...pageOf(project), 'x-svc-org-id': UNKNOWN_ID });
      expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([401, PAGE]);
      const foreign = await ask({ ...pageOf(project), 'x-svc-project-id': UNKNOWN_ID });
      expect([foreign.status, foreign.headers['access-control-allow-origin']]).toEqual([401, '*']);
    });
  });
});

describe('connect requests without an API key', () => {
  it('are limited for each network address', async () => {
    const app = await TestApp.create({ env: { CONNECT_KEYLESS_PER_MINUTE: '2' } });
    try {
      const { organizationId, projectId } = await app.project();
      const headers = { 'x-svc-org-id': organizationId, 'x-svc-project-id': projectId, origin: PAGE };
      const ask = () => app.http.get('/v0/oauth2/kraken/url', { headers, query: { idem: newIdem() } });
      expect([(await ask()).status, (await ask()).status, (await ask()).status]).toEqual([401, 401, 429]);
    } finally {
      await app.close();
    }
  });
});
