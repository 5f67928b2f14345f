import { Amount } from '#money';
import { Secret } from '#platform/crypto';
import { WithdrawalHarness } from '../testing/index.js';
import { GetWithdrawal } from './get-withdrawal.js';
import { toStatusResponse } from './withdrawal-status.dto.js';
import { WithdrawalStore } from '../withdrawals/withdrawal-store.js';
import { WithdrawalTransitions } from '../withdrawals/withdrawal-transitions.js';
import { Quotes } from '../quote/quotes.js';
import { WithdrawalTime } from '../quote/withdrawal-time.js';

/** Longer than the lifetime of a quote and of an execution lock. */
const EXPIRED_MS = 301_000;
const LATER = { autoDeleteIfInvalid: false };

describe('the result of a call while another call executes the quote', () => {
  let harness: WithdrawalHarness;
  beforeAll(async () => (harness = await WithdrawalHarness.create()));
  afterAll(() => harness.close());
  beforeEach(async () => {
    harness.exchange.reset();
    await harness.begin();
  });

  /** Starts a call that waits in its first call to the exchange until the test releases it. */
  const paused = async (run: () => Promise<unknown>) => {
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const arrived = new Promise<void>((resolve) => {
      harness.exchange.onRead = () => {
        harness.exchange.onRead = () => undefined;
        resolve();
        return held;
      };
    });
    const outcome = run().catch((error: unknown) => error);
    await arrived;
    return { letGo, outcome };
  };

  it('is not an insufficient balance when the other call has just paid', async () => {
    const quote = await harness.quote();
    const { letGo, outcome } = await paused(() => harness.execute(quote));
    const paid = await harness.execute(quote, LATER);
    harness.exchange.balance = Amount.zero;
    letGo();
    expect(await outcome).toEqual(paid);
    expect(harness.exchange.submissions).toBe(1);
  });

  it('is a conflict, and nothing is sent, when a call that began later has already reported a failure', async () => {
    const quote = await harness.quote();
    const { letGo, outcome } = await paused(() => harness.execute(quote));
    harness.exchange.isDown = true;
    await expect(harness.execute(quote, LATER)).rejects.toMatchObject({ code: 'WITHDRAWAL_PROVIDER_ERROR' });
    harness.exchange.isDown = false;
    letGo();
    expect(await outcome).toMatchObject({ code: 'GENERIC_INVALID_REQUEST', status: 409 });
    expect(harness.exchange.submissions).toBe(0);
    await harness.execute(quote);
    expect(harness.exchange.submissions).toBe(1);
  });

  it('is QUOTE_NOT_FOUND for another project, even if it has a wallet with the same id', async () => {
    const quote = await harness.quote();
    const { letGo, outcome } = await paused(() => harness.execute(quote));
    await harness.newWallet({ externalWalletId: harness.wallet.externalId });
    const theirs = harness.execute(quote);
    letGo();
    await expect(theirs).rejects.toMatchObject({ code: 'QUOTE_NOT_FOUND' });
    expect(await outcome).toHaveProperty('transactionId');
    await expect(harness.execute(quote)).rejects.toMatchObject({ code: 'QUOTE_NOT_FOUND' });
    expect(await harness.get(Quotes).findOfProject(harness.project.id, quote.id)).toBeNull();
    expect(harness.exchange.submissions).toBe(1);
  });

  it('is the recorded payment even while an earlier, equal call is still reporting its failure', async () => {
    const transitions = harness.get(WithdrawalTransitions);
    const tell = transitions.publishRefusal.bind(transitions);
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const hasFailed = new Promise<void>((resolve) => {
      Object.assign(transitions, {
        publishRefusal: async (...args: Parameters<typeof tell>) => {
          Reflect.deleteProperty(transitions, 'publishRefusal');
          resolve();
          await held;
          await tell(...args);
        },
      });
    });
    const quote = await harness.quote();
    harness.exchange.isDown = true;
    const failed = harness.execute(quote).catch((error: unknown) => error);
    await hasFailed;
    harness.exchange.isDown = false;
    const paid = await harness.execute(quote, LATER);
    const repeated = harness.execute(quote).catch((error: unknown) => error);
    letGo();
    expect(await repeated).toEqual(paid);
    expect(await failed).toMatchObject({ code: 'WITHDRAWAL_PROVIDER_ERROR' });
    expect(harness.exchange.submissions).toBe(1);
  });

  it('is QUOTE_EXPIRED after a status response has shown the quote as expired, even for a process whose clock is behind', async () => {
    const quote = await harness.quote();
    harness.clock.advance(EXPIRED_MS);
    const standingOf = () => harness.get(GetWithdrawal).execute(harness.project, harness.wallet.externalId, quote.id);
    expect(toStatusResponse(await standingOf()).status).toBe('expired');
    harness.clock.advance(-EXPIRED_MS);
    await expect(harness.execute(quote)).rejects.toMatchObject({ code: 'QUOTE_EXPIRED' });
    expect(harness.exchange.submissions).toBe(0);
  });

  it('is unknown when the other call takes too long, which later records an acceptance, but no other result', async () => {
    for (const [script, state] of [
      ['refuse', 'unknown'],
      ['verify', 'unknown'],
      ['accept', 'submitted'],
    ] as const) {
      await harness.newWallet();
      let letGo = (): void => undefined;
      harness.exchange.gate = new Promise((resolve) => (letGo = resolve));
      harness.exchange.script = [script];
      const quote = await harness.quote();
      const arrived = new Promise<void>((resolve) => (harness.exchange.onSubmission = resolve));
      const first = harness.execute(quote);
      await arrived;
      // The repeat waits for EXECUTE_WAIT_MS and then reports the unknown outcome.
      const told = await harness.execute(quote, LATER);
      expect((await harness.withdrawalOf(quote)).state).toBe('unknown');
      letGo();
      expect([told, (await harness.withdrawalOf(quote)).id]).toEqual([await first, told.id]);
      expect(await harness.withdrawalOf(quote)).toMatchObject({ state, errorCode: null });
      expect(await harness.transactionStatus(told)).toBe('pending');
      harness.exchange.gate = Promise.resolve();
    }
  });

  it('is that of its own code when the other call was refused without a code', async () => {
    const store = harness.get(WithdrawalStore);
    const find = store.findExecution.bind(store);
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const hasRead = new Promise<void>((resolve) => {
      Object.assign(store, {
        findExecution: async (...args: Parameters<typeof find>) => {
          Reflect.deleteProperty(store, 'findExecution');
          const found = await find(...args);
          resolve();
          await held;
          return found;
        },
      });
    });
    const quote = await harness.quote();
    harness.exchange.script = ['verify', 'accept'];
    const withCode = harness.execute(quote, { codes: { twofa: new Secret('1') } });
    await hasRead;
    await expect(harness.execute(quote)).rejects.toMatchObject({ code: 'WITHDRAWAL_2FA_REQUIRED_TOTP' });
    letGo();
    expect(await withCode).toMatchObject({ id: (await harness.withdrawalOf(quote)).id });
    expect(harness.exchange.submissions).toBe(2);
  });

  it('is a refusal, not success, for a call with another tag than the executed tag', async () => {
    const quote = await harness.quote({ network: 'ripple' });
    const { letGo, outcome } = await paused(() => harness.execute(quote, { tag: '1' }));
    await harness.execute(quote, { ...LATER, tag: '2' });
    harness.exchange.isDown = true;
    letGo();
    expect(await outcome).toMatchObject({ code: 'GENERIC_INVALID_REQUEST', status: 422 });
  });

  it('is a conflict, not success, for a dry run of a quote that was executed and has expired', async () => {
    const quote = await harness.quote();
    const time = harness.get(WithdrawalTime);
    const executedMeanwhile: WithdrawalTime['read'] = async () => {
      Reflect.deleteProperty(time, 'read');
      await harness.execute(quote);
      harness.clock.advance(EXPIRED_MS);
      return time.read();
    };
    Object.assign(time, { read: executedMeanwhile });
    await expect(harness.execute(quote, { dryRun: true })).rejects.toMatchObject({ status: 409 });
    expect(harness.exchange.submissions).toBe(1);
    harness.clock.advance(-EXPIRED_MS);
  });

  it('stays QUOTE_EXPIRED after one call has returned it, even for a process whose clock is behind', async () => {
    const quote = await harness.quote();
    harness.clock.advance(EXPIRED_MS);
    await expect(harness.execute(quote)).rejects.toMatchObject({ code: 'QUOTE_EXPIRED' });
    // The clock is set back, as if another process with a slow clock got the next call.
    harness.clock.advance(-EXPIRED_MS);
    await expect(harness.execute(quote)).rejects.toMatchObject({ code: 'QUOTE_EXPIRED' });
    expect(harness.exchange.submissions).toBe(0);

    harness.exchange.script = Array(5).fill('not_sent') as 'not_sent'[];
    const tried = await harness.quote({ amount: '2' });
    await expect(harness.execute(tried)).rejects.toMatchObject({ code: 'WITHDRAWAL_PROVIDER_ERROR' });
    harness.clock.advance(EXPIRED_MS);
    await expect(harness.execute(tried)).rejects.toMatchObject({ code: 'QUOTE_EXPIRED' });
    harness.clock.advance(-EXPIRED_MS);
    await expect(harness.execute(tried)).rejects.toMatchObject({ code: 'QUOTE_EXPIRED' });
    expect(harness.exchange.submissions).toBe(0);
    expect(await harness.transactionStatus(await harness.withdrawalOf(tried))).toBe('failed');
  });

  it.each([
    ['rejected', 'refuse', 'WITHDRAWAL_AMOUNT_BELOW_MINIMUM'],
    ['verificationRequired', 'verify', 'WITHDRAWAL_2FA_REQUIRED_TOTP'],
  ] as const)(
    'is the stored outcome, even when the database connection is lost after the commit: %s',
    async (method, script, code) => {
      harness.exchange.script = [script];
      const transitions = harness.get(WithdrawalTransitions);
      const write = transitions[method].bind(transitions) as (...args: unknown[]) => Promise<boolean>;
      const once = async (...args: unknown[]): Promise<boolean> => {
        Reflect.deleteProperty(transitions, method);
        await write(...args);
        throw new Error('the connection is lost after the commit');
      };
      Object.assign(transitions, { [method]: once });
      const quote = await harness.quote();
      await expect(harness.execute(quote)).rejects.toMatchObject({ code });
      expect((await harness.withdrawalOf(quote)).errorCode).toBe(code);
    },
  );
});
