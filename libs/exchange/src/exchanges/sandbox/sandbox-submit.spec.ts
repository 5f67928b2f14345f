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

describe('the outcome of a submission to the sandbox exchange', () => {
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
  const withBody =
    (status: number, body: unknown): Behaviour =>
    (_call, response) =>
      void response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  const refused =
    (status: number, code: string, extra: object = {}): Behaviour =>
    (_call, response) =>
      refuse(response, status, code, extra);

  it.each([
    ['a new booking', 201, { withdrawal: WITHDRAWAL }],
    ['a booking by an earlier call with the same reference', 200, { withdrawal: WITHDRAWAL, duplicate: true }],
  ])('is accepted for %s', async (_what, status, body) => {
    const outcome = await submit(withBody(status, body));
    expect(outcome).toMatchObject({ kind: 'accepted', exchangeId: WITHDRAWAL.id, answer: { status, body } });
    expect(sent).toBe(1);
  });

  it.each([
    [403, 'permission_missing', 'WITHDRAWAL_PROVIDER_ERROR', 'permission_missing'],
    [403, 'ip_not_allowed', 'WITHDRAWAL_PROVIDER_ERROR', 'ip_not_allowed'],
    [403, 'kyc_required', 'WITHDRAWAL_KYC_REQUIRED', undefined],
    [403, 'email_unverified', 'WITHDRAWAL_EMAIL_UNVERIFIED', undefined],
    [423, 'account_on_hold', 'WITHDRAWAL_PROVIDER_ERROR', 'security_hold'],
    [423, 'challenge_locked', 'WITHDRAWAL_2FA_INVALID', 'challenge_locked'],
    [409, 'challenge_mismatch', 'WITHDRAWAL_PROVIDER_ERROR', 'challenge_mismatch'],
    [422, 'method_not_in_challenge', 'WITHDRAWAL_2FA_METHOD_NOT_SUPPORTED', undefined],
    [409, 'funding_address_conflict', 'WITHDRAWAL_FUNDING_ADDRESS_CONFLICT', undefined],
    [409, 'too_many_addresses', 'WITHDRAWAL_TOO_MANY_ADDRESSES', undefined],
    [422, 'asset_not_supported', 'WITHDRAWAL_ASSET_NOT_SUPPORTED', undefined],
    [422, 'network_not_supported', 'WITHDRAWAL_NETWORK_NOT_SUPPORTED', undefined],
    [422, 'invalid_address', 'WITHDRAWAL_INVALID_ADDRESS', undefined],
    [422, 'invalid_tag', 'WITHDRAWAL_INVALID_ADDRESS', 'invalid_tag'],
    [422, 'amount_below_minimum', 'WITHDRAWAL_AMOUNT_BELOW_MINIMUM', undefined],
    [422, 'amount_above_maximum', 'WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM', undefined],
    [422, 'fee_changed', 'WITHDRAWAL_PROVIDER_ERROR', 'fee_changed'],
    [422, 'insufficient_funds', 'WITHDRAWAL_INSUFFICIENT_BALANCE', undefined],
    [422, 'insufficient_funds_for_fee', 'WITHDRAWAL_INSUFFICIENT_BALANCE_FOR_FEE', undefined],
    [422, 'invalid_request', 'WITHDRAWAL_PROVIDER_ERROR', 'invalid_arguments'],
    [429, 'rate_limited', 'WITHDRAWAL_RATE_LIMIT_EXCEEDED', undefined],
  ])('is rejected for %i %s, with %s (%s)', async (status, rawCode, code, reason) => {
    const outcome = await submit(refused(status, rawCode));
    expect(outcome).toMatchObject({ kind: 'rejected', code, rawCode });
    expect('reason' in outcome ? outcome.reason : undefined).toBe(reason);
    expect(sent).toBe(1);
  });

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

  it('requires verification by a challenge, with its state', async () => {
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

  const unknowns: [string, Behaviour][] = [
    ['another booking under the reference', refused(409, 'reference_conflict')],
    ['an expired request, which proves nothing about an earlier copy', refused(410, 'request_expired')],
    // The API checks the token before the reference, and the token was valid for the calls before.
    ['an unknown token', refused(401, 'unauthorized')],
    ['a revoked token', refused(401, 'token_revoked')],
    ['an expired token', refused(401, 'token_expired')],
    ['an unlisted error', refused(422, 'never_seen')],
    ['a listed refusal in a 5xx', refused(503, 'insufficient_funds')],
    ['a listed refusal with 200', refused(200, 'insufficient_funds')],
    ['an expired request from behind a gateway', refused(502, 'request_expired')],
    ['an unavailable service', refused(503, 'unavailable')],
    ['an internal error', refused(500, 'internal_error')],
    ['an id with 202', withBody(202, { withdrawal: WITHDRAWAL })],
    ['an id in a 5xx', withBody(500, { withdrawal: WITHDRAWAL })],
    ['an id beside an error', withBody(201, { withdrawal: WITHDRAWAL, error: { code: 'insufficient_funds' } })],
    ['the id of another reference', withBody(201, { withdrawal: { ...WITHDRAWAL, reference: 'quote-2' } })],
    ['an empty id', withBody(201, { withdrawal: { ...WITHDRAWAL, id: '' } })],
    ['success without an id', withBody(201, {})],
    ['null', withBody(201, { withdrawal: null })],
    ['a page of HTML', withBody(200, '<html></html>')],
    ['an empty body', withBody(201, '')],
    ['a bare 401', withBody(401, '')],
    ['a bare 403', withBody(403, 'forbidden')],
    ['a bare 409', withBody(409, '')],
    ['a bare 429', withBody(429, 'slow down')],
    ['a redirect', (_call, response) => void response.writeHead(307, { location: harness.stub.url }).end()],
    ['a connection that is dropped', (_call, { socket }) => void socket?.destroy()],
    ['a connection that is reset', (_call, { socket }) => void socket?.resetAndDestroy()],
    ['no response in time', () => undefined],
  ];
  it.each(unknowns)('is unknown for %s', async (_what, behaviour) => {
    expect(await submit(behaviour)).toMatchObject({ kind: 'unknown' });
    expect(sent).toBe(1);
    expect(harness.stub.callsOf(WITHDRAW)).toHaveLength(1);
  });

  it('is not_sent when `beforeSend` throws', async () => {
    const outcome = await submit(withBody(201, { withdrawal: WITHDRAWAL }), {
      beforeSend: () => {
        throw new Error('too late');
      },
    });
    expect(outcome).toMatchObject({ kind: 'not_sent', reason: expect.stringContaining('too late') as string });
    expect(harness.stub.callsOf(WITHDRAW)).toEqual([]);
  });

  it('comes from one request with exactly the prepared parameters and the proof, on its own connection', async () => {
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

  it('comes from a request without fields of a proof that was not given', async () => {
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
