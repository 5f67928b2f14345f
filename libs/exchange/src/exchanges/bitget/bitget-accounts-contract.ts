import { json, type OtherAccountsContract } from '../../testing/contract/exchange-contract.js';

const route = {
  totals: 'GET /api/v2/account/all-account-balance',
  crossed: 'GET /api/v2/margin/crossed/account/assets',
  isolated: 'GET /api/v2/margin/isolated/account/assets',
  futures: 'GET /api/v2/mix/account/accounts',
  earn: 'GET /api/v2/earn/account/assets',
  subAssets: 'GET /api/v2/spot/account/subaccount-assets',
  subNames: 'GET /api/v2/user/virtual-subaccount-list',
  unifiedAssets: 'GET /api/v3/account/sub-unified-assets',
  unifiedNames: 'GET /api/v3/user/sub-list',
} as const;

const ok = (...data: unknown[]) => json({ code: '00000', msg: 'success', requestTime: 1695793701269, data });
const sum = (accountType: string, usdtBalance: string) => ({ accountType, usdtBalance });
const margin = (coin: string, available: string, borrow: string, interest = '0') => ({
  coin,
  totalAmount: available,
  available,
  frozen: '0',
  borrow,
  interest,
  net: available,
  coupon: '0',
  cTime: '1734567744432',
  uTime: '1734567744432',
});

const futures: Readonly<Record<string, readonly [coin: string, available: string]>> = {
  'USDT-FUTURES': ['USDT', '8.5'],
  'COIN-FUTURES': ['ETH', '4'],
  'USDC-FUTURES': ['USDC', '7'],
};

const subAssets = (userId: number, coin: string) => ({
  userId,
  assetsList: [{ coin, available: '1.1', limitAvailable: '12.1', frozen: '0', locked: '0.5', uTime: '1337654897651' }],
});
const unifiedAssets = (subUid: string) => ({
  subUid,
  cursor: '5832862',
  assets: [
    { coin: 'USDT', equity: '1', usdValue: '0.99996985', balance: '1', available: '1', debt: '0.5', locked: '0.25' },
  ],
});
/** Bitget: "Default value is 10, maximum is 50" sub-accounts on a page. */
const pageOf = (count: number, entry: (index: number) => unknown) => ({
  ...ok(...Array.from({ length: Math.min(count, 50) }, (_, index) => entry(index))),
});

/**
 * The other accounts of a classic account. The fields and the parameters of the margin accounts and of earn were
 * compared with stored copies (undated) of the pages named in the reader, and those of the futures accounts with the
 * types of tiagosiebler/bitget-api (July 2026). Not compared with its page, which was not at hand: the overview. Other
 * clients read the same fields and account types. All amounts are ours.
 *
 * The sub-accounts: spot/account/Get-Subaccount-Assets and common/vsubaccount/Get-Virtual-Subaccount-List (stored
 * copies, undated), and for the size of a page JKorf/Bitget.Net, which sends `limit` and `idLessThan`. The ids, the
 * name and the second coin are ours.
 */
export const bitgetOtherAccounts: OtherAccountsContract = {
  calls: {
    [route.totals]: {
      parameters: {},
      answer: ok(
        ...[sum('spot', '12.3'), sum('futures', '9'), sum('funding', '0'), sum('earn', '30'), sum('bots', '1')],
        sum('margin', '4'),
      ),
    },
    [route.crossed]: { parameters: { coin: 'text?' }, answer: ok(margin('USDT', '3', '1', '0.25')) },
    [route.isolated]: {
      parameters: { symbol: 'text?' },
      answer: ok({ symbol: 'BTCUSDT', ...margin('BTC', '0.01', '0') }),
    },
    [route.futures]: {
      parameters: { productType: 'text' },
      answer: ({ params: { productType = '' } }) => {
        const [marginCoin, available] = futures[productType] ?? [];
        return ok({ marginCoin, locked: '0.5', available, crossedMaxAvailable: '8', accountEquity: '9' });
      },
    },
    [route.earn]: { parameters: { coin: 'text?' }, answer: ok({ coin: 'BTC', amount: '0.001' }) },
    [route.subAssets]: {
      parameters: { limit: 'integer?', idLessThan: 'text?' },
      answer: ok(subAssets(1234567890, 'BTC'), subAssets(1234567891, 'ETH')),
    },
    [route.subNames]: {
      parameters: { limit: 'integer?', idLessThan: 'text?', status: 'text?' },
      answer: json({
        code: '00000',
        msg: 'success',
        requestTime: 1656589586807,
        data: {
          endId: 51,
          subAccountList: [
            {
              subAccountUid: '1234567890',
              subAccountName: 'trading@virtual-bitget.com',
              status: 'normal',
              permList: ['read'],
              label: 'mySub01',
              cTime: '1653287983475',
              uTime: '1682660169573',
            },
            // The page masks names.
            { subAccountUid: '1234567891', subAccountName: '****@*****.com', status: 'normal', permList: [] },
          ],
        },
      }),
    },
  },
  expected: [
    {
      asset: 'USDT',
      free: '11.5',
      used: '0.5',
      total: '12',
      withdrawable: '0',
      elsewhere: [
        { account: 'USDT-FUTURES', kind: 'free', amount: '8.5' },
        { account: 'crossed margin', kind: 'free', amount: '3' },
        { account: 'crossed margin', kind: 'owed', amount: '1.25' },
      ],
    },
    {
      asset: 'BTC',
      free: '0.01',
      used: '0.001',
      total: '0.011',
      withdrawable: '0',
      elsewhere: [
        { account: 'earn', kind: 'locked', amount: '0.001' },
        { account: 'isolated margin', kind: 'free', amount: '0.01' },
        { account: 'sub-account trading@virtual-bitget.com', kind: 'sub_account', amount: '1.6' },
      ],
    },
    {
      asset: 'ETH',
      free: '4',
      used: '0.5',
      total: '4.5',
      withdrawable: '0',
      elsewhere: [
        { account: 'COIN-FUTURES', kind: 'free', amount: '4' },
        { account: 'sub-account 1234567891', kind: 'sub_account', amount: '1.6' },
      ],
    },
    {
      asset: 'USDC',
      free: '7',
      used: '0.5',
      total: '7.5',
      withdrawable: '0',
      elsewhere: [{ account: 'USDC-FUTURES', kind: 'free', amount: '7' }],
    },
  ],
  unread: [
    { account: 'bots', reason: 'not_served' },
    { account: 'margin, futures and earn of sub-accounts', reason: 'not_served' },
  ],
  names: {
    [route.crossed]: 'crossed margin',
    [route.isolated]: 'isolated margin',
    [route.futures]: 'USDT-FUTURES',
    [route.earn]: 'earn',
    [route.subAssets]: 'sub-accounts',
  },
  subAccounts: {
    list: route.subAssets,
    none: ok(),
    further: [route.subNames],
    bound: { max: 50, many: (count) => ({ [route.subAssets]: pageOf(count, (index) => subAssets(index, 'BTC')) }) },
  },
};

/**
 * A unified account: uta/account/sub-account/Get-SubAccount-Unified-Assets and -/SubAccount-Get (stored copies,
 * undated). The ids, the name, the debt and the locked amount are ours.
 */
export const bitgetUnifiedOtherAccounts: OtherAccountsContract = {
  calls: {
    [route.unifiedAssets]: {
      parameters: { subUid: 'text?', cursor: 'text?', limit: 'integer?' },
      answer: ok(unifiedAssets('1111111111')),
    },
    [route.unifiedNames]: {
      parameters: { limit: 'integer?', cursor: 'text?' },
      answer: json({
        code: '00000',
        msg: 'success',
        requestTime: 1740212430491,
        data: {
          list: [
            {
              subUid: '1111111111',
              username: 'llt@virtual-bitget.com',
              status: 'normal',
              note: 'xxxx',
              accountMode: 'UNIFIED',
              type: 'VIRTUAL_CHILD',
              createdTime: '1740129303268',
            },
          ],
          hasNext: false,
          cursor: '18484',
        },
      }),
    },
  },
  expected: [
    {
      asset: 'USDT',
      free: '0',
      used: '0',
      total: '0',
      withdrawable: '0',
      elsewhere: [
        { account: 'sub-account llt@virtual-bitget.com', kind: 'owed', amount: '0.5' },
        { account: 'sub-account llt@virtual-bitget.com', kind: 'sub_account', amount: '1.25' },
      ],
    },
  ],
  unread: ['earn', 'trading bots', 'funding and earn of sub-accounts'].map((account) => ({
    account,
    reason: 'not_served',
  })),
  names: { [route.unifiedAssets]: 'sub-accounts' },
  subAccounts: {
    list: route.unifiedAssets,
    none: ok(),
    further: [route.unifiedNames],
    bound: {
      max: 50,
      many: (count) => ({ [route.unifiedAssets]: pageOf(count, (index) => unifiedAssets(`${index}`)) }),
    },
  },
};
