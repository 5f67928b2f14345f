import { Amount } from '#money';
import { HOUR, SyncBed } from '../testing/sync-bed.js';

describe('a record of the history', () => {
  let bed: SyncBed;

  beforeAll(async () => {
    bed = await SyncBed.create({ TRANSACTION_SYNC_SECONDS: '3600' });
  });
  beforeEach(() => bed.newWallet());
  afterAll(() => bed.close());

  it('is stored as the exchange tells it', async () => {
    const at = bed.ago(HOUR);
    const told = { fee: Amount.of('0.001'), feeAsset: 'BTC', tag: '7', hash: 'abc', status: 'pending' } as const;
    bed.account.add(at, { kind: 'withdrawal', rawStatus: 'Initial', ...told });
    await bed.work(0);
    expect(await bed.rows()).toMatchObject([
      {
        projectId: bed.project.id,
        walletId: bed.wallet.id,
        externalWalletId: bed.wallet.externalId,
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

  it('has a network, and a better one once the exchange tells more', async () => {
    const record = bed.account.add(bed.ago(HOUR), { network: null, exchangeNetwork: null });
    const network = async () => (await bed.rows()).map((row) => row.network);
    await bed.work(0);
    expect(await network()).toEqual(['unknown']);
    record.exchangeNetwork = 'Polygon - USDC.e';
    await bed.work(HOUR);
    expect(await network()).toEqual(['kraken:polygon - usdc.e']);
    record.exchangeNetwork = null;
    await bed.work(HOUR);
    expect(await network()).toEqual(['kraken:polygon - usdc.e']);
    record.network = 'polygon';
    await bed.work(HOUR);
    expect(await network()).toEqual(['polygon']);
    const told = (await bed.events()).map(({ data }) => data['network']);
    expect(told).toEqual(['kraken:polygon - usdc.e', 'polygon']);
  });

  it('names the asset of its fee', async () => {
    bed.account.add(bed.ago(2 * HOUR), { fee: Amount.of('0.001'), feeAsset: null });
    bed.account.add(bed.ago(HOUR), { fee: null, feeAsset: 'BTC' });
    await bed.work(0);
    expect(await bed.rows()).toMatchObject([
      { fee: Amount.of('0.001'), feeAsset: 'BTC' },
      { fee: null, feeAsset: null },
    ]);
  });

  it('knows what it was worth, where a price is known', async () => {
    bed.prices = { BTC: '60000.5' };
    const fee = { fee: Amount.of('2'), feeAsset: 'XYZ' };
    bed.account.add(bed.ago(2 * HOUR), fee);
    bed.account.add(bed.ago(HOUR), { asset: 'XYZ' });
    await bed.work(0);
    bed.prices = { BTC: '1', XYZ: '3' };
    await bed.work(HOUR);
    expect(await bed.rows()).toMatchObject([
      { amountInFiat: Amount.of('30000.25'), feeInFiat: Amount.of('6'), fiatCurrency: 'USD' },
      { amountInFiat: Amount.of('1.5'), feeInFiat: null, fiatCurrency: 'USD' },
    ]);
    bed.prices = {};
  });
});
