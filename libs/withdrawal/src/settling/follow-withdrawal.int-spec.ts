import type { ExecutionAnswer } from '../execution/execute-quote.js';
import { SettleWithdrawal } from '../operator/settle-withdrawal.js';
import { WithdrawalHarness } from '../testing/index.js';
import type { Quote } from '../quote/quote.entity.js';

const HOUR_MS = 3_600_000;
/** The default of WITHDRAWAL_UNCONFIRMED_SECONDS. */
const UNCONFIRMED_MS = 4 * HOUR_MS;

describe('an accepted withdrawal', () => {
  let harness: WithdrawalHarness;
  beforeAll(async () => (harness = await WithdrawalHarness.create()));
  afterAll(() => harness.close());
  beforeEach(async () => {
    harness.exchange.reset();
    await harness.begin();
  });

  const show = (status: 'pending' | 'completed' | 'unknown', rawStatus: string): void => {
    Object.assign(harness.exchange.ledger[0] ?? {}, { status, rawStatus });
  };
  const stateOf = async (quote: Quote): Promise<string> => (await harness.withdrawalOf(quote)).state;
  /** Runs the worker every five minutes. */
  const workFor = (ms: number): Promise<void> => harness.work(Math.ceil(ms / 300_000), 300_000);

  it('goes to an operator when the exchange keeps showing a status that it does not document', async () => {
    const quote = await harness.quote();
    const answer = await harness.execute(quote);
    show('unknown', 'Sleeping');
    await workFor(UNCONFIRMED_MS - HOUR_MS);
    expect(await stateOf(quote)).toBe('submitted');
    await workFor(2 * HOUR_MS);
    expect(await stateOf(quote)).toBe('review');
    expect(await harness.transactionStatus(answer)).toBe('pending');
  });

  it('is followed for longer while the exchange shows that it is under way, and settles after an unknown status', async () => {
    const quote = await harness.quote();
    const answer = await harness.execute(quote);
    for (const [status, rawStatus] of [
      ['unknown', 'Sleeping'],
      ['pending', 'Pending'],
      ['unknown', 'Sleeping'],
    ] as const) {
      show(status, rawStatus);
      await workFor(UNCONFIRMED_MS - HOUR_MS);
      expect(await stateOf(quote)).toBe('submitted');
    }
    show('completed', 'Success');
    await workFor(HOUR_MS);
    expect(await harness.transactionStatus(answer)).toBe('ok');
  });

  it('is linked by an operator, with a reason, when the exchange keeps no references and does not show its id', async () => {
    harness.exchange.wrongId = 'NOBODY';
    const quote = await harness.quote();
    const answer = await harness.execute(quote);
    await workFor(UNCONFIRMED_MS + HOUR_MS);
    expect(await stateOf(quote)).toBe('review');
    const settle = (reason: string | null): Promise<void> => {
      const decision = {
        outcome: 'submitted',
        exchangeId: 'X1',
        isNonExecutionConfirmed: false,
        unrelated: [],
      } as const;
      return harness.get(SettleWithdrawal).execute({ id: answer.id, operator: 'Ada', reason, ...decision });
    };
    await expect(settle(null)).rejects.toThrow(/explain with --reason/);
    await settle('the only record of this day');
    Object.assign(harness.exchange.ledger[0] ?? {}, { status: 'completed' });
    await harness.work(2);
    expect(await harness.withdrawalOf(quote)).toMatchObject({ state: 'completed', exchangeId: 'X1' });
    expect(await harness.transactionStatus(answer)).toBe('ok');
  });

  describe('with a wrong id from an exchange that keeps our references', () => {
    beforeEach(() => Object.assign(harness.exchange, { exchangeClass: 'by_reference', keepsReferences: true }));

    it('is linked to the record with its reference when no record has the id', async () => {
      harness.exchange.wrongId = 'NOBODY';
      const quote = await harness.quote();
      const answer = await harness.execute(quote);
      expect((await harness.withdrawalOf(quote)).exchangeId).toBe('NOBODY');
      await harness.work(1);
      expect(await harness.withdrawalOf(quote)).toMatchObject({ state: 'submitted', exchangeId: 'X1' });
      expect(await recordOf(answer)).toBe('X1');
      show('completed', 'Success');
      await harness.work(5);
      expect(await harness.transactionStatus(answer)).toBe('ok');
      expect(
        await harness.db.query(`select outcome, exchange_id, answer->>'wrongId' as wrong from withdrawal_attempts`),
      ).toEqual([{ outcome: 'accepted', exchange_id: 'X1', wrong: 'NOBODY' }]);
    });

    it('does not fail with the failed record of another withdrawal, whose row in the history comes back', async () => {
      const other = harness.exchange.book({ asset: 'BTC', address: 'elsewhere', amount: '0.7' });
      Object.assign(other, { status: 'failed', rawStatus: 'Failure' });
      const row = await insertRow(other.exchangeId);
      harness.exchange.wrongId = other.exchangeId;
      const quote = await harness.quote();
      const answer = await harness.execute(quote);
      expect(await rowOf(row)).toEqual({ record: null, shown: answer.transactionId });
      await harness.work(3);
      expect(await harness.withdrawalOf(quote)).toMatchObject({ state: 'submitted', exchangeId: 'X2' });
      expect(await harness.transactionStatus(answer)).toBe('pending');
      expect(await rowOf(row)).toEqual({ record: 'X1', shown: null });
      expect(await recordOf(answer)).toBe('X2');
    });

    it('is linked to the record with its reference when the id belongs to another withdrawal of ours', async () => {
      await harness.execute(await harness.quote({ amount: '2' }));
      harness.exchange.wrongId = 'X1';
      const quote = await harness.quote();
      await harness.execute(quote);
      expect(await stateOf(quote)).toBe('unknown');
      await harness.work(1);
      expect(await harness.withdrawalOf(quote)).toMatchObject({ state: 'submitted', exchangeId: 'X2' });
    });

    it('goes to an operator when several records have its reference', async () => {
      harness.exchange.wrongId = 'NOBODY';
      const quote = await harness.quote();
      await harness.execute(quote);
      const { request = {}, clientRef } = harness.exchange.ledger[0] ?? {};
      Object.assign(harness.exchange.book(request), { clientRef });
      await harness.work(1);
      expect(await stateOf(quote)).toBe('review');
    });

    it('goes to an operator when the record with the id has ended and no record has its reference', async () => {
      const quote = await harness.quote();
      await harness.execute(quote);
      Object.assign(harness.exchange.ledger[0] ?? {}, { status: 'failed', clientRef: 'changed' });
      await workFor(UNCONFIRMED_MS - HOUR_MS);
      expect(await stateOf(quote)).toBe('submitted');
      await workFor(2 * HOUR_MS);
      expect(await stateOf(quote)).toBe('review');
    });
  });

  /** The exchange's id in the transaction. */
  async function recordOf({ transactionId }: ExecutionAnswer): Promise<string | null | undefined> {
    return (await rowOf(transactionId))?.record;
  }

  async function rowOf(id: string): Promise<{ record: string | null; shown: string | null } | undefined> {
    const [row] = await harness.db.query<{ record: string | null; shown: string | null }>(
      `select exchange_transaction_id as record, superseded_by as shown from transactions where id = $1`,
      [id],
    );
    return row;
  }

  /** Inserts the transaction of a record that a reading of the history has found. */
  async function insertRow(exchangeId: string): Promise<string> {
    const id = harness.clock.newId();
    await harness.db.query(
      `insert into transactions (id, project_id, wallet_id, external_wallet_id, exchange, exchange_transaction_id, type,
         direction, status, asset, amount, occurred_at, origin)
       values ($1, $2, $3, $4, 'kraken', $5, 'withdrawal', 'out', 'failed', 'BTC', 0.7, now(), 'exchange')`,
      [id, harness.project.id, harness.wallet.id, harness.wallet.externalId, exchangeId],
    );
    return id;
  }
});
