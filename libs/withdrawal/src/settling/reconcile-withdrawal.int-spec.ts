import type { AccountMovement } from '#exchange';
import { Amount } from '#money';
import { until } from '#platform/testing';
import { Wallets } from '#wallet';
import { eraseCredentials } from '#wallet/testing';
import { type SubmitScript, WithdrawalHarness } from '../testing/index.js';
import { ExecutionLocks } from '../withdrawals/execution-locks.js';
import { WithdrawalTransitions } from '../withdrawals/withdrawal-transitions.js';
import { clientRefOf } from '../withdrawals/new-withdrawal.js';
import { WithdrawalStore } from '../withdrawals/withdrawal-store.js';
import type { Quote } from '../quote/quote.entity.js';

const MINUTE_MS = 60_000;

describe('settling a withdrawal after a crash or an unknown outcome', () => {
  let harness: WithdrawalHarness;
  beforeAll(async () => (harness = await WithdrawalHarness.create()));
  afterAll(() => harness.close());
  beforeEach(async () => {
    harness.exchange.reset();
    await harness.begin();
  });

  /** Leaves the rows of a process that has stored its intent and died before it recorded the result. */
  async function crashed(quote: Quote, submissionDeadline: Date | null = null) {
    const startedAt = harness.clock.now();
    const request = { asset: 'BTC', address: quote.address, amount: quote.amountWithFee.toString() };
    const ids = { withdrawalId: harness.clock.newId(), transactionId: harness.clock.newId() };
    const begun = await harness.get(ExecutionLocks).run(quote.id, (lockHolder) =>
      harness.get(WithdrawalStore).begin(
        quote,
        harness.wallet,
        { ...ids, tag: null, mode: 'test', lockHolder },
        {
          id: harness.clock.newId(),
          connector: 'kraken',
          connectorVersion: 'scripted 1',
          class: 'by_match',
          prepared: { request, clientRef: clientRefOf(quote.id), submissionDeadline },
          totalBefore: harness.exchange.balance,
          freeBefore: harness.exchange.balance,
          knownIds: [],
          startedAt,
          leaseUntil: new Date(startedAt.getTime() + 30_000),
        },
      ),
    );
    if (begun.attempt === null) throw new Error('the claim was lost');
    return { ...begun, attempt: begun.attempt, request };
  }

  /** Books a withdrawal that the owner made, equal to that of the quote. */
  const bookLike = ({ address, amountWithFee }: Quote) =>
    harness.exchange.book({ asset: 'BTC', address, amount: amountWithFee.toString() });

  it('records a failure only after two clean listings, a minute apart, ten minutes after the attempt', async () => {
    harness.exchange.script = ['request_lost'];
    const quote = await harness.quote();
    const answer = await harness.execute(quote);
    const started = harness.clock.now().getTime();
    await until('the withdrawal is settled', async () => {
      if ((await harness.withdrawalOf(quote)).state !== 'unknown') return true;
      expect(await harness.transactionStatus(answer)).toBe('pending');
      await harness.work(1);
      return false;
    });
    expect((await harness.withdrawalOf(quote)).state).toBe('failed');
    expect(harness.clock.now().getTime() - started).toBeGreaterThanOrEqual(11 * MINUTE_MS);
    expect(await harness.transactionStatus(answer)).toBe('failed');
    expect(await harness.execute(quote)).toEqual(answer);
    expect(harness.exchange.submissions).toBe(1);
  });

  it('counts a listing without the withdrawal only when the clock of the exchange must have passed the deadline', async () => {
    const startedAt = harness.clock.now().getTime();
    const deadline = startedAt + MINUTE_MS;
    const { withdrawal } = await crashed(await harness.quote(), new Date(deadline));
    const listedAt = async (): Promise<number | undefined> =>
      (await harness.get(WithdrawalStore).findLiveAttempt(withdrawal.id))?.lastCleanListingAt?.getTime();
    await until('a listing counts', async () => {
      await harness.work(1);
      return (await listedAt()) !== undefined;
    });
    // WITHDRAWAL_CLOCK_SKEW_MS is a minute.
    expect(await listedAt()).toBeGreaterThanOrEqual(deadline + MINUTE_MS);
    expect(await listedAt()).toBeLessThan(deadline + 2 * MINUTE_MS);
  });

  it.each([
    ['the total balance has fallen', false],
    ['the free balance has fallen, because a withdrawal in progress is a part of the total', true],
  ])('moves the withdrawal to review when the record is absent but %s', async (_name, staysInTotal) => {
    harness.exchange.script = ['request_lost'];
    const quote = await harness.quote();
    const answer = await harness.execute(quote);
    harness.exchange.balance = harness.exchange.balance.minus(quote.amountWithFee);
    if (staysInTotal) harness.exchange.used = quote.amountWithFee;
    await harness.work(200);
    expect((await harness.withdrawalOf(quote)).state).toBe('review');
    expect(await harness.transactionStatus(answer)).toBe('pending');
  });

  describe('where the exchange lists the movements of an account', () => {
    const movement = (kind: AccountMovement['kind'], change: string, reference: string | null): AccountMovement => ({
      id: `L${change}`,
      kind,
      reference,
      change: Amount.of(change),
      at: harness.clock.now(),
    });
    /** Books movements that the owner made. They change the balance and appear in the ledger. */
    const move = (...entries: AccountMovement[]): void => {
      harness.exchange.movements = [...entries, ...(harness.exchange.movements ?? [])];
      for (const { change } of entries) harness.exchange.balance = harness.exchange.balance.plus(change);
    };
    beforeEach(() => (harness.exchange.movements = []));

    it('records a failure when only trades and other withdrawals have changed the balance', async () => {
      harness.exchange.script = ['request_lost'];
      const quote = await harness.quote();
      const answer = await harness.execute(quote);
      const other = harness.exchange.book({ asset: 'BTC', address: 'elsewhere', amount: '0.5' });
      move(
        movement('withdrawal', '-0.5', other.exchangeId),
        movement('other', '-2', 'T1'),
        movement('other', '0.7', 'D1'),
      );
      await harness.work(200);
      expect(await harness.transactionStatus(answer)).toBe('failed');
      expect(harness.exchange.submissions).toBe(1);
    });

    it('records a failure also when the history has a failed, equal withdrawal with another tag', async () => {
      harness.exchange.script = ['request_lost'];
      const quote = await harness.quote();
      const answer = await harness.execute(quote);
      const debit = quote.amountWithFee;
      const other = harness.exchange.book({ asset: 'BTC', address: quote.address, amount: debit.toString(), tag: '7' });
      other.status = 'failed';
      const { balance } = harness.exchange;
      harness.exchange.movements = [
        {
          ...movement('withdrawal', debit.toString(), other.exchangeId),
          after: { holding: 'BTC', total: balance },
        },
        {
          ...movement('withdrawal', `-${debit.toString()}`, other.exchangeId),
          after: { holding: 'BTC', total: balance.minus(debit) },
        },
      ];
      await harness.work(200);
      expect(await harness.transactionStatus(answer)).toBe('failed');
    });

    it('records no failure when the ledger shows a withdrawal that the history hides', async () => {
      harness.exchange.script = ['answer_lost'];
      const quote = await harness.quote();
      await harness.execute(quote);
      harness.exchange.isLagging = true;
      move(movement('withdrawal', Amount.zero.minus(quote.amountWithFee).toString(), 'X1'));
      await harness.work(300);
      expect((await harness.withdrawalOf(quote)).state).not.toBe('failed');
      harness.exchange.isLagging = false;
      await harness.work(100);
      expect(await harness.withdrawalOf(quote)).toMatchObject({ state: 'submitted', exchangeId: 'X1' });
    });

    it.each([
      ['records no failure while the movements cannot be read', 'unavailable', 'review'],
      ['decides by the balance when the key may not read the movements', 'permission_missing', 'failed'],
    ] as const)('%s, although the balance is unchanged', async (_rule, kind, state) => {
      harness.exchange.script = ['request_lost'];
      const quote = await harness.quote();
      await harness.execute(quote);
      harness.exchange.refusesMovements = kind;
      await harness.work(600);
      expect((await harness.withdrawalOf(quote)).state).toBe(state);
    });

    it('moves the withdrawal to review when the ledger still does not explain the balance at the end of the wait', async () => {
      harness.exchange.script = ['answer_lost'];
      const quote = await harness.quote();
      await harness.execute(quote);
      harness.exchange.isLagging = true;
      harness.exchange.balance = harness.exchange.balance.minus(quote.amountWithFee);
      await harness.work(600);
      expect((await harness.withdrawalOf(quote)).state).toBe('review');
    });
  });

  it('moves the withdrawal to review when several records fit', async () => {
    harness.exchange.script = ['answer_lost'];
    const quote = await harness.quote();
    await harness.execute(quote);
    harness.exchange.book(harness.exchange.ledger[0]?.request ?? {});
    await harness.work(1);
    expect((await harness.withdrawalOf(quote)).state).toBe('review');
  });

  it('links a record that the exchange lists twice, because pages overlap', async () => {
    harness.exchange.script = ['answer_lost'];
    const quote = await harness.quote();
    await harness.execute(quote);
    harness.exchange.ledger.push(...harness.exchange.ledger);
    await harness.work(1);
    expect(await harness.withdrawalOf(quote)).toMatchObject({ state: 'submitted', exchangeId: 'X1' });
  });

  it('links neither the record of another withdrawal nor a record from before the attempt', async () => {
    const first = await harness.quote();
    await harness.execute(first);
    harness.exchange.script = ['request_lost'];
    const second = await harness.quote();
    await harness.execute(second);
    await harness.work(1);
    expect((await harness.withdrawalOf(first)).exchangeId).toBe('X1');
    expect(await harness.withdrawalOf(second)).toMatchObject({ state: 'unknown', exchangeId: null });

    await harness.newWallet();
    harness.clock.advance(10 * MINUTE_MS);
    harness.exchange.script = ['request_lost'];
    const third = await harness.quote();
    await harness.execute(third);
    await harness.work(1);
    expect((await harness.withdrawalOf(third)).state).toBe('unknown');
  });

  it('does not link a record that existed before anything was sent', async () => {
    const quote = await harness.quote();
    Object.assign(bookLike(quote), { status: 'failed' });
    harness.exchange.script = ['answer_lost'];
    await harness.execute(quote);
    harness.exchange.isLagging = true;
    await harness.work(2);
    expect((await harness.withdrawalOf(quote)).state).toBe('unknown');
    harness.exchange.isLagging = false;
    await harness.work(10);
    expect(await harness.withdrawalOf(quote)).toMatchObject({ state: 'submitted', exchangeId: 'X2' });
  });

  it('does not link a failed record while the history may still be incomplete', async () => {
    harness.exchange.script = ['request_lost'];
    const quote = await harness.quote();
    await harness.execute(quote);
    Object.assign(bookLike(quote), { status: 'failed' });
    await harness.work(20);
    expect((await harness.withdrawalOf(quote)).state).toBe('unknown');
    await harness.work(120);
    expect((await harness.withdrawalOf(quote)).state).toBe('failed');
  });

  it('moves the withdrawal to review when it is not certain that a record is this withdrawal', async () => {
    harness.exchange.script = ['request_lost'];
    const quote = await harness.quote();
    await harness.execute(quote);
    Object.assign(bookLike(quote), { isCertain: false });
    await harness.work(20);
    expect((await harness.withdrawalOf(quote)).state).toBe('unknown');
    await harness.work(120);
    expect((await harness.withdrawalOf(quote)).state).toBe('review');
  });

  it('finds a record by its reference although the clock of the exchange is hours off', async () => {
    harness.exchange.exchangeClass = 'by_reference';
    harness.exchange.script = ['answer_lost'];
    const quote = await harness.quote();
    await harness.execute(quote);
    for (const record of harness.exchange.ledger) record.at = new Date(record.at.getTime() - 180 * MINUTE_MS);
    await harness.work(1);
    expect(await harness.withdrawalOf(quote)).toMatchObject({ state: 'submitted', exchangeId: 'X1' });
  });

  it('settles the attempt that was sent, and not an earlier one, although the clocks of the replicas differ', async () => {
    harness.exchange.script = [...Array<SubmitScript>(5).fill('not_sent'), 'answer_lost'];
    const quote = await harness.quote();
    await expect(harness.execute(quote)).rejects.toMatchObject({ code: 'WITHDRAWAL_PROVIDER_ERROR' });
    harness.clock.advance(-200);
    await harness.execute(quote);
    await harness.work(2);
    expect(await harness.withdrawalOf(quote)).toMatchObject({ state: 'submitted', exchangeId: 'X1' });
  });

  it('moves the withdrawal to review when the credentials are erased before it is settled', async () => {
    const quote = await harness.quote();
    await harness.execute(quote);
    await eraseCredentials(harness.ownerUrl, harness.wallet);
    await harness.work(2);
    expect((await harness.withdrawalOf(quote)).state).toBe('review');
  });

  it('leaves the outcome unknown while the exchange cannot be queried', async () => {
    harness.exchange.script = ['request_lost'];
    const quote = await harness.quote();
    await harness.execute(quote);
    harness.exchange.isDown = true;
    await harness.work(300);
    expect((await harness.withdrawalOf(quote)).state).toBe('unknown');
  });

  it('never sends a withdrawal again after the process has died while sending it, and settles it from the history', async () => {
    const quote = await harness.quote();
    const { request, withdrawal } = await crashed(quote);
    await harness.work(1);
    expect((await harness.withdrawalOf(quote)).state).toBe('submitting');
    harness.exchange.book(request);
    harness.clock.advance(30_000);
    await harness.work(2);
    expect(await harness.withdrawalOf(quote)).toMatchObject({ state: 'submitted', exchangeId: 'X1' });
    const answer = await harness.execute(quote);
    expect(answer.id).toBe(withdrawal.id);
    Object.assign(harness.exchange.ledger[0] ?? {}, { status: 'completed', rawStatus: 'Success' });
    await harness.work(5);
    expect((await harness.withdrawalOf(quote)).state).toBe('completed');
    expect(await harness.transactionStatus(answer)).toBe('ok');
    expect(await harness.execute(quote)).toEqual(answer);
    expect(harness.exchange.submissions).toBe(0);
  });

  it('records an acceptance that comes after the lease, even when the outcome is already unknown', async () => {
    const quote = await harness.quote();
    const { withdrawal, attempt } = await crashed(quote);
    harness.clock.advance(31_000);
    await harness.work(1);
    expect((await harness.withdrawalOf(quote)).state).toBe('unknown');
    const transitions = harness.get(WithdrawalTransitions);
    const acceptance = { answer: {}, now: harness.clock.now() };
    expect(await transitions.accepted(withdrawal, attempt, { exchangeId: 'X9', ...acceptance })).toBe(true);
    expect(await harness.withdrawalOf(quote)).toMatchObject({ state: 'submitted', exchangeId: 'X9' });
    expect(await transitions.accepted(withdrawal, attempt, { exchangeId: 'X10', ...acceptance })).toBe(false);
  });

  it('ignores a late refusal once the outcome is unknown', async () => {
    const quote = await harness.quote();
    const { withdrawal, attempt } = await crashed(quote);
    harness.clock.advance(31_000);
    await harness.work(1);
    const refusal = { code: 'WITHDRAWAL_PROVIDER_ERROR', message: 'late', result: null } as const;
    const refused = { refusal, answer: {}, now: harness.clock.now() };
    expect(await harness.get(WithdrawalTransitions).rejected(withdrawal, attempt, refused)).toBe(false);
    expect((await harness.withdrawalOf(quote)).state).toBe('unknown');
  });

  it('gives each due withdrawal to only one worker', async () => {
    await harness.work(1);
    for (const amount of ['1', '2', '3', '4']) await harness.execute(await harness.quote({ amount }));
    harness.clock.advance(MINUTE_MS);
    const store = harness.get(WithdrawalStore);
    const taken = await Promise.all([1, 2, 3].map(() => store.takeDue(harness.clock.now())));
    const ids = taken.flat();
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(4);
    expect(await store.takeDue(harness.clock.now())).toEqual([]);
  });

  it('keeps the credentials of the wallet until the last withdrawal that needs them is settled', async () => {
    await harness.execute(await harness.quote());
    await harness.execute(await harness.quote({ amount: '2' }));
    const count = async (table: string) =>
      (await harness.db.query(`select from ${table} where wallet_id = $1`, [harness.wallet.id])).length;
    await harness.replaceCredentials();
    expect([await count('credential_holds'), await count('replaced_credentials')]).toEqual([2, 1]);
    const [first, last] = harness.exchange.ledger;
    Object.assign(first ?? {}, { status: 'completed' });
    await harness.work(5);
    expect([await count('credential_holds'), await count('replaced_credentials')]).toEqual([1, 1]);
    Object.assign(last ?? {}, { status: 'completed' });
    await harness.work(5);
    expect([await count('credential_holds'), await count('replaced_credentials')]).toEqual([0, 0]);
    expect(await count('wallet_credentials')).toBe(1);
    await expect(harness.get(Wallets).get(harness.project, harness.wallet.externalId)).resolves.toBeDefined();
  });
});
