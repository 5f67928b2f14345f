import { WithdrawalBed } from '../testing/index.js';
import { GetWithdrawal } from './get-withdrawal.js';
import { toStandingResponse } from './withdrawal-standing.dto.js';
import { WithdrawalTransitions } from './withdrawal-transitions.js';
import { WithdrawalTime } from './withdrawal-time.js';

/** Longer than a quote lasts, and than a lock. */
const EXPIRED_MS = 301_000;
const LATER = { autoDeleteIfInvalid: false };

describe('what one call tells while another one is at work', () => {
  let bed: WithdrawalBed;
  beforeAll(async () => (bed = await WithdrawalBed.create()));
  afterAll(() => bed.close());
  beforeEach(async () => {
    bed.venue.ledger.length = 0;
    bed.venue.submissions = 0;
    bed.venue.script = [];
    bed.venue.onRead = () => undefined;
    await bed.newWallet();
  });

  /** A call that stands still in its first question to the exchange until it is let go. */
  const standing = async (run: () => Promise<unknown>) => {
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const arrived = new Promise<void>((resolve) => {
      bed.venue.onRead = () => {
        bed.venue.onRead = () => undefined;
        resolve();
        return held;
      };
    });
    const outcome = run().catch((error: unknown) => error);
    await arrived;
    return { letGo, outcome };
  };

  it('is not that the balance is too small for what has just been paid', async () => {
    const quote = await bed.quote();
    const { letGo, outcome } = await standing(() => bed.execute(quote));
    const paid = await bed.execute(quote, LATER);
    const { balance } = bed.venue;
    bed.venue.balance = balance.minus(balance);
    letGo();
    expect(await outcome).toEqual(paid);
    bed.venue.balance = balance;
    expect(bed.venue.submissions).toBe(1);
  });

  it('is final about the call before it, which can begin nothing any more', async () => {
    const quote = await bed.quote();
    const { letGo, outcome } = await standing(() => bed.execute(quote));
    bed.venue.isDown = true;
    await expect(bed.execute(quote, LATER)).rejects.toMatchObject({ code: 'WITHDRAWAL_PROVIDER_ERROR' });
    bed.venue.isDown = false;
    letGo();
    expect(await outcome).toMatchObject({ code: 'GENERIC_INVALID_REQUEST', status: 409 });
    expect(bed.venue.submissions).toBe(0);
    await bed.execute(quote);
    expect(bed.venue.submissions).toBe(1);
  });

  it('is not what a call has failed with that began before it was paid', async () => {
    const transitions = bed.get(WithdrawalTransitions);
    const tell = transitions.tellRefusal.bind(transitions);
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const hasFailed = new Promise<void>((resolve) => {
      Object.assign(transitions, {
        tellRefusal: async (...args: Parameters<typeof tell>) => {
          Reflect.deleteProperty(transitions, 'tellRefusal');
          resolve();
          await held;
          await tell(...args);
        },
      });
    });
    const quote = await bed.quote();
    bed.venue.isDown = true;
    const failed = bed.execute(quote).catch((error: unknown) => error);
    await hasFailed;
    bed.venue.isDown = false;
    const paid = await bed.execute(quote, LATER);
    const repeated = bed.execute(quote).catch((error: unknown) => error);
    letGo();
    expect(await repeated).toEqual(paid);
    expect(await failed).toMatchObject({ code: 'WITHDRAWAL_PROVIDER_ERROR' });
    expect(bed.venue.submissions).toBe(1);
  });

  it('is not that a quote has expired which is being paid', async () => {
    const quote = await bed.quote();
    bed.clock.advance(EXPIRED_MS);
    const standingOf = () => bed.get(GetWithdrawal).execute(bed.project, bed.wallet.externalId, quote.id);
    expect(toStandingResponse(await standingOf()).status).toBe('expired');
    bed.clock.advance(-EXPIRED_MS);
    await expect(bed.execute(quote)).rejects.toMatchObject({ code: 'QUOTE_EXPIRED' });
    expect(bed.venue.submissions).toBe(0);
  });

  it('is unknown once the result did not come in time, whatever comes later but the exchange’s yes', async () => {
    for (const [script, state] of [
      ['refuse', 'unknown'],
      ['accept', 'submitted'],
    ] as const) {
      await bed.newWallet();
      let letGo = (): void => undefined;
      bed.venue.gate = new Promise((resolve) => (letGo = resolve));
      bed.venue.script = [script];
      const quote = await bed.quote();
      const arrived = new Promise<void>((resolve) => (bed.venue.onSubmission = resolve));
      const first = bed.execute(quote);
      await arrived;
      // Waits for as long as an execution may take, and then says so.
      const told = await bed.execute(quote, LATER);
      expect((await bed.withdrawalOf(quote)).state).toBe('unknown');
      letGo();
      expect([told, (await bed.withdrawalOf(quote)).id]).toEqual([await first, told.id]);
      expect((await bed.withdrawalOf(quote)).state).toBe(state);
      bed.venue.gate = Promise.resolve();
    }
  });

  it('is not success for a tag that was not paid to', async () => {
    bed.venue.isDown = false;
    const quote = await bed.quote({ network: 'ripple' });
    const { letGo, outcome } = await standing(() => bed.execute(quote, { tag: '1' }));
    await bed.execute(quote, { ...LATER, tag: '2' });
    bed.venue.isDown = true;
    letGo();
    expect(await outcome).toMatchObject({ code: 'GENERIC_INVALID_REQUEST', status: 422 });
    bed.venue.isDown = false;
  });

  it('is not success for a dry run of a quote that another call has executed and that has expired meanwhile', async () => {
    const quote = await bed.quote();
    const time = bed.get(WithdrawalTime);
    const executedMeanwhile: WithdrawalTime['read'] = async () => {
      Reflect.deleteProperty(time, 'read');
      await bed.execute(quote);
      bed.clock.advance(EXPIRED_MS);
      return time.read();
    };
    Object.assign(time, { read: executedMeanwhile });
    await expect(bed.execute(quote, { dryRun: true })).rejects.toMatchObject({ status: 409 });
    expect(bed.venue.submissions).toBe(1);
    bed.clock.advance(-EXPIRED_MS);
  });

  it('is the end of a quote only when no other process can execute it any more', async () => {
    const quote = await bed.quote();
    bed.clock.advance(EXPIRED_MS);
    await expect(bed.execute(quote)).rejects.toMatchObject({ code: 'QUOTE_EXPIRED' });
    // Another process, whose clock is behind.
    bed.clock.advance(-EXPIRED_MS);
    await expect(bed.execute(quote)).rejects.toMatchObject({ code: 'QUOTE_EXPIRED' });
    expect(bed.venue.submissions).toBe(0);

    bed.venue.script = Array(5).fill('not_sent') as 'not_sent'[];
    const tried = await bed.quote({ amount: '2' });
    await expect(bed.execute(tried)).rejects.toMatchObject({ code: 'WITHDRAWAL_PROVIDER_ERROR' });
    bed.clock.advance(EXPIRED_MS);
    await expect(bed.execute(tried)).rejects.toMatchObject({ code: 'QUOTE_EXPIRED' });
    bed.clock.advance(-EXPIRED_MS);
    await expect(bed.execute(tried)).rejects.toMatchObject({ code: 'QUOTE_EXPIRED' });
    expect(bed.venue.submissions).toBe(0);
    expect(await bed.transactionStatus(await bed.withdrawalOf(tried))).toBe('failed');
  });

  it.each([
    ['rejected', 'refuse', 'WITHDRAWAL_AMOUNT_BELOW_MINIMUM'],
    ['verificationRequired', 'verify', 'WITHDRAWAL_2FA_REQUIRED_TOTP'],
  ] as const)('is what was written down, also when the database did not say so: %s', async (method, script, code) => {
    bed.venue.script = [script];
    const transitions = bed.get(WithdrawalTransitions);
    const write = transitions[method].bind(transitions) as (...args: unknown[]) => Promise<boolean>;
    const once = async (...args: unknown[]): Promise<boolean> => {
      Reflect.deleteProperty(transitions, method);
      await write(...args);
      throw new Error('the connection is lost after the commit');
    };
    Object.assign(transitions, { [method]: once });
    const quote = await bed.quote();
    await expect(bed.execute(quote)).rejects.toMatchObject({ code });
    expect((await bed.withdrawalOf(quote)).errorCode).toBe(code);
  });
});
