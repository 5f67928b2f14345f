import { Amount } from '#money';
import { network, WithdrawalHarness } from '../testing/index.js';
import { GetFeeInfo } from './fee-info.js';

describe('fees without a price list', () => {
  let harness: WithdrawalHarness;
  beforeAll(async () => {
    harness = await WithdrawalHarness.create();
    const variable = ['bitcoin', 'lightning', 'ethereum', 'solana'].map((id) => ({
      ...network('BTC', id, '^.+$', null),
      minWithdrawal: null,
      maxWithdrawal: null,
      fee: null,
    }));
    harness.exchange.networks.splice(0, Infinity, ...variable);
  });
  afterAll(() => harness.close());

  async function feesOf(name?: string): Promise<(string | null)[]> {
    const question = { asset: 'BTC', network: name, amount: Amount.of('1') };
    const { networks } = await harness.get(GetFeeInfo).execute(harness.project, harness.wallet.externalId, question);
    return networks.map(({ fee }) => fee?.toString() ?? null);
  }

  it('are estimated for the named network, or for all networks of an asset that has at most three', async () => {
    expect(await feesOf()).toEqual([null, null, null, null]);
    expect(await feesOf('ethereum')).toEqual(['0.0001']);
    harness.exchange.networks.pop();
    expect(await feesOf()).toEqual(['0.0001', '0.0001', '0.0001']);
  });
});
