import { TOTP } from 'otpauth';
import type { ConnectMessageBody, TopicMessageBody, WithdrawMessageBody } from '#platform/events';
import { ExchangePerson, newIdem, PageBrowser, type Link } from '../support/page-browser.js';
import { SocketListening } from '../support/listen-client.js';
import { PartnerSandbox, type PartnerWallet, type Verification } from '../support/partner-sandbox.js';
import { ADMIN_TOKEN, TestApp, type TestProjectWithClient } from '../support/test-app.js';
import { execute } from '../support/withdrawal-client.js';

const PAGE = 'https://shop.example';
const TOTP_STEP_MS = 30_000;
/** The verification methods that a state names, in this order. */
const METHODS = ['EMAIL', 'GOOGLE'];

/**
 * Returns the state that a client of another vendor shows after a message. Runs of such a client have shown which
 * fields it reads and which texts it displays.
 */
function stateAfter(body: TopicMessageBody): string {
  if (body.type === 'withdraw') return withdrawalState(body);
  return body.type === 'qr_code_auth' ? qrState(body) : connectState(body);
}

function connectState({ success, walletId, exchange, error }: ConnectMessageBody): string {
  if (success === undefined) return 'connect in progress';
  if (success) return walletId === '' || exchange === undefined ? 'incomplete' : 'connected';
  return typeof error === 'string' ? 'connect failed' : 'incomplete';
}

function qrState({ success, qrCodeUrl, qrCodeStatus, qrCodeExpiresAt = 0, ...body }: ConnectMessageBody): string {
  if (success !== undefined) return connectState({ success, ...body });
  if (qrCodeStatus === 'confirmed') return 'code confirmed';
  const isShown = qrCodeUrl !== undefined && qrCodeUrl !== '' && Number.isInteger(qrCodeExpiresAt);
  return isShown ? `code ${qrCodeStatus}` : 'incomplete';
}

/** The parts of a challenge's report that a client of another vendor reads. */
interface Report {
  bizNo?: unknown;
  steps?: unknown;
  relation?: unknown;
  mfa?: { verified?: object };
}

function withdrawalState({ success, walletId, transactionId = '', error }: WithdrawMessageBody): string {
  if (success) return walletId === '' || transactionId === '' ? 'incomplete' : 'completed';
  if (typeof error?.code !== 'string' || typeof error.message !== 'string') return 'incomplete';
  const report: Report = error.result ?? {};
  switch (error.code) {
    case 'WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS':
      return isWhole(report) ? 'steps required' : 'incomplete';
    case 'WITHDRAWAL_2FA_INCOMPLETE':
      return isWhole(report) ? `verified ${JSON.stringify(report.mfa?.verified, METHODS)}` : 'incomplete';
    case 'WITHDRAWAL_DRY_RUN_COMPLETE':
      return 'ready to confirm';
    default:
      return error.code;
  }
}

function isWhole({ bizNo, steps, relation, mfa }: Report): boolean {
  const isRelation = relation === 'AND' || relation === 'OR';
  return typeof bizNo === 'string' && Array.isArray(steps) && isRelation && mfa?.verified !== undefined;
}

describe('a client of another vendor', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let partner: PartnerSandbox;
  let person: ExchangePerson;
  const heard: SocketListening[] = [];

  beforeAll(async () => {
    app = await TestApp.create({
      worker: true,
      env: { CONNECT_VISITS_PER_MINUTE: '100000', CONNECT_KEYLESS_PER_MINUTE: '100000' },
      overrides: { QR_SWEEP_MS: 50 },
    });
    project = await app.project();
    partner = new PartnerSandbox(app, project);
    person = new ExchangePerson(app.sandbox.url);
    const body = { browserConnects: true, origins: [PAGE], returnUrls: [] };
    const admin = app.http.with({ authorization: `Bearer ${ADMIN_TOKEN}` });
    expect((await admin.put(`/v0/admin/projects/${project.projectId}/connect`, { body })).status).toBe(200);
  });
  afterEach(async () => {
    await app.sandbox.calm();
    await Promise.all(heard.splice(0).map((listening) => listening.close()));
  });
  afterAll(() => app.close());

  /** Begins to listen before the link is requested or the quote is executed, when only the topic is known. */
  async function listen(topic: string): Promise<SocketListening> {
    const url = `${app.url}/v0/ws/oauth2/listen?idem=${topic}&orgId=${project.organizationId}`;
    const listening = await SocketListening.to(url);
    heard.push(listening);
    return listening;
  }

  async function statesOf(listening: SocketListening, count: number): Promise<string[]> {
    return (await listening.received(count)).map(({ body }) => stateAfter(body));
  }

  /** Asks for a link from a page, without an API key. */
  async function linkOf(exchange: string, query: Record<string, string> = {}) {
    const idem = newIdem();
    const listening = await listen(idem);
    const { organizationId, projectId } = project;
    const ids = { 'x-svc-org-id': organizationId, 'x-svc-project-id': projectId, 'x-svc-wallet-id': `of-${idem}` };
    const { status, body } = await app.http.get<Link & { success: boolean }>(`/v0/oauth2/${exchange}/url`, {
      headers: { ...ids, origin: PAGE },
      query: { idem, ...query },
    });
    expect([status, body.success, typeof body.url, typeof body.isQRCode]).toEqual([200, true, 'string', 'boolean']);
    return { listening, link: body };
  }

  it('gets a message about the failed connect session when the person cancels', async () => {
    const { listening, link } = await linkOf('sandbox');
    await new PageBrowser().post(`${link.url}/cancel`);
    expect(await statesOf(listening, 1)).toEqual(['connect failed']);
  });

  describe('connects', () => {
    it('by a sign-in at the exchange, after the person has first denied the access', async () => {
      const { listening, link } = await linkOf('sandbox');
      const browser = new PageBrowser();
      for (const decision of ['deny', 'allow'] as const) {
        const { redirectTo } = await person.decide(await browser.leave(link.url), { decision });
        await browser.get(redirectTo);
      }
      expect(await statesOf(listening, 2)).toEqual(['connect failed', 'connected']);
    });

    it('with a pasted key, after a message about a wrong key', async () => {
      const { account } = await partner.wallet({ mode: 'none', methods: [], relation: 'AND' });
      const { listening, link } = await linkOf('sandbox');
      const browser = new PageBrowser();
      for (const apiKey of ['a-token-that-nobody-knows', account.token]) {
        await browser.post(`${link.url}/key`, { apiKey });
      }
      expect(await statesOf(listening, 2)).toEqual(['connect failed', 'connected']);
    });

    it('with a second QR code after the first one has expired, and gets a message for each state', async () => {
      const { listening, link } = await linkOf('sandbox', { way: 'qr' });
      expect(link.isQRCode).toBe(true);
      expect((await fetch(link.url, { headers: { origin: PAGE } })).status).toBe(200);
      const codeOf = async (number: number): Promise<string> => {
        const body = (await listening.received(number))[number - 1]?.body as ConnectMessageBody;
        return body.qrCodeUrl ?? '';
      };
      await person.moveQr(await codeOf(1), 'expired');
      await person.moveQr(await codeOf(3), 'scanned');
      await listening.received(4);
      await person.moveQr(await codeOf(3), 'confirmed');
      const codes = ['code available', 'code expired', 'code available', 'code scanned', 'code confirmed'];
      expect(await statesOf(listening, 6)).toEqual([...codes, 'connected']);
    });
  });

  describe('withdraws', () => {
    async function begin(verification: Verification) {
      const wallet = await partner.wallet(verification);
      const { id } = await partner.quote(wallet);
      return { wallet, id, listening: await listen(id) };
    }
    const authenticator = ({ account }: PartnerWallet): string => {
      // Each code is valid once, and the next code comes after 30 seconds.
      app.clock.advance(TOTP_STEP_MS);
      const timestamp = app.clock.now().getTime();
      return new TOTP({ secret: account.totpSecret ?? '' }).generate({ timestamp });
    };
    /** The message and the response have the same code, text and details, because clients read either. */
    async function expectSameFacts(listening: SocketListening, response: { body: object }): Promise<void> {
      const { error } = (await listening.received(1))[0]?.body as WithdrawMessageBody;
      const { error: text, type, result } = response.body as { error: string; type: string; result?: object };
      expect(error).toEqual({ error: text, message: text, type, code: type, ...(result !== undefined && { result }) });
    }

    it.each([
      ['GOOGLE', 'WITHDRAWAL_2FA_REQUIRED_TOTP', 'twofa'],
      ['SMS', 'WITHDRAWAL_2FA_REQUIRED_SMS', 'smsCode'],
      ['EMAIL', 'WITHDRAWAL_2FA_REQUIRED_EMAIL', 'emailCode'],
    ] as const)('with one code: %s', async (method, required, field) => {
      const { wallet, id, listening } = await begin({ mode: 'inline', methods: [method], relation: 'AND' });
      await expectSameFacts(listening, await execute(wallet, id));
      await execute(wallet, id, { [field]: '000000' });
      const code =
        method === 'GOOGLE' ? authenticator(wallet) : await partner.code(wallet, method === 'SMS' ? 'sms' : 'email');
      await execute(wallet, id, { [field]: code });
      expect(await statesOf(listening, 3)).toEqual([required, 'WITHDRAWAL_2FA_INVALID', 'completed']);
    });

    it('with two codes, and sends the first code again with the second one', async () => {
      const { wallet, id, listening } = await begin({
        mode: 'step_by_step',
        methods: ['GOOGLE', 'EMAIL'],
        relation: 'AND',
      });
      const first = await execute(wallet, id);
      await expectSameFacts(listening, first);
      const bizNo = first.body.result?.['bizNo' as never];
      const twofa = authenticator(wallet);
      await execute(wallet, id, { bizNo, twofa });
      await execute(wallet, id, { bizNo, twofa, emailCode: '000000' });
      await execute(wallet, id, { bizNo, twofa, emailCode: await partner.code(wallet, 'email') });
      expect(await statesOf(listening, 4)).toEqual([
        'steps required',
        'verified {"GOOGLE":true}',
        'verified {"EMAIL":false,"GOOGLE":true}',
        'completed',
      ]);
    });

    it('with a face check: polls its state with dry runs, and executes the quote after the confirmation', async () => {
      const { wallet, id, listening } = await begin({
        mode: 'step_by_step',
        methods: ['EMAIL', 'FACE'],
        relation: 'AND',
      });
      const bizNo = (await execute(wallet, id)).body.result?.['bizNo' as never];
      const poll = () => execute(wallet, id, { bizNo, params: { dryRun: true } });
      const emailCode = await partner.code(wallet, 'email');
      await execute(wallet, id, { bizNo, emailCode });
      await poll();
      await poll();
      await partner.confirmFace(wallet);
      await poll();
      await execute(wallet, id, { bizNo, emailCode });
      // Every dry run publishes a message: some clients show a face check as in progress until the next message.
      expect(await statesOf(listening, 6)).toEqual([
        'steps required',
        'verified {"EMAIL":true}',
        'verified {"EMAIL":true}',
        'verified {"EMAIL":true}',
        'ready to confirm',
        'completed',
      ]);
    });

    it('only with codes of the required methods; the refusal of any other code lists these methods', async () => {
      const { wallet, id, listening } = await begin({
        mode: 'step_by_step',
        methods: ['GOOGLE', 'EMAIL'],
        relation: 'AND',
      });
      const bizNo = (await execute(wallet, id)).body.result?.['bizNo' as never];
      await execute(wallet, id, { bizNo, smsCode: '123456' });
      const [, refused] = await listening.received(2);
      expect(refused?.body).toMatchObject({
        success: false,
        error: { code: 'WITHDRAWAL_2FA_METHOD_NOT_SUPPORTED', result: { valid2FAMethods: ['GOOGLE', 'EMAIL'] } },
      });
    });
  });
});
