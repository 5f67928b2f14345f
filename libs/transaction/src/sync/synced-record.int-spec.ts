import { Amount } from '#money';
import { HOUR, SyncHarness } from '../testing/sync-harness.js';

describe('a record of the history', () => {
  let harness: SyncHarness;

  beforeAll(async () => {
    harness = await SyncHarness.create({ TRANSACTION_SYNC_SECONDS: '3600' });
  });
  beforeEach(() => harness.newWallet());
  afterAll(() => harness.close());

  it('is stored as the exchange reports it', async () => {
    const at = harness.ago(HOUR);
    const facts = { fee: Amount.of('0.001'), feeAsset: 'BTC', tag: '7', hash: 'abc', status: 'pending' } as const;
    harness.account.add(at, { kind: 'withdrawal', rawStatus: 'Initial', ...facts });
    await harness.work(0);
    expect(await harness.rows()).toMatchObject([
      {
        projectId: harness.project.id,
        walletId: harness.wallet.id,
        externalWalletId: harness.wallet.externalId,
        exchange: 'kraken',
        exchangeTransactionId: 'R1',
        type: 'withdrawal',
        direction: 'out',
        status: 'pending',
        rawStatus: 'Initial',
        asset: 'BTC',
        amount: Amount.of('0.5'),
        fee: Amount.of('0.001'),
        feeAsset: 'BTC',
        addressTo: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
        addressFrom: null,
        tag: '7',
        network: 'bitcoin',
        hash: 'abc',
        origin: 'exchange',
        occurredAt: at,
        amountInFiat: null,
        feeInFiat: null,
        fiatCurrency: null,
      },
    ]);
  });

  it('gets a more certain network once the exchange reports more', async () => {
    const record = harness.account.add(harness.ago(HOUR), { network: null, exchangeNetwork: null });
    const network = async () => (await harness.rows()).map((row) => row.network);
    await harness.work(0);
    expect(await network()).toEqual(['unknown']);
    record.exchangeNetwork = 'Polygon - USDC.e';
    await harness.work(HOUR);
    expect(await network()).toEqual(['kraken:polygon - usdc.e']);
    record.exchangeNetwork = null;
    await harness.work(HOUR);
    expect(await network()).toEqual(['kraken:polygon - usdc.e']);
    record.network = 'polygon';
    await harness.work(HOUR);
    expect(await network()).toEqual(['polygon']);
    const networks = (await harness.events()).map(({ data }) => data['network']);
    expect(networks).toEqual(['kraken:polygon - usdc.e', 'polygon']);
  });

  /** OKX (`depId`, `wdId`), Bybit and Bitstamp number deposits and withdrawals independently of each other. */
  it('is distinct from a record of the other kind (deposit or withdrawal) with the same id', async () => {
    const deposit = harness.account.add(harness.ago(2 * HOUR), { exchangeId: '67485', status: 'pending' });
    harness.account.add(harness.ago(HOUR), { exchangeId: '67485', kind: 'withdrawal', amount: Amount.of('0.2') });
    await harness.work(0);
    const facts = async () => (await harness.rows()).map(({ type, status, amount }) => `${type} ${status} ${amount}`);
    expect(await facts()).toEqual(['deposit pending 0.5', 'withdrawal ok 0.2']);
    deposit.status = 'ok';
    await harness.work(HOUR);
    expect(await facts()).toEqual(['deposit ok 0.5', 'withdrawal ok 0.2']);
  });

  it('has its own value in US dollars beside a record of the other kind with the same id and amount', async () => {
    harness.prices = { BTC: '60000' };
    harness.account.add(harness.ago(2 * HOUR), { exchangeId: '67485', fee: null });
    harness.account.add(harness.ago(HOUR), { exchangeId: '67485', kind: 'withdrawal', fee: null });
    for (const kind of ['deposit', 'withdrawal'] as const) await harness.sync(kind);
    expect((await harness.rows()).map(({ type, amountInFiat }) => `${type} ${amountInFiat}`)).toEqual([
      'deposit 30000',
      'withdrawal 30000',
    ]);
    harness.prices = {};
  });

  it('has its own asset as the fee asset when the exchange names none, and no fee asset without a fee', async () => {
    harness.account.add(harness.ago(2 * HOUR), { fee: Amount.of('0.001'), feeAsset: null });
    harness.account.add(harness.ago(HOUR), { fee: null, feeAsset: 'BTC' });
    await harness.work(0);
    expect(await harness.rows()).toMatchObject([
      { fee: Amount.of('0.001'), feeAsset: 'BTC' },
      { fee: null, feeAsset: null },
    ]);
  });

  it('keeps its values in US dollars once they are known, and gets missing values at a later reading', async () => {
    harness.prices = { BTC: '60000.5' };
    const fee = { fee: Amount.of('2'), feeAsset: 'XYZ' };
    harness.account.add(harness.ago(2 * HOUR), fee);
    harness.account.add(harness.ago(HOUR), { asset: 'XYZ' });
    await harness.work(0);
    harness.prices = { BTC: '1', XYZ: '3' };
    await harness.work(HOUR);
    expect(await harness.rows()).toMatchObject([
      { amountInFiat: Amount.of('30000.25'), feeInFiat: Amount.of('6'), fiatCurrency: 'USD' },
      { amountInFiat: Amount.of('1.5'), feeInFiat: null, fiatCurrency: 'USD' },
    ]);
    harness.prices = {};
  });
});
