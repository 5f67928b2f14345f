import { setImmediate as nextTurn } from 'node:timers/promises';
import { testOverrides } from '#platform/config';
import { Secret } from '#platform/crypto';
import {
  DryRunComplete,
  QuoteExpired,
  QuoteNotFound,
  WithdrawalRateLimitExceeded,
} from '../quote/withdrawal.errors.js';
import { type SubmitScript, WithdrawalHarness } from '../testing/index.js';
import { WithdrawalStore } from '../withdrawals/withdrawal-store.js';

const SETTLED_ROUNDS = 5;

describe('executing a quote', () => {
  let harness: WithdrawalHarness;
  beforeAll(async () => (harness = await WithdrawalHarness.create()));
  afterAll(() => harness.close());
  beforeEach(async () => {
    harness.exchange.ledger.length = 0;
    harness.exchange.submissions = 0;
    harness.exchange.script = [];
    harness.exchange.gate = Promise.resolve();
    harness.exchange.onRead = () => undefined;
    harness.exchange.onBalances = () => undefined;
    harness.exchange.asksInParallel = false;
    await harness.begin();
  });

  it('sends the withdrawal once, and the worker settles it', async () => {
    const quote = await harness.quote();
    const answer = await harness.execute(quote);
    expect(await harness.withdrawalOf(quote)).toMatchObject({ id: answer.id, state: 'submitted', exchangeId: 'X1' });
    expect(await harness.transactionStatus(answer)).toBe('pending');

    Object.assign(harness.exchange.ledger[0] ?? {}, { status: 'completed', rawStatus: 'Success', hash: 'abc' });
    await harness.work(SETTLED_ROUNDS);
    expect(await harness.transactionStatus(answer)).toBe('ok');
    expect(await harness.db.query(`select hash from transactions where id = $1`, [answer.transactionId])).toEqual([
      { hash: 'abc' },
    ]);
  });

  it('returns the recorded result at every repeat, also after the quote has expired', async () => {
    const quote = await harness.quote();
    const answer = await harness.execute(quote);
    harness.clock.advance(3_600_000);
    expect(await harness.execute(quote)).toEqual(answer);
    expect(harness.exchange.submissions).toBe(1);
  });

  it('sends the withdrawal once for many calls at the same time, and returns the same result to all', async () => {
    const quote = await harness.quote();
    const answers = await Promise.all(Array.from({ length: 30 }, () => harness.execute(quote)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(harness.exchange.submissions).toBe(1);
    expect(harness.exchange.ledger).toHaveLength(1);
  });

  it('queries the exchange only once for simultaneous calls in several processes', async () => {
    const quote = await harness.quote();
    let reads = 0;
    harness.exchange.onRead = () => void (reads += 1);
    await harness.execute(quote);
    const ofOne = reads;
    const other = await harness.quote({ amount: '2' });
    await Promise.all([harness.execute(other), harness.execute(other, { autoDeleteIfInvalid: false })]);
    expect(reads).toBe(2 * ofOne);
  });

  it('waits for the lock of a dead process only until the lock ends', async () => {
    const quote = await harness.quote();
    const before = harness.clock.now().getTime();
    const until = new Date(before + 5_000);
    await harness.db.query(`insert into execution_locks (quote_id, holder, until) values ($1, $1, $2)`, [
      quote.id,
      until,
    ]);
    await harness.execute(quote);
    expect(harness.clock.now().getTime() - before).toBe(5_000);
    expect(harness.exchange.ledger).toHaveLength(1);
    expect(await harness.db.query(`select from execution_locks`)).toEqual([]);
  });

  it('returns the same result at a repeat after an unknown outcome, and then finds the withdrawal in the history', async () => {
    harness.exchange.script = ['answer_lost'];
    const quote = await harness.quote();
    const answer = await harness.execute(quote);
    expect(await harness.withdrawalOf(quote)).toMatchObject({ state: 'unknown' });
    expect(await harness.execute(quote)).toEqual(answer);

    await harness.work(1);
    expect(await harness.withdrawalOf(quote)).toMatchObject({ state: 'submitted', exchangeId: 'X1' });
    Object.assign(harness.exchange.ledger[0] ?? {}, { status: 'completed' });
    await harness.work(SETTLED_ROUNDS);
    expect(await harness.transactionStatus(answer)).toBe('ok');
    expect(harness.exchange.submissions).toBe(1);
  });

  it('does not link an equal payment that the owner made during the checks', async () => {
    const quote = await harness.quote();
    harness.exchange.asksInParallel = true;
    harness.exchange.script = ['request_lost'];
    harness.exchange.onBalances = async () => {
      await nextTurn();
      const { asset, address, amountWithFee } = quote;
      harness.exchange.book({ asset, address, amount: amountWithFee.toString() });
    };
    await harness.execute(quote);
    await harness.work(1);
    expect(harness.exchange.ledger).toHaveLength(1);
    expect(await harness.withdrawalOf(quote)).toMatchObject({ state: 'unknown', exchangeId: null });
  });

  it('records an unknown outcome when the connector throws after sending', async () => {
    harness.exchange.script = ['throw_after_send'];
    const quote = await harness.quote();
    await harness.execute(quote);
    expect(await harness.withdrawalOf(quote)).toMatchObject({ state: 'unknown' });
  });

  it('records a definite refusal and never sends the withdrawal again', async () => {
    harness.exchange.script = ['refuse'];
    const quote = await harness.quote();
    const refused = {
      code: 'WITHDRAWAL_AMOUNT_BELOW_MINIMUM',
      details: { result: { exchangeCode: 'EFunding:Invalid amount' } },
    };
    await expect(harness.execute(quote)).rejects.toMatchObject(refused);
    await expect(harness.execute(quote)).rejects.toMatchObject(refused);
    expect(harness.exchange.submissions).toBe(1);
    const withdrawal = await harness.withdrawalOf(quote);
    expect(await harness.transactionStatus(withdrawal)).toBe('failed');
  });

  it('makes another attempt in the same call when nothing was sent', async () => {
    harness.exchange.script = ['not_sent', 'not_sent'];
    const quote = await harness.quote();
    await harness.execute(quote);
    expect(harness.exchange.submissions).toBe(1);
    expect(await harness.db.query(`select outcome from withdrawal_attempts order by started_at, outcome desc`)).toEqual(
      expect.arrayContaining([{ outcome: 'not_sent' }, { outcome: 'accepted' }]),
    );
  });

  it('leaves the quote open when nothing could be sent, and records a failure when the quote expires', async () => {
    harness.exchange.script = Array<SubmitScript>(10).fill('not_sent');
    const quote = await harness.quote();
    await expect(harness.execute(quote)).rejects.toMatchObject({ code: 'WITHDRAWAL_PROVIDER_ERROR' });
    const open = await harness.withdrawalOf(quote);
    expect(open.state).toBe('created');
    await expect(harness.execute(quote)).rejects.toMatchObject({ code: 'WITHDRAWAL_PROVIDER_ERROR' });
    expect((await harness.execute(quote)).id).toBe(open.id);
    expect(harness.exchange.submissions).toBe(1);

    harness.exchange.script = Array<SubmitScript>(5).fill('not_sent');
    const other = await harness.quote({ amount: '2' });
    await expect(harness.execute(other)).rejects.toMatchObject({ code: 'WITHDRAWAL_PROVIDER_ERROR' });
    harness.clock.advance(301_000);
    await harness.work(1);
    await expect(harness.execute(other)).rejects.toMatchObject({ code: 'QUOTE_EXPIRED' });
    expect(await harness.transactionStatus(await harness.withdrawalOf(other))).toBe('failed');
    expect(harness.exchange.submissions).toBe(1);
  });

  it('records nothing when the exchange cannot be queried', async () => {
    harness.exchange.isDown = true;
    const quote = await harness.quote();
    await expect(harness.execute(quote)).rejects.toMatchObject({ code: 'WITHDRAWAL_PROVIDER_ERROR' });
    harness.exchange.isDown = false;
    expect(await harness.get(WithdrawalStore).findByQuote(harness.project.id, quote.id)).toBeNull();
    await harness.execute(quote);
    expect(harness.exchange.submissions).toBe(1);
  });

  it.each([
    ['the same payment', { amount: '1', fee: '0.0001' }],
    ['the same payment at another fee', { amount: '1', fee: '0.0002' }],
    ['another payment with the same debit', { amount: '0.9', fee: '0.1001' }],
  ])('refuses %s while the first payment is unresolved', async (_name, values) => {
    harness.exchange.script = ['request_lost'];
    const first = await harness.quote();
    const { transactionId } = await harness.execute(first);
    const second = await harness.quote(values);
    await expect(harness.execute(second)).rejects.toMatchObject({
      status: 409,
      details: { result: { transactionId } },
    });
    await expect(harness.execute(second, { dryRun: true })).rejects.toMatchObject({
      status: 409,
      details: { result: { transactionId } },
    });
    expect(harness.exchange.submissions).toBe(1);
    await expect(harness.execute(await harness.quote({ amount: '3' }), { dryRun: true })).rejects.toBeInstanceOf(
      DryRunComplete,
    );
    await harness.execute(await harness.quote({ amount: '3' }));
    expect(harness.exchange.submissions).toBe(2);
  });

  it('never sends a withdrawal on a dry run', async () => {
    const quote = await harness.quote();
    await expect(harness.execute(quote, { dryRun: true })).rejects.toBeInstanceOf(DryRunComplete);
    expect(harness.exchange.submissions).toBe(0);
    await harness.execute(quote);
    await expect(harness.execute(quote, { dryRun: true })).rejects.toMatchObject({ status: 409 });
  });

  it('returns the recorded refusal to a dry run of a refused quote', async () => {
    harness.exchange.script = ['refuse'];
    const quote = await harness.quote();
    const refused: unknown = await harness.execute(quote).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'WITHDRAWAL_AMOUNT_BELOW_MINIMUM' });
    await expect(harness.execute(quote, { dryRun: true })).rejects.toEqual(refused);
  });

  it.each([
    ['that nobody has executed', [], null],
    ['that waits for a code', ['verify'], 'WITHDRAWAL_2FA_REQUIRED_TOTP'],
    ['that could not be sent', ['pause'], 'WITHDRAWAL_RATE_LIMIT_EXCEEDED'],
  ] as const)('returns the same QUOTE_EXPIRED to every call for an expired quote %s', async (_what, script, code) => {
    harness.exchange.script = [...script];
    const quote = await harness.quote();
    if (code !== null) await expect(harness.execute(quote)).rejects.toMatchObject({ code });
    harness.clock.advance(301_000);
    for (const dryRun of [true, false, true, false])
      await expect(harness.execute(quote, { dryRun })).rejects.toEqual(new QuoteExpired(quote.expiresAt));
  });

  it('asks for a code, refuses a wrong code, and locks the quote after five wrong codes', async () => {
    harness.exchange.script = Array<SubmitScript>(6).fill('verify');
    const quote = await harness.quote();
    await expect(harness.execute(quote)).rejects.toMatchObject({ code: 'WITHDRAWAL_2FA_REQUIRED_TOTP' });
    for (const twofa of ['1', '2', '3', '4']) {
      await expect(harness.execute(quote, { codes: { twofa: new Secret(twofa) } })).rejects.toMatchObject({
        code: 'WITHDRAWAL_2FA_INVALID',
        message: 'The code was wrong; execute the same quote with another code',
      });
    }
    for (const twofa of ['5', '6']) {
      await expect(harness.execute(quote, { codes: { twofa: new Secret(twofa) } })).rejects.toMatchObject({
        code: 'WITHDRAWAL_2FA_INVALID',
        message: 'Too many wrong codes were sent for this quote; request a new quote',
        details: { result: { locked: true } },
      });
    }
    expect(harness.exchange.submissions).toBe(6);
    expect(harness.exchange.ledger).toHaveLength(0);
  });

  it('sends the withdrawal when a later call contains the right code', async () => {
    harness.exchange.script = ['verify', 'verify'];
    const quote = await harness.quote();
    await expect(harness.execute(quote)).rejects.toMatchObject({ code: 'WITHDRAWAL_2FA_REQUIRED_TOTP' });
    await expect(harness.execute(quote, { codes: { twofa: new Secret('1') } })).rejects.toMatchObject({
      code: 'WITHDRAWAL_2FA_INVALID',
    });
    await harness.execute(quote, { codes: { twofa: new Secret('2') } });
    expect(await harness.withdrawalOf(quote)).toMatchObject({ state: 'submitted', errorCode: null });
  });

  it('returns the same result to a call that waits for another call of the same quote', async () => {
    harness.exchange.script = ['verify'];
    harness.exchange.gate = new Promise((resolve) => (harness.clock.onSleep = resolve));
    const quote = await harness.quote();
    const calls = [harness.execute(quote), harness.execute(quote, { autoDeleteIfInvalid: false })];
    for (const result of await Promise.allSettled(calls)) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'WITHDRAWAL_2FA_REQUIRED_TOTP' } });
    }
    expect(harness.exchange.submissions).toBe(1);
  });

  it('leaves the quote open when the exchange limits the rate', async () => {
    harness.exchange.script = ['pause'];
    const quote = await harness.quote();
    const pause = { code: 'WITHDRAWAL_RATE_LIMIT_EXCEEDED', retryAfterSeconds: 10 };
    await expect(harness.execute(quote)).rejects.toMatchObject(pause);
    await harness.execute(quote);
    expect(harness.exchange.ledger).toHaveLength(1);
  });

  it('responds with the remaining seconds during a pause that the exchange has demanded', async () => {
    harness.exchange.script = ['paused'];
    const quote = await harness.quote();
    const pause = { code: 'WITHDRAWAL_RATE_LIMIT_EXCEEDED', status: 429, retryAfterSeconds: 48 };
    await expect(harness.execute(quote)).rejects.toMatchObject(pause);
    expect(harness.exchange.submissions).toBe(0);
    expect((await harness.withdrawalOf(quote)).state).toBe('created');
    await harness.execute(quote);
    expect(harness.exchange.ledger).toHaveLength(1);
  });

  it('sends nothing after the quote has expired, even when it expired during the checks', async () => {
    const quote = await harness.quote();
    harness.clock.advance(299_000);
    harness.exchange.onRead = () => harness.clock.advance(1_000);
    await expect(harness.execute(quote)).rejects.toBeInstanceOf(QuoteExpired);
    expect(harness.exchange.submissions).toBe(0);
  });

  it('refuses a quote that is expired, unknown, malformed, or of another wallet', async () => {
    const quote = await harness.quote();
    harness.clock.advance(300_000);
    await expect(harness.execute(quote)).rejects.toBeInstanceOf(QuoteExpired);
    for (const id of [harness.clock.newId(), 'x', '']) {
      await expect(harness.execute({ id })).rejects.toBeInstanceOf(QuoteNotFound);
    }
    await harness.newWallet();
    await expect(harness.execute(quote)).rejects.toBeInstanceOf(QuoteNotFound);
    expect(harness.exchange.submissions).toBe(0);
  });

  it('refuses an amount above the balance before anything is recorded', async () => {
    const withoutFee = await harness.quote({ amount: '10' });
    const forFee = { code: 'WITHDRAWAL_INSUFFICIENT_BALANCE_FOR_FEE' };
    await expect(harness.execute(withoutFee)).rejects.toMatchObject(forFee);
    const quote = await harness.quote({ amount: '10.1' });
    const insufficient = { code: 'WITHDRAWAL_INSUFFICIENT_BALANCE' };
    await expect(harness.execute(quote)).rejects.toMatchObject(insufficient);
    // The requested amount contains the fee.
    const inside = await harness.quote({ amount: '10', includeFee: true });
    await expect(harness.execute(inside)).rejects.toMatchObject(insufficient);
    expect(await harness.get(WithdrawalStore).findByQuote(harness.project.id, quote.id)).toBeNull();
  });
});

describe('the rate of executions', () => {
  it('is limited per minute for each wallet, and repeats of an execution do not count', async () => {
    const harness = await WithdrawalHarness.create({ WITHDRAWAL_RATE_PER_MINUTE: '2' });
    const quotes = [
      await harness.quote({ amount: '1' }),
      await harness.quote({ amount: '2' }),
      await harness.quote({ amount: '3' }),
    ];
    const [first, second, third] = quotes as [(typeof quotes)[0], (typeof quotes)[0], (typeof quotes)[0]];
    await harness.execute(first);
    await harness.execute(first);
    await harness.execute(second);
    await expect(harness.execute(third)).rejects.toBeInstanceOf(WithdrawalRateLimitExceeded);
    const { externalId: externalWalletId } = harness.wallet;
    await harness.newWallet({ inSameProject: true });
    await harness.execute(await harness.quote({ amount: '4' }));
    await expect(harness.execute(third, { externalWalletId })).rejects.toBeInstanceOf(WithdrawalRateLimitExceeded);
    harness.clock.advance(61_000);
    await harness.execute(third, { externalWalletId });
    await harness.close();
  });

  it('is limited also for simultaneous calls, and has a separate limit for the dry runs of each wallet', async () => {
    const harness = await WithdrawalHarness.create({
      WITHDRAWAL_RATE_PER_MINUTE: '2',
      ...testOverrides({ WITHDRAWAL_DRY_RUN_RATE_PER_MINUTE: 1 }),
    });
    const quotes = await Promise.all(['1', '2', '3', '4', '5'].map((amount) => harness.quote({ amount })));
    const results = await Promise.allSettled(quotes.map((quote) => harness.execute(quote)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(harness.exchange.ledger).toHaveLength(2);
    const another = await harness.quote({ amount: '1.5' });
    await expect(harness.execute(another, { dryRun: true })).rejects.toBeInstanceOf(DryRunComplete);
    await expect(harness.execute(another, { dryRun: true })).rejects.toMatchObject({
      code: 'WITHDRAWAL_RATE_LIMIT_EXCEEDED',
      message: 'This wallet has reached its limit of dry runs per minute; wait as many seconds as Retry-After states',
    });
    await harness.newWallet({ inSameProject: true });
    const ofOther = await harness.quote();
    await expect(harness.execute(ofOther, { dryRun: true })).rejects.toBeInstanceOf(DryRunComplete);
    await harness.close();
  });
});
