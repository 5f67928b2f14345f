import { json, type OtherAccountsContract } from '../../testing/contract/exchange-contract.js';

const route = { overview: 'GET /v5/asset/asset-overview', earn: 'GET /v5/earn/position' } as const;

const ok = (result: unknown) => json({ retCode: 0, retMsg: 'OK', result, retExtInfo: {}, time: 1672738134824 });
const of = (accountType: string, rest: object) => ({
  ...{ accountType, totalEquity: '1', valuationCurrency: 'USD', snapshotTime: '1672738134824', ...rest },
});

/**
 * The other accounts, in the form of the pages asset/balance/asset-overview, earn/position and enum#assetaccounttype
 * (bybit-exchange.github.io/docs/v5, July 2026). The pages' samples were not at hand, so the amounts are ours.
 */
export const bybitOtherAccounts: OtherAccountsContract = {
  calls: {
    [route.overview]: {
      parameters: { memberId: 'text?', valuationCurrency: 'text?', accountType: 'text?' },
      answer: ok({
        totalEquity: '100',
        list: [
          of('FundingAccount', { coinDetail: [{ coin: 'USDC', equity: '12' }] }),
          of('UnifiedTradingAccount', { categories: [{ category: 'CRYPTO', equity: '1', coinDetail: [] }] }),
          of('Earn', {
            categories: [{ category: 'Easy Earn', equity: '40', coinDetail: [{ coin: 'USDT', equity: '40.5' }] }],
          }),
          of('TradingBot', {
            categories: [{ category: 'Futures Grid Bot', equity: '7', coinDetail: [{ coin: 'USDT', equity: '7' }] }],
          }),
          of('CryptoLoans', { coinDetail: [{ coin: 'BTC', equity: '-0.1' }] }),
        ],
      }),
    },
    [route.earn]: {
      parameters: { category: 'text', productId: 'text?', coin: 'text?' },
      answer: ok({ list: [{ coin: 'USDT', productId: '428', amount: '10.5', totalPnl: '0', claimableYield: '0' }] }),
    },
  },
  expected: [
    {
      ...{ asset: 'USDT', free: '10.5', used: '37', total: '47.5', withdrawable: '0' },
      elsewhere: [
        { account: 'Earn', kind: 'earning', amount: '10.5' },
        { account: 'Earn', kind: 'locked', amount: '30' },
        { account: 'TradingBot', kind: 'locked', amount: '7' },
      ],
    },
    {
      ...{ asset: 'BTC', free: '0', used: '0', total: '0', withdrawable: '0' },
      elsewhere: [{ account: 'CryptoLoans', kind: 'owed', amount: '0.1' }],
    },
  ],
  unread: [{ account: 'sub-accounts', reason: 'not_served' }],
  names: { [route.overview]: 'asset overview' },
};
