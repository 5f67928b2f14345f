import type { TradedPair } from '../../port/pair-list.js';

type Entry = Readonly<Record<string, unknown>>;

/** An entry of an exchange's list of pairs in the documented form, in which no two values that are read are equal. */
export interface DocumentedPair {
  /** Number of entries of the recorded list, and how many of them are spot pairs. */
  readonly counts: readonly [entries: number, pairs: number];
  readonly entry: Entry;
  readonly expected: TradedPair;
  /** Other values that the entry may have, and what becomes of the pair; null = it is no spot pair that we offer. */
  readonly changes: readonly (readonly [changes: Entry, expected: Partial<TradedPair> | null])[];
}

const none = { orderTypes: [], isTradingEnabled: false };
const limitOnly = { orderTypes: ['limit' as const], isTradingEnabled: true };
const noMargin = { isMarginEnabled: false };

const traded = {
  ...{ isTradingEnabled: true, orderTypes: ['market', 'limit'], isMarginEnabled: false, feeTiers: [] },
} satisfies Partial<TradedPair>;

const BINANCE_FILTERS = [
  { filterType: 'PRICE_FILTER', minPrice: '0.00002', maxPrice: '922327', tickSize: '0.00001' },
  { filterType: 'LOT_SIZE', minQty: '0.002', maxQty: '100000', stepSize: '0.0001' },
  { filterType: 'MARKET_LOT_SIZE', minQty: '0.5', maxQty: '1378.2', stepSize: '0.25' },
];
const NOTIONAL = { minNotional: '0.0003', applyMinToMarket: true, maxNotional: '9000000', avgPriceMins: '5' };

/** By the id of the exchange, from the pages that its list of pairs names. We chose the values. */
export const documentedPairs: Readonly<Record<string, DocumentedPair>> = {
  binance: {
    counts: [53, 52],
    entry: {
      ...{ symbol: 'ETHBTC', status: 'TRADING', baseAsset: 'ETH', baseAssetPrecision: '8', quoteAsset: 'BTC' },
      ...{ quotePrecision: '7', orderTypes: ['LIMIT', 'LIMIT_MAKER', 'MARKET'], isMarginTradingAllowed: true },
      ...{ isSpotTradingAllowed: true, filters: [...BINANCE_FILTERS, { filterType: 'NOTIONAL', ...NOTIONAL }] },
    },
    expected: {
      ...{ ...traded, base: 'ETH', quote: 'BTC', exchangeBase: 'ETH', exchangeQuote: 'BTC', exchangeSymbol: 'ETHBTC' },
      ...{ status: 'trading', isMarginEnabled: true, tickSize: '0.00001', priceDecimals: 5, minBaseQty: '0.002' },
      ...{ stepSize: '0.0001', quantityDecimals: 4, minCost: '0.0003' },
    },
    changes: [
      [{ status: 'BREAK' }, none],
      [{ orderTypes: ['LIMIT', 'LIMIT_MAKER'] }, limitOnly],
      [{ isMarginTradingAllowed: false }, noMargin],
      [{ isSpotTradingAllowed: false }, null],
      [{ filters: [...BINANCE_FILTERS, { filterType: 'MIN_NOTIONAL', ...NOTIONAL }] }, { minCost: '0.0003' }],
      [{ filters: BINANCE_FILTERS }, { minCost: null }],
    ],
  },
  bitget: {
    counts: [8, 8],
    entry: {
      ...{ symbol: 'BTCUSDT', baseCoin: 'BTC', quoteCoin: 'USDT', minTradeAmount: '0.0003', maxTradeAmount: '1000' },
      ...{ takerFeeRate: '0.002', makerFeeRate: '0.001', pricePrecision: '2', quantityPrecision: '6' },
      ...{ quotePrecision: '8', status: 'online', minTradeUSDT: '1.5', buyLimitPriceRatio: '0.05' },
    },
    expected: {
      ...{ ...traded, ...limitOnly, base: 'BTC', quote: 'USDT', exchangeBase: 'BTC', exchangeQuote: 'USDT' },
      ...{ exchangeSymbol: 'BTCUSDT', status: 'online', tickSize: '0.01', priceDecimals: 2, minBaseQty: '0.0003' },
      ...{ stepSize: '0.000001', quantityDecimals: 6, minCost: '1.5' },
      feeTiers: [{ volume: '0', maker: '0.1', taker: '0.2' }],
    },
    changes: [
      ...['gray', 'offline', 'halt'].map((status) => [{ status }, none] as const),
      [
        { symbol: 'ETHBTC', baseCoin: 'ETH', quoteCoin: 'BTC' },
        { quote: 'BTC', minCost: null },
      ],
    ],
  },
  bitstamp: {
    counts: [8, 7],
    entry: {
      ...{ name: 'BTC/USD', market_symbol: 'btcusd', base_currency: 'BTC', base_decimals: '8' },
      ...{ counter_currency: 'USD', counter_decimals: '2', minimum_order_value: '10', trading: 'Enabled' },
      ...{ instant_order_counter_decimals: '5', instant_and_market_orders: 'Enabled', market_type: 'SPOT' },
      ...{ minimum_order_amount: '0.0002', description: 'Bitcoin / U.S. dollar' },
    },
    expected: {
      ...{ ...traded, base: 'BTC', quote: 'USD', exchangeBase: 'BTC', exchangeQuote: 'USD', exchangeSymbol: 'btcusd' },
      ...{ status: 'enabled', tickSize: '0.01', priceDecimals: 2, minBaseQty: '0.0002', stepSize: '0.00000001' },
      ...{ quantityDecimals: 8, minCost: '10' },
    },
    changes: [
      [{ trading: 'Disabled' }, { ...none, status: 'disabled' }],
      [{ instant_and_market_orders: 'Disabled' }, limitOnly],
      [{ market_type: 'PERPETUAL' }, null],
    ],
  },
  bybit: {
    counts: [8, 8],
    entry: {
      ...{ symbol: 'BTCUSDT', baseCoin: 'BTC', quoteCoin: 'USDT', innovation: '0', status: 'Trading', stTag: '0' },
      lotSizeFilter: {
        ...{ basePrecision: '0.000001', quotePrecision: '0.0000001', minOrderQty: '0.000048', maxOrderQty: '83' },
        ...{ minOrderAmt: '5', maxOrderAmt: '8000000' },
      },
      ...{ marginTrading: 'utaOnly', priceFilter: { tickSize: '0.01' } },
    },
    expected: {
      ...{ ...traded, base: 'BTC', quote: 'USDT', exchangeBase: 'BTC', exchangeQuote: 'USDT' },
      ...{ exchangeSymbol: 'BTCUSDT', status: 'trading', isMarginEnabled: true, tickSize: '0.01', priceDecimals: 2 },
      // Bybit no longer checks its smallest quantity.
      ...{ minBaseQty: '0.000001', stepSize: '0.000001', quantityDecimals: 6, minCost: '5' },
    },
    changes: [
      [{ status: 'PreLaunch' }, none],
      [{ marginTrading: 'none' }, noMargin],
      ...['both', 'normalSpotOnly'].map((margin) => [{ marginTrading: margin }, { isMarginEnabled: true }] as const),
    ],
  },
  coinbase: {
    counts: [9, 7],
    entry: {
      ...{ product_id: 'BTC-USDC', price: '68923.67', volume_24h: '11005.02', base_increment: '0.00000001' },
      ...{ quote_increment: '0.02', quote_min_size: '1', quote_max_size: '150000000', base_min_size: '0.0000002' },
      ...{ base_max_size: '3400', base_name: 'Bitcoin', quote_name: 'USD Coin', is_disabled: false, new: false },
      ...{ status: 'online', cancel_only: false, limit_only: false, post_only: false, trading_disabled: false },
      ...{ auction_mode: false, view_only: false, product_type: 'SPOT', quote_currency_id: 'USDC' },
      ...{ base_currency_id: 'BTC', price_increment: '0.05', quote_display_symbol: 'USD' },
    },
    expected: {
      ...{ ...traded, base: 'BTC', quote: 'USDC', exchangeBase: 'BTC', exchangeQuote: 'USDC' },
      ...{ exchangeSymbol: 'BTC-USDC', status: 'online', tickSize: '0.05', priceDecimals: 2 },
      ...{ minBaseQty: '0.0000002', stepSize: '0.00000001', quantityDecimals: 8, minCost: '1' },
    },
    changes: [
      [{ limit_only: true }, limitOnly],
      ...['cancel_only', 'post_only', 'trading_disabled', 'is_disabled', 'view_only', 'auction_mode'].map(
        (flag) => [{ [flag]: true }, none] as const,
      ),
      [{ status: 'delisted' }, none],
      [{ product_type: 'FUTURE' }, null],
    ],
  },
  gate: {
    counts: [101, 101],
    entry: {
      ...{ id: 'CHZ_USDT', base: 'CHZ', quote: 'USDT', fee: '0.2', min_base_amount: '0.07', min_quote_amount: '1' },
      ...{ amount_precision: '2', precision: '5', trade_status: 'tradable', sell_start: '1608', buy_start: '1609' },
    },
    expected: {
      ...{ ...traded, ...limitOnly, base: 'CHZ', quote: 'USDT', exchangeBase: 'CHZ', exchangeQuote: 'USDT' },
      ...{ exchangeSymbol: 'CHZ_USDT', status: 'tradable', tickSize: '0.00001', priceDecimals: 5 },
      ...{ minBaseQty: '0.07', stepSize: '0.01', quantityDecimals: 2, minCost: '1' },
      feeTiers: [{ volume: '0', maker: '0.2', taker: '0.2' }],
    },
    changes: ['sellable', 'buyable', 'untradable'].map((status) => [{ trade_status: status }, none] as const),
  },
  gemini: {
    counts: [111, 108],
    entry: {
      ...{ symbol: 'BTCUSD', base_currency: 'BTC', quote_currency: 'USD', tick_size: '1e-8', quote_increment: '0.01' },
      ...{ min_order_size: '0.00002', status: 'open', product_type: 'spot', contract_price_currency: 'GUSD' },
    },
    expected: {
      ...{ ...traded, ...limitOnly, base: 'BTC', quote: 'USD', exchangeBase: 'BTC', exchangeQuote: 'USD' },
      ...{ exchangeSymbol: 'BTCUSD', status: 'open', tickSize: '0.01', priceDecimals: 2, minBaseQty: '0.00002' },
      ...{ stepSize: '0.00000001', quantityDecimals: 8, minCost: null },
    },
    changes: [
      [{ status: 'limit_only' }, limitOnly],
      ...['closed', 'cancel_only', 'post_only'].map((status) => [{ status }, none] as const),
      [{ product_type: 'swap' }, null],
    ],
  },
  kraken: {
    counts: [92, 92],
    entry: {
      ...{ altname: 'XBTUSD', wsname: 'XBT/USD', aclass_base: 'currency', base: 'XXBT', aclass_quote: 'currency' },
      ...{ quote: 'ZUSD', lot: 'unit', cost_decimals: '5', pair_decimals: '1', lot_decimals: '8', lot_multiplier: '1' },
      ...{ leverage_buy: ['2', '3'], leverage_sell: [], fees: [['0', '0.4'], ['10000', '0.35']] }, // prettier-ignore
      ...{ fees_maker: [['0', '0.25'], ['20000', '0.2']], fee_volume_currency: 'ZEUR', margin_call: '80' }, // prettier-ignore
      ...{ margin_stop: '40', ordermin: '0.00005', costmin: '0.5', tick_size: '0.2', status: 'online' },
    },
    expected: {
      ...{ ...traded, base: 'BTC', quote: 'USD', exchangeBase: 'XXBT', exchangeQuote: 'ZUSD' },
      ...{ exchangeSymbol: 'XBTUSD', status: 'online', isMarginEnabled: true, tickSize: '0.2', priceDecimals: 1 },
      ...{ minBaseQty: '0.00005', stepSize: '0.00000001', quantityDecimals: 8, minCost: '0.5' },
      feeTiers: [
        { volume: '0', maker: '0.25', taker: '0.4' },
        { volume: '10000', maker: '0.25', taker: '0.35' },
        { volume: '20000', maker: '0.2', taker: '0.35' },
      ],
    },
    changes: [
      [{ status: 'limit_only' }, limitOnly],
      ...['cancel_only', 'post_only', 'reduce_only', 'constructor'].map((status) => [{ status }, none] as const),
      [{ leverage_buy: [], leverage_sell: ['2'] }, noMargin],
      [{ aclass_base: 'tokenized_asset' }, null],
      [{ aclass_quote: 'tokenized_asset' }, null],
    ],
  },
  kucoin: {
    counts: [80, 80],
    entry: {
      ...{ symbol: 'BCHSV-USDT', name: 'BSV-USDT', baseCurrency: 'BCHSV', quoteCurrency: 'USDT', market: 'USDS' },
      ...{ feeCurrency: 'USDT', baseMinSize: '0.001', quoteMinSize: '0.02', baseMaxSize: '10000', minFunds: '0.3' },
      ...{ baseIncrement: '0.0001', quoteIncrement: '0.00001', priceIncrement: '0.01', priceLimitRate: '0.1' },
      ...{ isMarginEnabled: true, enableTrading: true },
    },
    expected: {
      ...{ ...traded, base: 'BSV', quote: 'USDT', exchangeBase: 'BCHSV', exchangeQuote: 'USDT' },
      ...{ exchangeSymbol: 'BCHSV-USDT', status: 'enabled', isMarginEnabled: true, tickSize: '0.01' },
      ...{ priceDecimals: 2, minBaseQty: '0.001', stepSize: '0.0001', quantityDecimals: 4, minCost: '0.3' },
    },
    changes: [
      [{ enableTrading: false }, { ...none, status: 'disabled' }],
      [{ isMarginEnabled: false }, noMargin],
    ],
  },
  okx: {
    counts: [53, 53],
    entry: {
      ...{ instType: 'SPOT', instId: 'BTC-USDT', baseCcy: 'BTC', quoteCcy: 'USDT', settleCcy: '', lever: '10' },
      ...{ tickSz: '0.1', lotSz: '0.00000001', minSz: '0.00001', state: 'live', maxLmtSz: '9999999999' },
    },
    expected: {
      ...{ ...traded, base: 'BTC', quote: 'USDT', exchangeBase: 'BTC', exchangeQuote: 'USDT' },
      ...{ exchangeSymbol: 'BTC-USDT', status: 'live', isMarginEnabled: true, tickSize: '0.1', priceDecimals: 1 },
      ...{ minBaseQty: '0.00001', stepSize: '0.00000001', quantityDecimals: 8, minCost: null },
    },
    changes: [
      ...['suspend', 'preopen', 'test'].map((state) => [{ state }, none] as const),
      [{ lever: '' }, noMargin],
      [{ instType: 'SWAP' }, null],
    ],
  },
};
