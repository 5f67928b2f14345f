import { Amount } from '#money';
import { GetWithdrawal } from '../execution/get-withdrawal.js';
import { toStatusResponse } from '../execution/withdrawal-status.dto.js';
import type { Quote } from '../quote/quote.entity.js';
import { backUp, recover, WithdrawalHarness, workAfterRestore } from '../testing/index.js';

/** The default of RESTORE_LOOKBACK_HOURS. */
const LOOKBACK_MS = 48 * 3_600_000;
/** The refusal of a quote whose execution the restored database may lack. */
const MAY_BE_LOST = {
  code: 'GENERIC_INVALID_REQUEST',
  status: 409,
  retryAfterSeconds: undefined,
  details: { result: { reason: 'database_restored', transactionId: null } },
};
const RESTORED = { code: 'WITHDRAWAL_PROVIDER_ERROR', details: { result: { reason: 'database_restored' } } };

describe('a quote from before the restore of the database', () => {
  let harness: WithdrawalHarness;
  let restore: () => Promise<void>;

  beforeEach(async () => {
    harness = await WithdrawalHarness.create();
  });
  afterEach(() => harness.close());

  it('is never executed', async () => {
    const [executed, open] = [await harness.quote(), await harness.quote({ amount: '2' })];
    restore = await backUp(harness.ownerUrl);
    await harness.execute(executed);
    await restore();
    for (const quote of [executed, open]) await expect(harness.execute(quote)).rejects.toMatchObject(RESTORED);
    await workAfterRestore(harness, 1, 0);
    for (const quote of [executed, open]) {
      await expect(harness.execute(quote)).rejects.toMatchObject(RESTORED);
    }
    await recover(harness);
    for (const quote of [executed, open]) {
      await expect(harness.execute(quote)).rejects.toMatchObject(MAY_BE_LOST);
    }
    expect(harness.exchange.submissions).toBe(1);
  });

  it('is not reported as expired when it may have been paid after the backup, even after its expiry', async () => {
    const old = await harness.quote();
    harness.clock.advance(LOOKBACK_MS + old.expiresAt.getTime() - old.createdAt.getTime());
    const open = await harness.quote({ amount: '3' });
    restore = await backUp(harness.ownerUrl);
    await harness.execute(open);
    await restore();
    const status = async ({ id }: Quote) =>
      toStatusResponse(await harness.get(GetWithdrawal).execute(harness.project, harness.wallet.externalId, id)).status;
    expect(await status(open)).toBe('pending');
    await expect(harness.execute(open)).rejects.toMatchObject(RESTORED);
    await recover(harness);
    harness.clock.advance(open.expiresAt.getTime() - open.createdAt.getTime());
    for (const dryRun of [false, true]) {
      await expect(harness.execute(open, { dryRun })).rejects.toMatchObject(MAY_BE_LOST);
    }
    expect(await status(open)).toBe('pending');
    // This quote had expired before the backup, so no execution of it can be lost.
    await expect(harness.execute(old)).rejects.toMatchObject({ code: 'QUOTE_EXPIRED' });
    expect(await status(old)).toBe('expired');
    expect(harness.exchange.submissions).toBe(1);
    expect(await harness.db.query('select body from topic_messages where topic = $1', [open.id])).toEqual([]);
  });

  it('gets no failed check when it may have been paid after the backup', async () => {
    const executed = await harness.quote();
    restore = await backUp(harness.ownerUrl);
    await harness.execute(executed);
    await restore();
    await recover(harness);
    harness.exchange.balance = Amount.zero;
    await expect(harness.execute(executed)).rejects.toMatchObject(MAY_BE_LOST);
    expect(harness.exchange.submissions).toBe(1);
  });

  it('gets no recorded withdrawal when it needs a verification', async () => {
    const quote = await harness.quote();
    restore = await backUp(harness.ownerUrl);
    await restore();
    harness.exchange.challenges.require([{ type: 'GOOGLE', code: '123456' }]);
    await expect(harness.execute(quote)).rejects.toMatchObject(RESTORED);
    expect(await harness.db.query(`select from withdrawals`)).toEqual([]);
  });
});
