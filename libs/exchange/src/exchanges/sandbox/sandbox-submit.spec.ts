import { Secret } from '#platform/crypto';
import type { PreparedWithdrawal, SubmitOptions, SubmitOutcome } from '../../port/exchange.port.js';
import { ExchangeHarness } from '../../testing/exchange-harness.js';
import { CHALLENGE, refuse, route, speakSandbox, WITHDRAWAL } from '../../testing/sandbox-documentation.js';
import type { Behaviour } from '../../testing/stub-exchange.js';

const WITHDRAW = route('POST', '/withdrawals');
const prepared: PreparedWithdrawal = {
  request: {
    reference: 'quote-1',
    asset: 'BTC',
    network: 'bitcoin',
    address: WITHDRAWAL.address,
    amount: '0.01',
    maxFee: '0.00015',
    validUntil: '1795000045000',
  },
  clientRef: 'quote-1',
  submissionDeadline: new Date(1_795_000_045_000),
};

describe('a submission to the sandbox exchange', () => {
  let harness: ExchangeHarness;
  let sent: number;

  beforeAll(async () => {
    harness = await ExchangeHarness.start({ EXCHANGE_TIMEOUT_MS: '400', EXCHANGE_SUBMIT_TIMEOUT_MS: '300' });
  });
  afterAll(() => harness.close());
  beforeEach(() => {
    speakSandbox(harness.stub);
    harness.stub.calls.length = 0;
    sent = 0;
  });

  async function submit(behaviour: Behaviour, options: Partial<SubmitOptions> = {}): Promise<SubmitOutcome> {
    harness.stub.on(WITHDRAW, behaviour);
    const withdrawals = await harness.withdrawals('sandbox');
    return withdrawals.submit(prepared, { beforeSend: () => void sent++, ...options });
  }
  const refused =
    (status: number, code: string, extra: object = {}): Behaviour =>
    (_call, response) =>
      refuse(response, status, code, extra);

  it.each([
    ['GOOGLE', 'WITHDRAWAL_2FA_REQUIRED_TOTP'],
    ['EMAIL', 'WITHDRAWAL_2FA_REQUIRED_EMAIL'],
    ['SMS', 'WITHDRAWAL_2FA_REQUIRED_SMS'],
    ['FACE', 'WITHDRAWAL_2FA_REQUIRED_FACE_RECOGNITION'],
    ['YUBIKEY', 'WITHDRAWAL_2FA_REQUIRED_YUBIKEY'],
    ['PASSPHRASE', 'WITHDRAWAL_2FA_REQUIRED_PASSPHRASE'],
  ])('requires verification by the method %s', async (method, code) => {
    for (const rawCode of ['verification_required', 'verification_failed']) {
      const outcome = await submit(refused(403, rawCode, { method }));
      expect(outcome).toMatchObject({ kind: 'verification_required', code, rawCode });
      expect(outcome).not.toHaveProperty('challenge');
    }
  });

  it('requires verification by a challenge, and returns the state of the challenge', async () => {
    for (const rawCode of ['verification_required', 'verification_failed']) {
      expect(await submit(refused(403, rawCode, { challenge: CHALLENGE }))).toMatchObject({
        kind: 'verification_required',
        code: 'WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS',
        rawCode,
        challenge: { id: CHALLENGE.id, relation: 'AND', mode: 'step_by_step', steps: [{ type: 'GOOGLE' }, {}] },
      });
    }
  });

  it.each([
    ['an expired challenge', 404, 'challenge_not_found', {}],
    ['a verification that the response does not name', 403, 'verification_required', {}],
    ['an unreadable verification', 403, 'verification_required', { challenge: { id: '' }, method: 'PIGEON' }],
  ])('requires a new verification for %s', async (_what, status, rawCode, extra) => {
    const outcome = await submit(refused(status, rawCode, extra));
    const code = 'WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS';
    expect(outcome).toMatchObject({ kind: 'verification_required', code, rawCode });
    expect(outcome).not.toHaveProperty('challenge');
  });

  it('sends exactly the prepared parameters and the given codes, on its own connection', async () => {
    const session = await harness.open('sandbox');
    await session.keyInfo();
    const codes = { twofa: new Secret('111111'), emailCode: new Secret('222222'), smsCode: new Secret('333333') };
    await session.withdrawals?.submit(prepared, {
      beforeSend: () => void sent++,
      proof: { challengeId: CHALLENGE.id, codes },
    });
    await session.keyInfo();
    const [before, withdraw, after] = harness.stub.calls;
    expect(withdraw?.json).toEqual({
      ...prepared.request,
      validUntil: 1_795_000_045_000,
      challengeId: CHALLENGE.id,
      codes: { authenticator: '111111', email: '222222', sms: '333333' },
    });
    expect(withdraw?.headers.authorization).toBe('Bearer key');
    expect(withdraw?.connection).not.toBe(before?.connection);
    expect(after?.connection).toBe(before?.connection);
  });

  it('sends only the codes that were given', async () => {
    const withdrawals = await harness.withdrawals('sandbox');
    await withdrawals.submit(prepared, { beforeSend: () => void sent++ });
    await withdrawals.submit(prepared, {
      beforeSend: () => void sent++,
      proof: { codes: { smsCode: new Secret('3') } },
    });
    const [without, withOne] = harness.stub.callsOf(WITHDRAW).map(({ json }) => json);
    expect(without).toEqual({ ...prepared.request, validUntil: 1_795_000_045_000 });
    expect(withOne).toEqual({ ...prepared.request, validUntil: 1_795_000_045_000, codes: { sms: '3' } });
  });
});
