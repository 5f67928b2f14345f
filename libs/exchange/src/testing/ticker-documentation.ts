/**
 * Responses of the public price lists, from the exchanges' documentation and shortened to a few pairs. The names of the
 * fields and the formats of their values are the documented ones. We added pairs for special rules (quote assets other
 * than the dollar, perpetuals, prefixes) in the same format.
 */
export const documentedLists = {
  kraken: {
    /** docs.kraken.com/api-reference/market-data/get-ticker-information */
    '/0/public/Ticker': {
      error: [],
      result: {
        XXBTZUSD: krakenTicker('30303.20000'),
        XXBTZEUR: krakenTicker('28000.10000'),
        XBTUSDT: krakenTicker('30310.00000'),
        XDGUSD: krakenTicker('0.0712345'),
        XETHZUSD: krakenTicker('1850.10'),
        XREPZUSD: krakenTicker('6.1'),
        USDTZUSD: krakenTicker('0.99990'),
        EURUSD: krakenTicker('1.08000'),
        ZUSDZCAD: krakenTicker('1.36000'),
      },
    },
    /** docs.kraken.com/api-reference/market-data/get-tradable-asset-pairs */
    '/0/public/AssetPairs': {
      error: [],
      result: {
        XXBTZUSD: krakenPair('XXBT', 'ZUSD', 'XBT/USD'),
        XXBTZEUR: krakenPair('XXBT', 'ZEUR', 'XBT/EUR'),
        XBTUSDT: krakenPair('XXBT', 'USDT', 'XBT/USDT'),
        XDGUSD: krakenPair('XXDG', 'ZUSD', 'XDG/USD'),
        XETHZUSD: krakenPair('XETH', 'ZUSD', 'ETH/USD'),
        XREPZUSD: krakenPair('XREP', 'ZUSD', 'REP/USD'),
        USDTZUSD: krakenPair('USDT', 'ZUSD', 'USDT/USD'),
        EURUSD: krakenPair('ZEUR', 'ZUSD', 'EUR/USD'),
        ZUSDZCAD: krakenPair('ZUSD', 'ZCAD', 'USD/CAD'),
      },
    },
  },
  coinbase: {
    /** docs.cdp.coinbase.com/api-reference/advanced-trade-api/rest-api/public/list-public-products */
    '/api/v3/brokerage/market/products': {
      products: [
        coinbaseProduct('BTC', 'USD', '140.21'),
        coinbaseProduct('BTC', 'USDC', '140.55'),
        coinbaseProduct('BTC', 'EUR', '129.00'),
        coinbaseProduct('CGLD', 'USD', '0.52'),
        { ...coinbaseProduct('BTC', 'USD', '139.90'), product_id: 'BIT-28NOV26-CDE', product_type: 'FUTURE' },
        { ...coinbaseProduct('GONE', 'USD', '7'), is_disabled: true },
      ],
      num_products: 6,
    },
  },
  bitstamp: {
    /** www.bitstamp.net/api/#tag/Tickers/operation/GetCurrencyPairTickers */
    '/api/v2/ticker/': [
      bitstampTicker('BTC/USD', '2211.00'),
      bitstampTicker('BTC/EUR', '2011.00'),
      bitstampTicker('XRP/USD', '0.5'),
      bitstampTicker('XRP/USDT', '0.51'),
      { ...bitstampTicker('BTC/USD-PERP', '2212.00'), market_type: 'PERPETUAL' },
    ],
  },
  gemini: {
    /** docs.gemini.com/rest/market-data: List Prices */
    '/v1/pricefeed': [
      { pair: 'BTCUSD', price: '9500.00', percentChange24h: '5.23' },
      { pair: 'ETHUSD', price: '257.54', percentChange24h: '4.85' },
      { pair: 'BCHUSD', price: '450.10', percentChange24h: '-2.91' },
      { pair: 'ETHBTC', price: '0.0271', percentChange24h: '-0.18' },
      { pair: 'BTCGUSD', price: '9510.00', percentChange24h: '5.20' },
      { pair: 'ETHRLUSD', price: '257.60', percentChange24h: '4.80' },
      { pair: 'BTCUSDC', price: '9505.00', percentChange24h: '5.20' },
      { pair: 'BTCGUSDPERP', price: '9520.00', percentChange24h: '5.10' },
      { pair: 'PAXGUSD', price: '1900.00', percentChange24h: '0.10' },
      { pair: 'GUSDUSD', price: '1.00', percentChange24h: '0.00' },
      { pair: 'RLUSDUSD', price: '0.9999', percentChange24h: '0.00' },
    ],
  },
} as const;

/** The prices in US dollars that these lists contain, by our codes of the assets. */
export const documentedPrices: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // Pairs against ZUSD, under the codes of balances.
  kraken: { BTC: '30303.2', DOGE: '0.0712345', ETH: '1850.1', EUR: '1.08', REP: '6.1', USDT: '0.9999' },
  // Enabled spot products against USD.
  coinbase: { BTC: '140.21', CGLD: '0.52' },
  // Spot pairs against USD.
  bitstamp: { BTC: '2211', XRP: '0.5' },
  // Pairs in dollars, not in dollar coins, and no perpetuals.
  gemini: { BCH: '450.1', BTC: '9500', ETH: '257.54', GUSD: '1', PAXG: '1900', RLUSD: '0.9999' },
};

function krakenTicker(last: string) {
  return {
    a: ['30300.10000', '1', '1.000'],
    b: ['30300.00000', '1', '1.000'],
    c: [last, '0.00067643'],
    v: ['4083.67001100', '4412.73601799'],
    p: ['30706.77771', '30689.13205'],
    t: [34619, 38907],
    l: ['29868.30000', '29868.30000'],
    h: ['31631.00000', '31631.00000'],
    o: '30502.80000',
  };
}

function krakenPair(base: string, quote: string, wsname: string) {
  return { altname: wsname.replace('/', ''), wsname, aclass_base: 'currency', base, aclass_quote: 'currency', quote };
}

function coinbaseProduct(base: string, quote: string, price: string) {
  return {
    product_id: `${base}-${quote}`,
    price,
    price_percentage_change_24h: '9.43%',
    volume_24h: '1908432',
    base_increment: '0.00000001',
    quote_increment: '0.00000001',
    base_name: base,
    quote_name: quote,
    is_disabled: false,
    new: false,
    status: 'online',
    trading_disabled: false,
    product_type: 'SPOT',
    quote_currency_id: quote,
    base_currency_id: base,
    mid_market_price: '',
  };
}

function bitstampTicker(pair: string, last: string) {
  return {
    timestamp: '1643640186',
    open: '2211.00',
    high: '2811.00',
    low: '2188.97',
    last,
    volume: '213.26801100',
    vwap: '2189.80',
    bid: '2188.97',
    ask: '2211.00',
    side: '0',
    open_24: '2211.00',
    percent_change_24: '13.57',
    pair,
    market_type: 'SPOT',
  };
}
