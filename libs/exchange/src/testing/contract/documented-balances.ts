import type { AmountKind } from '../../port/exchange.port.js';
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
  /** The accounts that are named because their sum is not zero, or is not stated. */
  readonly notServed?: readonly string[];
}

const okx = (...data: unknown[]) => json({ code: '0', msg: '', data });
const bitget = (data: unknown) => json({ code: '00000', msg: 'success', data });
const pageOf = (...items: unknown[]) => json({ code: '200000', data: { items, currentPage: 1, totalPage: 1 } });
const binance = (asset: string, free: string) => ({ asset, free, locked: '0', freeze: '0', withdrawing: '0' });
const sum = (amount: string) => ({ amount, currency: 'USDT' });
const inAccount = (kind: AmountKind) => (account: string, amount: string) => ({
  withdrawable: '0',
  elsewhere: [{ account, kind, amount }],
});
const [movable, earning, locked] = [inAccount('free'), inAccount('earning'), inAccount('locked')];
const inSubAccount = (name: string, amount: string) => ({
  free: '0',
  used: '0',
  total: '0',
  ...inAccount('sub_account')(`sub-account ${name}`, amount),
});
const bybit = (result: object) => json({ retCode: 0, retMsg: 'OK', result });

/** By the name of the contract, from the pages on balances that the contract names. */
export const documentedBalances: Readonly<Record<string, readonly DocumentedBalances[]>> = {
  kraken: [
    {
      // account-data/get-extended-balance: ".T: tokenized assets", "these assets are "read-only""; ccxt 4.5.84 has
      // `.HOLD` (`kraken.fetchCurrencies`).
      name: 'of money that Kraken keeps back, of a tokenized asset, and of names that every JavaScript object has',
      answers: {
        'POST /0/private/BalanceEx': json({
          error: [],
          result: { 'USD.HOLD': { balance: '7' }, 'AAPLx.T': { balance: '2' }, constructor: { balance: '1' } },
        }),
      },
      own: [
        { asset: 'USD', free: '0', used: '7', total: '7', ...locked('spot', '7') },
        { asset: 'AAPLx', free: '0', used: '2', total: '2', ...locked('spot', '2') },
        { asset: 'constructor', free: '1', used: '0', total: '1', withdrawable: '1' },
      ],
    },
    {
      name: 'of an empty account whose object of balances is an empty list',
      answers: { 'POST /0/private/BalanceEx': json({ error: [], result: [] }) },
      own: [],
    },
  ],
  coinbase: [
    {
      // help.coinbase.com, Ethereum 2.0 staking: "ETH2 = staked ETH"; using-cbeth: "All staked-ETH is locked".
      name: 'of staked ether, which has a code of its own',
      answers: {
        'GET /api/v3/brokerage/accounts': json({
          accounts: [
            {
              uuid: '1',
              currency: 'ETH2',
              type: 'ACCOUNT_TYPE_CRYPTO',
              platform: 'ACCOUNT_PLATFORM_CONSUMER',
              available_balance: { value: '2', currency: 'ETH2' },
              hold: { value: '0', currency: 'ETH2' },
            },
          ],
          has_next: false,
        }),
      },
      own: [{ asset: 'ETH2', free: '0', used: '2', total: '2', ...locked('primary', '2') }],
    },
  ],
  gate: [
    {
      name: 'of other accounts of which single amounts are empty or missing',
      answers: {
        'GET /api/v4/margin/accounts': json([
          { base: null, quote: { currency: 'XRP', available: '4', locked: '0' } },
          { base: { currency: 'BTC', available: '' }, quote: { currency: 'ADA', available: '1', locked: '0' } },
        ]),
        'GET /api/v4/wallet/sub_account_balances': json([
          { uid: '1', available: { GT: '', DOT: null } },
          { uid: 2, available: null, locking: null },
          { uid: '3', available: { DOGE: '5' } },
        ]),
        'GET /api/v4/wallet/total_balance': json({ details: { spot: sum('1'), quant: sum(''), finance: null } }),
      },
      others: [
        { asset: 'XRP', free: '4', used: '0', total: '4', ...movable('margin', '4') },
        { asset: 'ADA', free: '1', used: '0', total: '1', ...movable('margin', '1') },
        { asset: 'DOGE', ...inSubAccount('3', '5') },
      ],
      notServed: ['quant', 'finance'],
    },
    {
      // Get unified account information: the amounts are texts, and none of them is called required.
      name: 'of a unified account without frozen and borrowed amounts',
      answers: {
        'GET /api/v4/account/detail': json({ user_id: 1667201533, key: { mode: 2 } }),
        'GET /api/v4/unified/accounts': json({ balances: { SOL: { available: '3', freeze: '', borrowed: '' } } }),
      },
      own: [{ asset: 'SOL', free: '3', used: '0', total: '3', ...movable('unified', '3') }],
    },
  ],
  bitget: [
    {
      name: 'of an account whose lists are null, and whose overview has no sum of earn',
      answers: {
        'GET /api/v2/spot/account/assets': bitget(null),
        'GET /api/v2/account/all-account-balance': bitget([{ accountType: 'earn', usdtBalance: '' }]),
        'GET /api/v2/earn/account/assets': bitget([
          { coin: 'BTC', amount: '' },
          { coin: 'ETH', amount: '2' },
        ]),
        'GET /api/v2/spot/account/subaccount-assets': bitget(null),
      },
      others: [{ asset: 'ETH', free: '0', used: '2', total: '2', ...locked('earn', '2') }],
    },
    {
      // The page's error table: 40014 "Incorrect permissions". Then every account is read.
      name: 'of an owner whose overview Bitget refuses to show',
      answers: {
        'GET /api/v2/account/all-account-balance': json({ code: '40014', msg: 'Incorrect permissions' }, 400),
        'GET /api/v2/earn/account/assets': bitget([{ coin: 'SOL', amount: '2' }]),
      },
      others: [{ asset: 'SOL', free: '0', used: '2', total: '2', ...locked('earn', '2') }],
      notServed: ['other accounts'],
    },
  ],
  binance: [
    {
      name: 'of a position of Simple Earn in a coin that the list of coins lacks, and of a wallet without a sum',
      answers: {
        'POST /sapi/v3/asset/getUserAsset': json([binance('LDBNB', '2')]),
        'POST /sapi/v1/asset/get-funding-asset': json([binance('LDETH', '3')]),
        'GET /sapi/v1/simple-earn/flexible/position': json({ rows: null, total: 0 }),
        'GET /sapi/v1/asset/wallet/balance': json([{ walletName: 'Options', balance: '' }]),
      },
      own: [
        { asset: 'BNB', free: '2', used: '0', total: '2', ...earning('spot', '2') },
        { asset: 'ETH', free: '3', used: '0', total: '3', ...earning('funding', '3') },
      ],
      notServed: ['Options'],
    },
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
          asset: 'USDT',
          free: '76.46',
          used: '0',
          total: '76.46',
          withdrawable: '0',
          elsewhere: [
            { account: 'funding', kind: 'free', amount: '1' },
            { account: 'spot', kind: 'earning', amount: '75.46' },
          ],
        },
      ],
      others: [
        {
          asset: 'USDT',
          free: '10',
          used: '0',
          total: '10',
          withdrawable: '0',
          elsewhere: [{ account: 'Isolated Margin', kind: 'free', amount: '10' }],
        },
      ],
    },
  ],
  kucoin: [
    {
      name: 'of an account whose list is null, and of other accounts of which single amounts are empty',
      answers: {
        'GET /api/v1/accounts': json({ code: '200000', data: null }),
        'GET /api/v1/earn/hold-assets': pageOf(
          { currency: 'KCS', holdAmount: '', productType: 'DEMAND' },
          { currency: 'DOT', holdAmount: '2', productType: 'TIME' },
        ),
        'GET /api/v2/sub-accounts': pageOf({
          subName: 'a',
          mainAccounts: [
            { currency: 'USDT', available: '', holds: '0' },
            { currency: 'ADA', available: '4', holds: '0' },
          ],
          tradeAccounts: null,
        }),
      },
      own: [],
      others: [
        { asset: 'DOT', free: '0', used: '2', total: '2', ...locked('earn', '2') },
        { asset: 'ADA', ...inSubAccount('a', '4') },
      ],
    },
    {
      name: 'of a unified account without a hold and a liability',
      answers: {
        'GET /api/ua/v1/unified/account/balance': json({
          code: '200000',
          data: { accounts: [{ currencies: [{ currency: 'SOL', available: '3', balance: '3', hold: '' }] }] },
        }),
      },
      others: [{ asset: 'SOL', free: '3', used: '0', total: '3', ...movable('unified', '3') }],
    },
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
          asset: 'BTC',
          free: '0.5',
          used: '0',
          total: '0.5',
          withdrawable: '0',
          elsewhere: [{ account: 'unified', kind: 'free', amount: '0.5' }],
        },
      ],
      others: [{ asset: 'BTC', ...inSubAccount('testapi6', '0.75') }],
    },
  ],
  okx: [
    {
      name: 'of a debt without a frozen amount, of lists that are null, and of a sum that is empty',
      answers: {
        'GET /api/v5/asset/balances': json({ code: '0', msg: '', data: null }),
        'GET /api/v5/account/balance': okx({ details: [{ ccy: 'USDT', availBal: '', cashBal: '-5', frozenBal: '' }] }),
        'GET /api/v5/finance/staking-defi/orders-active': okx(
          { investData: null },
          {
            investData: [
              { ccy: 'DOT', amt: '' },
              { ccy: 'SOL', amt: '3' },
            ],
          },
        ),
        'GET /api/v5/asset/asset-valuation': okx({ details: { classic: '', funding: '1' } }),
      },
      own: [
        {
          asset: 'USDT',
          free: '0',
          used: '0',
          total: '0',
          withdrawable: '0',
          elsewhere: [{ account: 'trading', kind: 'owed', amount: '5' }],
        },
      ],
      others: [{ asset: 'SOL', free: '0', used: '3', total: '3', ...locked('staking', '3') }],
      notServed: ['classic'],
    },
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
          asset: 'USDT',
          free: '4691.862693622894',
          used: '158.573',
          total: '4850.435693622894',
          withdrawable: '0',
          elsewhere: [{ account: 'trading', kind: 'free', amount: '4691.862693622894' }],
        },
      ],
    },
  ],
  bybit: [
    {
      name: 'of a unified account without coins, and of an overview with an empty equity',
      answers: {
        'GET /v5/account/wallet-balance': bybit({ list: [{ accountType: 'UNIFIED', coin: null }] }),
        'GET /v5/asset/asset-overview': bybit({
          list: [
            {
              accountType: 'TradingBot',
              coinDetail: [
                { coin: 'BTC', equity: '' },
                { coin: 'SOL', equity: '2' },
              ],
              categories: null,
            },
          ],
        }),
      },
      others: [
        {
          asset: 'SOL',
          free: '0',
          used: '2',
          total: '2',
          withdrawable: '0',
          // Bybit documents one form for both kinds of accounts, so the sub-account has the same.
          elsewhere: [
            { account: 'TradingBot', kind: 'locked', amount: '2' },
            { account: 'sub-account xxxx02', kind: 'sub_account', amount: '2' },
          ],
        },
      ],
    },
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
          asset: 'BTC',
          free: '0',
          used: '0',
          total: '0',
          withdrawable: '0',
          elsewhere: [{ account: 'UNIFIED', kind: 'owed', amount: '0.9' }],
        },
      ],
    },
  ],
};
