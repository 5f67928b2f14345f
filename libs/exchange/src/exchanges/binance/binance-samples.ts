import { Amount } from '#money';
import { tether, fault, ifNew, refused, sideIn, typeIn, type Meaning } from '../../testing/contract/documented.js';
import type {
  DocumentedLimit,
  SampleOrder,
  SampleRecord,
  OrderMeaning,
} from '../../testing/contract/exchange-contract.js';
import type { HistoryKind } from '../../port/exchange.port.js';
import type { NetworkEvidence } from '../../testing/contract/network-names.js';
import type { ReceivedCall } from '../../testing/stub-exchange.js';

const states = {
  open: 'NEW',
  'partly executed': 'PARTIALLY_FILLED',
  filled: 'FILLED',
  canceled: 'CANCELED',
  'unheard of': 'NEVER_SEEN',
} as const;

const costOf = ({ executed, averagePrice }: SampleOrder): string =>
  Amount.of(executed).times(Amount.of(averagePrice)).toString();

/** developers.binance.com/docs/binance-spot-api-docs/rest-api/account-endpoints: Query order */
export function binanceOrder(order: SampleOrder): object {
  const { exchangeId, clientOrderId, at, side, state, volume, limitPrice: price, executed } = order;
  return {
    symbol: 'BTCUSDT',
    orderId: Number(exchangeId),
    orderListId: -1,
    clientOrderId,
    price,
    origQty: volume,
    executedQty: executed,
    cummulativeQuoteQty: costOf(order),
    status: states[state],
    timeInForce: 'GTC',
    type: 'LIMIT',
    side: side.toUpperCase(),
    stopPrice: '0.0',
    icebergQty: '0.0',
    isWorking: true,
    time: at.getTime(),
    updateTime: at.getTime() + 1,
    workingTime: at.getTime(),
    origQuoteOrderQty: '0.000000',
    selfTradePreventionMode: 'NONE',
  };
}

/** Binance's page account-endpoints, "Account trade list". The fee is in `commissionAsset`. */
export function binanceTrades(order: SampleOrder): object[] {
  const { exchangeId, at, executed, averagePrice, fee, feeAsset } = order;
  if (executed === '0') return [];
  return [
    {
      symbol: 'BTCUSDT',
      id: 28457,
      orderId: Number(exchangeId),
      orderListId: -1,
      price: averagePrice,
      qty: executed,
      quoteQty: costOf(order),
      commission: fee,
      commissionAsset: feeAsset,
      time: at.getTime(),
      isBuyer: true,
      isMaker: false,
      isBestMatch: true,
    },
  ];
}

const invalidVolume = refused('GENERIC_VALIDATION_ERROR', 'invalid_volume');
const tooMany = ifNew('GENERIC_INVALID_REQUEST', 'too_many_open_orders');
const notSupported = refused('TRADING_ORDER_TYPE_NOT_SUPPORTED');

/** developers.binance.com/docs/binance-spot-api-docs/errors: "Filter failures" (-1013) and the messages of -2010. */
export const binanceOrderRefusals: readonly (readonly [code: number, message: string, meaning: Meaning])[] = [
  [-1013, 'Filter failure: PRICE_FILTER', refused('GENERIC_VALIDATION_ERROR', 'invalid_tick_size')],
  [-1013, 'Filter failure: PERCENT_PRICE', ifNew('GENERIC_VALIDATION_ERROR', 'price_limit')],
  [-1013, 'Filter failure: LOT_SIZE', invalidVolume],
  [-1013, 'Filter failure: MIN_NOTIONAL', ifNew('GENERIC_VALIDATION_ERROR', 'below_minimum_volume')],
  [-1013, 'Filter failure: NOTIONAL', ifNew('GENERIC_VALIDATION_ERROR', 'invalid_volume')],
  [-1013, 'Filter failure: MARKET_LOT_SIZE', ifNew('GENERIC_VALIDATION_ERROR', 'invalid_volume')],
  [-1013, 'Filter failure: MAX_POSITION', ifNew('GENERIC_VALIDATION_ERROR', 'above_maximum_volume')],
  [-1013, 'Filter failure: MAX_NUM_ORDERS', tooMany],
  [-1013, 'Filter failure: EXCHANGE_MAX_NUM_ORDERS', tooMany],
  // TRAILING_DELTA concerns trailing stop orders, which we do not place.
  [-1013, 'Filter failure: TRAILING_DELTA', fault],
  [-2010, 'Unknown order sent.', fault],
  [-2010, 'Duplicate order sent.', fault],
  [-2010, 'Market is closed.', ifNew('TRADING_ROUTE_UNAVAILABLE')],
  [
    -2010,
    'Account has insufficient balance for requested action.',
    ifNew('GENERIC_INVALID_REQUEST', 'insufficient_balance'),
  ],
  [-2010, 'Market orders are not supported for this symbol.', notSupported],
  [-2010, 'Unsupported order combination', notSupported],
  [-2010, 'Price * QTY is zero or less.', invalidVolume],
  [-2010, 'This action is disabled on this account.', ifNew(undefined, 'account_locked')],
  [-2010, 'This account may not place or cancel orders.', ifNew(undefined, 'account_locked')],
  [-2010, 'This symbol is not permitted for this account.', ifNew(undefined, 'account_not_permitted')],
  [-2010, 'This symbol is restricted for this account.', ifNew(undefined, 'account_not_permitted')],
  [-2010, 'Rest API trading is not enabled.', fault],
];

/**
 * Interprets a request for an order.
 * Binance: `quoteOrderQty` is "the amount the user wants to spend (when buying) or receive (when selling)".
 */
export function binanceOrderMeaning({ params }: ReceivedCall): OrderMeaning {
  const { symbol: pair = '', side, type, quantity: volume = '', price } = params;
  return {
    pair,
    side: sideIn(side, { buy: 'BUY', sell: 'SELL' }),
    volume,
    price: price ?? null,
    type: typeIn(type, { market: 'MARKET', limit: 'LIMIT' }),
  };
}

/** The documented responses that report a limit of calls. */
export const binanceLimits: readonly DocumentedLimit[] = [
  { headers: { 'X-SAPI-USED-UID-WEIGHT-1M': '180000' }, of: 'endpoint', pauseMs: 60_000 },
  { headers: { 'X-SAPI-USED-IP-WEIGHT-1M': '12000' }, of: 'address_endpoint', pauseMs: 60_000 },
  { headers: { 'X-MBX-USED-WEIGHT-1M': '6000' }, of: 'address', pauseMs: 60_000 },
  // …/rest-api/limits: "an automated IP ban (HTTP status 418)", "from 2 minutes to 3 days", "Retry-After".
  {
    reply: {
      status: 418,
      body: '{"code":-1003,"msg":"Way too much request weight used"}',
      headers: { 'retry-after': '180' },
    },
    of: 'address',
    pauseMs: 180_000,
  },
  { reply: { status: 429, body: '{"code":-1003,"msg":"Too many requests"}' }, of: 'credential', pauseMs: 1_000 },
];

/**
 * Binance's page wallet/capital: the name, the explorer and the contract of USDT beside each network, as recorded in
 * github.com/ccxt/ccxt (ts/src/test/static/currencies/binance.json at 06e0433).
 */
export const binanceNetworkEvidence: Readonly<Record<string, NetworkEvidence>> = {
  LIGHTNING: { title: 'Lightning Network' },
  SEGWITBTC: { title: 'BTC(SegWit)' },
  ETH: { explorer: 'https://etherscan.io/address/', ...tether('0xdac17f958d2ee523a2206206994597c13d831ec7') },
  ARBITRUM: {
    title: 'Arbitrum One',
    explorer: 'https://www.arbiscan.io/token/',
    ...tether('0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9'),
  },
  OPTIMISM: {
    title: 'Optimism',
    explorer: 'https://optimistic.etherscan.io/token/',
    ...tether('0x94b008aa00579c1307b0ef2c499ad98a8ce58e58'),
  },
  MATIC: {
    title: 'Polygon',
    explorer: 'https://polygonscan.com/token/',
    ...tether('0xc2132d05d31c914a87c6611c10748aeb04b58e8f'),
  },
  BSC: { explorer: 'https://bscscan.com/token/', ...tether('0x55d398326f99059ff775485246999027b3197955') },
  AVAXC: {
    explorer: 'https://avascan.info/blockchain/c/token/',
    ...tether('0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7'),
  },
  SOL: {
    title: 'Solana',
    explorer: 'https://explorer.solana.com/address/',
    ...tether('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'),
  },
  NEAR: { title: 'NEAR Protocol', explorer: 'https://nearblocks.io/token/', ...tether('usdt.tether-token.near') },
  XTZ: { title: 'Tezos', explorer: 'https://tzkt.io/', ...tether('KT1XnTn74bUtxHfDtBmm2bGZAQfhPbvKWR8o') },
  TON: {
    title: 'Toncoin',
    explorer: 'https://tonviewer.com/',
    ...tether('EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'),
  },
};

/** Binance's documentation: capital/withdraw-history, capital/deposite-history */
const transferStates = {
  withdrawal: { pending: 4, completed: 6, failed: 3, 'unheard of': 99 },
  deposit: { pending: 0, completed: 1, failed: 2, 'unheard of': 99 },
} as const;

export function binanceTransfer(
  kind: HistoryKind,
  { id, at, asset, address, tag, net, fee, clientRef, state, status }: SampleRecord,
): object {
  return {
    id,
    amount: net.toString(),
    coin: asset,
    network: asset,
    address,
    status: status ?? transferStates[kind][state],
    addressTag: tag ?? '',
    txId: 'aa',
    transferType: 0,
    walletType: 0,
    ...(kind === 'deposit'
      ? { insertTime: at.getTime(), confirmTimes: '1/1', unlockConfirm: 0, travelRuleStatus: 0 }
      : {
          transactionFee: fee.toString(),
          applyTime: at.toISOString().slice(0, 19).replace('T', ' '),
          info: '',
          confirmNo: 3,
          txKey: '',
          ...(clientRef !== null && { withdrawOrderId: clientRef }),
        }),
  };
}
