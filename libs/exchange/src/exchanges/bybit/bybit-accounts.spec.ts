import { ContractBench } from '../../testing/contract/contract-bench.js';
import { json, type Reply } from '../../testing/contract/exchange-contract.js';
import { bybitContract } from './bybit-contract.js';
import { bybit } from './bybit.js';

const OVERVIEW = 'GET /v5/asset/asset-overview';
const POSITIONS = 'GET /v5/earn/position';

const ok = (result: object): Reply => json({ retCode: 0, retMsg: 'OK', result });

/** Bybit's page asset/balance/asset-overview: an account has categories, each with coins of its own. */
const earn = (...equities: [category: string, coin: string, equity: string][]): Reply =>
  ok({
    list: [
      {
        accountType: 'Earn',
        categories: equities.map(([category, coin, equity]) => ({ category, coinDetail: [{ coin, equity }] })),
      },
    ],
  });
/** Bybit's page finance/earn/easy-onchain/position. */
const positions = (...redeemable: [coin: string, amount: string][]): Reply =>
  ok({ list: redeemable.map(([coin, amount]) => ({ coin, productId: '428', amount, availableAmount: amount })) });

/** What the owner has in the Earn account: [asset, kind, amount]. */
async function held(overview: Reply, listed: Reply): Promise<unknown[]> {
  const found: unknown[] = [];
  await ContractBench.run({ declaration: bybit, contract: bybitContract }, async ({ open, stub }) => {
    stub.answer({ [OVERVIEW]: overview, [POSITIONS]: listed });
    const accounts = await (await open()).otherAccounts?.([]);
    for (const { asset, elsewhere = [] } of accounts?.flatMap(({ balances }) => balances ?? []) ?? [])
      found.push(...elsewhere.map(({ account, kind, amount }) => [account, asset, kind, amount.toString()]));
  });
  return found.filter((each) => Array.isArray(each) && each[0] === 'Earn').map((each) => (each as unknown[]).slice(1));
}

describe('the Earn account at Bybit', () => {
  it('counts a position once, also when several categories of the account have its coin', async () => {
    const overview = earn(['Easy Earn', 'USDT', '200'], ['On-Chain Earn', 'USDT', '100'], ['Easy Earn', 'BTC', '1']);
    expect(await held(overview, positions(['USDT', '150']))).toEqual([
      ['USDT', 'earning', '150'],
      ['USDT', 'locked', '150'],
      ['BTC', 'locked', '1'],
    ]);
  });

  it('counts a position that exceeds the equity of one category in the next category', async () => {
    const overview = earn(['Easy Earn', 'USDT', '200'], ['On-Chain Earn', 'USDT', '100']);
    expect(await held(overview, positions(['USDT', '150'], ['USDT', '70']))).toEqual([
      ['USDT', 'earning', '220'],
      ['USDT', 'locked', '80'],
    ]);
  });

  it('has no more than its equity, whatever the positions are', async () => {
    const overview = earn(['Easy Earn', 'USDT', '200']);
    expect(await held(overview, positions(['USDT', '500'], ['ETH', '1']))).toEqual([['USDT', 'earning', '200']]);
  });
});
