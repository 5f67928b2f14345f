import type { AccessKind } from '../../port/authorization.port.js';

/** What an exchange documents about itself, beside its calls. */
export interface DocumentedFacts {
  /** The address of the API by region; `''` = the usual region, or the only one. */
  readonly hosts: Readonly<Record<string, string>>;
  /** A second host of the usual region; absent = there is none. */
  readonly otherHost?: string;
  /** The month in which the exchange began: no record is older. */
  readonly began: string;
  /** The names of permissions of a key, and what each allows us to do. */
  readonly permissions: Readonly<Record<string, readonly AccessKind[]>>;
}

/** By the id of the exchange, from the pages that its declaration names. */
export const documentedFacts: Readonly<Record<string, DocumentedFacts>> = {
  binance: {
    hosts: { '': 'https://api.binance.com' },
    began: '2017-07',
    permissions: {
      enableReading: ['read', 'deposit'],
      enableFixReadOnly: ['read'],
      enableSpotAndMarginTrading: ['trade'],
      enableWithdrawals: ['withdrawal'],
    },
  },
  bitget: {
    hosts: { '': 'https://api.bitget.com' },
    began: '2018-01',
    permissions: {
      readonly: ['read'],
      trade: ['trade'],
      stor: ['read'],
      stow: ['trade'],
      wtor: ['read'],
      wwow: ['withdrawal'],
      'read-only': ['read'],
      uta_mgt: ['read', 'withdrawal'],
      uta_trade: ['trade'],
      withdraw: ['withdrawal'],
    },
  },
  bitstamp: { hosts: { '': 'https://www.bitstamp.net' }, began: '2011-08', permissions: {} },
  bybit: {
    hosts: {
      '': 'https://api.bybit.com',
      nl: 'https://api.bybit.nl',
      tr: 'https://api.bybit.tr',
      kz: 'https://api.bybit.kz',
      ge: 'https://api.bybitgeorgia.ge',
      ae: 'https://api.bybit.ae',
      id: 'https://api.bybit.id',
      jp: 'https://api.manepa.jp',
    },
    otherHost: 'https://api.bytick.com',
    began: '2018-01',
    permissions: { readOnly: ['read'], SpotTrade: ['trade'], Withdraw: ['withdrawal'] },
  },
  coinbase: {
    hosts: { '': 'https://api.coinbase.com' },
    began: '2012-06',
    permissions: {
      view: ['read'],
      trade: ['trade'],
      transfer: ['withdrawal', 'deposit'],
      receive: ['deposit'],
      'wallet:addresses:create': ['deposit'],
      'wallet:deposits:create': ['deposit'],
      'wallet:buys:create': ['trade'],
      'wallet:sells:create': ['trade'],
      'wallet:trades:create': ['trade'],
      'wallet:transactions:send': ['withdrawal'],
      'wallet:transactions:transfer': ['withdrawal'],
      'wallet:withdrawals:create': ['withdrawal'],
    },
  },
  gate: {
    hosts: { '': 'https://api.gateio.ws', eu: 'https://api.gateeu.com' },
    began: '2013-01',
    permissions: {},
  },
  gemini: {
    hosts: { '': 'https://api.gemini.com' },
    began: '2015-10',
    permissions: { Auditor: ['read'], FundManager: ['read', 'deposit', 'withdrawal'], Trader: ['read', 'trade'] },
  },
  kraken: {
    hosts: { '': 'https://api.kraken.com' },
    began: '2011-07',
    permissions: {
      'query-funds': ['read'],
      'query-open-trades': ['read'],
      'query-closed-trades': ['read'],
      'query-ledger': ['read'],
      'export-data': ['read'],
      'create-ws-token': ['read'],
      'add-funds': ['deposit'],
      'withdraw-funds': ['withdrawal'],
      'modify-trades': ['trade'],
      'close-trades': ['trade'],
    },
  },
  kucoin: {
    hosts: { '': 'https://api.kucoin.com' },
    began: '2017-09',
    permissions: { General: ['read', 'deposit'], Spot: ['trade'], Transfer: ['deposit', 'withdrawal'] },
  },
  okx: {
    hosts: { '': 'https://openapi.okx.com', eea: 'https://eea.okx.com', us: 'https://us.okx.com' },
    otherHost: 'https://www.okx.com',
    began: '2013-01',
    permissions: { read_only: ['read', 'deposit'], trade: ['trade'], withdraw: ['withdrawal'] },
  },
};
