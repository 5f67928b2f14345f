import { TOTP } from 'otpauth';
import type { WithdrawMessageBody } from '#platform/events';
import { withoutRules } from '#platform/testing';
import { EventsListening, SocketListening } from '../support/listen-client.js';
import { askForLink, outcomeOf, PageBrowser } from '../support/page-browser.js';
import { PartnerSandbox, type PartnerWallet } from '../support/partner-sandbox.js';
import { TestApp, type TestProjectWithClient } from '../support/test-app.js';
import { btcQuote, execute } from '../support/withdrawal-client.js';

const TOTP_STEP_MS = 30_000;

interface Outcome {
  status: string;
  success: boolean | null;
  type: string | null;
  code: string | null;
}

/** Covers a withdrawal from the execution of the quote to its listeners. */
describe('listening to a withdrawal', () => {
  let app: TestApp;
  let project: TestProjectWithClient;

  beforeAll(async () => {
    app = await TestApp.create();
    project = await app.project();
  });
  afterEach(() => app.sandbox.calm());
  afterAll(() => app.close());

  const listen = (idem: string): Promise<SocketListening> =>
    SocketListening.to(`${app.url}/v0/ws/oauth2/listen?idem=${idem}&orgId=${project.organizationId}`);
  const ask = async (idem: string): Promise<{ status: number; body: Outcome }> =>
    app.http.get<Outcome & Record<string, unknown>>('/v0/oauth2/status', {
      query: { idem, orgId: project.organizationId },
    });
  const authenticator = ({ account }: PartnerWallet): string => {
    // Each code is valid once, and the next code comes after 30 seconds.
    app.clock.advance(TOTP_STEP_MS);
    return new TOTP({ secret: account.totpSecret ?? '' }).generate({ timestamp: app.clock.now().getTime() });
  };

  it('delivers exactly one message for the withdrawal, however often the execution is repeated', async () => {
    const wallet = await app.wallet(project);
    const { id } = await btcQuote(wallet);
    const heard = await listen(id);
    expect(await ask(id)).toMatchObject({
      status: 404,
      body: { error: 'Connect session or message of a withdrawal not found' },
    });
    const { body } = await execute(wallet, id);
    const { transactionId } = body.result;
    expect((await heard.received(1))[0]).toMatchObject({
      idem: id,
      body: {
        type: 'withdraw',
        success: true,
        walletId: wallet.walletId,
        exchange: 'kraken',
        quoteId: id,
        transactionId,
        step: 'complete',
      },
    });
    expect((await execute(wallet, id)).body).toEqual(body);
    expect((await execute(wallet, id, {}, '?autoDeleteIfInvalid=false')).body).toEqual(body);
    const late = await EventsListening.to(`${app.url}/v0/oauth2/events?idem=${id}&orgId=${project.organizationId}`);
    expect(await late.received(1)).toEqual(heard.messages);
    expect((await ask(id)).body).toEqual({ idem: id, status: 'success', success: true, type: 'withdraw', code: null });
    await heard.close();
    await late.close();
    expect([heard.messages.length, late.messages.length]).toEqual([1, 1]);
  });

  it('reports the withdrawal when a connect session has the id of the quote as its idem and ends later', async () => {
    const wallet = await app.wallet(project);
    const { id } = await btcQuote(wallet);
    await execute(wallet, id);
    // Such sessions cannot be begun. One may be older than the version that refuses them.
    const link = await askForLink(project);
    await withoutRules(app.ownerUrl, `update connect_sessions set idem = '${id}' where idem = '${link.idem}'`);
    await new PageBrowser().post(`${link.url}/cancel`);
    expect((await outcomeOf(app, project, { idem: id })).body).toMatchObject({ type: 'oauth2', success: false });
    expect((await ask(id)).body).toEqual({ idem: id, status: 'success', success: true, type: 'withdraw', code: null });
  });

  it('delivers a message of success when the exchange executes the withdrawal but does not respond', async () => {
    const wallet = await app.wallet(project);
    const { id } = await btcQuote(wallet);
    await app.sandbox.arm({ endpoint: 'Withdraw', fault: 'hang_after' });
    const heard = await listen(id);
    const { status, body } = await execute(wallet, id);
    expect(status).toBe(200);
    const [message] = await heard.received(1);
    expect(message?.body).toMatchObject({ success: true, transactionId: body.result.transactionId });
    await heard.close();
  });

  it('delivers the required steps, the failed steps and the success, and never a code that was entered', async () => {
    const partner = new PartnerSandbox(app, project);
    const wallet = await partner.wallet({ mode: 'step_by_step', methods: ['GOOGLE', 'EMAIL'], relation: 'AND' });
    const { id } = await partner.quote(wallet);
    const heard = await listen(id);
    const first = await execute(wallet, id);
    const [required] = await heard.received(1);
    const { error, type, result } = first.body;
    expect(required?.body).toMatchObject({
      success: false,
      quoteId: id,
      error: { error, message: error, type, code: type, result },
      step: 'verification',
      stepIndex: 0,
      totalSteps: 2,
    });
    // Polling needs no API key, so its response contains no wallet data and no text.
    const code = 'WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS';
    expect((await ask(id)).body).toEqual({ idem: id, status: 'failed', success: false, type: 'withdraw', code });

    const bizNo = (result as { bizNo?: string } | undefined)?.bizNo;
    await execute(wallet, id, { bizNo, twofa: '000000' });
    const twofa = authenticator(wallet);
    await execute(wallet, id, { bizNo, twofa });
    const emailCode = await partner.code(wallet, 'email');
    const tried = await execute(wallet, id, { bizNo, emailCode, params: { dryRun: true } });
    const dryRun = (await heard.received(4))[3];
    expect(dryRun?.body).toMatchObject({
      success: false,
      error: { code: 'WITHDRAWAL_DRY_RUN_COMPLETE', result: tried.body.result },
      step: 'dry_run',
    });
    // A dry run has no outcome, so the status is `pending`.
    const ready = { status: 'pending', success: null, type: 'withdraw', code: 'WITHDRAWAL_DRY_RUN_COMPLETE' };
    expect((await ask(id)).body).toEqual({ idem: id, ...ready });
    expect((await execute(wallet, id, { bizNo, emailCode })).status).toBe(200);
    const messages = await heard.received(5);
    const seen = (messages.map(({ body }) => body) as WithdrawMessageBody[]).map(
      ({ error: failure, step, stepIndex, totalSteps }) => [failure?.code ?? true, step, stepIndex, totalSteps],
    );
    expect(seen).toEqual([
      ['WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS', 'verification', 0, 2],
      ['WITHDRAWAL_2FA_INCOMPLETE', 'verification', 0, 2],
      ['WITHDRAWAL_2FA_INCOMPLETE', 'verification', 1, 2],
      ['WITHDRAWAL_DRY_RUN_COMPLETE', 'dry_run', 2, 2],
      [true, 'complete', undefined, undefined],
    ]);
    expect(JSON.stringify(messages)).not.toContain(twofa);
    expect(JSON.stringify(messages)).not.toContain(emailCode);
    await heard.close();
  });
});
