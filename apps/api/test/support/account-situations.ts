import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import type { ReceivedCall } from '#exchange/testing';
import type { ExchangeId, LiveAnswers } from './live-exchanges.js';

/** Responses that exchanges have sent to real accounts, or that their documentation allows, and what is right. */

/** An asset as the balances show it: `withdrawable`, and the amounts elsewhere as `account kind amount`. */
type Shown = Readonly<Record<string, readonly [withdrawable: string, ...elsewhere: string[]]>>;

export interface BalanceSituation {
  readonly name: string;
  readonly exchange: ExchangeId;
  readonly answers: LiveAnswers;
  /** The assets of interest; the others are those of the documentation. */
  readonly shown: Shown;
  /** Assets that must not be shown. */
  readonly absent?: readonly string[];
}

const kraken = (result: unknown, error: string[] = []) => ({ error, result });
export const okx = (...data: unknown[]) => ({ code: '0', msg: '', data });
export const bybit = (result: object) => ({ retCode: 0, retMsg: 'OK', result });
const kucoin = (data: unknown) => ({ code: '200000', data });
const bitget = (data: unknown) => ({ code: '00000', msg: 'success', data });
const kucoinPage = (...items: unknown[]) => kucoin({ items, currentPage: 1, totalPage: 1 });
export const BALANCE_EX = 'POST /0/private/BalanceEx';

/** The list of balances of each exchange that pays withdrawals, with one account. */
const lists: Readonly<Record<string, (entries: readonly [string, unknown][]) => LiveAnswers>> = {
  kraken: (all) => ({ [BALANCE_EX]: kraken(Object.fromEntries(all.map(([id, balance]) => [id, { balance }]))) }),
  binance: (all) => ({ 'POST /sapi/v3/asset/getUserAsset': all.map(([asset, free]) => binance(asset, free)) }),
  okx: (all) => ({
    'GET /api/v5/asset/balances': okx(...all.map(([ccy, bal]) => ({ ccy, bal, availBal: bal, frozenBal: '0' }))),
  }),
  coinbase: (all) => ({
    'GET /api/v3/brokerage/accounts': {
      accounts: all.map(([currency, value], index) => ({
        uuid: String(index),
        currency,
        type: 'ACCOUNT_TYPE_CRYPTO',
        platform: 'ACCOUNT_PLATFORM_CONSUMER',
        available_balance: { value, currency },
        hold: { value: '0', currency },
      })),
      has_next: false,
      cursor: '',
    },
  }),
  bybit: (all) => ({
    'GET /v5/asset/transfer/query-account-coins-balance': bybit({
      balance: all.map(([coin, amount]) => ({ coin, transferBalance: amount, walletBalance: amount })),
    }),
  }),
  kucoin: (all) => ({
    'GET /api/v1/accounts': kucoin(
      all.map(([currency, available]) => ({ currency, type: 'main', balance: available, available, holds: '0' })),
    ),
  }),
  gate: (all) => ({
    'GET /api/v4/spot/accounts': all.map(([currency, available]) => ({ currency, available, locked: '0' })),
  }),
  bitget: (all) => ({
    'GET /api/v2/spot/account/assets': bitget(
      all.map(([coin, available]) => ({ coin, available, frozen: '0', locked: '0' })),
    ),
  }),
  gemini: (all) => ({
    'POST /v1/balances': all.map(([currency, amount]) => ({
      currency,
      amount,
      available: amount,
      availableForWithdrawal: amount,
    })),
  }),
  bitstamp: (all) => ({
    'POST /api/v2/account_balances/': all.map(([currency, amount]) => ({
      currency,
      total: amount,
      available: amount,
      reserved: '0',
    })),
  }),
};
const binance = (asset: string, free: unknown) => ({ asset, free, locked: '0', freeze: '0', withdrawing: '0' });

export function held(exchange: ExchangeId, ...entries: [string, unknown][]): LiveAnswers {
  return lists[exchange]?.(entries) ?? {};
}

/** The exchanges' own names of the account with the balances. */
const accounts: Readonly<Record<string, string>> = {
  kraken: 'spot',
  binance: 'spot',
  okx: 'funding',
  coinbase: 'primary',
  bybit: 'FUND',
  kucoin: 'main',
  gate: 'spot',
  bitget: 'spot',
  gemini: 'exchange',
  bitstamp: 'main',
};

const everywhere = (Object.keys(lists) as ExchangeId[]).flatMap((exchange): BalanceSituation[] => [
  {
    name: 'a small negative remainder and a debt',
    exchange,
    answers: held(exchange, ['LTC', '3'], ['SHIB', '-0.00000012'], ['XTZ', '-12.5']),
    shown: {
      LTC: ['3'],
      SHIB: ['0', `${accounts[exchange]} owed 0.00000012`],
      XTZ: ['0', `${accounts[exchange]} owed 12.5`],
    },
  },
  {
    name: 'amounts that are empty, null, huge, or in a notation with exponents',
    exchange,
    answers: held(exchange, ['LTC', '3'], ['XTZ', ''], ['DASH', null], ['SHIB', '1e30'], ['ADA', '1E-8']),
    shown: { LTC: ['3'], XTZ: ['0'], DASH: ['0'], SHIB: [`1${'0'.repeat(30)}`], ADA: ['0.00000001'] },
  },
]);

/** Each compression of a list with 1.5 ETH. */
const compressed = ([encoding, zip]: readonly [string, (body: string) => Buffer]): BalanceSituation => ({
  name: `a body in ${encoding} although none was asked for`,
  exchange: 'gate',
  shown: { ETH: ['1.5'] },
  answers: {
    'GET /api/v4/spot/accounts': (_call: ReceivedCall, response: ServerResponse) => {
      const body = zip('[{"currency":"ETH","available":"1.5","locked":"0"}]');
      response.writeHead(200, { 'content-encoding': encoding }).end(body);
    },
  },
});

export const balanceSituations: readonly BalanceSituation[] = [
  ...everywhere,
  {
    name: 'forms of assets that earn, are staked, are kept back or are tokenized',
    exchange: 'kraken',
    answers: held(
      'kraken',
      ...([
        ['XXBT', '0.0000000000'],
        ['XBT.F', '0.5'],
        ['SOL.F', '12.5'],
        ['XBT.M', '0.1'],
      ] as [string, string][]),
      ...([
        ['ETH2.S', '3'],
        ['USDC.B', '5'],
        ['USD.HOLD', '7'],
        ['AAPLx.T', '2'],
      ] as [string, string][]),
    ),
    shown: {
      BTC: ['0.5', 'spot earning 0.1'],
      SOL: ['12.5'],
      ETH: ['0', 'spot locked 3'],
      USDC: ['0', 'spot locked 5'],
      USD: ['0', 'spot locked 7'],
      AAPLx: ['0', 'spot locked 2'],
    },
    absent: ['BTC.F', 'USD.HOLD', 'AAPLx.T'],
  },
  {
    name: 'a warning',
    exchange: 'kraken',
    shown: { BTC: ['1'] },
    answers: { [BALANCE_EX]: kraken({ XXBT: { balance: '1.0' } }, ['WGeneral:Scheduled maintenance']) },
  },
  {
    name: 'credit, credit that is used, and a debt',
    exchange: 'kraken',
    answers: {
      [BALANCE_EX]: kraken({
        ZEUR: { balance: '10', credit: '50', credit_used: '25', hold_trade: '30' },
        ZUSD: { balance: '-12.34' },
      }),
    },
    shown: { EUR: ['5', 'spot owed 25'], USD: ['0', 'spot owed 12.34'] },
  },
  {
    name: 'an object of balances that is an empty list',
    exchange: 'kraken',
    shown: {},
    answers: { [BALANCE_EX]: kraken([]) },
  },
  {
    name: 'Simple Earn in the spot and the funding wallet',
    exchange: 'binance',
    absent: ['LDBNB', 'LDETH'],
    answers: {
      ...held('binance', ['LDUSDT', '2000'], ['LDBNB', '2'], ['LDO', '1']),
      'POST /sapi/v1/asset/get-funding-asset': [binance('LDETH', '3')],
      'GET /sapi/v1/simple-earn/flexible/position': { rows: null, total: 0 },
      'GET /sapi/v1/margin/account': { userAssets: [] },
      'GET /sapi/v1/margin/isolated/account': { assets: [] },
      'GET /sapi/v1/sub-account/spotSummary': { totalCount: 0, spotSubUserAssetBtcVoList: [] },
    },
    shown: {
      USDT: ['0', 'spot earning 2000'],
      BNB: ['0', 'spot earning 2'],
      ETH: ['0', 'funding earning 3'],
      LDO: ['1'],
    },
  },
  {
    name: 'lists that are null, and a debt without a frozen amount',
    exchange: 'okx',
    answers: {
      'GET /api/v5/asset/balances': { code: '0', msg: '', data: null },
      'GET /api/v5/account/balance': okx({ details: [{ ccy: 'XRP', availBal: '', cashBal: '-5', frozenBal: '' }] }),
      'GET /api/v5/finance/staking-defi/orders-active': okx({ investData: null }),
    },
    shown: { XRP: ['0', 'trading owed 5'] },
  },
  {
    name: 'one asset listed twice',
    exchange: 'okx',
    shown: { LTC: ['3', 'funding owed 1'] },
    answers: held('okx', ['LTC', '3'], ['LTC', '-1']),
  },
  {
    name: 'an empty transferable amount, and an empty equity in the overview',
    exchange: 'bybit',
    answers: {
      'GET /v5/asset/transfer/query-account-coins-balance': bybit({
        balance: [
          { coin: 'LTC', transferBalance: '', walletBalance: '12' },
          { coin: 'XRP', transferBalance: '1', walletBalance: '1' },
        ],
      }),
      'GET /v5/account/wallet-balance': bybit({ list: [{ accountType: 'UNIFIED', coin: null }] }),
      'GET /v5/asset/asset-overview': bybit({
        list: [
          {
            accountType: 'TradingBot',
            coinDetail: [
              { coin: 'ADA', equity: '' },
              { coin: 'SOL', equity: '2' },
            ],
          },
        ],
      }),
    },
    shown: { LTC: ['0'], XRP: ['1'], SOL: ['0', 'TradingBot locked 2', 'sub-account xxxx02 sub_account 2'] },
  },
  {
    name: 'single empty amounts of other accounts',
    exchange: 'gate',
    answers: {
      'GET /api/v4/margin/accounts': [
        { base: null, quote: { currency: 'XRP', available: '4', locked: '0' } },
        { base: { currency: 'LTC', available: '' }, quote: { currency: 'ADA', available: '1', locked: '0' } },
      ],
      'GET /api/v4/wallet/sub_account_balances': [
        { uid: '1', available: { GT: '', DOT: null } },
        { uid: 3, available: { DOGE: '5' } },
      ],
      'GET /api/v4/wallet/total_balance': { details: { spot: { amount: '' }, quant: null } },
    },
    shown: { XRP: ['0', 'margin free 4'], ADA: ['0', 'margin free 1'], DOGE: ['0', 'sub-account 3 sub_account 5'] },
  },
  {
    name: 'a list that is null, and single empty amounts of other accounts',
    exchange: 'kucoin',
    answers: {
      'GET /api/v1/accounts': kucoin(null),
      'GET /api/v1/earn/hold-assets': kucoinPage(
        { currency: 'LTC', holdAmount: '', productType: 'DEMAND' },
        { currency: 'DOT', holdAmount: '2', productType: 'TIME' },
      ),
      'GET /api/v2/sub-accounts': kucoinPage({
        subName: 'a',
        mainAccounts: [
          { currency: 'XRP', available: '', holds: '0' },
          { currency: 'ADA', available: '4', holds: '0' },
        ],
      }),
    },
    shown: { DOT: ['0', 'earn locked 2'], ADA: ['0', 'sub-account a sub_account 4'] },
  },
  {
    name: 'a list that is null, and an overview without a sum',
    exchange: 'bitget',
    answers: {
      'GET /api/v2/spot/account/assets': bitget(null),
      'GET /api/v2/account/all-account-balance': bitget([{ accountType: 'earn', usdtBalance: '' }]),
      'GET /api/v2/earn/account/assets': bitget([
        { coin: 'LTC', amount: '' },
        { coin: 'SOL', amount: '2' },
      ]),
    },
    shown: { SOL: ['0', 'earn locked 2'] },
  },
  {
    name: 'an account for perpetual futures that names no platform',
    exchange: 'coinbase',
    answers: {
      'GET /api/v3/brokerage/accounts': {
        accounts: (
          [
            ['ACCOUNT_TYPE_CRYPTO', '3'],
            ['ACCOUNT_TYPE_PERP_FUTURES', '7'],
          ] as const
        ).map(([type, value]) => ({
          uuid: type,
          currency: 'USDC',
          type,
          available_balance: { value, currency: 'USDC' },
          hold: { value: '0', currency: 'USDC' },
        })),
        has_next: false,
        cursor: '',
      },
    },
    shown: { USDC: ['3', 'ACCOUNT_TYPE_PERP_FUTURES free 7'] },
  },
  {
    name: 'products of Earn that wait some days for their end',
    exchange: 'kucoin',
    answers: {
      'GET /api/v1/earn/hold-assets': kucoinPage(
        { currency: 'DOT', holdAmount: '2', productType: 'DEMAND', status: 'LOCKED', redeemPeriod: 0 },
        { currency: 'KCS', holdAmount: '1', productType: 'DEMAND', status: 'LOCKED', redeemPeriod: 3 },
        { currency: 'ADA', holdAmount: '4', productType: 'DEMAND', status: 'REDEEMING', redeemPeriod: 0 },
      ),
    },
    shown: { DOT: ['0', 'earn earning 2'], KCS: ['0', 'earn locked 1'], ADA: ['0', 'earn locked 4'] },
  },
  {
    name: 'a flexible product that cannot be redeemed now',
    exchange: 'binance',
    answers: {
      'GET /sapi/v1/simple-earn/flexible/position': {
        rows: [
          { asset: 'DOT', totalAmount: '2', canRedeem: true },
          { asset: 'ADA', totalAmount: '4', canRedeem: false },
        ],
        total: 2,
      },
    },
    shown: { DOT: ['0', 'Earn earning 2'], ADA: ['0', 'Earn locked 4'] },
  },
  {
    name: 'margin of an isolated position in the unified account',
    exchange: 'bybit',
    answers: {
      'GET /v5/account/wallet-balance': bybit({
        list: [
          {
            accountType: 'UNIFIED',
            coin: [
              {
                coin: 'XRP',
                walletBalance: '4271.12',
                availableToWithdraw: '',
                locked: '0',
                borrowAmount: '0',
                totalPositionIM: '2466.37',
                totalOrderIM: '0',
                unrealisedPnl: '-303.75',
                equity: '3967.37',
              },
            ],
          },
        ],
      }),
    },
    shown: { XRP: ['0', 'UNIFIED free 1804.75'] },
  },
  {
    name: 'names that ccxt changes',
    exchange: 'gate',
    absent: ['GAMECOM', 'TRACO'],
    answers: held('gate', ['GTC', '3'], ['TRAC', '4']),
    shown: { GTC: ['3'], TRAC: ['4'] },
  },
  {
    name: 'the names that the exchange shows',
    exchange: 'kucoin',
    absent: ['BIFIF', 'BCHSV'],
    answers: {
      ...held('kucoin', ['BIFI', '3'], ['BCHSV', '4']),
      'GET /api/v3/currencies': kucoin([
        { currency: 'BIFI', name: 'BIFI', precision: 8, chains: [] },
        { currency: 'BCHSV', name: 'BSV', precision: 8, chains: [] },
      ]),
    },
    shown: { BIFI: ['3'], BSV: ['4'] },
  },
  ...(
    [
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['br', brotliCompressSync],
    ] as const
  ).map(compressed),
  {
    name: 'a byte order mark before the body',
    exchange: 'gate',
    shown: { ETH: ['1.5'] },
    answers: {
      'GET /api/v4/spot/accounts': {
        status: 200,
        body: '\uFEFF[{"currency":"ETH","available":"1.5","locked":"0"}]',
      },
    },
  },
];
