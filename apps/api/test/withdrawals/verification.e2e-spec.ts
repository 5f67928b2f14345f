import { TOTP } from 'otpauth';
import { PartnerSandbox, type PartnerWallet } from '../support/partner-sandbox.js';
import { TestApp, type TestProjectWithClient } from '../support/test-app.js';
import { execute, settled, type ErrorBody, type QuoteBody } from '../support/withdrawal-client.js';

const SETTLE_STEP_MS = 5_000;
const TOTP_STEP_MS = 30_000;

interface Step {
  type: string;
  status: string;
  metadata?: Record<string, string | boolean>;
}

interface Report extends ErrorBody {
  result: NonNullable<ErrorBody['result']> & {
    bizNo: string;
    relation: string;
    steps: Step[];
    mfa: { bizNo: string; verified: Record<string, boolean>; attempts: { method: string; success: boolean }[] };
    locked?: boolean;
    readyToTransact?: boolean;
    valid2FAMethods?: string[];
  };
}

interface Standing {
  status: string;
  quote: QuoteBody;
  withdrawal: { id: string; transactionId: string; state: string } | null;
  verification: Report['result'] | null;
  locked: boolean;
  error: { type: string } | null;
}

/** Runs through HTTP, the service and the partner API of the sandbox exchange, as the page of a client does. */
describe('verifying a withdrawal over HTTP', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let partner: PartnerSandbox;

  beforeAll(async () => {
    app = await TestApp.create({ worker: true });
    project = await app.project();
    partner = new PartnerSandbox(app, project);
  });
  afterEach(() => app.sandbox.calm());
  afterAll(() => app.close());

  const standing = async (wallet: PartnerWallet, quoteId: string): Promise<Standing> => {
    const answer = await wallet.http.get<Standing>(`/v0/wallet/withdraw/${quoteId}`);
    expect(answer.status).toBe(200);
    return answer.body;
  };

  const refused = async (wallet: PartnerWallet, quoteId: string, body: object = {}): Promise<Report> => {
    const answer = await wallet.http.put<Report>(`/v0/wallet/withdraw/${quoteId}/execute`, { body });
    expect(answer.status).toBe(400);
    return answer.body;
  };

  const authenticator = ({ account }: PartnerWallet): string => {
    // Each code is valid once, and the next code comes after 30 seconds.
    app.clock.advance(TOTP_STEP_MS);
    return new TOTP({ secret: account.totpSecret ?? '' }).generate({ timestamp: app.clock.now().getTime() });
  };

  it('completes a challenge of two steps, with a page reload, a wrong code and a dry run', async () => {
    const wallet = await partner.wallet({ mode: 'step_by_step', methods: ['GOOGLE', 'EMAIL'], relation: 'AND' });
    const quote = await partner.quote(wallet);
    expect(quote.requirements.map(({ type }) => type).sort()).toEqual(['email', 'totp']);
    expect(await standing(wallet, quote.id)).toMatchObject({ status: 'open', withdrawal: null, verification: null });

    const first = await refused(wallet, quote.id);
    expect(first.type).toBe('WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS');
    const { bizNo, steps } = first.result;
    expect(steps).toMatchObject([
      { type: 'GOOGLE', status: 'pending' },
      { type: 'EMAIL', status: 'pending', metadata: { emailSent: true } },
    ]);

    // The page reloads and finds the challenge again.
    const reloaded = await standing(wallet, quote.id);
    expect(reloaded).toMatchObject({ status: 'verification_required', withdrawal: { state: 'verification_required' } });
    expect(reloaded.verification?.bizNo).toBe(bizNo);

    const mistyped = await refused(wallet, quote.id, { bizNo, twofa: '000000' });
    expect([mistyped.type, mistyped.result.mfa.verified]).toEqual(['WITHDRAWAL_2FA_INCOMPLETE', { GOOGLE: false }]);
    const half = await refused(wallet, quote.id, { bizNo, twofa: authenticator(wallet) });
    expect([half.type, half.result.mfa.verified]).toEqual(['WITHDRAWAL_2FA_INCOMPLETE', { GOOGLE: true }]);

    const emailCode = await partner.code(wallet, 'email');
    const dry = await refused(wallet, quote.id, { bizNo, emailCode, params: { dryRun: true } });
    expect([dry.type, dry.result.readyToTransact]).toEqual(['WITHDRAWAL_DRY_RUN_COMPLETE', true]);
    expect(await app.sandbox.withdrawals(wallet.account)).toEqual([]);

    const done = await execute(wallet, quote.id, { bizNo });
    expect(done.status).toBe(200);
    const { transactionId } = done.body.result;
    expect((await settled(app, wallet, transactionId, SETTLE_STEP_MS)).status).toBe('ok');
    expect(await standing(wallet, quote.id)).toMatchObject({
      status: 'ok',
      withdrawal: { transactionId },
      error: null,
    });
    expect(await app.sandbox.withdrawals(wallet.account)).toHaveLength(1);
    expect(await partner.messages(wallet)).toHaveLength(1);
  });

  it('collects codes for an exchange that requires them all at once', async () => {
    const wallet = await partner.wallet({ mode: 'all_at_once', methods: ['GOOGLE', 'EMAIL'], relation: 'AND' });
    const quote = await partner.quote(wallet);
    const { bizNo } = (await refused(wallet, quote.id)).result;
    const emailCode = await partner.code(wallet, 'email');
    const collected = await refused(wallet, quote.id, { bizNo, emailCode });
    expect(collected.result.steps[1]).toMatchObject({ status: 'success', metadata: { collected: true } });
    const wrong = await refused(wallet, quote.id, { bizNo, twofa: '000000' });
    expect([wrong.type, wrong.result.mfa.verified]).toEqual([
      'WITHDRAWAL_2FA_INCOMPLETE',
      { GOOGLE: false, EMAIL: true },
    ]);
    expect((await execute(wallet, quote.id, { bizNo, twofa: authenticator(wallet) })).status).toBe(200);
    expect(await app.sandbox.withdrawals(wallet.account)).toHaveLength(1);
  });

  it('waits for face recognition, and accepts one of two methods where one suffices', async () => {
    const faced = await partner.wallet({ mode: 'step_by_step', methods: ['SMS', 'FACE'], relation: 'AND' });
    const quote = await partner.quote(faced);
    const { bizNo } = (await refused(faced, quote.id)).result;
    await refused(faced, quote.id, { bizNo, smsCode: await partner.code(faced, 'sms') });
    const poll = { bizNo, params: { dryRun: true } };
    expect((await refused(faced, quote.id, poll)).result.mfa.verified).toEqual({ SMS: true });
    await partner.confirmFace(faced);
    expect((await refused(faced, quote.id, poll)).type).toBe('WITHDRAWAL_DRY_RUN_COMPLETE');
    expect((await execute(faced, quote.id, { bizNo })).status).toBe(200);

    const either = await partner.wallet({ mode: 'step_by_step', methods: ['GOOGLE', 'SMS'], relation: 'OR' });
    const other = await partner.quote(either);
    const opened = await refused(either, other.id);
    expect(opened.result.relation).toBe('OR');
    const smsCode = await partner.code(either, 'sms');
    expect((await execute(either, other.id, { bizNo: opened.result.bizNo, smsCode })).status).toBe(200);
  });

  it('locks a quote after five wrong codes, and refuses codes that were not requested and unknown challenges', async () => {
    const wallet = await partner.wallet({ mode: 'step_by_step', methods: ['GOOGLE', 'EMAIL'], relation: 'AND' });
    const quote = await partner.quote(wallet);
    const { bizNo } = (await refused(wallet, quote.id)).result;
    const foreign = await refused(wallet, quote.id, { bizNo, smsCode: '1' });
    expect([foreign.type, foreign.result.valid2FAMethods]).toEqual([
      'WITHDRAWAL_2FA_METHOD_NOT_SUPPORTED',
      ['GOOGLE', 'EMAIL'],
    ]);
    expect((await refused(wallet, quote.id, { bizNo: 'another', twofa: '1' })).type).toBe('GENERIC_VALIDATION_ERROR');
    for (let wrong = 1; wrong < 5; wrong++) {
      const answer = await refused(wallet, quote.id, { bizNo, emailCode: `00000${wrong}` });
      expect(answer.type).toBe('WITHDRAWAL_2FA_INCOMPLETE');
    }
    const locked = await refused(wallet, quote.id, { bizNo, emailCode: '000009' });
    expect([locked.type, locked.result.locked]).toEqual(['WITHDRAWAL_2FA_INVALID', true]);
    const right = { bizNo, twofa: authenticator(wallet), emailCode: await partner.code(wallet, 'email') };
    expect((await refused(wallet, quote.id, right)).type).toBe('WITHDRAWAL_2FA_INVALID');
    expect(await standing(wallet, quote.id)).toMatchObject({ locked: true });
    expect(await app.sandbox.withdrawals(wallet.account)).toEqual([]);
  });

  it('finds a verified withdrawal by its reference when the response was lost, and sends it once', async () => {
    const wallet = await partner.wallet({ mode: 'step_by_step', methods: ['EMAIL'], relation: 'AND' });
    const quote = await partner.quote(wallet);
    const { bizNo } = (await refused(wallet, quote.id)).result;
    await app.sandbox.arm({ endpoint: 'partner.withdraw', fault: 'answer_lost' });
    const body = { bizNo, emailCode: await partner.code(wallet, 'email') };
    const answer = await execute(wallet, quote.id, body);
    expect(answer.status).toBe(200);
    expect((await execute(wallet, quote.id, body)).body).toEqual(answer.body);
    const { status } = await settled(app, wallet, answer.body.result.transactionId, SETTLE_STEP_MS);
    expect(status).toBe('ok');
    expect(await app.sandbox.withdrawals(wallet.account)).toHaveLength(1);
  });
});
