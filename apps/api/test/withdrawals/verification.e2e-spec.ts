import { TOTP } from 'otpauth';
import { isCausewayError, type AnyCausewayError, type Input, type VerificationReport } from '#client';
import { PartnerSandbox, type PartnerWallet } from '../support/partner-sandbox.js';
import { refusalOf } from '../support/causeway-client.js';
import { TestApp, type TestProjectWithClient } from '../support/test-app.js';
import { settled } from '../support/withdrawal-client.js';

const SETTLE_STEP_MS = 5_000;
const TOTP_STEP_MS = 30_000;

type Executed = Input<'executeQuote'>;

/** Verifies withdrawals as an application does, over HTTP, at the sandbox exchange's partner API. */
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

  const execute = ({ causeway }: PartnerWallet, quoteId: string, codes: Omit<Executed, 'quoteId'> = {}) =>
    causeway.executeQuote({ quoteId, ...codes });
  const stateOf = ({ causeway }: PartnerWallet, quoteId: string) => causeway.getWithdrawal({ quoteId });

  const refused = async (...call: Parameters<typeof execute>): Promise<AnyCausewayError> => {
    const refusal = await refusalOf(execute(...call));
    expect(refusal.status).toBe(400);
    return refusal;
  };
  /** Returns the report about a challenge that is not complete. */
  const reported = async (
    code: 'WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS' | 'WITHDRAWAL_2FA_INCOMPLETE',
    ...call: Parameters<typeof execute>
  ): Promise<VerificationReport> => {
    const refusal = await refused(...call);
    if (!isCausewayError(refusal, code) || refusal.result === undefined) throw refusal;
    return refusal.result;
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
    expect(await stateOf(wallet, quote.id)).toMatchObject({ status: 'open', withdrawal: null, verification: null });

    const { bizNo, steps } = await reported('WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS', wallet, quote.id);
    expect(steps).toMatchObject([
      { type: 'GOOGLE', status: 'pending' },
      { type: 'EMAIL', status: 'pending', metadata: { emailSent: true } },
    ]);

    // The page reloads and finds the challenge again.
    const reloaded = await stateOf(wallet, quote.id);
    expect(reloaded).toMatchObject({ status: 'verification_required', withdrawal: { state: 'verification_required' } });
    expect(reloaded.verification?.bizNo).toBe(bizNo);

    const incomplete = (verified: object) => ({ code: 'WITHDRAWAL_2FA_INCOMPLETE', result: { mfa: { verified } } });
    const mistyped = await refused(wallet, quote.id, { bizNo, twofa: '000000' });
    expect(mistyped).toMatchObject(incomplete({ GOOGLE: false }));
    const half = await refused(wallet, quote.id, { bizNo, twofa: authenticator(wallet) });
    expect(half).toMatchObject(incomplete({ GOOGLE: true }));

    const emailCode = await partner.code(wallet, 'email');
    const dry = await refused(wallet, quote.id, { bizNo, emailCode, params: { dryRun: true } });
    expect(dry).toMatchObject({ code: 'WITHDRAWAL_DRY_RUN_COMPLETE', result: { readyToTransact: true } });
    expect(await app.sandbox.withdrawals(wallet.account)).toEqual([]);

    const { transactionId } = (await execute(wallet, quote.id, { bizNo })).result;
    expect((await settled(app, wallet, transactionId, SETTLE_STEP_MS)).status).toBe('ok');
    expect(await stateOf(wallet, quote.id)).toMatchObject({ status: 'ok', withdrawal: { transactionId }, error: null });
    expect(await app.sandbox.withdrawals(wallet.account)).toHaveLength(1);
    expect(await partner.messages(wallet)).toHaveLength(1);
  });

  it('collects codes for an exchange that requires them all at once', async () => {
    const wallet = await partner.wallet({ mode: 'all_at_once', methods: ['GOOGLE', 'EMAIL'], relation: 'AND' });
    const quote = await partner.quote(wallet);
    const { bizNo } = await reported('WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS', wallet, quote.id);
    const emailCode = await partner.code(wallet, 'email');
    const collected = await reported('WITHDRAWAL_2FA_INCOMPLETE', wallet, quote.id, { bizNo, emailCode });
    expect(collected.steps[1]).toMatchObject({ status: 'success', metadata: { collected: true } });
    const wrong = await refused(wallet, quote.id, { bizNo, twofa: '000000' });
    expect(wrong).toMatchObject({
      code: 'WITHDRAWAL_2FA_INCOMPLETE',
      result: { mfa: { verified: { GOOGLE: false, EMAIL: true } } },
    });
    expect((await execute(wallet, quote.id, { bizNo, twofa: authenticator(wallet) })).success).toBe(true);
    expect(await app.sandbox.withdrawals(wallet.account)).toHaveLength(1);
  });

  it('waits for the face check, and needs only one of two methods when their relation is OR', async () => {
    const faced = await partner.wallet({ mode: 'step_by_step', methods: ['SMS', 'FACE'], relation: 'AND' });
    const quote = await partner.quote(faced);
    const { bizNo } = await reported('WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS', faced, quote.id);
    await refused(faced, quote.id, { bizNo, smsCode: await partner.code(faced, 'sms') });
    const poll = { bizNo, params: { dryRun: true } };
    expect((await reported('WITHDRAWAL_2FA_INCOMPLETE', faced, quote.id, poll)).mfa.verified).toEqual({ SMS: true });
    await partner.confirmFace(faced);
    expect((await refused(faced, quote.id, poll)).code).toBe('WITHDRAWAL_DRY_RUN_COMPLETE');
    expect((await execute(faced, quote.id, { bizNo })).success).toBe(true);

    const either = await partner.wallet({ mode: 'step_by_step', methods: ['GOOGLE', 'SMS'], relation: 'OR' });
    const other = await partner.quote(either);
    const opened = await reported('WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS', either, other.id);
    expect(opened.relation).toBe('OR');
    const smsCode = await partner.code(either, 'sms');
    expect((await execute(either, other.id, { bizNo: opened.bizNo, smsCode })).success).toBe(true);
  });

  it('locks a quote after five wrong codes, and refuses codes for other methods or unknown challenges', async () => {
    const wallet = await partner.wallet({ mode: 'step_by_step', methods: ['GOOGLE', 'EMAIL'], relation: 'AND' });
    const quote = await partner.quote(wallet);
    const { bizNo } = await reported('WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS', wallet, quote.id);
    expect(await refused(wallet, quote.id, { bizNo, smsCode: '1' })).toMatchObject({
      code: 'WITHDRAWAL_2FA_METHOD_NOT_SUPPORTED',
      result: { valid2FAMethods: ['GOOGLE', 'EMAIL'] },
    });
    expect((await refused(wallet, quote.id, { bizNo: 'another', twofa: '1' })).code).toBe('GENERIC_VALIDATION_ERROR');
    for (let wrong = 1; wrong < 5; wrong++) {
      const answer = await refused(wallet, quote.id, { bizNo, emailCode: `00000${wrong}` });
      expect(answer.code).toBe('WITHDRAWAL_2FA_INCOMPLETE');
    }
    const locked = await refused(wallet, quote.id, { bizNo, emailCode: '000009' });
    expect(locked).toMatchObject({ code: 'WITHDRAWAL_2FA_INVALID', result: { locked: true } });
    const right = { bizNo, twofa: authenticator(wallet), emailCode: await partner.code(wallet, 'email') };
    expect((await refused(wallet, quote.id, right)).code).toBe('WITHDRAWAL_2FA_INVALID');
    expect(await stateOf(wallet, quote.id)).toMatchObject({ locked: true });
    expect(await app.sandbox.withdrawals(wallet.account)).toEqual([]);
  });

  it('finds a verified withdrawal by its reference when the response was lost, and sends it once', async () => {
    const wallet = await partner.wallet({ mode: 'step_by_step', methods: ['EMAIL'], relation: 'AND' });
    const quote = await partner.quote(wallet);
    const { bizNo } = await reported('WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS', wallet, quote.id);
    await app.sandbox.arm({ endpoint: 'partner.withdraw', fault: 'answer_lost' });
    const body = { bizNo, emailCode: await partner.code(wallet, 'email') };
    const executed = await execute(wallet, quote.id, body);
    expect(await execute(wallet, quote.id, body)).toEqual(executed);
    const { status } = await settled(app, wallet, executed.result.transactionId, SETTLE_STEP_MS);
    expect(status).toBe('ok');
    expect(await app.sandbox.withdrawals(wallet.account)).toHaveLength(1);
  });

  describe('where the exchange requires one method and checks it only with the withdrawal', () => {
    const dry = { params: { dryRun: true } };
    const inline = (method: string) => partner.wallet({ mode: 'inline', methods: [method], relation: 'AND' });

    it.each(['GOOGLE', 'EMAIL', 'SMS', 'FACE', 'YUBIKEY', 'PASSPHRASE'])(
      'a dry run requires %s before and after the execution, sends no message and counts no attempt',
      async (method) => {
        const wallet = await inline(method);
        const { id } = await partner.quote(wallet);
        const early = await refused(wallet, id, dry);
        expect(await partner.messages(wallet)).toEqual([]);
        expect((await stateOf(wallet, id)).withdrawal).toBeNull();
        const { code } = await refused(wallet, id);
        expect(early).toMatchObject({ code, result: { method } });
        const sent = await partner.messages(wallet);
        expect(await refused(wallet, id, dry)).toMatchObject({ code, result: { method } });
        expect(await partner.messages(wallet)).toEqual(sent);
        expect(await app.sandbox.withdrawals(wallet.account)).toEqual([]);
      },
    );

    it('a dry run requires a code again after a wrong one, but does not check a given code', async () => {
      const wallet = await inline('GOOGLE');
      const { id } = await partner.quote(wallet);
      expect((await refused(wallet, id, { twofa: '000000' })).code).toBe('WITHDRAWAL_2FA_INVALID');
      expect(await refused(wallet, id, dry)).toMatchObject({ code: 'WITHDRAWAL_2FA_REQUIRED_TOTP' });
      for (let tries = 1; tries <= 6; tries++) {
        const unchecked = await refused(wallet, id, { ...dry, twofa: '000000' });
        expect([unchecked.code, unchecked.message]).toEqual([
          'WITHDRAWAL_DRY_RUN_COMPLETE',
          expect.stringMatching(/checks the code only when/),
        ]);
      }
      expect((await execute(wallet, id, { twofa: authenticator(wallet) })).success).toBe(true);
    });

    it('a dry run accepts no emailed code before the exchange has sent one', async () => {
      const wallet = await inline('EMAIL');
      const { id } = await partner.quote(wallet);
      const early = await refused(wallet, id, { ...dry, emailCode: '123456' });
      expect([early.code, early.message]).toEqual([
        'WITHDRAWAL_2FA_REQUIRED_EMAIL',
        expect.stringMatching(/execute the quote without a code/),
      ]);
      await refused(wallet, id);
      const emailCode = await partner.code(wallet, 'email');
      expect((await refused(wallet, id, { ...dry, emailCode })).code).toBe('WITHDRAWAL_DRY_RUN_COMPLETE');
      expect((await execute(wallet, id, { emailCode })).success).toBe(true);
    });

    it('a dry run reports that only an execution shows whether the face check is done', async () => {
      const wallet = await inline('FACE');
      const { id } = await partner.quote(wallet);
      await refused(wallet, id);
      await partner.confirmFace(wallet);
      const unknown = await refused(wallet, id, dry);
      expect([unknown.code, unknown.message]).toEqual([
        'WITHDRAWAL_2FA_REQUIRED_FACE_RECOGNITION',
        expect.stringMatching(/only to an execution/),
      ]);
      expect((await execute(wallet, id)).success).toBe(true);
    });
  });
});
