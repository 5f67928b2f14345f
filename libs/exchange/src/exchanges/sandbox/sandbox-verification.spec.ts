import { Secret } from '#platform/crypto';
import type { PreparedWithdrawal, VerificationCapability } from '../../port/exchange.port.js';
import { ExchangeHarness } from '../../testing/exchange-harness.js';
import { CHALLENGE, refuse, route, speakSandbox, WITHDRAWAL } from '../../testing/sandbox-documentation.js';

const OPEN = route('POST', '/challenges');
const READ = route('GET', `/challenges/${CHALLENGE.id}`);
const VERIFY = route('POST', `/challenges/${CHALLENGE.id}/verify`);

const prepared: PreparedWithdrawal = {
  request: {
    reference: 'quote-1',
    asset: 'XRP',
    network: 'ripple',
    address: WITHDRAWAL.address,
    tag: '1000001',
    amount: '0.01',
    maxFee: '0.2',
    validUntil: '1795000045000',
  },
  clientRef: 'quote-1',
  submissionDeadline: new Date(1_795_000_045_000),
};

const converted = {
  id: CHALLENGE.id,
  mode: 'step_by_step',
  relation: 'AND',
  steps: [
    { type: 'GOOGLE', status: 'pending', required: true },
    {
      type: 'EMAIL',
      status: 'pending',
      required: true,
      metadata: { email: 'd***@customer.example', emailSent: true },
    },
  ],
  expiresAt: new Date(1_795_000_600_000),
};

describe('verification at the sandbox exchange', () => {
  let harness: ExchangeHarness;
  let verification: VerificationCapability;

  beforeAll(async () => {
    harness = await ExchangeHarness.start({ EXCHANGE_TIMEOUT_MS: '400' });
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    speakSandbox(harness.stub);
    harness.stub.calls.length = 0;
    const { verification: offered } = await harness.withdrawals('sandbox');
    if (offered === undefined) throw new Error('no verification');
    verification = offered;
  });

  it('is opened for a withdrawal, without the deadline and the fee limit of the withdrawal', async () => {
    expect(await verification.open(prepared)).toEqual(converted);
    const { maxFee: _maxFee, validUntil: _validUntil, ...order } = prepared.request;
    expect(harness.stub.callsOf(OPEN).map(({ json }) => json)).toEqual([order]);
  });

  it('is null when no verification is required before the withdrawal', async () => {
    harness.stub.on(OPEN, () => ({ challenge: null }));
    expect(await verification.open(prepared)).toBeNull();
  });

  it('is read in its current state, and is null when the exchange no longer knows it', async () => {
    expect(await verification.read(CHALLENGE.id)).toEqual(converted);
    harness.stub.on(READ, (_call, response) => refuse(response, 404, 'challenge_not_found'));
    expect(await verification.read(CHALLENGE.id)).toBeNull();
    harness.stub.on(READ, (_call, response) => void response.writeHead(404).end());
    await expect(verification.read(CHALLENGE.id)).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('encodes any challenge id as one segment of the path', async () => {
    await expect(verification.read('../account?x=')).rejects.toMatchObject({ kind: 'unavailable' });
    expect(harness.stub.calls.map(({ route: called }) => called)).toEqual([
      `GET /partner/v1/challenges/${encodeURIComponent('../account?x=')}`,
    ]);
  });

  it('submits one code, and reports a wrong code as a failed step', async () => {
    const [google, email] = CHALLENGE.steps;
    harness.stub.on(VERIFY, () => ({ challenge: { ...CHALLENGE, steps: [{ ...google, status: 'failure' }, email] } }));
    const after = await verification.verify(CHALLENGE.id, 'GOOGLE', new Secret('123456'));
    expect(after.steps.map(({ status }) => status)).toEqual(['failure', 'pending']);
    expect(harness.stub.callsOf(VERIFY).map(({ json }) => json)).toEqual([{ method: 'GOOGLE', code: '123456' }]);
  });

  it.each([
    [423, 'challenge_locked', { kind: 'refused', code: 'WITHDRAWAL_2FA_INVALID', reason: 'challenge_locked' }],
    [422, 'method_not_in_challenge', { kind: 'refused', code: 'WITHDRAWAL_2FA_METHOD_NOT_SUPPORTED' }],
    [404, 'challenge_not_found', { kind: 'refused', reason: 'challenge_not_found' }],
    [422, 'invalid_request', { kind: 'refused', reason: 'invalid_arguments' }],
    [429, 'rate_limited', { kind: 'rate_limited' }],
  ])('reports why a code was not checked: %i %s', async (status, rawCode, expected) => {
    harness.stub.on(VERIFY, (_call, response) => refuse(response, status, rawCode));
    const refused = verification.verify(CHALLENGE.id, 'GOOGLE', new Secret('123456'));
    await expect(refused).rejects.toMatchObject({ name: 'ExchangeError', rawCode, ...expected });
  });

  it.each([
    [423, 'challenge_locked', { kind: 'refused', code: 'WITHDRAWAL_2FA_INVALID' }],
    [409, 'challenge_mismatch', { kind: 'refused', reason: 'challenge_mismatch' }],
    [409, 'reference_conflict', { kind: 'unavailable', reason: 'reference_conflict' }],
  ])('reports why no challenge was opened: %i %s', async (status, rawCode, expected) => {
    harness.stub.on(OPEN, (_call, response) => refuse(response, status, rawCode));
    await expect(verification.open(prepared)).rejects.toMatchObject({ rawCode, ...expected });
  });

  it('shows no code in its errors', async () => {
    harness.stub.on(VERIFY, (_call, response) => refuse(response, 422, 'invalid_request'));
    const error: unknown = await verification
      .verify(CHALLENGE.id, 'GOOGLE', new Secret('visible'))
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain('visible');
  });
});
