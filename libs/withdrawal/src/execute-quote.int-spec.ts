import { DryRunComplete, QuoteExpired, QuoteNotFound, WithdrawalRateLimitExceeded } from './withdrawal.errors.js';
import { WithdrawalBed } from './testing/index.js';
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
    bed.venue.script = ['not_sent', 'not_sent', 'not_sent', 'not_sent', 'not_sent', 'not_sent'];
    const quote = await bed.quote();
    await expect(bed.execute(quote)).rejects.toMatchObject({ code: 'WITHDRAWAL_PROVIDER_ERROR' });
    const open = await bed.withdrawalOf(quote);
    expect(open.state).toBe('created');
    await expect(bed.execute(quote)).rejects.toMatchObject({ code: 'WITHDRAWAL_PROVIDER_ERROR' });
    expect((await bed.execute(quote)).id).toBe(open.id);
    expect(bed.venue.submissions).toBe(1);

    bed.venue.script = ['not_sent', 'not_sent', 'not_sent'];
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
    const quote = await bed.quote({ amount: '10' });
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
});
