import { json, type OtherAccountsContract } from '../../testing/contract/exchange-contract.js';

const route = { overview: 'GET /v5/asset/asset-overview', earn: 'GET /v5/earn/position' } as const;

const ok = (result: unknown) => json({ retCode: 0, retMsg: 'Success', result, retExtInfo: {}, time: 1772449025426 });
const of = (accountType: string, totalEquity: string, rest: object) => ({
  ...{ totalEquity, valuationCurrency: 'USD', accountType, snapshotTime: '1772449024908', ...rest },
});
const category = (name: string, coin: object) => ({
  categories: [{ coinDetail: [coin], category: name, equity: '4' }],
});

/**
 * The other accounts: parts of the samples of asset/balance/asset-overview (20 July 2026), with the account types of
 * enum#assetaccounttype, and finance/earn/easy-onchain/position, compared with bybit-exchange/docs of 24 July 2026. The
 * amounts of the position are ours, because those of the sample contradict each other.
 */
export const bybitOtherAccounts: OtherAccountsContract = {
  calls: {
    [route.overview]: {
      parameters: { memberId: 'text?', valuationCurrency: 'text?', accountType: 'text?' },
      answer: ok({
        totalEquity: '7457023',
        list: [
          of('CryptoLoans', '20429.51', { coinDetail: [{ equity: '-0.00100377', coin: 'BTC' }] }),
          of('Earn', '20888.1', category('Easy Earn', { equity: '200', coin: 'USDT' })),
          of('TradingBot', '120.53', category('Futures Grid Bot', { equity: '4', coin: 'USDT' })),
          of('FundingAccount', '7175590.45', { coinDetail: [{ equity: '100000', coin: 'USDC' }] }),
          of('UnifiedTradingAccount', '213399.38', { coinDetail: [{ equity: '37283.5394', coin: 'USDT' }] }),
          of('Alpha', '335.33', {
            categories: [
              { coinDetail: [{ equity: '43.36958077', coin: 'PUMP' }], category: 'trade', equity: '296.16' },
              {
                coinDetail: [{ extMap: { equityUnit: 'USD' }, equity: '3.4268', coin: 'SOL-USDC' }],
                ...{ category: 'farm', equity: '39.16' },
              },
            ],
          }),
        ],
      }),
    },
    [route.earn]: {
      parameters: { category: 'text', productId: 'text?', coin: 'text?' },
      answer: ok({
        list: [
          {
            ...{ coin: 'USDT', productId: '428', amount: '150', totalPnl: '', claimableYield: '0' },
            ...{ availableAmount: '120.5', freezeDetails: [{ amount: '29.5', description: 'Locked' }] },
          },
        ],
      }),
    },
  },
  expected: [
    {
      ...{ asset: 'USDT', free: '120.5', used: '83.5', total: '204', withdrawable: '0' },
      elsewhere: [
        { account: 'Earn', kind: 'earning', amount: '120.5' },
        { account: 'Earn', kind: 'locked', amount: '79.5' },
        { account: 'TradingBot', kind: 'locked', amount: '4' },
      ],
    },
    {
      ...{ asset: 'BTC', free: '0', used: '0', total: '0', withdrawable: '0' },
      elsewhere: [{ account: 'CryptoLoans', kind: 'owed', amount: '0.00100377' }],
    },
    {
      ...{ asset: 'PUMP', free: '0', used: '43.36958077', total: '43.36958077', withdrawable: '0' },
      elsewhere: [{ account: 'Alpha', kind: 'locked', amount: '43.36958077' }],
    },
  ],
  unread: [
    { account: 'Alpha', reason: 'not_served' },
    { account: 'sub-accounts', reason: 'not_served' },
  ],
  names: { [route.overview]: 'asset overview' },
};
