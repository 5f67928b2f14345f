import { json, type OtherAccountsContract } from '../../testing/contract/exchange-contract.js';

const route = {
  overview: 'GET /v5/asset/asset-overview',
  earn: 'GET /v5/earn/position',
  members: 'GET /v5/user/query-sub-members',
} as const;

const ok = (result: unknown) => json({ retCode: 0, retMsg: 'Success', result, retExtInfo: {}, time: 1772449025426 });
const of = (accountType: string, totalEquity: string, rest: object) => ({
  totalEquity,
  valuationCurrency: 'USD',
  accountType,
  snapshotTime: '1772449024908',
  ...rest,
});
const member = (uid: string, username: string) => ({
  uid,
  username,
  memberType: 1,
  status: 1,
  remark: '',
  accountMode: 5,
});
const category = (name: string, coin: object) => ({
  categories: [{ coinDetail: [coin], category: name, equity: '4' }],
});

const MASTER = ok({
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
          category: 'farm',
          equity: '39.16',
        },
      ],
    }),
  ],
});
const OF_MEMBER = ok({
  totalEquity: '17',
  list: [
    of('FundingAccount', '5', { coinDetail: [{ equity: '5', coin: 'USDC' }] }),
    of('UnifiedTradingAccount', '12', {
      coinDetail: [
        { equity: '12.5', coin: 'USDT' },
        { equity: '-0.5', coin: 'BTC' },
      ],
    }),
  ],
});

/**
 * The other accounts: parts of the samples of asset/balance/asset-overview (20 July 2026), with the account types of
 * enum#assetaccounttype, and finance/earn/easy-onchain/position, compared with bybit-exchange/docs of 24 July 2026. The
 * amounts of the position are ours, because those of the sample contradict each other. The sub-accounts: the first one
 * of the sample of user/subuid-list. Its overview is ours: the page has one sample for both kinds of accounts.
 */
export const bybitOtherAccounts: OtherAccountsContract = {
  calls: {
    [route.overview]: {
      parameters: { memberId: 'text?', valuationCurrency: 'text?', accountType: 'text?' },
      answer: ({ params: { memberId } }) => (memberId === undefined ? MASTER : OF_MEMBER),
    },
    [route.earn]: {
      parameters: { category: 'text', productId: 'text?', coin: 'text?' },
      answer: ok({
        list: [
          {
            coin: 'USDT',
            productId: '428',
            amount: '150',
            totalPnl: '',
            claimableYield: '0',
            availableAmount: '120.5',
            freezeDetails: [{ amount: '29.5', description: 'Locked' }],
          },
        ],
      }),
    },
    [route.members]: { parameters: {}, answer: ok({ subMembers: [member('106314365', 'xxxx02')] }) },
  },
  expected: [
    {
      asset: 'USDT',
      free: '120.5',
      used: '83.5',
      total: '204',
      withdrawable: '0',
      elsewhere: [
        { account: 'Earn', kind: 'earning', amount: '120.5' },
        { account: 'Earn', kind: 'locked', amount: '79.5' },
        { account: 'TradingBot', kind: 'locked', amount: '4' },
        { account: 'sub-account xxxx02', kind: 'sub_account', amount: '12.5' },
      ],
    },
    {
      asset: 'BTC',
      free: '0',
      used: '0',
      total: '0',
      withdrawable: '0',
      elsewhere: [
        { account: 'CryptoLoans', kind: 'owed', amount: '0.00100377' },
        { account: 'sub-account xxxx02', kind: 'owed', amount: '0.5' },
      ],
    },
    {
      asset: 'USDC',
      free: '0',
      used: '0',
      total: '0',
      withdrawable: '0',
      elsewhere: [{ account: 'sub-account xxxx02', kind: 'sub_account', amount: '5' }],
    },
    {
      asset: 'PUMP',
      free: '0',
      used: '43.36958077',
      total: '43.36958077',
      withdrawable: '0',
      elsewhere: [{ account: 'Alpha', kind: 'locked', amount: '43.36958077' }],
    },
  ],
  unread: [
    { account: 'Alpha', reason: 'not_served' },
    { account: 'fund custodial sub-accounts', reason: 'not_served' },
  ],
  names: { [route.overview]: 'asset overview', [route.members]: 'sub-accounts' },
  subAccounts: {
    list: route.members,
    none: ok({ subMembers: [] }),
    further: [],
    bound: {
      max: 10,
      many: (count) => ({
        [route.members]: ok({
          subMembers: Array.from({ length: count }, (_, index) => member(`${index}`, `s${index}`)),
        }),
      }),
    },
  },
};
