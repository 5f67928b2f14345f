import { ListReviews, type ReviewItem } from '../operator/list-reviews.js';
import { SettleWithdrawal } from '../operator/settle-withdrawal.js';
import { backUp, type SubmitScript, WithdrawalBed } from '../testing/index.js';
import { CompareWallet } from './compare-wallet.js';
import { EpochChecks } from './epoch-checks.js';
import { RestoredDatabase } from './restored-database.js';

const MINUTE_MS = 60_000;
/** WITHDRAWAL_ABSENCE_MS */
const LOOKBACK_MS = 48 * 3_600_000;
const SETTLE_MS = 10 * MINUTE_MS;
const RESTORED = { code: 'WITHDRAWAL_PROVIDER_ERROR', details: { result: { reason: 'database_restored' } } };

let bed: WithdrawalBed;
let restore: () => Promise<void>;

beforeEach(async () => {
  bed = await WithdrawalBed.create();
});
afterEach(() => bed.close());

/** What a worker does, `rounds` times, `everyMs` apart: it notices, reconciles what is due and compares wallets. */
async function work(rounds: number, everyMs = MINUTE_MS): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await bed.get(RestoredDatabase).notice();
    await bed.work(1, 0);
    for (const id of await bed.get(EpochChecks).takeDue(bed.clock.now())) await bed.get(CompareWallet).execute(id);
    bed.clock.advance(everyMs);
  }
}

/** The worker has noticed and compared everything that it could. */
async function recover(): Promise<void> {
  await work(1 + SETTLE_MS / MINUTE_MS + 1);
}

function orphans(): Promise<ReviewItem[]> {
  return bed.get(ListReviews).execute({ states: ['orphan'], externalWalletId: null, page: { page: 0, limit: 100 } });
}

async function settle(id: string): Promise<void> {
  const decision = {
    outcome: null,
    exchangeId: null,
    reason: 'looked at',
    isNonExecutionConfirmed: false,
    unrelated: [],
  };
  await bed.get(SettleWithdrawal).execute({ id, operator: 'Ada', ...decision });
}

async function attempt(values: Parameters<WithdrawalBed['quote']>[0] = {}): Promise<unknown> {
  return bed.execute(await bed.quote(values));
}

describe('a database that was restored', () => {
  it('finds the submission that it has forgotten, which blocks its like until an operator has settled it', async () => {
    restore = await backUp(bed.ownerUrl);
    const forgotten = await bed.quote();
    await bed.execute(forgotten);
    await restore();
    await expect(bed.execute(forgotten)).rejects.toMatchObject({ code: 'QUOTE_NOT_FOUND' });
    await expect(attempt()).rejects.toMatchObject(RESTORED);

    await recover();
    const [orphan, ...others] = await orphans();
    expect(others).toEqual([]);
    expect(orphan).toMatchObject({ exchangeId: 'X1', amount: '1', externalWalletId: bed.wallet.externalId });
    const refusal = { code: 'GENERIC_INVALID_REQUEST', status: 409 };
    const details = { result: { transactionId: null, exchangeTransactionId: 'X1' } };
    await expect(attempt()).rejects.toMatchObject({ ...refusal, details });
    await attempt({ amount: '2' });
    expect(bed.venue.submissions).toBe(2);

    await settle(orphan?.id ?? '');
    await attempt();
    expect(bed.venue.submissions).toBe(3);
    expect(await orphans()).toEqual([]);
  });

  it('never executes a quote of before, whether it was executed since the backup or not', async () => {
    const [executed, open] = [await bed.quote(), await bed.quote({ amount: '2' })];
    restore = await backUp(bed.ownerUrl);
    await bed.execute(executed);
    await restore();
    for (const quote of [executed, open]) await expect(bed.execute(quote)).rejects.toMatchObject(RESTORED);
    await work(1, 0);
    for (const quote of [executed, open]) {
      await expect(bed.execute(quote)).rejects.toMatchObject(RESTORED);
    }
    await recover();
    for (const quote of [executed, open]) {
      await expect(bed.execute(quote)).rejects.toMatchObject({ code: 'QUOTE_EXPIRED' });
    }
    expect(bed.venue.submissions).toBe(1);
  });

  it('answers as before what was executed before the backup', async () => {
    const quote = await bed.quote();
    const answer = await bed.execute(quote);
    restore = await backUp(bed.ownerUrl);
    await restore();
    expect(await bed.execute(quote)).toEqual(answer);
    expect(bed.venue.submissions).toBe(1);
  });

  it('stops a wallet of before, and one that is connected while a client may still wait for what is forgotten', async () => {
    restore = await backUp(bed.ownerUrl);
    await restore();
    await work(1);
    await expect(attempt()).rejects.toMatchObject(RESTORED);
    await bed.newWallet();
    await expect(attempt()).rejects.toMatchObject(RESTORED);
    await recover();
    await attempt();
    expect(bed.venue.submissions).toBe(1);
    bed.clock.advance(LOOKBACK_MS);
    await bed.newWallet();
    await attempt();
  });

  it('does not ask before what was about to be sent must have arrived and be shown', async () => {
    restore = await backUp(bed.ownerUrl);
    await restore();
    await work(1, 0);
    bed.clock.advance(SETTLE_MS - 1);
    expect(await bed.get(EpochChecks).takeDue(bed.clock.now())).toEqual([]);
    bed.clock.advance(1);
    expect(await bed.get(EpochChecks).takeDue(bed.clock.now())).toEqual([bed.wallet.id]);
  });

  it.each<[string, SubmitScript[], number]>([
    ['created', Array<SubmitScript>(5).fill('not_sent'), 1],
    ['verification_required', ['verify'], 2],
  ])(
    'gives a withdrawal that was %s to an operator, because it may have been sent since',
    async (state, script, submissions) => {
      bed.venue.script = script;
      const quote = await bed.quote();
      await bed.execute(quote).catch(() => undefined);
      expect((await bed.withdrawalOf(quote)).state).toBe(state);
      restore = await backUp(bed.ownerUrl);
      await bed.execute(quote);
      expect(bed.venue.submissions).toBe(submissions);
      await restore();
      // Its quote expires, and the reconciler may come before anybody has noticed.
      bed.clock.advance(5 * MINUTE_MS);
      await bed.work(1);
      expect(await bed.withdrawalOf(quote)).toMatchObject({ state: 'review', errorCode: null });
      const { transactionId } = await bed.withdrawalOf(quote);
      expect(await bed.transactionStatus({ id: '', transactionId })).toBe('pending');
      await recover();
      expect(await orphans()).toMatchObject([{ exchangeId: 'X1' }]);
    },
  );

  it('does not tell a client that comes back that its withdrawal was never sent', async () => {
    bed.venue.script = Array<SubmitScript>(5).fill('not_sent');
    const quote = await bed.quote();
    await bed.execute(quote).catch(() => undefined);
    restore = await backUp(bed.ownerUrl);
    await bed.execute(quote);
    await restore();
    bed.clock.advance(6 * MINUTE_MS);
    await bed.execute(quote).catch(() => undefined);
    const { state, errorCode, transactionId } = await bed.withdrawalOf(quote);
    expect({ state: ['created', 'review'].includes(state), errorCode }).toEqual({ state: true, errorCode: null });
    expect(await bed.transactionStatus({ id: '', transactionId })).toBe('pending');
    await work(1);
    expect((await bed.withdrawalOf(quote)).state).toBe('review');
  });

  it('follows what an operator has found to have been sent since, although no attempt is left of it', async () => {
    bed.venue.script = Array<SubmitScript>(5).fill('not_sent');
    const quote = await bed.quote();
    await bed.execute(quote).catch(() => undefined);
    restore = await backUp(bed.ownerUrl);
    await bed.execute(quote);
    await restore();
    await work(1);
    const { id, transactionId } = await bed.withdrawalOf(quote);
    const found = {
      outcome: 'submitted',
      exchangeId: 'X1',
      reason: null,
      isNonExecutionConfirmed: false,
      unrelated: [],
    } as const;
    await bed.get(SettleWithdrawal).execute({ id, operator: 'Ada', ...found });
    Object.assign(bed.venue.ledger[0] ?? {}, { status: 'completed' });
    await recover();
    expect((await bed.withdrawalOf(quote)).state).toBe('completed');
    expect(await bed.transactionStatus({ id, transactionId })).toBe('ok');
    expect(await orphans()).toEqual([]);
  });

  it('does so at once when it notices, however long the quote would have been open', async () => {
    bed.venue.script = ['verify'];
    const quote = await bed.quote();
    await bed.execute(quote).catch(() => undefined);
    restore = await backUp(bed.ownerUrl);
    await restore();
    await work(1);
    expect((await bed.withdrawalOf(quote)).state).toBe('review');
  });

  it('lets the reconciler find what is its own first', async () => {
    bed.venue.script = ['answer_lost'];
    const quote = await bed.quote();
    await bed.execute(quote);
    restore = await backUp(bed.ownerUrl);
    await restore();
    bed.venue.isLagging = true;
    await bed.get(RestoredDatabase).notice();
    bed.clock.advance(SETTLE_MS);
    for (const id of await bed.get(EpochChecks).takeDue(bed.clock.now())) await bed.get(CompareWallet).execute(id);
    await expect(attempt({ amount: '2' })).rejects.toMatchObject(RESTORED);
    bed.venue.isLagging = false;
    await recover();
    expect(await bed.withdrawalOf(quote)).toMatchObject({ state: 'submitted', exchangeId: 'X1' });
    expect(await orphans()).toEqual([]);
    await attempt({ amount: '2' });
  });

  it('does not call an attempt of before not executed: it may have been sent again since', async () => {
    bed.venue.script = ['request_lost'];
    const quote = await bed.quote();
    await bed.execute(quote);
    restore = await backUp(bed.ownerUrl);
    await restore();
    await work(20);
    expect((await bed.withdrawalOf(quote)).state).toBe('review');
    await attempt({ amount: '2' });
  });

  it('keeps a wallet stopped while its exchange cannot be asked', async () => {
    restore = await backUp(bed.ownerUrl);
    await bed.execute(await bed.quote());
    await restore();
    bed.venue.isDown = true;
    await work(60);
    bed.venue.isDown = false;
    await expect(attempt({ amount: '2' })).rejects.toMatchObject(RESTORED);
    await work(6);
    await attempt({ amount: '2' });
    expect(await orphans()).toMatchObject([{ exchangeId: 'X1' }]);
  });

  it('takes neither what did not move nor what is another withdrawal’s for forgotten, nor what is too old', async () => {
    bed.venue.book({ asset: 'BTC', address: 'old', amount: '1' });
    bed.clock.advance(49 * 60 * MINUTE_MS);
    const first = bed.wallet;
    await bed.execute(await bed.quote());
    await bed.newWallet({ inSameProject: true });
    restore = await backUp(bed.ownerUrl);
    for (const status of ['failed', 'canceled', 'completed'] as const) {
      Object.assign(bed.venue.book({ asset: 'BTC', address: status, amount: '1' }), { status });
    }
    await restore();
    await recover();
    const found = await orphans();
    expect(found.map(({ address }) => address)).toEqual(['completed', 'completed']);
    expect(new Set(found.map(({ externalWalletId }) => externalWalletId))).toEqual(
      new Set([first.externalId, bed.wallet.externalId]),
    );
  });

  it('takes a record whose amount has the fee in it, or whose address is not told, for its like', async () => {
    restore = await backUp(bed.ownerUrl);
    bed.venue.fee = bed.venue.fee.minus(bed.venue.fee);
    bed.venue.book({ asset: 'BTC', address: (await bed.quote()).address, amount: '1.0001' });
    bed.venue.book({ asset: 'BTC', amount: '3' });
    await restore();
    await recover();
    for (const amount of ['1', '3']) await expect(attempt({ amount })).rejects.toMatchObject({ status: 409 });
    await attempt({ amount: '2' });
  });

  it('is the same to whoever pays when its wallet is deleted and connected again', async () => {
    restore = await backUp(bed.ownerUrl);
    await bed.execute(await bed.quote());
    await restore();
    await recover();
    const { id, externalId: externalWalletId } = bed.wallet;
    await bed.db.query(`update wallets set deleted_at = $2 where id = $1`, [id, bed.clock.now()]);
    await bed.newWallet({ inSameProject: true });
    await bed.db.query(`update wallets set external_id = $2 where id = $1`, [bed.wallet.id, externalWalletId]);
    bed.wallet.externalId = externalWalletId;
    await work(2);
    await expect(attempt()).rejects.toMatchObject({ status: 409 });
  });

  it('is stopped anew by another restore', async () => {
    restore = await backUp(bed.ownerUrl);
    await restore();
    await recover();
    await attempt();
    restore = await backUp(bed.ownerUrl);
    await attempt({ amount: '2' });
    await restore();
    await work(1);
    await expect(attempt({ amount: '3' })).rejects.toMatchObject(RESTORED);
    await recover();
    expect(await orphans()).toMatchObject([{ exchangeId: 'X2' }]);
    await attempt({ amount: '3' });
  });

  it('is noticed by one worker, and each wallet is taken by one', async () => {
    for (let count = 0; count < 5; count++) await bed.newWallet({ inSameProject: true });
    restore = await backUp(bed.ownerUrl);
    await restore();
    await Promise.all([1, 2, 3].map(() => bed.get(RestoredDatabase).notice()));
    expect(await bed.db.query(`select from database_epochs`)).toHaveLength(2);
    bed.clock.advance(SETTLE_MS);
    const checks = bed.get(EpochChecks);
    const taken = (await Promise.all([1, 2, 3].map(() => checks.takeDue(bed.clock.now())))).flat();
    expect(taken).toHaveLength(6);
    expect(new Set(taken).size).toBe(6);
    await Promise.all([...taken, ...taken].map((id) => bed.get(CompareWallet).execute(id)));
    expect(await bed.db.query(`select from epoch_checks where checked_at is null`)).toEqual([]);
  });

  it('records nothing for a quote of before that a person would have to verify', async () => {
    const quote = await bed.quote();
    restore = await backUp(bed.ownerUrl);
    await restore();
    bed.venue.challenges.require([{ type: 'GOOGLE', code: '123456' }]);
    await expect(bed.execute(quote)).rejects.toMatchObject(RESTORED);
    expect(await bed.db.query(`select from withdrawals`)).toEqual([]);
  });
});

describe('a database that was never restored', () => {
  it('stops nobody and has nothing to compare', async () => {
    await work(3);
    expect(await bed.db.query(`select from epoch_checks`)).toEqual([]);
    await attempt();
    expect(bed.venue.submissions).toBe(1);
  });
});
