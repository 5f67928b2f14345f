import { Audit, VerifyAudit } from '#access';
import { eraseCredentials } from '#wallet/testing';
import type { ExecutionAnswer } from '../execution/execute-quote.js';
import { WithdrawalTransitions } from '../withdrawals/withdrawal-transitions.js';
import { WithdrawalStore } from '../withdrawals/withdrawal-store.js';
import type { Quote } from '../quote/quote.entity.js';
import { WithdrawalHarness } from '../testing/index.js';
import { ListReviews, type ReviewState } from './list-reviews.js';
import { SettleWithdrawal, type SettleInput } from './settle-withdrawal.js';
import { ShowWithdrawal } from './show-withdrawal.js';

const NOBODY = '01a1fb00-0000-7000-8000-000000000000';

let harness: WithdrawalHarness;

beforeAll(async () => (harness = await WithdrawalHarness.create()));
afterAll(() => harness.close());
beforeEach(async () => {
  harness.exchange.ledger.length = 0;
  harness.exchange.script = [];
  harness.exchange.isDown = false;
  harness.exchange.listsAtMost = Infinity;
  await harness.begin();
});

/** Makes a withdrawal that is in review because two records of the exchange fit. */
async function ambiguous(): Promise<{ quote: Quote; answer: ExecutionAnswer; id: string }> {
  harness.exchange.script = ['answer_lost'];
  const quote = await harness.quote();
  const answer = await harness.execute(quote);
  harness.exchange.book(harness.exchange.ledger.at(-1)?.request ?? {});
  await harness.work(1);
  expect((await harness.withdrawalOf(quote)).state).toBe('review');
  return { quote, answer, id: answer.id };
}

/** Makes a withdrawal that is in review because its credentials were erased after the exchange accepted it. */
async function unfollowable(): Promise<{ quote: Quote; answer: ExecutionAnswer; id: string }> {
  const quote = await harness.quote();
  const answer = await harness.execute(quote);
  await eraseCredentials(harness.ownerUrl, harness.wallet);
  await harness.work(1);
  expect((await harness.withdrawalOf(quote)).state).toBe('review');
  return { quote, answer, id: answer.id };
}

function settle(id: string, input: Partial<SettleInput>): Promise<void> {
  const nothing = { outcome: null, exchangeId: null, reason: null, isNonExecutionConfirmed: false, unrelated: [] };
  return harness.get(SettleWithdrawal).execute({ id, operator: 'Ada', ...nothing, ...input });
}

const NOT_EXECUTED = {
  outcome: 'failed',
  reason: 'made by hand',
  isNonExecutionConfirmed: true,
  unrelated: ['X1', 'X2'],
} as const;

async function decisions(): Promise<unknown[]> {
  const entries = await harness.get(Audit).list(harness.project.organizationId, { page: 0, limit: 100 });
  return entries
    .filter(({ action }) => action.endsWith('.settled'))
    .map(({ actor, action, subject, details }) => ({ actor, action, subject, details }));
}

async function holds(): Promise<number> {
  return (await harness.db.query(`select from credential_holds where wallet_id = $1`, [harness.wallet.id])).length;
}

async function outcomes(id: string): Promise<string[]> {
  const rows = await harness.db.query<{ outcome: string }>(
    `select outcome from withdrawal_attempts where withdrawal_id = $1`,
    [id],
  );
  return rows.map(({ outcome }) => outcome);
}

describe('an operator who decides that money has left', () => {
  it('links the record of the exchange to the withdrawal, which the worker then settles', async () => {
    const { quote, answer, id } = await ambiguous();
    await settle(id, { outcome: 'submitted', exchangeId: 'X2' });
    expect(await harness.withdrawalOf(quote)).toMatchObject({ state: 'submitted', exchangeId: 'X2' });
    expect(await outcomes(id)).toEqual(['accepted']);
    expect(await harness.transactionStatus(answer)).toBe('pending');
    expect(await holds()).toBe(1);
    expect(await decisions()).toEqual([
      {
        actor: 'Ada',
        action: 'withdrawal.settled',
        subject: id,
        details: {
          outcome: 'submitted',
          exchangeId: 'X2',
          reason: null,
          unrelated: null,
          transactionId: answer.transactionId,
        },
      },
    ]);
    expect(await harness.get(VerifyAudit).execute(harness.project.organizationId)).toMatchObject([{ fault: null }]);

    Object.assign(harness.exchange.ledger[1] ?? {}, { status: 'completed', hash: '0xabc' });
    await harness.work(2);
    expect((await harness.withdrawalOf(quote)).state).toBe('completed');
    expect(await harness.transactionStatus(answer)).toBe('ok');
    expect(await holds()).toBe(0);
  });

  it.each([
    ['the project', true],
    ['another project', false],
  ])('cannot link a record that belongs to another withdrawal of %s', async (_whose, inSameProject) => {
    const other = await harness.quote({ amount: '2' });
    await harness.execute(other);
    const first = harness.wallet;
    await harness.newWallet({ inSameProject });
    const { id } = await ambiguous();
    const foreign = settle(id, { outcome: 'submitted', exchangeId: 'X1' });
    await expect(foreign).rejects.toMatchObject({ message: expect.stringContaining('another amount') as string });
    const linked = settle(id, { outcome: 'submitted', exchangeId: 'X1', reason: 'I say so' });
    await expect(linked).rejects.toMatchObject({ message: expect.stringContaining('already linked') as string });
    expect(first.id).not.toBe(harness.wallet.id);
    expect(await decisions()).toEqual([]);
    expect((await harness.get(WithdrawalStore).find(id))?.state).toBe('review');
  });

  it.each<[string, Partial<SettleInput>, RegExp]>([
    ['without the exchange’s id of the withdrawal', { outcome: 'submitted' }, /exchangeId is required/],
    [
      'with an id that the exchange does not show',
      { outcome: 'submitted', exchangeId: 'X20' },
      /shows no withdrawal X20/,
    ],
    [
      'as completed while it can be followed',
      { outcome: 'completed', exchangeId: 'X2' },
      /the outcome must be submitted/,
    ],
    ['with an id that contains a control character', { outcome: 'submitted', exchangeId: 'X\u001b2' }, /printable/],
    ['without the name of the operator', { outcome: 'submitted', exchangeId: 'X2', operator: '' }, /by must be/],
    ['without an outcome', {}, /outcome is required/],
  ])('cannot settle the withdrawal %s', async (_name, input, reason) => {
    const { id } = await ambiguous();
    await expect(settle(id, input)).rejects.toThrow(reason);
    expect((await harness.get(WithdrawalStore).find(id))?.state).toBe('review');
    expect(await decisions()).toEqual([]);
  });

  it('can link a record while the exchange cannot be queried', async () => {
    const { quote, id } = await ambiguous();
    harness.exchange.isDown = true;
    await settle(id, { outcome: 'submitted', exchangeId: 'X2' });
    expect(await harness.withdrawalOf(quote)).toMatchObject({ state: 'submitted', exchangeId: 'X2' });
  });

  it('can record the withdrawal as completed only where the worker cannot follow it', async () => {
    const { quote, answer, id } = await unfollowable();
    await expect(settle(id, { outcome: 'submitted' })).rejects.toThrow(/worker cannot follow the withdrawal/);
    await expect(settle(id, { outcome: 'completed', exchangeId: 'X7' })).rejects.toThrow(
      /already accepted the withdrawal under the id X1/,
    );
    await settle(id, { outcome: 'completed' });
    expect(await harness.withdrawalOf(quote)).toMatchObject({ state: 'completed', exchangeId: 'X1' });
    expect(await harness.transactionStatus(answer)).toBe('ok');
    expect(await outcomes(id)).toEqual(['accepted']);
    expect(await holds()).toBe(0);
  });

  it('also settles an unmatched record that has the exchange’s id of the linked record', async () => {
    const { id } = await ambiguous();
    const record = await unmatchedRecordOf('X2');
    await settle(id, { outcome: 'submitted', exchangeId: 'X2' });
    await expect(settle(record, { reason: 'again' })).rejects.toThrow(/already settled/);
  });
});

describe('an operator who decides that no money has left', () => {
  it('ends the withdrawal as failed and releases the credentials', async () => {
    const { quote, answer, id } = await ambiguous();
    await settle(id, NOT_EXECUTED);
    expect((await harness.withdrawalOf(quote)).state).toBe('failed');
    expect(await outcomes(id)).toEqual(['not_executed']);
    expect(await harness.transactionStatus(answer)).toBe('failed');
    expect(await holds()).toBe(0);
    expect(await decisions()).toMatchObject([
      { details: { outcome: 'failed', reason: 'made by hand', unrelated: 'X1,X2' } },
    ]);
    expect(await harness.execute(quote)).toEqual(answer);
  });

  it.each<[string, Partial<SettleInput>, RegExp]>([
    ['without a confirmation', { ...NOT_EXECUTED, isNonExecutionConfirmed: false }, /Make sure at the exchange/],
    ['without a reason', { ...NOT_EXECUTED, reason: null }, /reason is required/],
    [
      'while a record fits that is not named as unrelated',
      { ...NOT_EXECUTED, unrelated: ['X1'] },
      /may be the exchange's record X2/,
    ],
  ])('is refused %s', async (_name, input, reason) => {
    const { id } = await ambiguous();
    await expect(settle(id, input)).rejects.toThrow(reason);
    expect((await harness.get(WithdrawalStore).find(id))?.state).toBe('review');
  });

  it.each([
    ['the project', true],
    ['another project', false],
  ])(
    'has to name as unrelated also an equal record that is linked to another wallet of %s',
    async (_whose, inSameProject) => {
      harness.exchange.script = ['request_lost'];
      const quote = await harness.quote();
      const { id } = await harness.execute(quote);
      const { project, wallet } = harness;
      await harness.newWallet({ inSameProject });
      const other = await harness.execute(await harness.quote());
      Object.assign(harness, { project, wallet });
      await harness.work(120, 60_000);
      expect((await harness.withdrawalOf(quote)).state).toBe('review');
      const shown = await harness.get(ShowWithdrawal).execute(id);
      expect(shown).toMatchObject({ history: { records: [{ exchangeId: 'X1', fits: true, linkedTo: other.id }] } });
      const unnamed = settle(id, { ...NOT_EXECUTED, unrelated: [] });
      await expect(unnamed).rejects.toThrow(/may be the exchange's record X1/);
      await settle(id, { ...NOT_EXECUTED, unrelated: ['X1'] });
      expect((await harness.withdrawalOf(quote)).state).toBe('failed');
    },
  );

  it('has to wait while the exchange cannot be queried', async () => {
    const { quote, id } = await ambiguous();
    harness.exchange.isDown = true;
    await expect(settle(id, NOT_EXECUTED)).rejects.toThrow(/cannot be queried now; try again later/);
    expect((await harness.withdrawalOf(quote)).state).toBe('review');
  });

  it('can end the withdrawal as failed when the credentials are erased', async () => {
    const { quote, id } = await ambiguous();
    await eraseCredentials(harness.ownerUrl, harness.wallet);
    await settle(id, NOT_EXECUTED);
    expect((await harness.withdrawalOf(quote)).state).toBe('failed');
  });

  it('is refused when a record has our reference, even if it is named as unrelated', async () => {
    const { quote, id } = await ambiguous();
    const { clientRef } = await harness.withdrawalOf(quote);
    Object.assign(harness.exchange.ledger[0] ?? {}, { clientRef });
    await expect(settle(id, NOT_EXECUTED)).rejects.toThrow(/shows the withdrawal as X1 \(pending\)/);
    expect((await harness.withdrawalOf(quote)).state).toBe('review');
  });

  it.each(['failed', 'canceled'])('need not name an equal record as unrelated that is %s', async (status) => {
    const { quote, id } = await ambiguous();
    Object.assign(harness.exchange.ledger[1] ?? {}, { status });
    await settle(id, { ...NOT_EXECUTED, unrelated: ['X1'] });
    expect((await harness.withdrawalOf(quote)).state).toBe('failed');
  });

  it('is refused while the exchange lists the withdrawal under its known id as pending', async () => {
    const quote = await harness.quote();
    const { id } = await harness.execute(quote);
    const withdrawal = await harness.withdrawalOf(quote);
    await harness.get(WithdrawalTransitions).toReview(withdrawal, harness.clock.now());
    await expect(settle(id, NOT_EXECUTED)).rejects.toThrow(/shows the withdrawal as X1 \(pending\)/);
    Object.assign(harness.exchange.ledger[0] ?? {}, { status: 'failed' });
    await settle(id, NOT_EXECUTED);
    expect((await harness.withdrawalOf(quote)).state).toBe('failed');
    // The attempt was accepted, although the withdrawal failed later.
    expect(await outcomes(id)).toEqual(['accepted']);
  });
});

describe('a decision of an operator', () => {
  it('is possible only for a withdrawal in review', async () => {
    const quote = await harness.quote();
    const { id } = await harness.execute(quote);
    await expect(settle(id, NOT_EXECUTED)).rejects.toThrow(
      /has the state submitted; operators decide only withdrawals in review/,
    );
    await expect(settle(NOBODY, NOT_EXECUTED)).rejects.toThrow(/Withdrawal not found/);
  });

  it('is made once when several operators decide at the same time', async () => {
    const { quote, id } = await ambiguous();
    const made = await Promise.allSettled([
      settle(id, { outcome: 'submitted', exchangeId: 'X1' }),
      settle(id, { outcome: 'submitted', exchangeId: 'X2' }),
      settle(id, NOT_EXECUTED),
    ]);
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await decisions()).toHaveLength(1);
    expect((await harness.withdrawalOf(quote)).state).not.toBe('review');
  });

  it('about an unmatched record requires a reason and accepts no outcome', async () => {
    harness.exchange.book({ asset: 'BTC', address: 'somewhere', amount: '5' });
    const record = await unmatchedRecordOf('X1');
    await expect(settle(record, { outcome: 'completed', reason: 'x' })).rejects.toThrow(/no outcome to decide/);
    await expect(settle(record, {})).rejects.toThrow(/reason is required/);
    await settle(record, { reason: 'made by hand' });
    await expect(settle(record, { reason: 'made by hand' })).rejects.toThrow(/already settled/);
    expect(await decisions()).toEqual([
      {
        actor: 'Ada',
        action: 'unmatched_record.settled',
        subject: record,
        details: { exchange: 'kraken', exchangeId: 'X1', reason: 'made by hand' },
      },
    ]);
  });
});

describe('the view of an operator', () => {
  const list = (
    states: ReviewState[],
    externalWalletId: string | null = harness.wallet.externalId,
    limit = 10,
    page = 0,
  ) => harness.get(ListReviews).execute({ states, externalWalletId, page: { page, limit } });

  it('lists withdrawals by state and by wallet, oldest first', async () => {
    const first = await ambiguous();
    harness.clock.advance(1_000);
    const second = await harness.execute(await harness.quote({ amount: '2' }));
    const both = await list(['review', 'submitted', 'unmatched']);
    expect(both).toMatchObject([
      { id: first.id, state: 'review', amount: '1', externalWalletId: harness.wallet.externalId, exchangeId: null },
      { id: second.id, state: 'submitted', amount: '2', exchangeId: 'X3' },
    ]);
    expect(await list(['submitted'])).toMatchObject([{ id: second.id }]);
    expect(await list(['review', 'submitted'], 'another')).toEqual([]);
    expect(await list(['review', 'submitted'], null, 1)).toHaveLength(1);
    expect(await list(['review', 'submitted'], undefined, 2, 1)).toEqual([]);
    const record = await unmatchedRecordOf('X9');
    expect(await list(['unmatched'])).toMatchObject([{ id: record, state: 'unmatched', exchangeId: 'X9' }]);
  });

  it('decides from a part of the list of withdrawals only that money has left', async () => {
    const { id } = await ambiguous();
    harness.exchange.listsAtMost = 1;
    await expect(settle(id, NOT_EXECUTED)).rejects.toThrow('more withdrawals since then than one search reads');
    expect(await harness.get(ShowWithdrawal).execute(id)).toMatchObject({
      history: { kind: 'shown', isComplete: false, records: [{ exchangeId: 'X2' }] },
    });
    await settle(id, { outcome: 'submitted', exchangeId: 'X1' });
  });

  it('shows each attempt with its response, and which records of the exchange fit', async () => {
    harness.exchange.book({ asset: 'ETH', address: 'x', amount: '1' });
    const { id } = await ambiguous();
    await harness.execute(await harness.quote({ amount: '2' }));
    const shown = await harness.get(ShowWithdrawal).execute(id);
    if (shown.kind !== 'withdrawal' || shown.history.kind !== 'shown') throw new Error('nothing is shown');
    expect(shown.withdrawal.id).toBe(id);
    expect(shown.transaction).toMatchObject({ id: shown.withdrawal.transactionId, status: 'pending' });
    expect(shown.attempts).toMatchObject([
      { outcome: 'unknown', request: { amount: '1.0001' }, answer: { reason: 'connection reset' } },
    ]);
    const records = shown.history.records.map(({ exchangeId, fits, linkedTo }) => [
      exchangeId,
      fits,
      linkedTo !== null,
    ]);
    expect(records.sort(([a], [b]) => String(a).localeCompare(String(b)))).toEqual([
      ['X2', true, false],
      ['X3', true, false],
      ['X4', false, true],
    ]);
  });

  it('shows why the history of the exchange cannot be read', async () => {
    const { id } = await ambiguous();
    harness.exchange.isDown = true;
    expect(await harness.get(ShowWithdrawal).execute(id)).toMatchObject({
      history: { kind: 'unavailable', reason: 'scripted outage' },
    });
    await eraseCredentials(harness.ownerUrl, harness.wallet);
    expect(await harness.get(ShowWithdrawal).execute(id)).toMatchObject({ history: { kind: 'erased' } });
  });

  it('shows an unmatched record by its id', async () => {
    const id = await unmatchedRecordOf('X5');
    expect(await harness.get(ShowWithdrawal).execute(id)).toMatchObject({
      kind: 'unmatched_record',
      record: { exchangeId: 'X5' },
    });
    await expect(harness.get(ShowWithdrawal).execute(NOBODY)).rejects.toThrow('Withdrawal not found');
  });
});

/** Inserts an unmatched record as the comparison after a restore does. */
async function unmatchedRecordOf(exchangeId: string): Promise<string> {
  const id = harness.clock.newId();
  await harness.db.query(
    `insert into unmatched_records (id, project_id, wallet_id, external_wallet_id, exchange, exchange_id, asset, amount_no_fee,
       status, occurred_at, found_at)
     values ($1, $2, $3, $4, 'kraken', $5, 'BTC', 5, 'pending', $6, $6)`,
    [id, harness.project.id, harness.wallet.id, harness.wallet.externalId, exchangeId, harness.clock.now()],
  );
  return id;
}
