import { WithdrawalHarness } from '../testing/index.js';
import { ReconcileWithdrawal } from '../settling/reconcile-withdrawal.js';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const DIFFERS = {
  code: 'WITHDRAWAL_PROVIDER_ERROR',
  message: expect.stringMatching(/clock differs from the database's or could not be compared/) as string,
  details: { result: { reason: 'host_clock_differs' } },
};

describe('withdrawals on hosts whose clocks are wrong', () => {
  let harness: WithdrawalHarness;

  beforeAll(async () => {
    harness = await WithdrawalHarness.create();
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    harness.clock.wallErrorMs = 0;
    harness.clock.onSleep = () => undefined;
    harness.exchange.reset();
    await harness.begin();
  });

  it.each([-HOUR, -5_001, 5_001, HOUR])('are not sent when the clock is %i ms off', async (errorMs) => {
    const quote = await harness.quote();
    harness.clock.wallErrorMs = errorMs;
    await expect(harness.execute(quote)).rejects.toMatchObject(DIFFERS);
    expect(harness.exchange.submissions).toBe(0);
    harness.clock.wallErrorMs = 0;
    expect(await harness.transactionStatus(await harness.execute(quote))).toBe('pending');
    expect(harness.exchange.submissions).toBe(1);
  });

  it('are not sent when the clock jumps before the request is written, as when a machine was suspended', async () => {
    const quote = await harness.quote();
    harness.exchange.onRead = () => {
      harness.clock.wallErrorMs = HOUR;
    };
    await expect(harness.execute(quote)).rejects.toMatchObject({ code: 'WITHDRAWAL_PROVIDER_ERROR' });
    expect(harness.exchange.submissions).toBe(0);
  });

  it.each(['answer_lost', 'accept'] as const)(
    'are checked again soon when the clock jumps while the exchange processes them: %s',
    async (script) => {
      const quote = await harness.quote();
      harness.exchange.script = [script];
      harness.exchange.onSubmission = () => {
        harness.clock.wallErrorMs = HOUR;
      };
      await harness.execute(quote);
      const { nextCheckAt, state } = await harness.withdrawalOf(quote);
      expect(state).toBe(script === 'accept' ? 'submitted' : 'unknown');
      expect((nextCheckAt?.getTime() ?? Infinity) - harness.clock.trueNow().getTime()).toBeLessThan(10 * MINUTE);
    },
  );

  it('are not recorded as unknown by a repeat on a host whose clock is wrong', async () => {
    const quote = await harness.quote();
    let letGo: () => void = () => undefined;
    harness.exchange.gate = new Promise((resolve) => (letGo = resolve));
    const arrived = new Promise<void>((resolve) => (harness.exchange.onSubmission = resolve));
    const sending = harness.execute(quote);
    await arrived;
    harness.clock.wallErrorMs = HOUR;
    await expect(harness.execute(quote, { autoDeleteIfInvalid: false })).rejects.toMatchObject({
      status: 409,
      message: 'The result of this quote is not recorded yet; repeat this request to get the result',
    });
    expect((await harness.withdrawalOf(quote)).state).toBe('submitting');
    harness.clock.wallErrorMs = 0;
    letGo();
    expect(await harness.transactionStatus(await sending)).toBe('pending');
    expect((await harness.withdrawalOf(quote)).state).toBe('submitted');
  });

  it.each([-HOUR, HOUR])('are not settled by a worker whose clock is %i ms off', async (errorMs) => {
    const quote = await harness.quote();
    harness.exchange.script = ['answer_lost'];
    await harness.execute(quote);
    const withdrawal = await harness.withdrawalOf(quote);
    harness.clock.wallErrorMs = errorMs;
    await expect(harness.get(ReconcileWithdrawal).execute(withdrawal.id)).rejects.toMatchObject(DIFFERS);
    expect(await harness.withdrawalOf(quote)).toEqual(withdrawal);
    harness.clock.wallErrorMs = 0;
    await harness.get(ReconcileWithdrawal).execute(withdrawal.id);
    expect((await harness.withdrawalOf(quote)).state).toBe('submitted');
  });
});
