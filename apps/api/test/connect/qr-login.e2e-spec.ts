import type { Input } from '#client';
import type { ConnectMessageBody } from '#platform/events';
import { askForLink, ExchangePerson, newIdem, PageBrowser, type Link } from '../support/page-browser.js';
import { SocketListening } from '../support/listen-client.js';
import { TestApp, type TestProjectWithClient } from '../support/test-app.js';

const PAGE = 'https://shop.example';

type BrowserConnects = Pick<Input<'setConnectSettings'>, 'browserConnects'>;

/** A login with the exchange's app, for which a GET on the link suffices and the hosted page is not opened. */
describe('a QR login without the hosted page', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let person: ExchangePerson;

  beforeAll(async () => {
    app = await TestApp.create({
      worker: true,
      env: { CONNECT_VISITS_PER_MINUTE: '100000', CONNECT_KEYLESS_PER_MINUTE: '100000' },
      overrides: { QR_SWEEP_MS: 50, CONNECT_ATTEMPTS_MAX: 3 },
    });
    project = await app.project();
    person = new ExchangePerson(app.sandbox.url);
    await allow(project, { browserConnects: true });
  });
  afterEach(() => app.sandbox.calm());
  afterAll(() => app.close());

  const allow = async ({ causeway, projectId: id }: TestProjectWithClient, { browserConnects }: BrowserConnects) =>
    await causeway.setConnectSettings({ id, browserConnects, origins: [PAGE], returnUrls: [] });
  const listen = (idem: string): Promise<SocketListening> =>
    SocketListening.to(`${app.url}/v0/ws/oauth2/listen?idem=${idem}&orgId=${project.organizationId}`);
  const begin = async (walletId: string): Promise<{ link: Link; heard: SocketListening }> => {
    const link = await askForLink(project, { walletId, way: 'qr' });
    const heard = await listen(link.idem);
    const { status, text } = await new PageBrowser({ origin: PAGE }).get(link.url, { accept: '*/*' });
    expect([status, JSON.parse(text)]).toEqual([200, { success: true, idem: link.idem, state: 'scanning' }]);
    return { link, heard };
  };
  const message = async (heard: SocketListening, number: number): Promise<ConnectMessageBody> => {
    const body = (await heard.received(number))[number - 1]?.body;
    if (body === undefined || body.type === 'withdraw') throw new Error('not of a connect');
    return body;
  };
  const attemptsOf = async ({ idem }: Link): Promise<unknown> =>
    (await app.db.query(`select state, attempts from connect_sessions where idem = $1`, [idem]))[0];

  it('begins with a GET on the link, and the worker follows the login until the wallet is connected', async () => {
    const { link, heard } = await begin('qr-followed');
    const available = await message(heard, 1);
    const facts = { type: 'qr_code_auth', way: 'qr_code', walletId: 'qr-followed', exchange: 'sandbox' };
    expect(available).toEqual({
      ...facts,
      qrCodeUrl: expect.stringMatching(/./) as string,
      qrCodeStatus: 'available',
      qrCodeExpiresAt: expect.any(Number) as number,
    });
    expect(available.qrCodeExpiresAt).toBeGreaterThan(app.clock.now().getTime());
    const content = available.qrCodeUrl ?? '';
    await person.moveQr(content, 'scanned');
    expect(await message(heard, 2)).toEqual({ ...available, qrCodeStatus: 'scanned' });
    await person.moveQr(content, 'confirmed');
    expect(await message(heard, 3)).toEqual({ ...facts, qrCodeStatus: 'confirmed' });
    expect(await message(heard, 4)).toEqual({ ...facts, success: true });
    expect((await project.causeway.getWallet({ walletId: 'qr-followed' })).exchange).toBe('sandbox');
    expect(await attemptsOf(link)).toMatchObject({ state: 'connected' });
    await heard.close();
  });

  it('publishes a new QR code when a code expires, without counting another attempt', async () => {
    const { link, heard } = await begin('qr-renewed');
    const first = await message(heard, 1);
    await person.moveQr(first.qrCodeUrl ?? '', 'expired');
    expect(await message(heard, 2)).toEqual({ ...first, qrCodeStatus: 'expired' });
    const second = await message(heard, 3);
    expect(second.qrCodeStatus).toBe('available');
    expect(second.qrCodeUrl).not.toBe(first.qrCodeUrl);
    expect(await attemptsOf(link)).toEqual({ state: 'scanning', attempts: 1 });
    await person.moveQr(second.qrCodeUrl ?? '', 'confirmed');
    expect(await message(heard, 5)).toMatchObject({ success: true });
    await heard.close();
  });

  it('begins only once, however often the link is fetched', async () => {
    const { link, heard } = await begin('qr-once');
    const { qrCodeUrl } = await message(heard, 1);
    for (const method of ['GET', 'HEAD', 'GET']) await fetch(link.url, { method });
    expect(await attemptsOf(link)).toEqual({ state: 'scanning', attempts: 1 });
    await person.moveQr(qrCodeUrl ?? '', 'denied');
    expect(await message(heard, 2)).toMatchObject({
      type: 'qr_code_auth',
      success: false,
      code: 'OAUTH_AUTHORIZATION_FAILED',
      result: { reason: 'denied' },
    });
    // After a failed attempt, opening the link begins no new attempt. The person begins one with the form of the page.
    await fetch(link.url);
    expect(await attemptsOf(link)).toEqual({ state: 'created', attempts: 1 });
    await new PageBrowser().post(`${link.url}/qr`);
    expect(await message(heard, 3)).toMatchObject({ qrCodeStatus: 'available' });
    await heard.close();
  });

  it('does not begin with a HEAD request, or on a link whose `way` is not `qr`', async () => {
    const link = await askForLink(project, { walletId: 'qr-head', way: 'qr' });
    await fetch(link.url, { method: 'HEAD' });
    expect(await attemptsOf(link)).toEqual({ state: 'created', attempts: 0 });
    const other = await askForLink(project, { walletId: 'by-oauth-first' });
    await new PageBrowser().get(other.url);
    expect(await attemptsOf(other)).toEqual({ state: 'created', attempts: 0 });
  });

  it('can be continued on the hosted page, where every browser sees the code until one browser takes a step', async () => {
    const link = await askForLink(project, { walletId: 'qr-page', way: 'qr' });
    const [here, there] = [new PageBrowser(), new PageBrowser()];
    for (const browser of [here, there]) expect((await browser.get(link.url)).text).toContain('class="code-image"');
    await here.post(`${link.url}/qr`);
    expect((await there.get(link.url)).status).toBe(403);
    expect((await here.get(link.url)).text).toContain('class="code-image"');
  });

  it('ends with a message of the type oauth2 when the person cancels', async () => {
    const { link, heard } = await begin('qr-cancelled');
    await message(heard, 1);
    await new PageBrowser().post(`${link.url}/cancel`);
    expect(await message(heard, 2)).toMatchObject({
      type: 'oauth2',
      way: 'qr_code',
      success: false,
      result: { reason: 'cancelled' },
    });
    await heard.close();
  });

  describe('the permission of pages to fetch the link', () => {
    const fetchAs = async (origin: string, url: string): Promise<Response> => fetch(url, { headers: { origin } });

    it('is granted to registered origins of the project, with credentials, also when no code is available', async () => {
      const link = await askForLink(project, { walletId: 'qr-cors', way: 'qr' });
      await app.sandbox.arm({ endpoint: 'partner.qr.begin', fault: 'service_unavailable', count: 1 });
      const headers = { 'access-control-allow-origin': PAGE, 'access-control-allow-credentials': 'true' };
      for (const status of [503, 200]) {
        const answer = await fetchAs(PAGE, link.url);
        expect([answer.status, Object.fromEntries(answer.headers)]).toMatchObject([status, headers]);
        expect(answer.headers.get('vary')).toContain('origin');
        expect(answer.headers.get('set-cookie')).toBeNull();
      }
    });

    it('does not depend on the setting browserConnects, because a server has created the link', async () => {
      const other = await app.project();
      await allow(other, { browserConnects: false });
      const link = await askForLink(other, { walletId: 'qr-of-server', way: 'qr' });
      expect((await fetchAs(PAGE, link.url)).headers.get('access-control-allow-origin')).toBe(PAGE);
    });

    it('is granted to no other origin', async () => {
      const link = await askForLink(project, { walletId: 'qr-no-cors', way: 'qr' });
      const other = await app.project();
      const foreign = await askForLink(other, { walletId: 'qr-foreign', way: 'qr' });
      for (const [origin, url] of [
        ['https://evil.example', link.url],
        ['null', link.url],
        [PAGE, foreign.url],
      ] as const) {
        const answer = await fetchAs(origin, url);
        expect(answer.headers.get('access-control-allow-origin')).toBeNull();
        expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      }
    });
  });

  it('can be begun by a page of the application, without an API key', async () => {
    const { organizationId, projectId } = project;
    const headers = { 'x-svc-org-id': organizationId, 'x-svc-project-id': projectId, origin: PAGE };
    const { body: link } = await app.http.get<Link>('/v0/oauth2/sandbox/url', {
      headers: { ...headers, 'x-svc-wallet-id': 'qr-keyless' },
      query: { idem: newIdem(), way: 'qr' },
    });
    const heard = await listen(link.idem);
    expect((await fetch(link.url, { headers: { origin: PAGE } })).status).toBe(200);
    await person.moveQr((await message(heard, 1)).qrCodeUrl ?? '', 'confirmed');
    expect(await message(heard, 3)).toMatchObject({ success: true });
    await heard.close();
  });
});
