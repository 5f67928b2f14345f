import { json, type OtherAccountsContract } from '../../testing/contract/exchange-contract.js';
import type { ReceivedCall } from '../../testing/stub-exchange.js';

const route = {
  cross: 'GET /sapi/v1/margin/account',
  isolated: 'GET /sapi/v1/margin/isolated/account',
  flexible: 'GET /sapi/v1/simple-earn/flexible/position',
  locked: 'GET /sapi/v1/simple-earn/locked/position',
  wallets: 'GET /sapi/v1/asset/wallet/balance',
  summary: 'GET /sapi/v1/sub-account/spotSummary',
  assets: 'GET /sapi/v4/sub-account/assets',
} as const;

const signed = { timestamp: 'integer', recvWindow: 'integer?', signature: 'text' } as const;
const paged = { asset: 'text?', current: 'integer?', size: 'integer?' } as const;
const of = (asset: string, free: string, debt: object = {}) => ({
  asset,
  borrowed: '0.00000000',
  free,
  interest: '0.00000000',
  locked: '0.00000000',
  netAsset: free,
  ...debt,
});
/** A summary of sub-accounts. @param totals the sums in bitcoin, by email */
const summary =
  (totals: readonly (readonly [email: string, totalAsset: string])[]) =>
  ({ params: { page = '1', size = '10' } }: ReceivedCall) =>
    json({
      totalCount: totals.length,
      masterAccountTotalAsset: '0.23231201',
      spotSubUserAssetBtcVoList: totals
        .slice((Number(page) - 1) * Number(size), Number(page) * Number(size))
        .map(([email, totalAsset]) => ({ email, totalAsset })),
    });
const wallet = (walletName: string, balance: string) => ({ activate: true, balance, walletName });

const [BNB, BTC, UNPRICED] = [
  { freeze: '0.5', withdrawing: '0.25', asset: 'BNB', free: '10003', locked: '2' },
  { freeze: '0', withdrawing: '0', asset: 'BTC', free: '0', locked: '0' },
  { freeze: '0', withdrawing: '0', asset: 'AXS', free: '3', locked: '0' },
];

/**
 * The other accounts. The fields, their types and the parameters were compared with stored copies (undated) of these
 * pages of developers.binance.com/docs: margin_trading/account/Query-Cross-Margin-Account-Details and
 * -/Query-Isolated-Margin-Account-Info, simple_earn/flexible-locked/account/Get-Locked-Product-Position,
 * wallet/asset/query-user-wallet-balance; and with binance/binance-connector-js (July 2026) and, for the flexible
 * positions, binance/binance-api-swagger (October 2024). The amounts of the isolated account and the wallets,
 * the interest, and the second flexible position are ours.
 *
 * The sub-accounts: sub_account/asset-management/Query-Sub-account-Spot-Assets-Summary and
 * -/Query-Sub-account-Assets-V4 (stored copies, undated), and clients/sub-account of binance/binance-connector-js (July
 * 2026). The locked and frozen amounts are ours. The error of a master account without the function was recorded in
 * August 2026.
 */
export const binanceOtherAccounts: OtherAccountsContract = {
  calls: {
    [route.cross]: {
      parameters: signed,
      answer: json({
        created: true,
        borrowEnabled: true,
        marginLevel: '11.64405625',
        totalLiabilityOfBtc: '0.58633215',
        userAssets: [
          of('BTC', '0.00499500'),
          of('BNB', '2346.50000000', { borrowed: '201.66666672', interest: '0.5', netAsset: '2144.33333328' }),
        ],
      }),
    },
    [route.isolated]: {
      parameters: { ...signed, symbols: 'text?' },
      answer: json({ assets: [{ symbol: 'BTCUSDT', baseAsset: of('BTC', '0.5'), quoteAsset: of('USDT', '10') }] }),
    },
    [route.flexible]: {
      parameters: { ...signed, ...paged, productId: 'text?' },
      answer: json({
        rows: [
          {
            totalAmount: '75.46000000',
            latestAnnualPercentageRate: '0.02599895',
            asset: 'USDT',
            canRedeem: true,
            collateralAmount: '232.23123213',
            productId: 'USDT001',
            autoSubscribe: true,
          },
          {
            totalAmount: '12',
            latestAnnualPercentageRate: '0.01',
            asset: 'FDUSD',
            canRedeem: false,
            collateralAmount: '0',
            productId: 'FDUSD001',
            autoSubscribe: true,
          },
        ],
        total: 2,
      }),
    },
    [route.locked]: {
      parameters: { ...signed, ...paged, positionId: 'integer?', projectId: 'text?' },
      answer: json({
        rows: [
          {
            positionId: 123123,
            projectId: 'Axs*90',
            asset: 'AXS',
            amount: '122.09202928',
            duration: '60',
            redeemAmountEarly: '2802.24068892',
            redeemingAmt: '232.2323',
            status: 'HOLDING',
          },
        ],
        total: 1,
      }),
    },
    [route.wallets]: {
      parameters: { ...signed, quoteAsset: 'text?' },
      answer: json([
        ...[wallet('Spot', '1'), wallet('Funding', '2'), wallet('Cross Margin', '3'), wallet('Earn', '4')],
        ...[wallet('Isolated Margin', '0.5'), wallet('USDⓈ-M Futures', '0'), wallet('COIN-M Futures', '0.2')],
        ...[wallet('Options', '0'), wallet('Trading Bots', '0'), wallet('Cross Margin (PM)', '0.3')],
      ]),
    },
    [route.summary]: {
      parameters: { ...signed, email: 'text?', page: 'integer?', size: 'integer?' },
      answer: summary([
        ['sub123@test.com', '9999.00000000'],
        ['test456@test.com', '0.00000000'],
      ]),
    },
    [route.assets]: {
      parameters: { ...signed, email: 'text' },
      answer: ({ params: { email } }) => json({ balances: email === 'test456@test.com' ? [UNPRICED] : [BNB, BTC] }),
    },
  },
  expected: [
    {
      asset: 'BTC',
      free: '0.504995',
      used: '0',
      total: '0.504995',
      withdrawable: '0',
      elsewhere: [
        { account: 'Cross Margin', kind: 'free', amount: '0.004995' },
        { account: 'Isolated Margin', kind: 'free', amount: '0.5' },
      ],
    },
    {
      asset: 'BNB',
      free: '2346.5',
      used: '0',
      total: '2346.5',
      withdrawable: '0',
      elsewhere: [
        { account: 'Cross Margin', kind: 'free', amount: '2346.5' },
        { account: 'Cross Margin', kind: 'owed', amount: '202.16666672' },
        { account: 'sub-account sub123@test.com', kind: 'sub_account', amount: '10005.75' },
      ],
    },
    {
      asset: 'AXS',
      free: '0',
      used: '122.09202928',
      total: '122.09202928',
      withdrawable: '0',
      elsewhere: [
        { account: 'Earn', kind: 'locked', amount: '122.09202928' },
        { account: 'sub-account test456@test.com', kind: 'sub_account', amount: '3' },
      ],
    },
    {
      asset: 'USDT',
      free: '85.46',
      used: '0',
      total: '85.46',
      withdrawable: '0',
      elsewhere: [
        { account: 'Earn', kind: 'earning', amount: '75.46' },
        { account: 'Isolated Margin', kind: 'free', amount: '10' },
      ],
    },
    {
      asset: 'FDUSD',
      free: '0',
      used: '12',
      total: '12',
      withdrawable: '0',
      elsewhere: [{ account: 'Earn', kind: 'locked', amount: '12' }],
    },
  ],
  unread: [
    { account: 'COIN-M Futures', reason: 'not_served' },
    { account: 'margin and futures of sub-accounts', reason: 'not_served' },
  ],
  names: {
    [route.cross]: 'Cross Margin',
    [route.isolated]: 'Isolated Margin',
    [route.flexible]: 'Earn',
    [route.locked]: 'Earn',
    [route.wallets]: 'other wallets',
    [route.summary]: 'sub-accounts',
  },
  notOpened: {
    [route.cross]: json({ code: -3003, msg: 'Margin account does not exist.' }, 400),
    [route.isolated]: json({ code: -11001, msg: 'Isolated margin account does not exist.' }, 400),
  },
  subAccounts: {
    list: route.summary,
    further: [route.assets],
    none: json({ code: -9000, msg: 'Sub-account function is not enabled.' }, 400),
    bound: {
      max: 10,
      many: (count) => ({
        [route.summary]: summary(Array.from({ length: count }, (_, index) => [`sub${index}@test.com`, '1'])),
      }),
    },
  },
};
