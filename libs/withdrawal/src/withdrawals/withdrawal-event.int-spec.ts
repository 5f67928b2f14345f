import { Amount } from '#money';
import type { Quote } from '../quote/quote.entity.js';
import { WithdrawalHarness, type SubmitScript } from '../testing/index.js';

const SETTLED_ROUNDS = 5;

describe('the events about a withdrawal', () => {
  let harness: WithdrawalHarness;
  beforeAll(async () => (harness = await WithdrawalHarness.create()));
  afterAll(() => harness.close());
  beforeEach(async () => {
    harness.exchange.ledger.length = 0;
    harness.exchange.script = [];
    harness.exchange.balance = Amount.of('10');
    harness.exchange.challenges.require([]);
    await harness.begin();
  });

  const eventsOf = (quote: Quote): Promise<{ type: string; data: Record<string, unknown> }[]> =>
    harness.db.query(`select type, data from events where data->>'quoteId' = $1 order by position`, [quote.id]);
  const execute = (quote: Quote): Promise<unknown> => harness.execute(quote).catch((error: unknown) => error);

  it.each<[SubmitScript, string[]]>([
    ['accept', ['withdrawal.submitted', 'withdrawal.completed']],
    ['answer_lost', ['withdrawal.unknown', 'withdrawal.submitted', 'withdrawal.completed']],
    ['refuse', ['withdrawal.failed']],
    ['verify', ['withdrawal.verification_required']],
  ])('report the states in their order, each at most once: %s', async (script, types) => {
    harness.exchange.script = [script];
    const quote = await harness.quote();
    await execute(quote);
    await harness.work(SETTLED_ROUNDS);
    for (const record of harness.exchange.ledger) record.status = 'completed';
    await harness.work(SETTLED_ROUNDS);
    const events = await eventsOf(quote);
    expect(events.map(({ type }) => type).slice(0, types.length)).toEqual(types);
    expect(new Set(events.map(({ type }) => type)).size).toBe(events.length);
  });

  it('name the wallet, the quote, the transaction and the amounts', async () => {
    const quote = await harness.quote();
    const { id, transactionId } = await harness.execute(quote);
    const [event] = await eventsOf(quote);
    expect(event?.data).toMatchObject({
      walletId: harness.wallet.externalId,
      exchange: 'kraken',
      quoteId: quote.id,
      withdrawalId: id,
      transactionId,
      status: 'submitted',
      amountNoFee: quote.amountNoFee.toString(),
      fee: quote.fee.toString(),
      amountWithFee: quote.amountWithFee.toString(),
      error: null,
    });
  });

  it('carry the error of a refusal and of a required verification', async () => {
    harness.exchange.script = ['refuse'];
    const refused = await harness.quote();
    await execute(refused);
    expect((await eventsOf(refused))[0]?.data['error']).toMatchObject({ type: expect.stringMatching(/^WITHDRAWAL_/) });
    harness.exchange.challenges.require([
      { type: 'GOOGLE', code: '111111' },
      { type: 'EMAIL', code: '222222' },
    ]);
    const quote = await harness.quote({ amount: '2' });
    await execute(quote);
    expect(await eventsOf(quote)).toMatchObject([
      {
        type: 'withdrawal.verification_required',
        data: { status: 'verification_required', error: { type: 'WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS' } },
      },
    ]);
  });
});
