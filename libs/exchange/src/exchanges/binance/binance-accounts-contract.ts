import { json, type OtherAccountsContract } from '../../testing/contract/exchange-contract.js';

const route = {
  cross: 'GET /sapi/v1/margin/account',
  isolated: 'GET /sapi/v1/margin/isolated/account',
  flexible: 'GET /sapi/v1/simple-earn/flexible/position',
  locked: 'GET /sapi/v1/simple-earn/locked/position',
  wallets: 'GET /sapi/v1/asset/wallet/balance',
} as const;

const signed = { timestamp: 'integer', recvWindow: 'integer?', signature: 'text' } as const;
const paged = { asset: 'text?', current: 'integer?', size: 'integer?' } as const;
const of = (asset: string, free: string, debt: object = {}) => ({
  ...{ asset, borrowed: '0.00000000', free, interest: '0.00000000', locked: '0.00000000', netAsset: free, ...debt },
});
const wallet = (walletName: string, balance: string) => ({ activate: true, balance, walletName });

/**
 * The other accounts. The fields, their types and the parameters were compared with stored copies (undated) of these
 * pages of developers.binance.com/docs: margin_trading/account/Query-Cross-Margin-Account-Details and
 * -/Query-Isolated-Margin-Account-Info, simple_earn/flexible-locked/account/Get-Locked-Product-Position,
 * wallet/asset/query-user-wallet-balance; and with binance/binance-connector-js (July 2026) and, for the flexible
 * positions, binance/binance-api-swagger (October 2024). The amounts of the isolated account and the wallets, and
 * the interest, are ours.
 */
export const binanceOtherAccounts: OtherAccountsContract = {
  calls: {
    [route.cross]: {
      parameters: signed,
      answer: json({
        ...{ created: true, borrowEnabled: true, marginLevel: '11.64405625', totalLiabilityOfBtc: '0.58633215' },
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
            ...{ totalAmount: '75.46000000', latestAnnualPercentageRate: '0.02599895', asset: 'USDT' },
            ...{ canRedeem: true, collateralAmount: '232.23123213', productId: 'USDT001', autoSubscribe: true },
          },
        ],
        total: 1,
      }),
    },
    [route.locked]: {
      parameters: { ...signed, ...paged, positionId: 'integer?', projectId: 'text?' },
      answer: json({
        rows: [
          {
            ...{ positionId: 123123, projectId: 'Axs*90', asset: 'AXS', amount: '122.09202928', duration: '60' },
            ...{ redeemAmountEarly: '2802.24068892', redeemingAmt: '232.2323', status: 'HOLDING' },
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
  },
  expected: [
    {
      ...{ asset: 'BTC', free: '0.504995', used: '0', total: '0.504995', withdrawable: '0' },
      elsewhere: [
        { account: 'Cross Margin', kind: 'free', amount: '0.004995' },
        { account: 'Isolated Margin', kind: 'free', amount: '0.5' },
      ],
    },
    {
      ...{ asset: 'BNB', free: '2346.5', used: '0', total: '2346.5', withdrawable: '0' },
      elsewhere: [
        { account: 'Cross Margin', kind: 'free', amount: '2346.5' },
        { account: 'Cross Margin', kind: 'owed', amount: '202.16666672' },
      ],
    },
    {
      ...{ asset: 'AXS', free: '0', used: '122.09202928', total: '122.09202928', withdrawable: '0' },
      elsewhere: [{ account: 'Earn', kind: 'locked', amount: '122.09202928' }],
    },
    {
      ...{ asset: 'USDT', free: '85.46', used: '0', total: '85.46', withdrawable: '0' },
      elsewhere: [
        { account: 'Earn', kind: 'earning', amount: '75.46' },
        { account: 'Isolated Margin', kind: 'free', amount: '10' },
      ],
    },
  ],
  unread: [
    { account: 'COIN-M Futures', reason: 'not_served' },
    { account: 'sub-accounts', reason: 'not_served' },
  ],
  names: {
    ...{ [route.cross]: 'Cross Margin', [route.isolated]: 'Isolated Margin', [route.flexible]: 'Earn' },
    ...{ [route.locked]: 'Earn', [route.wallets]: 'other wallets' },
  },
  notOpened: {
    [route.cross]: json({ code: -3003, msg: 'Margin account does not exist.' }, 400),
    [route.isolated]: json({ code: -11001, msg: 'Isolated margin account does not exist.' }, 400),
  },
};
