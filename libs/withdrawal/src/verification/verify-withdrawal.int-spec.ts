import { ExchangeError } from '#exchange';
import { until } from '#platform/testing';
import { WithdrawalHarness } from '../testing/index.js';
import { bizNoOf, VerifyingClient } from '../testing/verifying-client.js';
import { GetWithdrawal } from '../execution/get-withdrawal.js';

/** HOLD_TIMEOUTS and CODE_TIMEOUTS, times the default time-out of an exchange. */
const HOLD_MS = 60_000;
const CODE_MS = 20_000;

const GOOGLE = { type: 'GOOGLE', code: '111111' } as const;
const EMAIL = { type: 'EMAIL', code: '222222' } as const;
const FACE = { type: 'FACE' } as const;

describe('verifying a withdrawal', () => {
  let harness: WithdrawalHarness;
  beforeAll(async () => (harness = await WithdrawalHarness.create({ CLOCK_DIFFERENCE_MAX_MS: '60000' })));
  afterAll(() => harness.close());
  beforeEach(async () => {
    harness.exchange.ledger.length = 0;
    harness.exchange.submissions = 0;
    harness.exchange.script = [];
    harness.exchange.isDown = false;
    harness.exchange.challenges.require([GOOGLE, EMAIL]);
    await harness.begin();
  });

  const client = new VerifyingClient(() => harness);
  const execute = client.execute.bind(client);
  const told = client.told.bind(client);
  const wrongCodesOf = async ({ id }: { id: string }): Promise<number | undefined> => {
    const rows = await harness.db.query<{ wrong_codes: number }>(
      `select wrong_codes from withdrawal_challenges where quote_id = $1`,
      [id],
    );
    return rows[0]?.wrong_codes;
  };

  it('reports the challenge, stores which steps are verified, and pays when no step is missing', async () => {
    const quote = await harness.quote();
    const first = await told(quote);
    const bizNo = bizNoOf(first);
    expect(first).toMatchObject({
      code: 'WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS',
      details: {
        result: {
          relation: 'AND',
          steps: [
            { type: 'GOOGLE', status: 'pending', required: true },
            { type: 'EMAIL', status: 'pending', metadata: { email: 'd***@example.test', emailSent: true } },
          ],
          mfa: { bizNo, verified: {}, attempts: [] },
        },
      },
    });
    const second = await told(quote, { twofa: '111111' }, { bizNo });
    expect(second).toMatchObject({
      code: 'WITHDRAWAL_2FA_INCOMPLETE',
      details: {
        result: {
          bizNo,
          steps: [
            { type: 'GOOGLE', status: 'success' },
            { type: 'EMAIL', status: 'pending' },
          ],
          mfa: {
            verified: { GOOGLE: true },
            attempts: [
              { method: 'GOOGLE', status: 'success', success: true, createdAt: harness.clock.now().getTime() },
            ],
          },
        },
      },
    });
    const answer = await execute(quote, { twofa: '111111', emailCode: '222222' }, { bizNo });
    expect(harness.exchange.challenges.received).toEqual(['GOOGLE 111111', 'EMAIL 222222']);
    expect([harness.exchange.submissions, harness.exchange.ledger.length, harness.exchange.challenges.opened]).toEqual([
      1, 1, 1,
    ]);
    expect(await execute(quote)).toEqual(answer);
    expect(await harness.transactionStatus(answer)).toBe('pending');
  });

  it('pays at once when the first call brings every code', async () => {
    const quote = await harness.quote();
    await execute(quote, { twofa: '111111', emailCode: '222222' });
    expect(harness.exchange.ledger).toHaveLength(1);
  });

  it('reports a wrong code, accepts another code, and locks the quote after five wrong codes', async () => {
    const quote = await harness.quote();
    const bizNo = bizNoOf(await told(quote));
    for (const twofa of ['1', '2', '3', '4']) {
      expect(await told(quote, { twofa }, { bizNo })).toMatchObject({
        code: 'WITHDRAWAL_2FA_INCOMPLETE',
        details: {
          result: { steps: [{ status: 'failure' }, { status: 'pending' }], mfa: { verified: { GOOGLE: false } } },
        },
      });
    }
    const locked = { code: 'WITHDRAWAL_2FA_INVALID', details: { result: { locked: true } } };
    expect(await told(quote, { twofa: '5' }, { bizNo })).toMatchObject(locked);
    expect(await told(quote, { twofa: '111111', emailCode: '222222' }, { bizNo })).toMatchObject(locked);
    expect(await told(quote, {}, { bizNo })).toMatchObject(locked);
    expect(harness.exchange.challenges.received).toHaveLength(5);
    expect(harness.exchange.submissions).toBe(0);
  });

  it('locks the quote when the exchange accepts no more codes', async () => {
    const quote = await harness.quote();
    const bizNo = bizNoOf(await told(quote));
    harness.exchange.challenges.isLocked = true;
    const locked = { code: 'WITHDRAWAL_2FA_INVALID', details: { result: { locked: true } } };
    expect(await told(quote, { twofa: '111111' }, { bizNo })).toMatchObject(locked);
    harness.exchange.challenges.isLocked = false;
    expect(await told(quote, { twofa: '111111' }, { bizNo })).toMatchObject(locked);
  });

  it('has one bizNo, which every call after the first code must contain', async () => {
    const quote = await harness.quote();
    const refused = (text: string): object => ({
      code: 'GENERIC_VALIDATION_ERROR',
      details: { result: { fields: [{ field: 'bizNo', message: expect.stringContaining(text) as string }] } },
    });
    const wrong = refused('GET /v0/wallet/withdraw/{quoteId} returns the right bizNo');
    expect(await told(quote, {}, { bizNo: 'biz-1' })).toMatchObject(refused('execute the quote without bizNo'));
    const bizNo = bizNoOf(await told(quote));
    expect(await told(quote, { twofa: '111111' }, { bizNo: 'another' })).toMatchObject(wrong);
    expect((await told(quote)).code).toBe('WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS');
    await told(quote, { twofa: '111111' }, { bizNo });
    expect(await told(quote, { emailCode: '222222' })).toMatchObject(wrong);
    expect(await told(quote)).toMatchObject(wrong);
    await execute(quote, { emailCode: '222222' }, { bizNo });
    expect(harness.exchange.challenges.received).toEqual(['GOOGLE 111111', 'EMAIL 222222']);
  });

  it('refuses a code with another tag than that of the dry run which opened the challenge', async () => {
    const quote = await harness.quote({ network: 'ripple', address: 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh' });
    const bizNo = bizNoOf(await told(quote, {}, { tag: '7', dryRun: true }));
    expect(await told(quote, { twofa: '111111' }, { bizNo, tag: '8' })).toMatchObject({
      code: 'GENERIC_VALIDATION_ERROR',
      details: { result: { fields: [{ field: 'tag' }] } },
    });
    expect(harness.exchange.challenges.received).toEqual([]);
    expect((await told(quote, { twofa: '111111' }, { bizNo, tag: '7' })).code).toBe('WITHDRAWAL_2FA_INCOMPLETE');
  });

  it('refuses a code that the exchange does not ask for, and sends no other code of the call', async () => {
    const quote = await harness.quote();
    const bizNo = bizNoOf(await told(quote));
    expect(await told(quote, { twofa: '111111', smsCode: '3' }, { bizNo })).toMatchObject({
      code: 'WITHDRAWAL_2FA_METHOD_NOT_SUPPORTED',
      details: { result: { valid2FAMethods: ['GOOGLE', 'EMAIL'] } },
    });
    expect(harness.exchange.challenges.received).toEqual([]);
  });

  it('needs only one step when the steps are alternatives', async () => {
    harness.exchange.challenges.require([GOOGLE, EMAIL], { relation: 'OR' });
    const quote = await harness.quote();
    const bizNo = bizNoOf(await told(quote));
    await execute(quote, { emailCode: '222222' }, { bizNo });
    expect(harness.exchange.ledger).toHaveLength(1);
  });

  it('reads a face step at every call, and pays once the person has confirmed the step', async () => {
    harness.exchange.challenges.require([EMAIL, FACE]);
    const quote = await harness.quote();
    const bizNo = bizNoOf(await told(quote));
    const pending = await told(quote, { emailCode: '222222' }, { bizNo });
    expect(pending.details?.result?.mfa?.verified).toEqual({ EMAIL: true });
    harness.exchange.challenges.confirmFace(false);
    const refused = await told(quote, {}, { bizNo });
    expect(refused.details?.result?.mfa?.verified).toEqual({ EMAIL: true, FACE: false });
    harness.exchange.challenges.confirmFace();
    await execute(quote, {}, { bizNo });
    expect(harness.exchange.ledger).toHaveLength(1);
  });

  it('opens a new challenge when the exchange has forgotten the old one', async () => {
    const quote = await harness.quote();
    const bizNo = bizNoOf(await told(quote));
    await told(quote, { twofa: '111111' }, { bizNo });
    harness.exchange.challenges.expire();
    expect((await told(quote, { emailCode: '222222' }, { bizNo })).code).toBe('GENERIC_VALIDATION_ERROR');
    const anew = await told(quote);
    expect(anew).toMatchObject({
      code: 'WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS',
      details: { result: { mfa: { attempts: [] } } },
    });
    const renewed = bizNoOf(anew);
    expect(renewed).not.toBe(bizNo);
    await execute(quote, { twofa: '111111', emailCode: '222222' }, { bizNo: renewed });
    expect(harness.exchange.ledger).toHaveLength(1);
  });

  it('reports the missing steps when the challenge has expired by the time of the submission', async () => {
    const quote = await harness.quote();
    const bizNo = bizNoOf(await told(quote));
    await told(quote, { twofa: '111111' }, { bizNo });
    const { onRead } = harness.exchange;
    // The call reads from the exchange three times before the submission. The challenge expires during the third read.
    let questions = 0;
    harness.exchange.onRead = () => void (++questions === 3 && harness.exchange.challenges.expire());
    const lost = await told(quote, { emailCode: '222222' }, { bizNo });
    harness.exchange.onRead = onRead;
    expect(lost).toMatchObject({
      code: 'WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS',
      details: { result: { steps: [{ status: 'pending' }, { status: 'pending' }] } },
    });
    await execute(quote, { twofa: '111111', emailCode: '222222' });
    expect(harness.exchange.ledger).toHaveLength(1);
  });

  it('sends no code when the lease of the challenge could end before the response', async () => {
    const quote = await harness.quote();
    const bizNo = bizNoOf(await told(quote));
    harness.exchange.challenges.onRead = () => harness.clock.advance(HOLD_MS - CODE_MS + 1);
    const late = await told(quote, { twofa: '111111' }, { bizNo });
    harness.exchange.challenges.onRead = () => undefined;
    expect([late.code, harness.exchange.challenges.received]).toEqual(['GENERIC_INVALID_REQUEST', []]);
    expect((await told(quote, { twofa: '111111' }, { bizNo })).code).toBe('WITHDRAWAL_2FA_INCOMPLETE');
  });

  it('stores nothing of a call whose lease of the challenge has ended, when another call took the challenge', async () => {
    const quote = await harness.quote();
    const bizNo = bizNoOf(await told(quote));
    harness.exchange.challenges.onRead = async () => {
      harness.exchange.challenges.onRead = () => undefined;
      harness.clock.advance(HOLD_MS);
      await told(quote, { emailCode: '222222' }, { bizNo, dryRun: true });
    };
    expect((await told(quote, { twofa: '111111' }, { bizNo })).code).toBe('GENERIC_INVALID_REQUEST');
    const { verification } = await harness
      .get(GetWithdrawal)
      .execute(harness.project, harness.wallet.externalId, quote.id);
    expect(verification?.report.mfa.attempts).toMatchObject([{ method: 'EMAIL', success: true }]);
  });

  it('locks the quote after five wrong codes that were sent with submissions, and reports the lock at once and later', async () => {
    harness.exchange.challenges.require([]);
    harness.exchange.script = Array(6).fill('verify') as 'verify'[];
    const quote = await harness.quote();
    await told(quote);
    for (const twofa of ['1', '2', '3', '4']) {
      expect((await told(quote, { twofa })).details?.result?.locked).toBeUndefined();
    }
    expect((await told(quote, { twofa: '5' })).details?.result?.locked).toBe(true);
    const { withdrawal } = await harness
      .get(GetWithdrawal)
      .execute(harness.project, harness.wallet.externalId, quote.id);
    expect(withdrawal?.errorResult).toMatchObject({ locked: true });
    expect((await told(quote, { twofa: '6' })).details?.result?.locked).toBe(true);
    expect(harness.exchange.submissions).toBe(6);
  });

  it('pays nothing from a wallet that is deleted during the call with the codes', async () => {
    const quote = await harness.quote();
    const bizNo = bizNoOf(await told(quote));
    harness.exchange.challenges.onRead = () =>
      harness.db
        .query(`update wallets set deleted_at = now() where id = $1`, [harness.wallet.id])
        .then(() => undefined);
    const gone = await told(quote, { twofa: '111111', emailCode: '222222' }, { bizNo });
    harness.exchange.challenges.onRead = () => undefined;
    expect([gone.code, harness.exchange.submissions]).toEqual(['WALLET_NOT_FOUND', 0]);
  });

  it('counts a code as wrong when its response is lost, but does not count a right code', async () => {
    const quote = await harness.quote();
    const bizNo = bizNoOf(await told(quote));
    harness.exchange.challenges.gate = Promise.reject(new ExchangeError('unavailable', 'kraken', 'the answer is lost'));
    for (let tries = 0; tries < 5; tries++) await told(quote, { twofa: '9' }, { bizNo });
    harness.exchange.challenges.gate = Promise.resolve();
    expect((await told(quote, { twofa: '111111' }, { bizNo })).details?.result?.locked).toBe(true);

    const other = await harness.quote({ amount: '2' });
    await execute(other, { twofa: '111111', emailCode: '222222' });
    expect(await wrongCodesOf(other)).toBe(0);
  });

  it('sends a code only once for simultaneous calls', async () => {
    const quote = await harness.quote();
    const bizNo = bizNoOf(await told(quote));
    let open = (): void => undefined;
    harness.exchange.challenges.gate = new Promise((resolve) => (open = resolve));
    const calls = [
      told(quote, { twofa: '111111' }, { bizNo }),
      told(quote, { twofa: '111111' }, { bizNo, tag: null }),
      told(quote, { twofa: '111111' }, { bizNo, autoDeleteIfInvalid: false }),
    ];
    // The clock stands still: the waiting calls must not give up before a slow machine has stored the first call's
    // code.
    harness.clock.sleep = async () => {
      open();
      await new Promise(setImmediate);
    };
    expect((await Promise.all(calls)).map(({ code }) => code)).toEqual(Array(3).fill('WITHDRAWAL_2FA_INCOMPLETE'));
    Reflect.deleteProperty(harness.clock, 'sleep');
    expect(harness.exchange.challenges.received).toEqual(['GOOGLE 111111']);
  });

  it('sends a code only once for calls on two hosts whose clocks differ', async () => {
    const quote = await harness.quote();
    const bizNo = bizNoOf(await told(quote));
    let open = (): void => undefined;
    harness.exchange.challenges.gate = new Promise((resolve) => (open = resolve));
    let isWaiting = false;
    harness.clock.sleep = async () => {
      isWaiting = true;
      await new Promise(setImmediate);
    };
    harness.clock.wallErrorMs = -HOLD_MS / 2;
    const first = told(quote, { twofa: '111111' }, { bizNo });
    // The call counts the code as wrong right before it sends the code.
    await until('the first call sends the code', async () => (await wrongCodesOf(quote)) === 1);
    harness.clock.wallErrorMs = HOLD_MS / 2;
    const second = told(quote, { twofa: '111111' }, { bizNo, autoDeleteIfInvalid: false });
    await until('the second call waits, or sends the code, too', async () => {
      return isWaiting || (await wrongCodesOf(quote)) === 2;
    });
    open();
    const [, later] = await Promise.all([first, second]);
    Reflect.deleteProperty(harness.clock, 'sleep');
    harness.clock.wallErrorMs = 0;
    expect(harness.exchange.challenges.received).toEqual(['GOOGLE 111111']);
    expect(later.code).toBe('WITHDRAWAL_2FA_INCOMPLETE');
  });

  it('asks for no code while the balance is too small or the exchange is down', async () => {
    const poor = await harness.quote({ amount: '50' });
    expect((await told(poor)).code).toBe('WITHDRAWAL_INSUFFICIENT_BALANCE');
    const quote = await harness.quote();
    harness.exchange.isDown = true;
    expect((await told(quote)).code).toBe('WITHDRAWAL_PROVIDER_ERROR');
    expect(harness.exchange.challenges.opened).toBe(0);
    harness.exchange.isDown = false;
    const bizNo = bizNoOf(await told(quote));
    harness.exchange.isDown = true;
    expect((await told(quote, { twofa: '111111' }, { bizNo })).code).toBe('WITHDRAWAL_PROVIDER_ERROR');
    harness.exchange.isDown = false;
    await execute(quote, { twofa: '111111', emailCode: '222222' }, { bizNo });
  });

  it('refuses the bizNo of another withdrawal, and does not count the steps that are verified there', async () => {
    const quote = await harness.quote();
    const other = await harness.quote({ amount: '2' });
    const bizNo = bizNoOf(await told(quote));
    await told(quote, { twofa: '111111' }, { bizNo });
    const otherBizNo = bizNoOf(await told(other));
    expect((await told(other, {}, { bizNo })).code).toBe('GENERIC_VALIDATION_ERROR');
    expect((await told(other, { emailCode: '222222' }, { bizNo: otherBizNo })).code).toBe('WITHDRAWAL_2FA_INCOMPLETE');
    expect(harness.exchange.submissions).toBe(0);
  });

  it('returns QUOTE_EXPIRED for a code that comes after the quote has expired', async () => {
    const quote = await harness.quote();
    const bizNo = bizNoOf(await told(quote));
    harness.clock.advance(301_000);
    expect((await told(quote, { twofa: '111111' }, { bizNo })).code).toBe('QUOTE_EXPIRED');
    await harness.work(1);
    expect(await harness.transactionStatus(await harness.withdrawalOf(quote))).toBe('failed');
  });
});
