import type { WithdrawalCapability } from '#exchange';
import type { Input, Output } from '#client';
import { refusalOf } from '../support/causeway-client.js';
import { PartnerSandbox, type PartnerWallet } from '../support/partner-sandbox.js';
import { pretend, stopPretending, withChange } from '../support/pretended-exchange.js';
import { TestApp, type TestProjectWithClient, type TestWallet, type WalletClients } from '../support/test-app.js';
import { savedAddress, type ErrorBody } from '../support/withdrawal-client.js';

describe('the fee information', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let kraken: TestWallet;
  let partner: PartnerWallet;

  beforeAll(async () => {
    app = await TestApp.create();
    project = await app.project();
    kraken = await app.wallet(project);
    partner = await new PartnerSandbox(app, project).wallet({ mode: 'none', methods: [], relation: 'AND' });
  });
  afterAll(() => app.close());

  const ask = ({ causeway }: WalletClients, input: Input<'getWithdrawalFees'>): Promise<Output<'getWithdrawalFees'>> =>
    causeway.getWithdrawalFees(input);

  afterEach(() => stopPretending(app));

  it.each(['0.01', '0.1', '0.12345678'])(
    'equals the fee of a quote for the amount %s, at Kraken and at the partner API',
    async (amount) => {
      const address = savedAddress(kraken, 'BTC', 'Bitcoin');
      const of = { asset: 'BTC', network: 'bitcoin', amount };
      for (const [wallet, to = ''] of [
        [kraken, address],
        [partner, partner.account.addresses['BTC']?.['bitcoin']],
      ] as const) {
        const { networks } = await ask(wallet, of);
        const quoted = await wallet.causeway.createQuote({ ...of, address: to });
        expect(networks).toMatchObject([{ fee: quoted.estimatedFee, amountProblem: null }]);
        expect(networks[0]?.minimumWithdrawal).toBe(Number(quoted.additionalInfo.minWithdrawal));
      }
    },
  );

  describe('for a fee that is on no price list', () => {
    const unlisted = (): void =>
      pretend(app, ({ withdrawals }) => ({ withdrawals: withdrawals && withChange(withdrawals, withoutFees) }));

    it('has a fee of null without an amount, and the fee that the exchange reports with an amount', async () => {
      unlisted();
      const untold = await ask(kraken, { asset: 'BTC', network: 'bitcoin' });
      expect(untold.networks).toMatchObject([{ fee: null, feeType: 'variable', amountProblem: null }]);
      const told = await ask(kraken, { asset: 'BTC', network: 'bitcoin', amount: '0.1' });
      expect(told.networks).toMatchObject([{ fee: 0.00015, feeType: 'variable', amountProblem: null }]);
    });

    it.each([
      ['0.00000001', 'below_minimum'],
      ['0.0001', 'below_minimum'],
      ['1000', 'above_maximum'],
      ['99999999999999999999', 'above_maximum'],
      ['0.123456789', 'too_many_decimals'],
    ])('has a fee of null for the amount %s, with the reason %s', async (amount, amountProblem) => {
      unlisted();
      const { networks } = await ask(kraken, { asset: 'BTC', network: 'bitcoin', amount });
      expect(networks).toMatchObject([{ fee: null, feeType: 'variable', amountProblem }]);
    });
  });

  it('gives the reason why an amount cannot be withdrawn, also when the fee is on a price list', async () => {
    const { networks } = await ask(kraken, { asset: 'BTC', amount: '0.00005' });
    const problems = networks.map(({ network, fee, feeType, amountProblem }) => ({
      network,
      fee,
      feeType,
      amountProblem,
    }));
    expect(problems).toEqual([
      { network: 'bitcoin', fee: 0.00015, feeType: 'fixed', amountProblem: 'below_minimum' },
      { network: 'lightning', fee: 0, feeType: 'fixed', amountProblem: null },
    ]);
  });

  it('has no networks for an asset that the exchange lists without a network for withdrawals', async () => {
    expect(await ask(kraken, { asset: 'USD' })).toMatchObject({ asset: 'USD', networks: [] });
  });

  it.each([
    ['', 400, 'INFO_ASSET_REQUIRED'],
    ['asset=', 400, 'INFO_ASSET_REQUIRED'],
    ['asset=BTC&amount=0', 400, 'GENERIC_VALIDATION_ERROR'],
    ['asset=BTC&amount=-1', 400, 'GENERIC_VALIDATION_ERROR'],
    ['asset=BTC&amount=0.1234567890123456789', 400, 'GENERIC_VALIDATION_ERROR'],
    ['asset=NOSUCH&amount=1', 404, 'GENERIC_NOT_FOUND'],
    ['asset=BTC&network=nosuch', 400, 'WITHDRAWAL_NETWORK_NOT_SUPPORTED'],
  ])('is refused for "%s" with %i %s', async (query, status, type) => {
    const answer = await partner.http.get<ErrorBody>(`/v0/wallet/info/fee?${query}`);
    expect([answer.status, answer.body.type]).toEqual([status, type]);
  });

  it('is refused for an exchange without withdrawals: 400 INFO_FEE_EXCHANGE_NOT_SUPPORTED', async () => {
    pretend(app, () => ({ withdrawals: undefined }));
    const { status, code } = await refusalOf(ask(kraken, { asset: 'BTC' }));
    expect([status, code]).toEqual([400, 'INFO_FEE_EXCHANGE_NOT_SUPPORTED']);
  });
});

function withoutFees(real: WithdrawalCapability): Partial<WithdrawalCapability> {
  return { networks: async (asset) => (await real.networks(asset)).map((network) => ({ ...network, fee: null })) };
}
