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
const of = (asset: string, free: string, borrowed = '0', locked = '0') => ({
  ...{ asset, free, borrowed, interest: '0', locked, netAsset: free },
});
const wallet = (walletName: string, balance: string) => ({ activate: true, balance, walletName });

/** The other accounts, in the form of the documented samples: developers.binance.com/docs (January 2026). */
export const binanceOtherAccounts: OtherAccountsContract = {
  calls: {
    [route.cross]: {
      parameters: signed,
      answer: json({
        ...{ created: true, borrowEnabled: true, marginLevel: '11.64405625', totalLiabilityOfBtc: '0.58633215' },
        userAssets: [of('BTC', '0.00499500', '0.001'), of('BNB', '201.66666672', '201.66666672', '2346.5')],
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
          { totalAmount: '75.46', asset: 'USDT', canRedeem: true, collateralAmount: '232.23', productId: 'USDT001' },
        ],
        total: 1,
      }),
    },
    [route.locked]: {
      parameters: { ...signed, ...paged, positionId: 'text?', projectId: 'text?' },
      answer: json({ rows: [{ positionId: 123123, asset: 'BNB', amount: '21312.23', duration: '60' }], total: 1 }),
    },
    [route.wallets]: {
      parameters: { ...signed, quoteAsset: 'text?' },
      answer: json([
        ...[wallet('Spot', '1'), wallet('Funding', '2'), wallet('Cross Margin', '3'), wallet('Earn', '4')],
        ...[wallet('USDⓈ-M Futures', '0'), wallet('COIN-M Futures', '0.2'), wallet('Options', '0')],
      ]),
    },
  },
  expected: [
    {
      ...{ asset: 'BTC', free: '0.504995', used: '0', total: '0.504995', withdrawable: '0' },
      elsewhere: [
        { account: 'Cross Margin', kind: 'free', amount: '0.004995' },
        { account: 'Cross Margin', kind: 'owed', amount: '0.001' },
        { account: 'Isolated Margin', kind: 'free', amount: '0.5' },
      ],
    },
    {
      ...{ asset: 'BNB', free: '201.66666672', used: '23658.73', total: '23860.39666672', withdrawable: '0' },
      elsewhere: [
        { account: 'Cross Margin', kind: 'free', amount: '201.66666672' },
        { account: 'Cross Margin', kind: 'owed', amount: '201.66666672' },
        { account: 'Earn', kind: 'locked', amount: '21312.23' },
      ],
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
    [route.isolated]: json({ code: -11001, msg: "Isolated margin account doesn't exist" }, 400),
  },
};
