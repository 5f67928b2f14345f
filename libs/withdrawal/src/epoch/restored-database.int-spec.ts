import pg from 'pg';
import type { Wallet } from '#wallet';
import { withoutRules } from '#platform/testing';
import { ListReviews, type ReviewItem } from '../operator/list-reviews.js';
import { SettleWithdrawal } from '../operator/settle-withdrawal.js';
import {
  backUp,
  recover,
  SETTLE_MS,
  type SubmitScript,
  WithdrawalHarness,
  workAfterRestore,
} from '../testing/index.js';
import { CompareWallet } from '../comparing/compare-wallet.js';
import { EpochChecks } from './epoch-checks.js';
import { RestoredDatabase } from './restored-database.js';

const MINUTE_MS = 60_000;
/** The default of RESTORE_LOOKBACK_HOURS. */
const LOOKBACK_MS = 48 * 3_600_000;
const RESTORED = { code: 'WITHDRAWAL_PROVIDER_ERROR', details: { result: { reason: 'database_restored' } } };

let harness: WithdrawalHarness;
let restore: () => Promise<void>;

beforeEach(async () => {
  harness = await WithdrawalHarness.create();
});
afterEach(() => harness.close());

/** Deletes the wallet, and connects the same account again with the same externalWalletId. */
async function connectAgain(): Promise<void> {
  const { id, externalId } = harness.wallet;
  await harness.db.query(`update wallets set deleted_at = $2 where id = $1`, [id, harness.clock.now()]);
  await harness.newWallet({ inSameProject: true });
  await withoutRules(
    harness.ownerUrl,
    `update wallets set external_id = '${externalId}' where id = '${harness.wallet.id}'`,
  );
  harness.wallet.externalId = externalId;
}

function unmatchedRecords(): Promise<ReviewItem[]> {
  return harness
    .get(ListReviews)
    .execute({ states: ['unmatched'], externalWalletId: null, page: { page: 0, limit: 100 } });
}

async function settle(id: string): Promise<void> {
  const decision = {
    outcome: null,
    exchangeId: null,
    reason: 'looked at',
    isNonExecutionConfirmed: false,
    unrelated: [],
  };
  await harness.get(SettleWithdrawal).execute({ id, operator: 'Ada', ...decision });
}

async function attempt(values: Parameters<WithdrawalHarness['quote']>[0] = {}): Promise<unknown> {
  return harness.execute(await harness.quote(values));
}

describe('a database that was restored', () => {
  it('blocks withdrawals equal to a lost submission until an operator has settled its unmatched record', async () => {
    restore = await backUp(harness.ownerUrl);
    const forgotten = await harness.quote();
    await harness.execute(forgotten);
    await restore();
    await expect(harness.execute(forgotten)).rejects.toMatchObject({ code: 'QUOTE_NOT_FOUND' });
    await expect(attempt()).rejects.toMatchObject(RESTORED);

    await recover(harness);
    const [record, ...others] = await unmatchedRecords();
    expect(others).toEqual([]);
    expect(record).toMatchObject({ exchangeId: 'X1', amount: '1', externalWalletId: harness.wallet.externalId });
    const refusal = { code: 'GENERIC_INVALID_REQUEST', status: 409 };
    const details = { result: { transactionId: null, exchangeTransactionId: 'X1' } };
    await expect(attempt()).rejects.toMatchObject({ ...refusal, details });
    await attempt({ amount: '2' });
    expect(harness.exchange.submissions).toBe(2);

    await settle(record?.id ?? '');
    await attempt();
    expect(harness.exchange.submissions).toBe(3);
    expect(await unmatchedRecords()).toEqual([]);
  });

  it('blocks withdrawals equal to an unmatched record, even if the record has another form of the address', async () => {
    restore = await backUp(harness.ownerUrl);
    await attempt();
    await restore();
    const request = harness.exchange.ledger[0]?.request;
    // docs.ton.org, "Smart contract addresses": two forms of one account.
    const account = 'QDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqP';
    Object.assign(request ?? {}, { address: `U${account}uwA` });
    await recover(harness);
    const unsettled = { code: 'GENERIC_INVALID_REQUEST', status: 409 };
    await expect(attempt({ address: `E${account}rHF` })).rejects.toMatchObject(unsettled);
    expect(harness.exchange.submissions).toBe(1);
    await attempt({ address: 'UQAREREREREREREREREREREREREREREREREREREREREREbvW' });
  });

  it('returns the recorded results of executions from before the backup', async () => {
    const quote = await harness.quote();
    const answer = await harness.execute(quote);
    restore = await backUp(harness.ownerUrl);
    await restore();
    expect(await harness.execute(quote)).toEqual(answer);
    expect(harness.exchange.submissions).toBe(1);
  });

  it('stops the withdrawals of wallets from before the restore and of wallets that are connected soon after it', async () => {
    restore = await backUp(harness.ownerUrl);
    await restore();
    await workAfterRestore(harness, 1);
    await expect(attempt()).rejects.toMatchObject(RESTORED);
    await harness.newWallet();
    await expect(attempt()).rejects.toMatchObject(RESTORED);
    await recover(harness);
    await attempt();
    expect(harness.exchange.submissions).toBe(1);
    harness.clock.advance(LOOKBACK_MS);
    await harness.newWallet();
    await attempt();
  });

  it('has a wallet compared with its exchange only after the exchange has had time to list all earlier submissions', async () => {
    restore = await backUp(harness.ownerUrl);
    await restore();
    await workAfterRestore(harness, 1, 0);
    harness.clock.advance(SETTLE_MS - 1);
    expect(await harness.get(EpochChecks).takeDue(harness.clock.now())).toEqual([]);
    harness.clock.advance(1);
    expect(await harness.get(EpochChecks).takeDue(harness.clock.now())).toEqual([harness.wallet.id]);
  });

  it.each<[string, SubmitScript[], number]>([
    ['created', Array<SubmitScript>(5).fill('not_sent'), 1],
    ['verification_required', ['verify'], 2],
  ])(
    'moves a withdrawal in the state %s to review, because it may have been sent after the backup',
    async (state, script, submissions) => {
      harness.exchange.script = script;
      const quote = await harness.quote();
      await harness.execute(quote).catch(() => undefined);
      expect((await harness.withdrawalOf(quote)).state).toBe(state);
      restore = await backUp(harness.ownerUrl);
      await harness.execute(quote);
      expect(harness.exchange.submissions).toBe(submissions);
      await restore();
      // The quote expires, and the worker reconciles the withdrawal before any worker has detected the restore.
      harness.clock.advance(5 * MINUTE_MS);
      await harness.work(1);
      expect(await harness.withdrawalOf(quote)).toMatchObject({ state: 'review', errorCode: null });
      const { transactionId } = await harness.withdrawalOf(quote);
      expect(await harness.transactionStatus({ id: '', transactionId })).toBe('pending');
      await recover(harness);
      expect(await unmatchedRecords()).toMatchObject([{ exchangeId: 'X1' }]);
    },
  );

  it('does not report a withdrawal as never sent, because it may have been sent after the backup', async () => {
    harness.exchange.script = Array<SubmitScript>(5).fill('not_sent');
    const quote = await harness.quote();
    await harness.execute(quote).catch(() => undefined);
    restore = await backUp(harness.ownerUrl);
    await harness.execute(quote);
    await restore();
    harness.clock.advance(6 * MINUTE_MS);
    await harness.execute(quote).catch(() => undefined);
    const { state, errorCode, transactionId } = await harness.withdrawalOf(quote);
    expect({ state: ['created', 'review'].includes(state), errorCode }).toEqual({ state: true, errorCode: null });
    expect(await harness.transactionStatus({ id: '', transactionId })).toBe('pending');
    await workAfterRestore(harness, 1);
    expect((await harness.withdrawalOf(quote)).state).toBe('review');
  });

  it('does not report a withdrawal as never sent although a fast clock dated its creation after the restore', async () => {
    harness.exchange.script = Array<SubmitScript>(5).fill('not_sent');
    const quote = await harness.quote();
    await harness.execute(quote).catch(() => undefined);
    restore = await backUp(harness.ownerUrl);
    await harness.execute(quote);
    await restore();
    await harness.get(RestoredDatabase).detect();
    const { createdAt } = await harness.withdrawalOf(quote);
    const owner = new pg.Client(harness.ownerUrl);
    await owner.connect();
    const restoredAt = new Date(createdAt.getTime() - MINUTE_MS / 2);
    await owner.query(`update database_epochs set first_seen_at = $1 where not is_original`, [restoredAt]);
    await owner.end();
    harness.clock.advance(6 * MINUTE_MS);
    await harness.execute(quote).catch(() => undefined);
    expect((await harness.withdrawalOf(quote)).state).toBe('review');
  });

  it('settles a withdrawal that has no attempt after an operator has linked it to a record', async () => {
    harness.exchange.script = Array<SubmitScript>(5).fill('not_sent');
    const quote = await harness.quote();
    await harness.execute(quote).catch(() => undefined);
    restore = await backUp(harness.ownerUrl);
    await harness.execute(quote);
    await restore();
    await workAfterRestore(harness, 1);
    const { id, transactionId } = await harness.withdrawalOf(quote);
    const found = {
      outcome: 'submitted',
      exchangeId: 'X1',
      reason: null,
      isNonExecutionConfirmed: false,
      unrelated: [],
    } as const;
    await harness.get(SettleWithdrawal).execute({ id, operator: 'Ada', ...found });
    Object.assign(harness.exchange.ledger[0] ?? {}, { status: 'completed' });
    await recover(harness);
    expect((await harness.withdrawalOf(quote)).state).toBe('completed');
    expect(await harness.transactionStatus({ id, transactionId })).toBe('ok');
    expect(await unmatchedRecords()).toEqual([]);
  });

  it('moves unsent withdrawals to review as soon as a worker detects the restore', async () => {
    harness.exchange.script = ['verify'];
    const quote = await harness.quote();
    await harness.execute(quote).catch(() => undefined);
    restore = await backUp(harness.ownerUrl);
    await restore();
    await workAfterRestore(harness, 1);
    expect((await harness.withdrawalOf(quote)).state).toBe('review');
  });

  it('has a wallet compared with its exchange only after the open withdrawals of the wallet are linked to their records', async () => {
    harness.exchange.script = ['answer_lost'];
    const quote = await harness.quote();
    await harness.execute(quote);
    restore = await backUp(harness.ownerUrl);
    await restore();
    harness.exchange.isLagging = true;
    await harness.get(RestoredDatabase).detect();
    harness.clock.advance(SETTLE_MS);
    for (const id of await harness.get(EpochChecks).takeDue(harness.clock.now()))
      await harness.get(CompareWallet).execute(id);
    await expect(attempt({ amount: '2' })).rejects.toMatchObject(RESTORED);
    harness.exchange.isLagging = false;
    await recover(harness);
    expect(await harness.withdrawalOf(quote)).toMatchObject({ state: 'submitted', exchangeId: 'X1' });
    expect(await unmatchedRecords()).toEqual([]);
    await attempt({ amount: '2' });
  });

  it('does not record an attempt from before the restore as not executed, because the withdrawal may have been sent again', async () => {
    harness.exchange.script = ['request_lost'];
    const quote = await harness.quote();
    await harness.execute(quote);
    restore = await backUp(harness.ownerUrl);
    await restore();
    await workAfterRestore(harness, 20);
    expect((await harness.withdrawalOf(quote)).state).toBe('review');
    await attempt({ amount: '2' });
  });

  it('executes no withdrawal of a wallet while its exchange cannot be queried for the comparison', async () => {
    restore = await backUp(harness.ownerUrl);
    await harness.execute(await harness.quote());
    await restore();
    harness.exchange.isDown = true;
    await workAfterRestore(harness, 60);
    harness.exchange.isDown = false;
    await expect(attempt({ amount: '2' })).rejects.toMatchObject(RESTORED);
    await workAfterRestore(harness, 6);
    await attempt({ amount: '2' });
    expect(await unmatchedRecords()).toMatchObject([{ exchangeId: 'X1' }]);
  });

  it('executes no withdrawal of a wallet while its exchange lists only a part of the withdrawals', async () => {
    restore = await backUp(harness.ownerUrl);
    await attempt();
    await attempt({ amount: '2' });
    await restore();
    harness.exchange.listsAtMost = 1;
    await workAfterRestore(harness, 60);
    await expect(attempt({ amount: '3' })).rejects.toMatchObject(RESTORED);
    expect(await unmatchedRecords()).toEqual([]);
    harness.exchange.listsAtMost = Infinity;
    await workAfterRestore(harness, 6);
    await attempt({ amount: '3' });
    expect(await unmatchedRecords()).toHaveLength(2);
  });

  it('stores as unmatched no failed or too old record, and none that is linked to a withdrawal of the wallet', async () => {
    harness.exchange.book({ asset: 'BTC', address: 'old', amount: '1' });
    harness.clock.advance(49 * 60 * MINUTE_MS);
    await harness.execute(await harness.quote());
    await connectAgain();
    const first = harness.wallet;
    await harness.newWallet({ inSameProject: true });
    restore = await backUp(harness.ownerUrl);
    for (const status of ['failed', 'canceled', 'completed'] as const) {
      Object.assign(harness.exchange.book({ asset: 'BTC', address: status, amount: '1' }), { status });
    }
    await restore();
    await recover(harness);
    const found = await unmatchedRecords();
    const idsOf = ({ externalId }: Wallet): (string | null)[] =>
      found.filter(({ externalWalletId }) => externalWalletId === externalId).map(({ exchangeId }) => exchangeId);
    expect(idsOf(first)).toEqual(['X5']);
    // X2 is linked to a withdrawal of the first wallet. It may still be a lost withdrawal of the second one.
    expect(idsOf(harness.wallet)).toEqual(['X2', 'X5']);
  });

  it('blocks a quote equal to an unmatched record also when the amount of the record includes the fee, or its address is missing', async () => {
    restore = await backUp(harness.ownerUrl);
    harness.exchange.fee = harness.exchange.fee.minus(harness.exchange.fee);
    harness.exchange.book({ asset: 'BTC', address: (await harness.quote()).address, amount: '1.0001' });
    harness.exchange.book({ asset: 'BTC', amount: '3' });
    await restore();
    await recover(harness);
    for (const amount of ['1', '3']) await expect(attempt({ amount })).rejects.toMatchObject({ status: 409 });
    await attempt({ amount: '2' });
  });

  it('blocks withdrawals equal to an unmatched record also after the wallet was deleted and connected again', async () => {
    restore = await backUp(harness.ownerUrl);
    await harness.execute(await harness.quote());
    await restore();
    await recover(harness);
    await connectAgain();
    await workAfterRestore(harness, 2);
    await expect(attempt()).rejects.toMatchObject({ status: 409 });
  });

  it('stops the withdrawals of its wallets again after another restore', async () => {
    restore = await backUp(harness.ownerUrl);
    await restore();
    await recover(harness);
    await attempt();
    restore = await backUp(harness.ownerUrl);
    await attempt({ amount: '2' });
    await restore();
    await workAfterRestore(harness, 1);
    await expect(attempt({ amount: '3' })).rejects.toMatchObject(RESTORED);
    await recover(harness);
    expect(await unmatchedRecords()).toMatchObject([{ exchangeId: 'X2' }]);
    await attempt({ amount: '3' });
  });

  it('is detected once by concurrent workers, and each of its wallets is compared by only one worker', async () => {
    for (let count = 0; count < 5; count++) await harness.newWallet({ inSameProject: true });
    restore = await backUp(harness.ownerUrl);
    await restore();
    await Promise.all([1, 2, 3].map(() => harness.get(RestoredDatabase).detect()));
    expect(await harness.db.query(`select from database_epochs`)).toHaveLength(2);
    harness.clock.advance(SETTLE_MS);
    const checks = harness.get(EpochChecks);
    const taken = (await Promise.all([1, 2, 3].map(() => checks.takeDue(harness.clock.now())))).flat();
    expect(taken).toHaveLength(6);
    expect(new Set(taken).size).toBe(6);
    await Promise.all([...taken, ...taken].map((id) => harness.get(CompareWallet).execute(id)));
    expect(await harness.db.query(`select from epoch_checks where checked_at is null`)).toEqual([]);
  });
});

describe('a database that was never restored', () => {
  it('stops no withdrawals and has no wallets to compare', async () => {
    await workAfterRestore(harness, 3);
    expect(await harness.db.query(`select from epoch_checks`)).toEqual([]);
    await attempt();
    expect(harness.exchange.submissions).toBe(1);
  });
});
