import { Secret } from '#platform/crypto';
import { DryRunComplete, QuoteExpired, QuoteNotFound, WithdrawalRateLimitExceeded } from '../withdrawal.errors.js';
import { type SubmitScript, WithdrawalBed } from '../testing/index.js';
import { WithdrawalStore } from './withdrawal-store.js';

const SETTLED_ROUNDS = 5;

describe('executing a quote', () => {
  let bed: WithdrawalBed;
  beforeAll(async () => (bed = await WithdrawalBed.create()));
  afterAll(() => bed.close());
  beforeEach(async () => {
    bed.venue.ledger.length = 0;
    bed.venue.submissions = 0;
    bed.venue.script = [];
    bed.venue.gate = Promise.resolve();
    bed.venue.onRead = () => undefined;
    await bed.newWallet();
  });

  it('sends once and follows the exchange to the end', async () => {
    const quote = await bed.quote();
    const answer = await bed.execute(quote);
    expect(await bed.withdrawalOf(quote)).toMatchObject({ id: answer.id, state: 'submitted', exchangeId: 'X1' });
    expect(await bed.transactionStatus(answer)).toBe('pending');

    Object.assign(bed.venue.ledger[0] ?? {}, { status: 'completed', rawStatus: 'Success', hash: 'abc' });
    await bed.work(SETTLED_ROUNDS);
    expect(await bed.transactionStatus(answer)).toBe('ok');
    expect(await bed.db.query(`select hash from transactions where id = $1`, [answer.transactionId])).toEqual([
      { hash: 'abc' },
    ]);
  });

  it('gives every repeat the recorded answer, also after the end of the quote', async () => {
    const quote = await bed.quote();
    const answer = await bed.execute(quote);
    bed.clock.advance(3_600_000);
    expect(await bed.execute(quote)).toEqual(answer);
    expect(bed.venue.submissions).toBe(1);
  });

  it('sends once for many calls at a time, and answers all alike', async () => {
    const quote = await bed.quote();
    const answers = await Promise.all(Array.from({ length: 30 }, () => bed.execute(quote)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(bed.venue.submissions).toBe(1);
    expect(bed.venue.ledger).toHaveLength(1);
  });

  it('asks the exchange once for calls that are not in one process', async () => {
    const quote = await bed.quote();
    let reads = 0;
    bed.venue.onRead = () => void (reads += 1);
    await bed.execute(quote);
    const ofOne = reads;
    const other = await bed.quote({ amount: '2' });
    await Promise.all([bed.execute(other), bed.execute(other, { autoDeleteIfInvalid: false })]);
    expect(reads).toBe(2 * ofOne);
  });

  it('does not wait longer than a lock for a call whose process has died', async () => {
    const quote = await bed.quote();
    const before = bed.clock.now().getTime();
    const until = new Date(before + 5_000);
    await bed.db.query(`insert into execution_locks (quote_id, holder, until) values ($1, $1, $2)`, [quote.id, until]);
    await bed.execute(quote);
    expect(bed.clock.now().getTime() - before).toBe(5_000);
    expect(bed.venue.ledger).toHaveLength(1);
    expect(await bed.db.query(`select from execution_locks`)).toEqual([]);
  });

  it('answers an unknown outcome like an accepted one and finds it in the history', async () => {
    bed.venue.script = ['answer_lost'];
    const quote = await bed.quote();
    const answer = await bed.execute(quote);
    expect(await bed.withdrawalOf(quote)).toMatchObject({ state: 'unknown' });
    expect(await bed.execute(quote)).toEqual(answer);

    await bed.work(1);
    expect(await bed.withdrawalOf(quote)).toMatchObject({ state: 'submitted', exchangeId: 'X1' });
    Object.assign(bed.venue.ledger[0] ?? {}, { status: 'completed' });
    await bed.work(SETTLED_ROUNDS);
    expect(await bed.transactionStatus(answer)).toBe('ok');
    expect(bed.venue.submissions).toBe(1);
  });

  it('treats a connector that throws after sending as unknown', async () => {
    bed.venue.script = ['throw_after_send'];
    const quote = await bed.quote();
    await bed.execute(quote);
    expect(await bed.withdrawalOf(quote)).toMatchObject({ state: 'unknown' });
  });

  it('records a definite refusal for ever and never sends again', async () => {
    bed.venue.script = ['refuse'];
    const quote = await bed.quote();
    const refused = {
      code: 'WITHDRAWAL_AMOUNT_BELOW_MINIMUM',
      details: { result: { exchangeCode: 'EFunding:Invalid amount' } },
    };
    await expect(bed.execute(quote)).rejects.toMatchObject(refused);
    await expect(bed.execute(quote)).rejects.toMatchObject(refused);
    expect(bed.venue.submissions).toBe(1);
    const withdrawal = await bed.withdrawalOf(quote);
    expect(await bed.transactionStatus(withdrawal)).toBe('failed');
  });

  it('tries again by itself only when nothing was written', async () => {
    bed.venue.script = ['not_sent', 'not_sent'];
    const quote = await bed.quote();
    await bed.execute(quote);
    expect(bed.venue.submissions).toBe(1);
    expect(await bed.db.query(`select outcome from withdrawal_attempts order by started_at, outcome desc`)).toEqual(
      expect.arrayContaining([{ outcome: 'not_sent' }, { outcome: 'accepted' }]),
    );
  });

  it('leaves the quote open when nothing could be written, and closes it at its end', async () => {
    bed.venue.script = Array<SubmitScript>(10).fill('not_sent');
    const quote = await bed.quote();
    await expect(bed.execute(quote)).rejects.toMatchObject({ code: 'WITHDRAWAL_PROVIDER_ERROR' });
    const open = await bed.withdrawalOf(quote);
    expect(open.state).toBe('created');
    await expect(bed.execute(quote)).rejects.toMatchObject({ code: 'WITHDRAWAL_PROVIDER_ERROR' });
    expect((await bed.execute(quote)).id).toBe(open.id);
    expect(bed.venue.submissions).toBe(1);

    bed.venue.script = Array<SubmitScript>(5).fill('not_sent');
    const other = await bed.quote({ amount: '2' });
    await expect(bed.execute(other)).rejects.toMatchObject({ code: 'WITHDRAWAL_PROVIDER_ERROR' });
    bed.clock.advance(301_000);
    await bed.work(1);
    await expect(bed.execute(other)).rejects.toMatchObject({ code: 'QUOTE_EXPIRED' });
    expect(await bed.transactionStatus(await bed.withdrawalOf(other))).toBe('failed');
    expect(bed.venue.submissions).toBe(1);
  });

  it('records nothing when the exchange cannot even be asked', async () => {
    bed.venue.isDown = true;
    const quote = await bed.quote();
    await expect(bed.execute(quote)).rejects.toMatchObject({ code: 'WITHDRAWAL_PROVIDER_ERROR' });
    bed.venue.isDown = false;
    expect(await bed.get(WithdrawalStore).findByQuote(bed.project.id, quote.id)).toBeNull();
    await bed.execute(quote);
    expect(bed.venue.submissions).toBe(1);
  });

  it.each([
    ['the same payment', { amount: '1', fee: '0.0001' }],
    ['the same payment at another fee', { amount: '1', fee: '0.0002' }],
    ['another payment with the same debit', { amount: '0.9', fee: '0.1001' }],
  ])('refuses %s while one is unresolved', async (_name, values) => {
    bed.venue.script = ['request_lost'];
    const first = await bed.quote();
    const { transactionId } = await bed.execute(first);
    const second = await bed.quote(values);
    await expect(bed.execute(second)).rejects.toMatchObject({ status: 409, details: { result: { transactionId } } });
    expect(bed.venue.submissions).toBe(1);
    await bed.execute(await bed.quote({ amount: '3' }));
    expect(bed.venue.submissions).toBe(2);
  });

  it('never sends on a dry run', async () => {
    const quote = await bed.quote();
    await expect(bed.execute(quote, { dryRun: true })).rejects.toBeInstanceOf(DryRunComplete);
    expect(bed.venue.submissions).toBe(0);
    await bed.execute(quote);
    await expect(bed.execute(quote, { dryRun: true })).rejects.toMatchObject({ status: 409 });
  });

  it('fills in a tag that the quote left out, and refuses one that differs', async () => {
    const tagged = await bed.quote({ tag: '42', network: 'ripple' });
    await expect(bed.execute(tagged, { tag: '43' })).rejects.toMatchObject({ code: 'GENERIC_VALIDATION_ERROR' });
    await expect(bed.execute(tagged, { tag: null })).rejects.toMatchObject({ code: 'GENERIC_VALIDATION_ERROR' });
    await bed.execute(tagged, { tag: '42' });

    const untagged = await bed.quote({ amount: '2', network: 'ripple' });
    await expect(bed.execute(untagged, { tag: 'seven' })).rejects.toMatchObject({ code: 'GENERIC_VALIDATION_ERROR' });
    const answer = await bed.execute(untagged, { tag: '7' });
    expect((await bed.withdrawalOf(untagged)).tag).toBe('7');
    await expect(bed.execute(untagged, { tag: '8' })).rejects.toMatchObject({ status: 422 });
    await expect(bed.execute(untagged, { tag: null })).rejects.toMatchObject({ status: 422 });
    expect(await bed.execute(untagged)).toEqual(answer);

    const without = await bed.quote({ amount: '3' });
    await expect(bed.execute(without, { tag: '7' })).rejects.toMatchObject({ code: 'GENERIC_VALIDATION_ERROR' });
  });

  it('never sends another tag than the one that is written down', async () => {
    const quote = await bed.quote({ network: 'ripple' });
    bed.venue.script = Array<SubmitScript>(5).fill('not_sent');
    await expect(bed.execute(quote, { tag: '1' })).rejects.toMatchObject({ code: 'WITHDRAWAL_PROVIDER_ERROR' });
    await expect(bed.execute(quote, { tag: '2' })).rejects.toMatchObject({ status: 422 });
    const both = await Promise.allSettled([bed.execute(quote, { tag: '1' }), bed.execute(quote, { tag: '2' })]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);

    const fresh = await bed.quote({ network: 'ripple', amount: '2' });
    const race = await Promise.allSettled([bed.execute(fresh, { tag: '1' }), bed.execute(fresh, { tag: '2' })]);
    expect(race.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(race).toContainEqual({ status: 'rejected', reason: expect.objectContaining({ status: 422 }) as unknown });
    expect(bed.venue.submissions).toBe(2);
  });

  it('asks for a code, says when it was wrong, and locks the quote after five', async () => {
    bed.venue.script = Array<SubmitScript>(6).fill('verify');
    const quote = await bed.quote();
    await expect(bed.execute(quote)).rejects.toMatchObject({ code: 'WITHDRAWAL_2FA_REQUIRED_TOTP' });
    for (const twofa of ['1', '2', '3', '4', '5']) {
      await expect(bed.execute(quote, { codes: { twofa: new Secret(twofa) } })).rejects.toMatchObject({
        code: 'WITHDRAWAL_2FA_INVALID',
      });
    }
    await expect(bed.execute(quote, { codes: { twofa: new Secret('6') } })).rejects.toMatchObject({
      details: { result: { locked: true } },
    });
    expect(bed.venue.submissions).toBe(6);
    expect(bed.venue.ledger).toHaveLength(0);
  });

  it('goes on with the right code', async () => {
    bed.venue.script = ['verify', 'verify'];
    const quote = await bed.quote();
    await expect(bed.execute(quote)).rejects.toMatchObject({ code: 'WITHDRAWAL_2FA_REQUIRED_TOTP' });
    await expect(bed.execute(quote, { codes: { twofa: new Secret('1') } })).rejects.toMatchObject({
      code: 'WITHDRAWAL_2FA_INVALID',
    });
    await bed.execute(quote, { codes: { twofa: new Secret('2') } });
    expect(await bed.withdrawalOf(quote)).toMatchObject({ state: 'submitted', errorCode: null });
  });

  it('tells those who wait for another call the same as that call', async () => {
    bed.venue.script = ['verify'];
    bed.venue.gate = new Promise((resolve) => (bed.clock.onSleep = resolve));
    const quote = await bed.quote();
    const calls = [bed.execute(quote), bed.execute(quote, { autoDeleteIfInvalid: false })];
    for (const result of await Promise.allSettled(calls)) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'WITHDRAWAL_2FA_REQUIRED_TOTP' } });
    }
    expect(bed.venue.submissions).toBe(1);
  });

  it('leaves the quote open when the exchange wants fewer calls', async () => {
    bed.venue.script = ['pause'];
    const quote = await bed.quote();
    const pause = { code: 'WITHDRAWAL_RATE_LIMIT_EXCEEDED', retryAfterSeconds: 10 };
    await expect(bed.execute(quote)).rejects.toMatchObject(pause);
    await bed.execute(quote);
    expect(bed.venue.ledger).toHaveLength(1);
  });

  it('sends nothing after the end of the quote, however long the questions before took', async () => {
    const quote = await bed.quote();
    bed.clock.advance(299_000);
    bed.venue.onRead = () => bed.clock.advance(1_000);
    await expect(bed.execute(quote)).rejects.toBeInstanceOf(QuoteExpired);
    expect(bed.venue.submissions).toBe(0);
  });

  it('refuses a quote that is expired, unknown, malformed, or of another wallet', async () => {
    const quote = await bed.quote();
    bed.clock.advance(300_000);
    await expect(bed.execute(quote)).rejects.toBeInstanceOf(QuoteExpired);
    for (const id of [bed.clock.newId(), 'x', '']) {
      await expect(bed.execute({ id })).rejects.toBeInstanceOf(QuoteNotFound);
    }
    await bed.newWallet();
    await expect(bed.execute(quote)).rejects.toBeInstanceOf(QuoteNotFound);
    expect(bed.venue.submissions).toBe(0);
  });

  it('refuses what the balance does not cover before anything is recorded', async () => {
    const withoutFee = await bed.quote({ amount: '10' });
    const forFee = { code: 'WITHDRAWAL_INSUFFICIENT_BALANCE_FOR_FEE' };
    await expect(bed.execute(withoutFee)).rejects.toMatchObject(forFee);
    const quote = await bed.quote({ amount: '10.1' });
    await expect(bed.execute(quote)).rejects.toMatchObject({ code: 'WITHDRAWAL_INSUFFICIENT_BALANCE' });
    expect(await bed.get(WithdrawalStore).findByQuote(bed.project.id, quote.id)).toBeNull();
  });
});

describe('the rate of executions', () => {
  it('is limited per wallet, and repeats do not count', async () => {
    const bed = await WithdrawalBed.create({ WITHDRAWAL_RATE_PER_MINUTE: '2' });
    const quotes = [
      await bed.quote({ amount: '1' }),
      await bed.quote({ amount: '2' }),
      await bed.quote({ amount: '3' }),
    ];
    const [first, second, third] = quotes as [(typeof quotes)[0], (typeof quotes)[0], (typeof quotes)[0]];
    await bed.execute(first);
    await bed.execute(first);
    await bed.execute(second);
    await expect(bed.execute(third)).rejects.toBeInstanceOf(WithdrawalRateLimitExceeded);
    bed.clock.advance(61_000);
    await bed.execute(third);
    await bed.close();
  });

  it('is limited for calls at one time, too, and for dry runs on their own', async () => {
    const bed = await WithdrawalBed.create({
      WITHDRAWAL_RATE_PER_MINUTE: '2',
      WITHDRAWAL_DRY_RUN_RATE_PER_MINUTE: '1',
    });
    const quotes = await Promise.all(['1', '2', '3', '4', '5'].map((amount) => bed.quote({ amount })));
    const results = await Promise.allSettled(quotes.map((quote) => bed.execute(quote)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(bed.venue.ledger).toHaveLength(2);
    const another = await bed.quote({ amount: '1.5' });
    await expect(bed.execute(another, { dryRun: true })).rejects.toBeInstanceOf(DryRunComplete);
    await expect(bed.execute(another, { dryRun: true })).rejects.toBeInstanceOf(WithdrawalRateLimitExceeded);
    await bed.close();
  });
});
