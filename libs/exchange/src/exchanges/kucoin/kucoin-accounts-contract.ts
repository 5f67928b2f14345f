import { json, type OtherAccountsContract } from '../../testing/contract/exchange-contract.js';

const route = {
  unified: 'GET /api/ua/v1/unified/account/balance',
  mode: 'GET /api/ua/v1/account/mode',
  classic: 'GET /api/ua/v1/account/balance',
  earn: 'GET /api/v1/earn/hold-assets',
  subAccounts: 'GET /api/v2/sub-accounts',
} as const;

const ok = (data: unknown) => json({ code: '200000', data });
const entry = (currency: string, balance: string, more: object = {}) => ({
  currency,
  equity: balance,
  hold: '0',
  balance,
  available: balance,
  liability: '0',
  ...more,
});
const accounts = (accountType: string, ...currencies: unknown[]) =>
  ok({ accountType, ts: 1764731696945, accounts: [{ currencies }] });
const page = (...items: unknown[]) =>
  ok({ currentPage: 1, pageSize: 100, totalNum: items.length, totalPage: 1, items });
const margins: Readonly<Record<string, string>> = { CROSS: '20', ISOLATED: '6', FUTURES: '3' };
const held = (currency: string, available: string) => ({ currency, balance: available, available, holds: '0' });

/**
 * The other accounts. The samples of ua/get-account-currency-assets-uta and …-classic are those that ccxt 4.5.84 quotes
 * (`kucoin.fetchUtaBalance`, recorded in December 2025 and March 2026); those of
 * earn/get-account-holding (the first product) and account-info/sub-account/get-subaccount-list-spot-balance-v2 (the
 * main account) were compared with spec/rest and the tests of Kucoin/kucoin-universal-sdk (November 2025). The products
 * besides the first, the amounts of the margin and futures accounts, and the trading and margin account of the
 * sub-account are ours. The answer of the mode was not compared with its page.
 */
export const kucoinOtherAccounts: OtherAccountsContract = {
  calls: {
    [route.unified]: {
      parameters: {},
      answer: accounts('UNIFIED', entry('USDT', '97.9936711985'), entry('BTC', '0.0000216', { liability: '0.00001' })),
    },
    [route.mode]: {
      parameters: {},
      answer: ok({ selfAccountMode: 'UNIFIED', unifiedSubAccount: [], classicSubAccount: [] }),
    },
    [route.classic]: {
      parameters: { accountType: 'text', accountSubtype: 'text?', currency: 'text?' },
      answer: ({ params: { accountType = '' } }) => accounts(accountType, entry('USDT', margins[accountType] ?? '0')),
    },
    [route.earn]: {
      parameters: {
        currency: 'text?',
        productId: 'text?',
        productCategory: 'text?',
        currentPage: 'integer?',
        pageSize: 'integer?',
      },
      answer: page(
        {
          orderId: '2767291',
          productId: '2611',
          productCategory: 'KCS_STAKING',
          productType: 'DEMAND',
          currency: 'KCS',
          holdAmount: '1',
          redeemedAmount: '0',
          redeemingAmount: '1',
          status: 'REDEEMING',
          redeemPeriod: 3,
        },
        {
          orderId: '2767293',
          productId: '2613',
          productCategory: 'DEMAND',
          productType: 'DEMAND',
          currency: 'DOT',
          holdAmount: '4',
          redeemedAmount: '0',
          redeemingAmount: '0',
          status: 'LOCKED',
          redeemPeriod: 0,
        },
        {
          orderId: '2767294',
          productId: '2614',
          productCategory: 'STAKING',
          productType: 'DEMAND',
          currency: 'STX',
          holdAmount: '5',
          redeemedAmount: '0',
          redeemingAmount: '0',
          status: 'LOCKED',
          redeemPeriod: 14,
        },
        {
          orderId: '2767292',
          productId: '2612',
          productCategory: 'STAKING',
          productType: 'TIME',
          currency: 'ETH',
          holdAmount: '2',
          redeemedAmount: '0',
          redeemingAmount: '0',
          status: 'LOCKED',
        },
      ),
    },
    [route.subAccounts]: {
      parameters: { currentPage: 'integer?', pageSize: 'integer?' },
      answer: page({
        subUserId: '63743f07e0c5230001761d08',
        subName: 'testapi6',
        mainAccounts: [held('USDT', '0.01')],
        tradeAccounts: [held('BTC', '0.5')],
        marginAccounts: [held('BTC', '0.25')],
        tradeHFAccounts: [],
      }),
    },
  },
  expected: [
    {
      asset: 'USDT',
      free: '126.9936711985',
      used: '0',
      total: '126.9936711985',
      withdrawable: '0',
      elsewhere: [
        { account: 'cross', kind: 'free', amount: '20' },
        { account: 'futures', kind: 'free', amount: '3' },
        { account: 'isolated', kind: 'free', amount: '6' },
        { account: 'sub-account testapi6', kind: 'sub_account', amount: '0.01' },
        { account: 'unified', kind: 'free', amount: '97.9936711985' },
      ],
    },
    {
      asset: 'BTC',
      free: '0.0000216',
      used: '0',
      total: '0.0000216',
      withdrawable: '0',
      elsewhere: [
        { account: 'sub-account testapi6', kind: 'sub_account', amount: '0.75' },
        { account: 'unified', kind: 'free', amount: '0.0000216' },
        { account: 'unified', kind: 'owed', amount: '0.00001' },
      ],
    },
    {
      asset: 'KCS',
      free: '0',
      used: '1',
      total: '1',
      withdrawable: '0',
      elsewhere: [{ account: 'earn', kind: 'locked', amount: '1' }],
    },
    {
      asset: 'DOT',
      free: '4',
      used: '0',
      total: '4',
      withdrawable: '0',
      elsewhere: [{ account: 'earn', kind: 'earning', amount: '4' }],
    },
    {
      asset: 'STX',
      free: '0',
      used: '5',
      total: '5',
      withdrawable: '0',
      elsewhere: [{ account: 'earn', kind: 'locked', amount: '5' }],
    },
    {
      asset: 'ETH',
      free: '0',
      used: '2',
      total: '2',
      withdrawable: '0',
      elsewhere: [{ account: 'earn', kind: 'locked', amount: '2' }],
    },
  ],
  unread: ['trading bots', 'futures, earn and unified accounts of sub-accounts'].map((account) => ({
    account,
    reason: 'not_served',
  })),
  names: {
    [route.unified]: 'unified',
    [route.classic]: 'isolated',
    [route.earn]: 'earn',
    [route.subAccounts]: 'sub-accounts',
  },
  subAccounts: { list: route.subAccounts, none: page(), further: [] },
};
