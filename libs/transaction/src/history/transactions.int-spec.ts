import { v7 } from 'uuid';
import { createProject } from '#access/testing';
import { Amount } from '#money';
import { createTestModule, withoutRules, type TestModule } from '#platform/testing';
import { WalletModule, type Wallet } from '#wallet';
import { connectedWallet } from '#wallet/testing';
import { TransactionModule } from './transaction.module.js';
import { Transactions, type MovedAmounts, type WithdrawalDraft } from './transactions.service.js';

describe('the history of transactions', () => {
  let module: TestModule['module'];
  let database: TestModule['database'];
  let db: TestModule['db'];
  let close: TestModule['close'];
  let transactions: Transactions;
  let wallet: Wallet;

  beforeAll(async () => {
    ({ module, database, db, close } = await createTestModule({ imports: [WalletModule, TransactionModule] }));
    transactions = module.get(Transactions, { strict: false });
    const { projectId, organizationId } = await createProject(module, { mode: 'test' });
    wallet = await connectedWallet(db, { id: projectId, organizationId });
  });

  afterAll(() => close());

  const draft = (values: Partial<WithdrawalDraft> = {}): WithdrawalDraft => ({
    id: v7(),
    projectId: wallet.projectId,
    walletId: wallet.id,
    externalWalletId: wallet.externalId,
    exchange: 'kraken',
    asset: 'ETH',
    amount: Amount.of('0.123456789012345678'),
    fee: Amount.of('0.000000000000000001'),
    feeAsset: 'ETH',
    addressTo: `0x${'ab'.repeat(20)}`,
    tag: null,
    network: 'ethereum',
    occurredAt: new Date('2026-01-01T00:00:00.123Z'),
    ...values,
  });

  const record = async (values: Partial<WithdrawalDraft> = {}): Promise<string> => {
    const given = draft(values);
    await db.transaction((tx) => transactions.recordWithdrawal(tx, given));
    return given.id;
  };
  const read = (id: string) => transactions.get({ id: wallet.projectId }, id);

  it('has a withdrawal as pending, with its exact amounts, as soon as its claim is committed', async () => {
    const id = await record();
    expect(await read(id)).toMatchObject({
      id,
      externalWalletId: wallet.externalId,
      type: 'withdrawal',
      direction: 'out',
      status: 'pending',
      amount: Amount.of('0.123456789012345678'),
      fee: Amount.of('0.000000000000000001'),
      occurredAt: new Date('2026-01-01T00:00:00.123Z'),
      exchangeTransactionId: null,
      amountInFiat: null,
      fiatCurrency: null,
    });
  });

  it('has no trace of a claim that was rolled back', async () => {
    const given = draft();
    const claim = db.transaction(async (tx) => {
      await transactions.recordWithdrawal(tx, given);
      throw new Error('the claim fails');
    });
    await expect(claim).rejects.toThrow('the claim fails');
    await expect(read(given.id)).rejects.toMatchObject({ code: 'GENERIC_NOT_FOUND' });
  });

  it('has the fiat currency USD exactly for withdrawals that have a value in US dollars', async () => {
    const id = await record({ amountInFiat: Amount.of('300.5') });
    expect(await read(id)).toMatchObject({ amountInFiat: Amount.of('300.5'), feeInFiat: null, fiatCurrency: 'USD' });
    const [ofFee, none] = [await record({ feeInFiat: Amount.of('0.5') }), await record()];
    expect(await read(ofFee)).toMatchObject({ amountInFiat: null, feeInFiat: Amount.of('0.5'), fiatCurrency: 'USD' });
    expect(await read(none)).toMatchObject({ amountInFiat: null, feeInFiat: null, fiatCurrency: null });
  });

  it('settles a transaction only once, and keeps the first result', async () => {
    const id = await record();
    const at = new Date('2026-01-02T00:00:00Z');
    await db.transaction((tx) => transactions.settle(tx, id, { status: 'ok', at }));
    await db.transaction((tx) => transactions.settle(tx, id, { status: 'failed', at: new Date() }));
    expect(await read(id)).toMatchObject({ status: 'ok', updatedAt: at });
  });

  it.each(['ok', 'failed', 'canceled'] as const)('keeps a transaction and its status %s for ever', async (status) => {
    const id = await record();
    await db.transaction((tx) => transactions.settle(tx, id, { status, at: new Date() }));
    const others = ['pending', 'ok', 'failed', 'canceled'].filter((other) => other !== status);
    for (const other of others) {
      const change = db.query(`update transactions set status = $2 where id = $1`, [id, other]);
      await expect(change).rejects.toThrow(/settled/);
    }
    await expect(db.query(`delete from transactions where id = $1`, [id])).rejects.toThrow();
  });

  it('accepts a withdrawal that has the same id at the exchange as a deposit', async () => {
    const [deposit, own] = [await record(), await record()];
    const link = (id: string) => db.transaction((tx) => transactions.link(tx, id, { exchangeTransactionId: '67485' }));
    await link(deposit);
    await withoutRules(
      database.ownerUrl,
      `update transactions set type = 'deposit', direction = 'in', origin = 'exchange' where id = '${deposit}'`,
    );
    await link(own);
    expect(await read(own)).toMatchObject({ id: own, exchangeTransactionId: '67485' });
    expect(await read(deposit)).toMatchObject({ id: deposit, exchangeTransactionId: '67485' });
  });

  it('stores the facts that the exchange reports, and a repeat of them changes nothing', async () => {
    const id = await record();
    const link = (facts: { hash?: string; moved?: MovedAmounts }) =>
      db.transaction((tx) => transactions.link(tx, id, { exchangeTransactionId: `F-${id}`, ...facts }));
    await link({ hash: '0xabc' });
    const first = await read(id);
    expect(first).toMatchObject({ exchangeTransactionId: `F-${id}`, hash: '0xabc', status: 'pending' });
    await link({});
    await link({ hash: '0xabc' });
    expect(await read(id)).toEqual(first);
    const moved = { amount: Amount.of('0.1'), fee: Amount.of('0.002'), amountInFiat: null, feeInFiat: null };
    await link({ moved });
    expect(await read(id)).toMatchObject({ hash: '0xabc', ...moved });
  });

  it('stores amount and fee of the exchange only together, with their values in US dollars', async () => {
    const values = { amount: Amount.of('0.25'), fee: Amount.of('0.00015') };
    const id = await record({ ...values, amountInFiat: Amount.of('25000'), feeInFiat: Amount.of('15') });
    const link = (moved: MovedAmounts | null) =>
      db.transaction((tx) => transactions.link(tx, id, { exchangeTransactionId: `F-${id}`, moved }));
    const moved = {
      amount: Amount.of('0.24985'),
      fee: Amount.of('0.0003'),
      amountInFiat: Amount.of('24985'),
      feeInFiat: Amount.of('30'),
    };
    await link(moved);
    expect(await read(id)).toMatchObject({ ...moved, fiatCurrency: 'USD' });
    const before = await read(id);
    await link(moved);
    await link(null);
    expect(await read(id)).toEqual(before);
    // A negative amount or fee is a fault of the exchange. It is ignored, and later correct values are still stored.
    await link({ ...moved, amount: Amount.of('-0.1'), fee: Amount.of('0.35015') });
    await link({ ...moved, amount: Amount.of('0.3'), fee: Amount.of('-0.04985') });
    expect(await read(id)).toEqual(before);
    await link({ ...moved, amountInFiat: null, feeInFiat: null });
    expect(await read(id)).toMatchObject({ amountInFiat: null, feeInFiat: null, fiatCurrency: null });
  });

  it('refuses a second withdrawal for one record of the exchange', async () => {
    const [one, other] = [await record(), await record()];
    const link = (id: string) =>
      db.transaction((tx) => transactions.link(tx, id, { exchangeTransactionId: 'F-the-same' }));
    await link(one);
    await expect(link(other)).rejects.toThrow(/duplicate key/);
  });

  it('shows a project only its own transactions, and responds to foreign ids as to unknown ones', async () => {
    const id = await record();
    const { projectId: stranger } = await createProject(module, { mode: 'test' });
    const questions: [string, string][] = [
      [stranger, id],
      [wallet.projectId, v7()],
      [wallet.projectId, 'no-uuid'],
      [wallet.projectId, `{${id}}`],
    ];
    for (const [projectId, asked] of questions) {
      await expect(transactions.get({ id: projectId }, asked)).rejects.toMatchObject({
        code: 'GENERIC_NOT_FOUND',
        message: 'Transaction not found',
      });
    }
  });

  it('outlives its wallet', async () => {
    const id = await record();
    await db.query(`update wallets set deleted_at = now() where id = $1`, [wallet.id]);
    expect((await read(id)).externalWalletId).toBe(wallet.externalId);
  });
});
