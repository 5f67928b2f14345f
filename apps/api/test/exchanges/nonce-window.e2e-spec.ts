import { refusalOf } from '../support/causeway-client.js';
import { TestApp, type TestProjectWithClient } from '../support/test-app.js';
import { btcQuote } from '../support/withdrawal-client.js';

/**
 * Kraken refuses a used nonce only with a nonce window of 0. With a larger one, a request that the network delivers
 * twice could be executed twice.
 */
describe('a Kraken key with a nonce window', () => {
  let app: TestApp;
  let project: TestProjectWithClient;

  beforeAll(async () => {
    app = await TestApp.create({ env: { EXCHANGE_TIMEOUT_MS: '10000' } });
    project = await app.project();
  });
  afterAll(() => app.close());

  it('is connected for reading, and withdraws nothing and places no order', async () => {
    const owner = await app.wallet(project, { balances: { BTC: '5', USD: '100000' }, nonceWindow: 10_000 });
    expect((await owner.causeway.pingWallet()).unsafeSettings).toEqual(['nonce_window']);
    const { id: quoteId } = await btcQuote(owner);
    const order = { routeId: 'kraken:spot:BTC-USD', volume: '0.01', price: '20000', side: 'sell' } as const;
    for (const refusal of [
      await refusalOf(owner.causeway.executeQuote({ quoteId })),
      await refusalOf(owner.causeway.executeQuote({ quoteId, params: { dryRun: true } })),
      await refusalOf(owner.causeway.placeOrder(order)),
    ]) {
      expect(refusal.result).toMatchObject({ reason: 'nonce_window' });
      expect(refusal.message).toContain('set the nonce window of the key to 0');
    }
    expect(await app.sandbox.countCalls(owner.account, 'Withdraw')).toBe(0);
    expect(await app.sandbox.countCalls(owner.account, 'AddOrder')).toBe(0);
  });

  it('with a window of 0 withdraws and places orders', async () => {
    const owner = await app.wallet(project, { balances: { BTC: '5', USD: '100000' }, nonceWindow: 0 });
    expect((await owner.causeway.pingWallet()).unsafeSettings).toEqual([]);
    const { id: quoteId } = await btcQuote(owner);
    expect((await owner.causeway.executeQuote({ quoteId })).success).toBe(true);
  });
});
