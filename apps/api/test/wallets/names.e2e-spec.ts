import { refusalOf } from '../support/causeway-client.js';
import { TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';
import { savedAddress } from '../support/withdrawal-client.js';

const BALANCES = { BTC: '5', ETH: '10', XRP: '1000', USD: '1000', 币安人生: '100', 'Jade Protocol': '100' };
/** The codes that answer a question about a deposit address with a fact, and not with a refusal of its parameters. */
const ANSWERS = ['DEPOSIT_METHODS_UNAVAILABLE', 'DEPOSIT_METHOD_NOT_RESOLVED', 'DEPOSIT_ADDRESS_UNAVAILABLE'];

describe('a name that a response contains', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let wallet: TestWallet;

  beforeAll(async () => {
    app = await TestApp.create();
    project = await app.project();
    wallet = await app.wallet(project, { balances: BALANCES });
  });
  afterAll(() => app.close());

  it('is accepted as it was listed: each asset and network of the balances', async () => {
    const { balances } = await wallet.causeway.getWithdrawalBalance({});
    expect(balances.map(({ asset }) => asset).sort()).toEqual(Object.keys(BALANCES).sort());
    for (const { asset, networks } of balances) {
      for (const { id: network, assetName } of networks) {
        expect(await wallet.causeway.getWithdrawalFees({ asset, network })).toMatchObject({
          asset,
          networks: [{ network }],
        });
        expect(await wallet.causeway.getWithdrawalFees({ asset: assetName, network })).toMatchObject({ asset });
        const question = { asset, network };
        const given = await wallet.causeway.getDepositAddress(question).catch((error: { code: string }) => error.code);
        if (typeof given === 'string') expect(ANSWERS).toContain(given);
        else expect(given).toMatchObject(question);
      }
    }
  });

  it.each([
    ['币安人生', '币安人生 - BNB Smart Chain', '币安人生'],
    ['Jade Protocol', 'Jade Protocol', 'jade protocol'],
  ])('of the asset %s works from the quote to the history', async (asset, method, spelling) => {
    const address = savedAddress(wallet, asset, method);
    const quote = await wallet.causeway.createQuote({ asset: spelling, amount: '10', address, network: method });
    expect(quote).toMatchObject({ asset, destinationAddress: address });
    const { result } = await wallet.causeway.executeQuote({ quoteId: quote.id });
    for (const name of [asset, spelling]) {
      const { transactions } = await wallet.causeway.listTransactions({ asset: name, network: quote.network });
      expect(transactions).toMatchObject([{ id: result.transactionId, currency: asset, network: quote.network }]);
    }
  });

  it('of a deposit address is found again without a call, also in another spelling', async () => {
    const question = { asset: 'Jade Protocol', network: 'ethereum' };
    const { address } = await wallet.causeway.getDepositAddress(question);
    for (const asset of ['Jade Protocol', 'JADE PROTOCOL']) {
      const path = `/v0/wallet/deposit/address?${new URLSearchParams({ ...question, asset }).toString()}`;
      const { status, body } = await wallet.http.with({ 'cache-control': 'only-if-cached' }).get(path);
      expect([status, body]).toEqual([200, expect.objectContaining({ asset: 'Jade Protocol', address, cached: true })]);
    }
  });

  it.each(['币安人生', 'Jade Protocol'])('of a route of %s is the route of an order', async (asset) => {
    const { routes } = await wallet.causeway.getTradableAssets({ source: asset.toLowerCase(), destination: 'usd' });
    const [{ routeId = '' } = {}] = routes;
    expect(routes).toMatchObject([{ baseAsset: asset, quoteAsset: 'USD' }]);
    const { orderId } = await wallet.causeway.placeOrder({ routeId, volume: '10', price: '1' });
    expect(await wallet.causeway.getOrder({ orderId })).toMatchObject({ orderId, exchange: 'kraken' });
  });
});

describe('an address in capitals', () => {
  let app: TestApp;
  let wallet: TestWallet;

  beforeAll(async () => {
    app = await TestApp.create();
    wallet = await app.wallet(await app.project());
  });
  afterAll(() => app.close());

  it('as a QR code contains it is quoted in lower case, and a payment URI is refused', async () => {
    const saved = savedAddress(wallet, 'BTC', 'Bitcoin');
    expect(saved).toMatch(/^bc1/);
    const question = { asset: 'BTC', network: 'bitcoin', amount: '0.01' };
    const quote = await wallet.causeway.createQuote({ ...question, address: saved.toUpperCase() });
    expect(quote).toMatchObject({ destinationAddress: saved, requirements: [] });
    for (const address of [`bitcoin:${saved}`, `BITCOIN:${saved.toUpperCase()}?amount=0.01`]) {
      const refusal = await refusalOf(wallet.causeway.createQuote({ ...question, address }));
      expect(refusal).toMatchObject({ code: 'WITHDRAWAL_INVALID_ADDRESS', result: { reason: 'address_is_uri' } });
    }
    const mixed = `${saved.slice(0, 5)}${saved.slice(5).toUpperCase()}`;
    expect(await refusalOf(wallet.causeway.createQuote({ ...question, address: mixed }))).toMatchObject({
      code: 'WITHDRAWAL_INVALID_ADDRESS',
    });
  });
});
