import { json, type Answers, type ExpectedBalance } from './exchange-contract.js';

/** Further responses with balances that an exchange documents: other modes of an account, absent and empty fields. */
export interface DocumentedBalances {
  readonly name: string;
  /** They replace the responses of the contract. */
  readonly answers: Answers;
  /** The balances of these assets in the accounts that pay withdrawals and are traded from. */
  readonly own?: readonly ExpectedBalance[];
  /** The sums of these assets in the other accounts. */
  readonly others?: readonly ExpectedBalance[];
}

const okx = (...data: unknown[]) => json({ code: '0', msg: '', data });
const bybit = (result: object) => json({ retCode: 0, retMsg: 'OK', result });

/** By the name of the contract, from the pages on balances that the contract names. */
export const documentedBalances: Readonly<Record<string, readonly DocumentedBalances[]>> = {
  binance: [
    {
      // Lists of other clients show positions of Simple Earn in the spot wallet, too (see `withEarning`).
      name: 'of a position of Simple Earn that both the spot wallet and Simple Earn show',
      answers: {
        'POST /sapi/v3/asset/getUserAsset': json([
          { asset: 'LDUSDT', free: '75.46', locked: '0', freeze: '0', withdrawing: '0', btcValuation: '0' },
        ]),
      },
      own: [
        {
          ...{ asset: 'USDT', free: '76.46', used: '0', total: '76.46', withdrawable: '0' },
          elsewhere: [
            { account: 'funding', kind: 'free', amount: '1' },
            { account: 'spot', kind: 'earning', amount: '75.46' },
          ],
        },
      ],
      others: [
        {
          ...{ asset: 'USDT', free: '10', used: '0', total: '10', withdrawable: '0' },
          elsewhere: [{ account: 'Isolated Margin', kind: 'free', amount: '10' }],
        },
      ],
    },
  ],
  kucoin: [
    {
      // We do not know whether the list of accounts shows a unified account. It must not be counted twice.
      name: 'of a unified account that the list of accounts shows, too',
      answers: {
        'GET /api/v1/accounts': json({
          code: '200000',
          data: [{ id: '1', currency: 'BTC', type: 'unified', balance: '0.5', available: '0.5', holds: '0' }],
        }),
      },
      own: [
        {
          ...{ asset: 'BTC', free: '0.5', used: '0', total: '0.5', withdrawable: '0' },
          elsewhere: [{ account: 'unified', kind: 'free', amount: '0.5' }],
        },
      ],
      others: [
        {
          ...{ asset: 'BTC', free: '0.75', used: '0', total: '0.75', withdrawable: '0' },
          elsewhere: [{ account: 'sub-account testapi6', kind: 'free', amount: '0.75' }],
        },
      ],
    },
  ],
  okx: [
    {
      // #trading-account-rest-api-get-balance: `availBal` does not apply to all account modes; then it is empty.
      name: 'of a trading account without `availBal`',
      answers: {
        'GET /api/v5/account/balance': okx({
          details: [{ ccy: 'USDT', availBal: '', cashBal: '4850.435693622894', frozenBal: '158.573' }],
        }),
      },
      own: [
        {
          ...{ asset: 'USDT', free: '4691.862693622894', used: '158.573', total: '4850.435693622894' },
          ...{ withdrawable: '0', elsewhere: [{ account: 'trading', kind: 'free', amount: '4691.862693622894' }] },
        },
      ],
    },
  ],
  bybit: [
    {
      // account/wallet-balance: "Old walletBalance = New walletBalance - spotBorrow".
      name: 'of a unified account with a negative wallet balance beside a loan',
      answers: {
        'GET /v5/account/wallet-balance': bybit({
          list: [{ accountType: 'UNIFIED', coin: [{ coin: 'BTC', walletBalance: '-0.2', spotBorrow: '0.7' }] }],
        }),
      },
      own: [
        {
          ...{ asset: 'BTC', free: '0', used: '0', total: '0', withdrawable: '0' },
          elsewhere: [{ account: 'UNIFIED', kind: 'owed', amount: '0.9' }],
        },
      ],
    },
  ],
};
