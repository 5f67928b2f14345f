import { exchangeFacts } from '#exchange';
import { ApiClient } from '../../../local/src/api-client.js';
import { readExchanges } from '../../../local/src/chosen-exchanges.js';
import { connectExchangeWallets, type ExchangeWallet } from '../../../local/src/exchange-wallets.js';
import type { SandboxAccount } from '../support/sandbox.js';
import { TestApp, type TestProjectWithClient } from '../support/test-app.js';
import { settled } from '../support/withdrawal-client.js';

const SETTLE_STEP_MS = 5_000;
const specs = readExchanges('all');

/** The wallets of `npm start -- --exchanges all`, without those at Kraken and `sandbox`, which every start connects. */
describe('the demo wallets of all exchanges', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let wallets: ExchangeWallet[];
  let kraken: SandboxAccount;
  let connect: () => Promise<ExchangeWallet[]>;

  beforeAll(async () => {
    app = await TestApp.create({
      worker: true,
      env: { EXCHANGE_TIMEOUT_MS: '10000', WITHDRAWAL_FEE_ESTIMATES: 'coinbase:BTC:bitcoin=0.00015' },
    });
    project = await app.project();
    kraken = await app.sandbox.open();
    const addressOf = (method: string) =>
      kraken.withdrawalAddresses.find((saved) => saved.asset === 'BTC' && saved.method === method)?.address ?? '';
    const parts = {
      key: { apiKey: project.apiKey, orgId: project.organizationId, projectId: project.projectId },
      sandboxUrl: app.sandbox.url,
      balances: { BTC: '5' },
      addresses: { BTC: { bitcoin: addressOf('Bitcoin'), lightning: addressOf('Bitcoin Lightning') } },
    };
    connect = () => connectExchangeWallets(new ApiClient(app.url), parts, specs);
    wallets = await connect();
  });
  afterAll(() => app.close());

  it('include one wallet for each exchange that the sandbox exchange simulates', () => {
    const simulated = exchangeFacts.flatMap(({ spec }) => (spec.hasSandbox ? [spec.id] : []));
    expect(['kraken', 'sandbox', ...wallets.map(({ exchange }) => exchange)].sort()).toEqual(simulated.sort());
  });

  it('stay connected to their accounts at the next start', async () => {
    expect(await connect()).toEqual(wallets);
    expect(await project.causeway.getWallet({ walletId: 'demo-okx' })).toMatchObject({ exchange: 'okx' });
  });

  describe.each(specs)('at $id', ({ id, withdrawals }) => {
    const walletId = `demo-${id}`;

    it('show the balance of a new account', async () => {
      const wallet = await project.causeway.getWallet({ walletId });
      expect(wallet).toMatchObject({ exchange: id, balances: { BTC: { total: 5 } } });
    });

    it('show the sub-account of the account, where the exchange lists sub-accounts', async () => {
      const { balances, unread = [] } = await app.clientsOf(project, walletId).causeway.getWithdrawalBalance();
      const { elsewhere } = balances.find(({ asset }) => asset === 'BTC') ?? {};
      const listed = ['binance', 'bitget', 'bybit', 'gate', 'kucoin', 'okx'].includes(id);
      expect(elsewhere?.filter(({ kind }) => kind === 'sub_account') ?? []).toEqual(
        listed ? [{ account: 'sub-account savings', kind: 'sub_account', amount: '0.25' }] : [],
      );
      expect(unread.filter(({ account }) => account === 'sub-accounts' && listed)).toEqual([]);
    });

    it('make the withdrawal that `npm start` prints, where the exchange supports withdrawals', async () => {
      const withdrawal = wallets.find((wallet) => wallet.walletId === walletId)?.withdrawal ?? null;
      expect(withdrawal === null).toBe(withdrawals === undefined);
      if (withdrawal === null) return;
      const { causeway } = app.clientsOf(project, walletId);
      const { id: quoteId } = await causeway.createQuote(withdrawal);
      const { result } = await causeway.executeQuote({ quoteId });
      const done = await settled(app, { causeway }, result.transactionId, SETTLE_STEP_MS);
      expect(done).toMatchObject({ status: 'ok', network: withdrawal.network });
    });

    it('place the order and get the deposit address that `npm start` prints', async () => {
      const { order, deposit } = wallets.find((wallet) => wallet.walletId === walletId) ?? {};
      if (order == null || deposit == null) throw new Error(`nothing is printed for ${id}`);
      const { causeway } = app.clientsOf(project, walletId);
      expect(await causeway.placeOrder(order)).toMatchObject({ exchange: id, routeId: order.routeId });
      expect(await causeway.getDepositAddress(deposit)).toMatchObject({ exchange: id, ...deposit });
    });
  });
});
