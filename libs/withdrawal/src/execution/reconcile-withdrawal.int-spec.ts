import type { AccountMovement } from '#exchange';
import { Amount } from '#money';
import { Wallets } from '#wallet';
import { type SubmitScript, WithdrawalBed } from '../testing/index.js';
import { ExecutionLocks } from './execution-locks.js';
import { WithdrawalTransitions } from './withdrawal-transitions.js';
import { clientRefOf, WithdrawalStore } from './withdrawal-store.js';
import type { Quote } from '../quote/quote.entity.js';

const MINUTE_MS = 60_000;

describe('settling what a crash or an unknown outcome has left', () => {
  let bed: WithdrawalBed;
  beforeAll(async () => (bed = await WithdrawalBed.create()));
  afterAll(() => bed.close());
  beforeEach(async () => {
    bed.venue.reset();
    await bed.newWallet();
  });

  /** A process that wrote down its intent and died before it could write down the result. */
  async function crashed(quote: Quote) {
    const startedAt = bed.clock.now();
    const request = { asset: 'BTC', address: quote.address, amount: quote.amountWithFee.toString() };
    const ids = { withdrawalId: bed.clock.newId(), transactionId: bed.clock.newId() };
    const begun = await bed.get(ExecutionLocks).run(quote.id, (lockHolder) =>
      bed.get(WithdrawalStore).begin(
        quote,
        bed.wallet,
        { ...ids, tag: null, lockHolder },
        {
          id: bed.clock.newId(),
          connector: 'kraken',
          connectorVersion: 'scripted 1',
          class: 'C',
          prepared: { request, clientRef: clientRefOf(quote.id), notAfter: null },
          balanceBefore: bed.venue.balance,
          knownIds: [],
          startedAt,
          leaseUntil: new Date(startedAt.getTime() + 30_000),
        },
      ),
    );
    if (begun.attempt === null) throw new Error('the claim was lost');
    return { ...begun, attempt: begun.attempt, request };
  }

  it('fails only after two clean listings, a minute apart, ten minutes after the attempt', async () => {
    bed.venue.script = ['request_lost'];
    const quote = await bed.quote();
    const answer = await bed.execute(quote);
    const started = bed.clock.now().getTime();
    while ((await bed.withdrawalOf(quote)).state === 'unknown') {
      expect(await bed.transactionStatus(answer)).toBe('pending');
      await bed.work(1);
    }
    expect((await bed.withdrawalOf(quote)).state).toBe('failed');
    expect(bed.clock.now().getTime() - started).toBeGreaterThanOrEqual(11 * MINUTE_MS);
    expect(await bed.transactionStatus(answer)).toBe('failed');
    expect(await bed.execute(quote)).toEqual(answer);
    expect(bed.venue.submissions).toBe(1);
  });

  it('asks an operator when the record is absent but the balance has changed', async () => {
    bed.venue.script = ['request_lost'];
    const quote = await bed.quote();
    const answer = await bed.execute(quote);
    bed.venue.balance = bed.venue.balance.minus(quote.amountWithFee);
    await bed.work(200);
    bed.venue.balance = bed.venue.balance.plus(quote.amountWithFee);
    expect((await bed.withdrawalOf(quote)).state).toBe('review');
    expect(await bed.transactionStatus(answer)).toBe('pending');
  });

  describe('where the exchange lists the movements of an account', () => {
    const movement = (kind: AccountMovement['kind'], change: string, reference: string | null): AccountMovement => ({
      ...{ id: `L${change}`, kind, reference, change: Amount.of(change), at: bed.clock.now() },
    });
    /** What the owner does at the exchange: the balance and the ledger change together. */
    const move = (...entries: AccountMovement[]): void => {
      bed.venue.movements = [...entries, ...(bed.venue.movements ?? [])];
      for (const { change } of entries) bed.venue.balance = bed.venue.balance.plus(change);
    };
    beforeEach(() => (bed.venue.movements = []));

    it('fails one that was not executed although trades and other withdrawals have changed the balance', async () => {
      bed.venue.script = ['request_lost'];
      const quote = await bed.quote();
      const answer = await bed.execute(quote);
      const other = bed.venue.book({ asset: 'BTC', address: 'elsewhere', amount: '0.5' });
      move(
        movement('withdrawal', '-0.5', other.exchangeId),
        movement('other', '-2', 'T1'),
        movement('other', '0.7', 'D1'),
      );
      await bed.work(200);
      expect(await bed.transactionStatus(answer)).toBe('failed');
      expect(bed.venue.submissions).toBe(1);
    });

    it('fails one beside an equal withdrawal with another tag that has failed', async () => {
      bed.venue.script = ['request_lost'];
      const quote = await bed.quote();
      const answer = await bed.execute(quote);
      const debit = quote.amountWithFee;
      const other = bed.venue.book({ asset: 'BTC', address: quote.address, amount: debit.toString(), tag: '7' });
      other.status = 'failed';
      const { balance } = bed.venue;
      bed.venue.movements = [
        {
          ...movement('withdrawal', debit.toString(), other.exchangeId),
          after: { holding: 'BTC', total: balance },
        },
        {
          ...movement('withdrawal', `-${debit.toString()}`, other.exchangeId),
          after: { holding: 'BTC', total: balance.minus(debit) },
        },
      ];
      await bed.work(200);
      expect(await bed.transactionStatus(answer)).toBe('failed');
    });

    it('never fails one that the ledger shows and the history hides', async () => {
      bed.venue.script = ['answer_lost'];
      const quote = await bed.quote();
      await bed.execute(quote);
      bed.venue.isLagging = true;
      move(movement('withdrawal', Amount.zero.minus(quote.amountWithFee).toString(), 'X1'));
      await bed.work(300);
      expect((await bed.withdrawalOf(quote)).state).not.toBe('failed');
      bed.venue.isLagging = false;
      await bed.work(100);
      expect(await bed.withdrawalOf(quote)).toMatchObject({ state: 'submitted', exchangeId: 'X1' });
    });

    it('asks an operator when the ledger does not explain the balance for long', async () => {
      bed.venue.script = ['answer_lost'];
      const quote = await bed.quote();
      await bed.execute(quote);
      bed.venue.isLagging = true;
      bed.venue.balance = bed.venue.balance.minus(quote.amountWithFee);
      await bed.work(600);
      expect((await bed.withdrawalOf(quote)).state).toBe('review');
    });
  });

  it('asks an operator when several records fit', async () => {
    bed.venue.script = ['answer_lost'];
    const quote = await bed.quote();
    await bed.execute(quote);
    bed.venue.book(bed.venue.ledger[0]?.request ?? {});
    await bed.work(1);
    expect((await bed.withdrawalOf(quote)).state).toBe('review');
  });

  it('does not take the record of another withdrawal, nor one from before the attempt', async () => {
    const first = await bed.quote();
    await bed.execute(first);
    bed.venue.script = ['request_lost'];
    const second = await bed.quote();
    await bed.execute(second);
    await bed.work(1);
    expect((await bed.withdrawalOf(first)).exchangeId).toBe('X1');
    expect(await bed.withdrawalOf(second)).toMatchObject({ state: 'unknown', exchangeId: null });

    await bed.newWallet();
    bed.clock.advance(10 * MINUTE_MS);
    bed.venue.script = ['request_lost'];
    const third = await bed.quote();
    await bed.execute(third);
    await bed.work(1);
    expect((await bed.withdrawalOf(third)).state).toBe('unknown');
  });

  it('does not take a record that was there before anything was sent', async () => {
    const quote = await bed.quote();
    const older = bed.venue.book({ asset: 'BTC', address: quote.address, amount: quote.amountWithFee.toString() });
    Object.assign(older, { status: 'failed' });
    bed.venue.script = ['answer_lost'];
    await bed.execute(quote);
    bed.venue.isLagging = true;
    await bed.work(2);
    expect((await bed.withdrawalOf(quote)).state).toBe('unknown');
    bed.venue.isLagging = false;
    await bed.work(10);
    expect(await bed.withdrawalOf(quote)).toMatchObject({ state: 'submitted', exchangeId: 'X2' });
  });

  it('does not take a failed record for its own before the history must show all', async () => {
    bed.venue.script = ['request_lost'];
    const quote = await bed.quote();
    await bed.execute(quote);
    const other = bed.venue.book({ asset: 'BTC', address: quote.address, amount: quote.amountWithFee.toString() });
    Object.assign(other, { status: 'failed' });
    await bed.work(20);
    expect((await bed.withdrawalOf(quote)).state).toBe('unknown');
    await bed.work(120);
    expect((await bed.withdrawalOf(quote)).state).toBe('failed');
  });

  it('leaves a record that is only possibly its own to an operator', async () => {
    bed.venue.script = ['request_lost'];
    const quote = await bed.quote();
    await bed.execute(quote);
    const other = bed.venue.book({ asset: 'BTC', address: quote.address, amount: quote.amountWithFee.toString() });
    Object.assign(other, { isCertain: false });
    await bed.work(20);
    expect((await bed.withdrawalOf(quote)).state).toBe('unknown');
    await bed.work(120);
    expect((await bed.withdrawalOf(quote)).state).toBe('review');
  });

  it('finds a record by its reference although the exchange dates it hours off', async () => {
    bed.venue.exchangeClass = 'B';
    bed.venue.script = ['answer_lost'];
    const quote = await bed.quote();
    await bed.execute(quote);
    for (const record of bed.venue.ledger) record.at = new Date(record.at.getTime() - 180 * MINUTE_MS);
    await bed.work(1);
    expect(await bed.withdrawalOf(quote)).toMatchObject({ state: 'submitted', exchangeId: 'X1' });
  });

  it('finds the live attempt, whatever the clocks of the replicas say', async () => {
    bed.venue.script = [...Array<SubmitScript>(5).fill('not_sent'), 'answer_lost'];
    const quote = await bed.quote();
    await expect(bed.execute(quote)).rejects.toMatchObject({ code: 'WITHDRAWAL_PROVIDER_ERROR' });
    bed.clock.advance(-200);
    await bed.execute(quote);
    await bed.work(2);
    expect(await bed.withdrawalOf(quote)).toMatchObject({ state: 'submitted', exchangeId: 'X1' });
  });

  it('does not link one record of an account to two wallets that are the same account', async () => {
    bed.venue.script = ['answer_lost', 'request_lost'];
    const first = await bed.quote();
    await bed.execute(first);
    await bed.newWallet({ inSameProject: true });
    const second = await bed.quote();
    const listed = bed.venue.ledger.splice(0);
    await bed.execute(second);
    bed.venue.ledger.push(...listed);
    await bed.work(1);
    await bed.work(3);
    const both = [await bed.withdrawalOf(first), await bed.withdrawalOf(second)];
    expect(both.filter(({ exchangeId }) => exchangeId === 'X1').length).toBeLessThanOrEqual(1);
    expect(both.map(({ state }) => state)).not.toContain('failed');
  });

  it('asks an operator when the credentials are erased before the end', async () => {
    const quote = await bed.quote();
    await bed.execute(quote);
    await bed.db.query(`delete from wallet_credentials where wallet_id = $1`, [bed.wallet.id]);
    await bed.work(2);
    expect((await bed.withdrawalOf(quote)).state).toBe('review');
  });

  it('proves nothing by an exchange that cannot be asked', async () => {
    bed.venue.script = ['request_lost'];
    const quote = await bed.quote();
    await bed.execute(quote);
    bed.venue.isDown = true;
    await bed.work(300);
    expect((await bed.withdrawalOf(quote)).state).toBe('unknown');
  });

  it('never sends what a dead process may have sent: the lease ends in the history of the exchange', async () => {
    const quote = await bed.quote();
    const { request, withdrawal } = await crashed(quote);
    await bed.work(1);
    expect((await bed.withdrawalOf(quote)).state).toBe('submitting');
    bed.venue.book(request);
    bed.clock.advance(30_000);
    await bed.work(2);
    expect(await bed.withdrawalOf(quote)).toMatchObject({ state: 'submitted', exchangeId: 'X1' });
    expect((await bed.execute(quote)).id).toBe(withdrawal.id);
    expect(bed.venue.submissions).toBe(0);
  });

  it('takes a result that comes after the lease', async () => {
    const quote = await bed.quote();
    const { withdrawal, attempt } = await crashed(quote);
    bed.clock.advance(31_000);
    await bed.work(1);
    expect((await bed.withdrawalOf(quote)).state).toBe('unknown');
    expect(await bed.get(WithdrawalTransitions).accepted(withdrawal, attempt, 'X9', {}, bed.clock.now())).toBe(true);
    expect(await bed.withdrawalOf(quote)).toMatchObject({ state: 'submitted', exchangeId: 'X9' });
    expect(await bed.get(WithdrawalTransitions).accepted(withdrawal, attempt, 'X10', {}, bed.clock.now())).toBe(false);
  });

  it('does not take a late refusal for an answer once the outcome is unknown', async () => {
    const quote = await bed.quote();
    const { withdrawal, attempt } = await crashed(quote);
    bed.clock.advance(31_000);
    await bed.work(1);
    const refusal = { code: 'WITHDRAWAL_PROVIDER_ERROR', message: 'late', result: null } as const;
    expect(await bed.get(WithdrawalTransitions).rejected(withdrawal, attempt, refusal, {}, bed.clock.now())).toBe(
      false,
    );
    expect((await bed.withdrawalOf(quote)).state).toBe('unknown');
  });

  it('gives every due row to one worker', async () => {
    await bed.work(1);
    for (const amount of ['1', '2', '3', '4']) await bed.execute(await bed.quote({ amount }));
    bed.clock.advance(MINUTE_MS);
    const store = bed.get(WithdrawalStore);
    const taken = await Promise.all([1, 2, 3].map(() => store.takeDue(bed.clock.now())));
    const ids = taken.flat();
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(4);
    expect(await store.takeDue(bed.clock.now())).toEqual([]);
  });

  it('keeps the credentials of a wallet until its last withdrawal is settled', async () => {
    const quote = await bed.quote();
    await bed.execute(quote);
    const count = async (table: string) =>
      (await bed.db.query(`select from ${table} where wallet_id = $1`, [bed.wallet.id])).length;
    expect(await count('credential_holds')).toBe(1);
    Object.assign(bed.venue.ledger[0] ?? {}, { status: 'completed' });
    await bed.work(5);
    expect(await count('credential_holds')).toBe(0);
    expect(await count('wallet_credentials')).toBe(1);
    await expect(bed.get(Wallets).get(bed.project, bed.wallet.externalId)).resolves.toBeDefined();
  });
});

describe('the rules of the database, as the role of the application', () => {
  let bed: WithdrawalBed;
  let quote: Quote;
  beforeAll(async () => {
    bed = await WithdrawalBed.create();
    bed.venue.script = ['answer_lost'];
    quote = await bed.quote();
    await bed.execute(quote);
  });
  afterAll(() => bed.close());

  it.each([
    ['an illegal transition', `update withdrawals set state = 'created'`],
    ['sending again', `update withdrawals set state = 'submitting'`],
    ['another amount', `update withdrawals set amount_no_fee = 2, amount_with_fee = 2.0001`],
    ['another receiver', `update withdrawals set address = 'elsewhere'`],
    ['deleting a withdrawal', `delete from withdrawals`],
    ['deleting an attempt', `delete from withdrawal_attempts`],
    ['another request', `update withdrawal_attempts set request = '{}'`],
    ['a decided attempt to be undone', `update withdrawal_attempts set outcome = 'not_sent'`],
    ['another quote', `update quotes set address = 'elsewhere'`],
    ['deleting a quote', `delete from quotes`],
    ['deleting history', `delete from transactions`],
    ['another law', `insert into withdrawal_transitions values ('unknown', 'submitting')`],
    ['the triggers to be switched off', `alter table withdrawals disable trigger all`],
  ])('refuse %s', async (_name, sql) => {
    await expect(bed.db.query(sql)).rejects.toThrow();
  });

  it('refuse a second live attempt', async () => {
    const second = `insert into withdrawal_attempts (id, withdrawal_id, wallet_id, credential_version, connector,
        connector_version, class, debit_shape, receipt_shape, known_ids, request, started_at, lease_until)
      select $1, withdrawal_id, wallet_id, credential_version, connector, connector_version, class, 'other', 'other',
        known_ids, request, started_at, lease_until from withdrawal_attempts`;
    await expect(bed.db.query(second, [bed.clock.newId()])).rejects.toThrow(/withdrawal_attempts_one_live/);
  });
});
