import { request as httpRequest } from 'node:http';
import { createHash } from 'node:crypto';
import { askForLink, ExchangePerson, newIdem, outcomeOf, PageBrowser, type Page } from '../support/page-browser.js';
import { ADMIN_TOKEN, TestApp, type TestProjectWithClient } from '../support/test-app.js';

const SESSION_MS = 900_000;
const LEASE_MS = 60_000;
const RETURN_URL = 'https://shop.example/connected';

/** Sends a GET request with this Host header. */
async function getWithHost(url: string, host: string): Promise<{ status: number; location: string | undefined }> {
  return await new Promise((resolve, reject) => {
    const headers = { host, 'x-forwarded-host': host, 'x-forwarded-proto': 'https', accept: 'text/html' };
    const request = httpRequest(url, { headers, agent: false }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, location: response.headers.location });
    });
    request.on('error', reject);
    request.end();
  });
}

describe('attacks on connecting', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let person: ExchangePerson;

  beforeAll(async () => {
    app = await TestApp.create({ env: { CONNECT_VISITS_PER_MINUTE: '100000' } });
    project = await app.project();
    person = new ExchangePerson(app.sandbox.url);
  });
  afterAll(() => app.close());

  const stateOf = async ({ idem }: { idem: string }): Promise<string> => {
    const [row] = await app.db.query<{ state: string }>(`select state from connect_sessions where idem = $1`, [idem]);
    return row?.state ?? 'none';
  };
  const typeOf = ({ text }: Page): string => (JSON.parse(text) as { type: string }).type;
  const asJson = { accept: 'application/json' };
  const countWallets = async (): Promise<number> => (await app.db.query(`select from wallets`)).length;

  it('a repeated callback redirects the browser of the session to the hosted page, and is refused in other browsers', async () => {
    const link = await askForLink(project);
    const browser = new PageBrowser();
    const { redirectTo } = await person.decide(await browser.leave(link.url));
    await browser.get(redirectTo);
    const again = await browser.get(redirectTo);
    expect([again.status, again.location]).toEqual([303, link.url]);
    const stranger = await new PageBrowser().get(redirectTo, asJson);
    expect([stranger.status, typeOf(stranger)]).toEqual([400, 'OAUTH_INVALID_STATE']);
    const page = await new PageBrowser().get(redirectTo);
    expect([page.status, page.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    expect((await outcomeOf(app, project, link)).status).toBe('success');
    expect(await app.db.query(`select from topic_messages where topic = $1`, [link.idem])).toHaveLength(1);
  });

  it('the callback of an authorization that a newer authorization has replaced leaves the session unchanged', async () => {
    const link = await askForLink(project);
    const browser = new PageBrowser();
    const old = await person.decide(await browser.leave(link.url));
    const { redirectTo } = await person.decide(await browser.leave(link.url));
    const answer = await browser.get(old.redirectTo);
    expect([answer.status, answer.location]).toEqual([303, link.url]);
    expect(await stateOf(link)).toBe('authorizing');
    await browser.get(redirectTo);
    expect(await stateOf(link)).toBe('connected');
  });

  it('a callback with a stolen state is refused in other browsers, and still connects in the browser of the session', async () => {
    const link = await askForLink(project);
    const victim = new PageBrowser();
    const { redirectTo } = await person.decide(await victim.leave(link.url));
    const thief = new PageBrowser();
    // The thief also has a session, and thus a cookie of that session.
    await thief.leave((await askForLink(project)).url);
    for (const who of [thief, new PageBrowser()]) {
      const answer = await who.get(redirectTo, asJson);
      expect([answer.status, typeOf(answer)]).toEqual([400, 'OAUTH_INVALID_STATE']);
    }
    expect(await stateOf(link)).toBe('authorizing');
    expect((await victim.get(redirectTo)).status).toBe(303);
    expect(await stateOf(link)).toBe('connected');
  });

  it('once a browser has opened a session, other browsers cannot read the page, send a form or finish the authorization', async () => {
    const link = await askForLink(project);
    const attacker = new PageBrowser();
    const away = await attacker.leave(link.url);
    const victim = new PageBrowser();
    expect((await victim.get(link.url)).status).toBe(403);
    for (const form of ['oauth', 'key', 'qr', 'cancel', 'key/confirm', 'key/discard']) {
      expect((await victim.post(`${link.url}/${form}`)).status).toBe(403);
    }
    // The victim cannot complete the attacker's authorization either.
    const { redirectTo } = await person.decide(away);
    expect((await victim.get(redirectTo)).status).toBe(400);
    expect(await stateOf(link)).toBe('authorizing');
  });

  it('once a browser has taken a step in a session, other browsers learn only the state of the session', async () => {
    const own = await app.project();
    const settings = { browserConnects: false, origins: [], returnUrls: [RETURN_URL], displayName: 'Corner Shop' };
    const { status } = await app.http.put(`/v0/admin/projects/${own.projectId}/connect`, {
      headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
      body: { ...settings, color: '#0a7c66', logoUrl: 'https://cdn.shop.example/logo.png' },
    });
    expect(status).toBe(200);
    const link = await askForLink(own, { walletId: 'private-wallet', returnUrl: RETURN_URL });
    await new PageBrowser().leave(link.url);
    const other = new PageBrowser();
    const hidden = /private-wallet|shop\.example|Corner Shop|Sandbox|0a7c66/i;
    for (const path of ['', '/methods', '/exchange', '/key', '/state']) {
      const { text, headers } = await other.get(`${link.url}${path}`);
      const shown = JSON.stringify([text, ...headers]);
      expect([path, hidden.test(shown), shown.includes(link.idem)]).toEqual([path, false, false]);
    }
    const fetched = await fetch(link.url, { headers: { origin: 'https://any.example' } });
    expect(await fetched.json()).toEqual({ success: true, state: 'authorizing' });
  });

  it('a session cookie that an attacker has planted in the browser is replaced', async () => {
    const link = await askForLink(project);
    const token = link.url.split('/').at(-1) ?? '';
    const name = `causeway_connect_${createHash('sha256').update(token).digest('hex').slice(0, 16)}`;
    const victim = new PageBrowser();
    victim.cookies.set(name, 'known-to-the-attacker');
    await victim.leave(link.url);
    expect(victim.cookies.get(name)).not.toBe('known-to-the-attacker');
    const attacker = new PageBrowser();
    attacker.cookies.set(name, 'known-to-the-attacker');
    expect((await attacker.get(link.url)).status).toBe(403);
  });

  it('the cookie of a session is HttpOnly and SameSite=Lax', async () => {
    const link = await askForLink(project);
    const answer = await new PageBrowser().post(`${link.url}/oauth`);
    const cookie = answer.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(
      /^causeway_connect_[0-9a-f]{16}=[A-Za-z0-9_-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });

  it('a form with a Sec-Fetch-Site other than same-origin is refused, and leaves the session unchanged', async () => {
    const link = await askForLink(project);
    const browser = new PageBrowser();
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
    ]) {
      expect((await browser.post(`${link.url}/oauth`, {}, headers)).status).toBe(403);
    }
    expect(await stateOf(link)).toBe('created');
  });

  it('a callback at the path of another exchange, or with the issuer of another exchange, is refused', async () => {
    const link = await askForLink(project);
    const browser = new PageBrowser();
    const { redirectTo } = await person.decide(await browser.leave(link.url));
    const mixed = redirectTo.replace('/v0/oauth2/sandbox/callback', '/v0/oauth2/kraken/callback');
    expect(mixed).not.toBe(redirectTo);
    const answer = await browser.get(mixed, asJson);
    expect([answer.status, typeOf(answer)]).toEqual([400, 'OAUTH_INVALID_STATE']);
    expect(await stateOf(link)).toBe('authorizing');

    const foreign = new URL(redirectTo);
    foreign.searchParams.set('iss', 'https://evil.example');
    const issued = await browser.get(foreign.href, asJson);
    expect([issued.status, typeOf(issued)]).toEqual([400, 'OAUTH_INVALID_STATE']);
    expect(await stateOf(link)).toBe('opened');
  });

  it.each(['', '?code=x', '?state=', '?state=unknown&code=x', '?state=a&state=b&code=x'])(
    'a callback without a valid state is refused: %s',
    async (query) => {
      const { status, body } = await app.http.get(`/v0/oauth2/sandbox/callback${query}`);
      expect([status, body.type]).toEqual([400, 'OAUTH_INVALID_STATE']);
    },
  );

  it('an expired session connects no wallet, and its failure is published once', async () => {
    const unopened = await askForLink(project);
    const link = await askForLink(project);
    const browser = new PageBrowser();
    const { redirectTo } = await person.decide(await browser.leave(link.url));
    app.clock.advance(SESSION_MS + 1);
    const before = await countWallets();
    expect((await browser.get(redirectTo)).status).toBe(303);
    await browser.post(`${link.url}/oauth`);
    await new PageBrowser().post(`${unopened.url}/oauth`);
    expect(await countWallets()).toBe(before);
    for (const ended of [link, unopened]) {
      expect(await outcomeOf(app, project, ended)).toMatchObject({
        status: 'failed',
        body: { success: false, code: 'OAUTH_AUTHORIZATION_FAILED' },
      });
      expect(await app.db.query(`select from topic_messages where topic = $1`, [ended.idem])).toHaveLength(1);
    }
  });

  it('when several browsers send a form of one session at once, only one browser is accepted', async () => {
    for (let round = 0; round < 5; round++) {
      const link = await askForLink(project);
      const browsers = [new PageBrowser(), new PageBrowser(), new PageBrowser()];
      const answers = await Promise.all(browsers.map((browser) => browser.post(`${link.url}/oauth`)));
      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 403, 403]);
    }
  });

  it('several identical callbacks at once connect the account once, and all redirect to the hosted page', async () => {
    const link = await askForLink(project);
    const browser = new PageBrowser();
    const { redirectTo } = await person.decide(await browser.leave(link.url));
    const answers = await Promise.all([1, 2, 3].map(() => browser.get(redirectTo, asJson)));
    expect(answers.map(({ status, location }) => [status, location])).toEqual(Array(3).fill([303, link.url]));
    expect(await stateOf(link)).toBe('connected');
    expect(await app.db.query(`select from topic_messages where topic = $1`, [link.idem])).toHaveLength(1);
  });

  it('a session whose API process died while connecting can be used again after the lease has expired', async () => {
    const link = await askForLink(project);
    const browser = new PageBrowser();
    await browser.leave(link.url);
    await app.db.query(
      `update connect_sessions set state = 'connecting', sealed = null, state_hash = null, lease_until = $2
        where idem = $1`,
      [link.idem, new Date(app.clock.now().getTime() + LEASE_MS)],
    );
    await browser.post(`${link.url}/cancel`);
    expect(await stateOf(link)).toBe('connecting');
    app.clock.advance(LEASE_MS + 1);
    await browser.get(link.url);
    expect(await stateOf(link)).toBe('opened');
    expect((await outcomeOf(app, project, link)).body).toMatchObject({ code: 'OAUTH_AUTHORIZATION_FAILED' });
    const { redirectTo } = await person.decide(await browser.leave(link.url));
    await browser.get(redirectTo);
    expect(await stateOf(link)).toBe('connected');
  });

  it('a forged Host header changes no redirect and no link', async () => {
    const link = await askForLink(project);
    const { status, body } = await project.http.get('/v0/oauth2/sandbox/url', {
      headers: { 'x-svc-wallet-id': 'w', host: 'evil.example', 'x-forwarded-host': 'evil.example' },
      query: { idem: newIdem() },
    });
    expect([status, new URL(body.url as string).origin]).toEqual([200, app.url]);
    const browser = new PageBrowser();
    const away = new URL(await browser.leave(link.url));
    expect(away.searchParams.get('redirect_uri')).toBe(`${app.url}/v0/oauth2/sandbox/callback`);
    const got = await getWithHost(`${link.url}/qr`, 'evil.example');
    expect([got.status, got.location]).toEqual([303, new URL(link.url).pathname]);
  });

  it.each([
    'https://evil.example/',
    'https://shop.example/connected/',
    'https://shop.example/connected?x=1',
    'https://shop.example/connected#x',
    'https://shop.example/Connected',
    'https://shop.example:443/connected',
    'https://SHOP.example/connected',
    'https://shop.example/connected/../x',
    'https://shop.example@evil.example/connected',
    'https://shop.example/connected%00',
    ' https://shop.example/connected',
    '//shop.example/connected',
    'http://shop.example/connected',
    'javascript:alert(1)',
    'data:text/html,x',
  ])('a return address that is not registered is refused: %s', async (returnUrl) => {
    const own = await app.project();
    await app.http.with({ authorization: `Bearer ${ADMIN_TOKEN}` }).put(`/v0/admin/projects/${own.projectId}/connect`, {
      body: { browserConnects: false, origins: [], returnUrls: ['https://shop.example/connected'] },
    });
    const ask = (address: string) =>
      own.http.get('/v0/oauth2/sandbox/url', {
        headers: { 'x-svc-wallet-id': 'w' },
        query: { idem: newIdem(), returnUrl: address },
      });
    const refused = await ask(returnUrl);
    expect([refused.status, refused.body.type]).toEqual([400, 'GENERIC_VALIDATION_ERROR']);
    expect((await ask('https://shop.example/connected')).status).toBe(200);
  });

  it('the log contains no link token, no authorization code, no state and no cookie', async () => {
    const link = await askForLink(project, { exchange: 'kraken' });
    const browser = new PageBrowser();
    const away = await browser.leave(link.url);
    const { redirectTo } = await person.decide(away);
    const { searchParams } = new URL(redirectTo);
    await browser.get(redirectTo);
    await browser.get(redirectTo, asJson);
    const canaries = [
      link.url.split('/').at(-1),
      searchParams.get('code'),
      searchParams.get('state'),
      ...browser.cookies.values(),
    ];
    expect(canaries).not.toContain(null);
    const log = app.logLines.join('');
    for (const canary of canaries) expect(log).not.toContain(canary);
  });
});
