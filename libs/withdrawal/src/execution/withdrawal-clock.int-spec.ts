import { WithdrawalBed } from '../testing/index.js';
import { ReconcileWithdrawal } from './reconcile-withdrawal.js';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const DIFFERS = { code: 'WITHDRAWAL_PROVIDER_ERROR', details: { result: { reason: 'host_clock_differs' } } };

describe('withdrawals on hosts whose clocks are wrong', () => {
  let bed: WithdrawalBed;

  beforeAll(async () => {
    bed = await WithdrawalBed.create();
  });
  afterAll(() => bed.close());
  beforeEach(async () => {
    bed.clock.wallErrorMs = 0;
    bed.clock.onSleep = () => undefined;
    bed.venue.reset();
    await bed.newWallet();
  });

  it.each([-HOUR, -5_001, 5_001, HOUR])('are not sent when the clock is %i ms off', async (errorMs) => {
    const quote = await bed.quote();
    bed.clock.wallErrorMs = errorMs;
    await expect(bed.execute(quote)).rejects.toMatchObject(DIFFERS);
    expect(bed.venue.submissions).toBe(0);
    bed.clock.wallErrorMs = 0;
    expect(await bed.transactionStatus(await bed.execute(quote))).toBe('pending');
    expect(bed.venue.submissions).toBe(1);
  });

  it('are not sent when the clock jumps before the request is written, as when a machine was suspended', async () => {
    const quote = await bed.quote();
    bed.venue.onRead = () => {
      bed.clock.wallErrorMs = HOUR;
    };
    await expect(bed.execute(quote)).rejects.toMatchObject({ code: 'WITHDRAWAL_PROVIDER_ERROR' });
    expect(bed.venue.submissions).toBe(0);
  });

  it.each(['answer_lost', 'accept'] as const)(
    'are looked at again soon when the clock jumps while the exchange has them: %s',
    async (script) => {
      const quote = await bed.quote();
      bed.venue.script = [script];
      bed.venue.onSubmission = () => {
        bed.clock.wallErrorMs = HOUR;
      };
      await bed.execute(quote);
      const { nextCheckAt, state } = await bed.withdrawalOf(quote);
      expect(state).toBe(script === 'accept' ? 'submitted' : 'unknown');
      expect((nextCheckAt?.getTime() ?? Infinity) - bed.clock.trueNow().getTime()).toBeLessThan(10 * MINUTE);
    },
  );

  it('are given up by no repeat on a host whose clock is wrong', async () => {
    const quote = await bed.quote();
    let letGo: () => void = () => undefined;
    bed.venue.gate = new Promise((resolve) => (letGo = resolve));
    const arrived = new Promise<void>((resolve) => (bed.venue.onSubmission = resolve));
    const sending = bed.execute(quote);
    await arrived;
    bed.clock.wallErrorMs = HOUR;
    await expect(bed.execute(quote, { autoDeleteIfInvalid: false })).rejects.toMatchObject({ status: 409 });
    expect((await bed.withdrawalOf(quote)).state).toBe('submitting');
    bed.clock.wallErrorMs = 0;
    letGo();
    expect(await bed.transactionStatus(await sending)).toBe('pending');
    expect((await bed.withdrawalOf(quote)).state).toBe('submitted');
  });

  it.each([-HOUR, HOUR])('are settled by no worker whose clock is %i ms off', async (errorMs) => {
    const quote = await bed.quote();
    bed.venue.script = ['answer_lost'];
    await bed.execute(quote);
    const withdrawal = await bed.withdrawalOf(quote);
    bed.clock.wallErrorMs = errorMs;
    await expect(bed.get(ReconcileWithdrawal).execute(withdrawal.id)).rejects.toMatchObject(DIFFERS);
    expect(await bed.withdrawalOf(quote)).toEqual(withdrawal);
    bed.clock.wallErrorMs = 0;
    await bed.get(ReconcileWithdrawal).execute(withdrawal.id);
    expect((await bed.withdrawalOf(quote)).state).toBe('submitted');
  });
});
