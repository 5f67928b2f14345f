import { json, type OtherAccountsContract } from '../../testing/contract/exchange-contract.js';

const route = {
  totals: 'GET /api/v2/account/all-account-balance',
  crossed: 'GET /api/v2/margin/crossed/account/assets',
  isolated: 'GET /api/v2/margin/isolated/account/assets',
  futures: 'GET /api/v2/mix/account/accounts',
  earn: 'GET /api/v2/earn/account/assets',
} as const;

const ok = (...data: unknown[]) => json({ code: '00000', msg: 'success', requestTime: 1695793701269, data });
const sum = (accountType: string, usdtBalance: string) => ({ accountType, usdtBalance });
const margin = (coin: string, available: string, borrow: string, interest = '0') => ({
  ...{ coin, totalAmount: available, available, frozen: '0', borrow, interest, net: available, coupon: '0' },
  ...{ cTime: '1734567744432', uTime: '1734567744432' },
});

const futures: Readonly<Record<string, readonly [coin: string, available: string]>> = {
  ...{ 'USDT-FUTURES': ['USDT', '8.5'], 'COIN-FUTURES': ['ETH', '4'], 'USDC-FUTURES': ['USDC', '7'] },
};

/**
 * The other accounts of a classic account. The fields and the parameters of the margin accounts and of earn were
 * compared with stored copies (undated) of the pages named in the reader, and those of the futures accounts with the
 * types of tiagosiebler/bitget-api (July 2026). Not compared with its page, which was not at hand: the overview. Other
 * clients read the same fields and account types. All amounts are ours.
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
  },
  expected: [
    {
      ...{ asset: 'USDT', free: '11.5', used: '0.5', total: '12', withdrawable: '0' },
      elsewhere: [
        { account: 'USDT-FUTURES', kind: 'free', amount: '8.5' },
        { account: 'crossed margin', kind: 'free', amount: '3' },
        { account: 'crossed margin', kind: 'owed', amount: '1.25' },
      ],
    },
    {
      ...{ asset: 'BTC', free: '0.01', used: '0.001', total: '0.011', withdrawable: '0' },
      elsewhere: [
        { account: 'earn', kind: 'locked', amount: '0.001' },
        { account: 'isolated margin', kind: 'free', amount: '0.01' },
      ],
    },
    {
      ...{ asset: 'ETH', free: '4', used: '0.5', total: '4.5', withdrawable: '0' },
      elsewhere: [{ account: 'COIN-FUTURES', kind: 'free', amount: '4' }],
    },
    {
      ...{ asset: 'USDC', free: '7', used: '0.5', total: '7.5', withdrawable: '0' },
      elsewhere: [{ account: 'USDC-FUTURES', kind: 'free', amount: '7' }],
    },
  ],
  unread: [
    { account: 'bots', reason: 'not_served' },
    { account: 'sub-accounts', reason: 'not_served' },
  ],
  names: {
    ...{ [route.crossed]: 'crossed margin', [route.isolated]: 'isolated margin', [route.futures]: 'USDT-FUTURES' },
    [route.earn]: 'earn',
  },
};

/** A unified account. */
export const bitgetUnifiedOtherAccounts: OtherAccountsContract = {
  ...{ calls: {}, expected: [], names: {} },
  unread: ['earn', 'trading bots', 'sub-accounts'].map((account) => ({ account, reason: 'not_served' })),
};
