import type { HistoryRecord } from '#exchange';
import { HistoryWatchers } from '#transaction';
import { Amount } from '#money';
import type { Quote } from '../quote/quote.entity.js';
import { SettleWithdrawal } from '../operator/settle-withdrawal.js';
import { clientRefOf } from '../withdrawals/new-withdrawal.js';
import { WithdrawalHarness } from '../testing/withdrawal-harness.js';

describe('a refused withdrawal', () => {
  let harness: WithdrawalHarness;

  beforeAll(async () => {
    harness = await WithdrawalHarness.create();
  });
  beforeEach(async () => {
    harness.exchange.reset();
    await harness.begin();
  });
  afterAll(() => harness.close());

  async function refuse(): Promise<Quote> {
    const quote = await harness.quote();
    harness.exchange.script = ['refuse'];
    await expect(harness.execute(quote)).rejects.toMatchObject({ code: 'WITHDRAWAL_AMOUNT_BELOW_MINIMUM' });
    return quote;
  }

  function recordOf(quote: Quote, more: Partial<HistoryRecord> = {}): HistoryRecord {
    const { asset, address, amountNoFee: amount, fee } = quote;
    return {
      kind: 'withdrawal',
      exchangeId: 'LATE',
      status: 'ok',
      rawStatus: 'Success',
      asset,
      amount,
      fee,
      address,
      feeAsset: asset,
      network: 'bitcoin',
      exchangeNetwork: null,
      tag: null,
      hash: null,
      at: harness.clock.now(),
      ...more,
    };
  }

  /** A reading of the history shows these records, which have no row yet. */
  const show = (...records: HistoryRecord[]): Promise<void> =>
    harness.get(HistoryWatchers).appeared(harness.wallet, records);

  const eventsOf = async (quote: Quote): Promise<string[]> => {
    const { id } = await harness.withdrawalOf(quote);
    const rows = await harness.db.query<{ type: string }>(
      'select type from events where subject = $1 order by position',
      [id],
    );
    return rows.map(({ type }) => type);
  };
  const statusOf = async (quote: Quote): Promise<string | undefined> => {
    const { id, transactionId } = await harness.withdrawalOf(quote);
    return harness.transactionStatus({ id, transactionId });
  };

  it.each<[string, (quote: Quote) => Partial<HistoryRecord>]>([
    ['with its reference, however late it is', ({ id }) => ({ clientRef: clientRefOf(id), at: new Date(0) })],
    ['with its terms and time', () => ({})],
    ['with its terms and a reference that no withdrawal of ours has', () => ({ clientRef: 'changed' })],
  ])('goes to an operator when a history shows a record %s', async (_what, more) => {
    const quote = await refuse();
    await show(recordOf(quote, more(quote)));
    expect(await harness.withdrawalOf(quote)).toMatchObject({ state: 'review', errorCode: null });
    expect(await statusOf(quote)).toBe('pending');
    expect(await eventsOf(quote)).toEqual(['withdrawal.failed', 'withdrawal.reopened']);
    expect(await harness.execute(quote)).toMatchObject({ id: (await harness.withdrawalOf(quote)).id });
  });

  it('stops equal withdrawals until an operator has decided', async () => {
    const quote = await refuse();
    await show(recordOf(quote));
    const again = await harness.quote();
    await expect(harness.execute(again)).rejects.toMatchObject({ status: 409 });
    await expect(harness.execute(again, { dryRun: true })).rejects.toMatchObject({ status: 409 });
    await harness.execute(await harness.quote({ amount: '2' }));
    const { id } = await harness.withdrawalOf(quote);
    const decision = { operator: 'Ada', exchangeId: null, reason: 'made by hand', isNonExecutionConfirmed: true };
    await harness.get(SettleWithdrawal).execute({ id, outcome: 'failed', unrelated: ['LATE'], ...decision });
    expect([(await harness.withdrawalOf(quote)).state, await statusOf(quote)]).toEqual(['failed', 'failed']);
    await harness.execute(again);
    expect(harness.exchange.submissions).toBe(3);
  });

  it('stops equal withdrawals while the exchange lists only a part of its withdrawals', async () => {
    await harness.execute(await harness.quote({ amount: '2' }));
    await harness.execute(await harness.quote({ amount: '3' }));
    await refuse();
    const again = await harness.quote();
    harness.exchange.listsAtMost = 1;
    await expect(harness.execute(again)).rejects.toMatchObject({ code: 'WITHDRAWAL_PROVIDER_ERROR' });
    expect(harness.exchange.submissions).toBe(3);
    harness.exchange.listsAtMost = Infinity;
    await harness.execute(again);
    expect(harness.exchange.submissions).toBe(4);
  });

  it('stays refused when the record belongs to a later withdrawal with the same terms', async () => {
    const quote = await refuse();
    const again = await harness.quote();
    await harness.execute(again);
    const { exchangeId } = await harness.withdrawalOf(again);
    await show(recordOf(again, { exchangeId: exchangeId ?? '' }));
    await show(recordOf(again, { exchangeId: 'OTHER', clientRef: clientRefOf(again.id) }));
    expect((await harness.withdrawalOf(quote)).state).toBe('rejected');
  });

  it.each<[string, Partial<HistoryRecord>]>([
    ['has failed', { status: 'failed' }],
    ['has another amount', { amount: Amount.of('1.5') }],
    ['is older than the withdrawal', { at: new Date(0) }],
  ])('stays refused when a record with its terms %s', async (_what, more) => {
    const quote = await refuse();
    await show(recordOf(quote, more));
    expect((await harness.withdrawalOf(quote)).state).toBe('rejected');
  });

  it('goes to an operator when a record appears after it was proven absent', async () => {
    const quote = await harness.quote();
    harness.exchange.script = ['request_lost'];
    await harness.execute(quote);
    const record = recordOf(quote, { clientRef: clientRefOf(quote.id) });
    await harness.work(200);
    expect((await harness.withdrawalOf(quote)).state).toBe('failed');
    await show(record);
    expect((await harness.withdrawalOf(quote)).state).toBe('review');
    expect(await statusOf(quote)).toBe('pending');
  });

  it('is compared with each record once, also when two readings show the record', async () => {
    const quote = await refuse();
    await Promise.all([show(recordOf(quote)), show(recordOf(quote))]);
    await show(recordOf(quote));
    expect(await eventsOf(quote)).toEqual(['withdrawal.failed', 'withdrawal.reopened']);
  });
});
