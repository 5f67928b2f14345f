import { bybit, held, okx } from './account-situations.js';
import type { ExchangeId, OrderSituation } from './live-exchanges.js';

/** Orders as exchanges have shown them, or as their documentation allows, and what is right. */

const binancePairs = {
  symbols: [
    {
      symbol: 'BTCUSDT',
      status: 'TRADING',
      baseAsset: 'BTC',
      quoteAsset: 'USDT',
      orderTypes: ['LIMIT', 'MARKET'],
      isSpotTradingAllowed: true,
      isMarginTradingAllowed: true,
      filters: [
        { filterType: 'PRICE_FILTER', tickSize: '0.01' },
        { filterType: 'LOT_SIZE', minQty: '0.00001', stepSize: '0.00001' },
      ],
    },
  ],
};
const binanceTrade = (id: number, rest: object) => ({ id, qty: '3', quoteQty: '30', ...rest });
const onBinance = (...trades: object[]): OrderSituation => ({
  quote: 'USDT',
  place: ['POST /api/v3/order', 'newClientOrderId', { orderId: 100234, clientOrderId: 'x' }],
  answers: { ...held('binance', ['USDT', '5000']), 'GET /api/v3/exchangeInfo': binancePairs },
  shown: (clientOrderId) => ({
    'GET /api/v3/order': {
      symbol: 'BTCUSDT',
      orderId: 100234,
      clientOrderId,
      price: '10',
      origQty: '10',
      executedQty: '6',
      status: 'CANCELED',
      type: 'LIMIT',
      side: 'BUY',
      time: 1507725176595,
      updateTime: 1507725176595,
    },
    'GET /api/v3/myTrades': trades,
  }),
});

const onOkx = (rest: object): OrderSituation => ({
  quote: 'USDT',
  place: ['POST /api/v5/trade/order', 'clOrdId', okx({ clOrdId: 'x', ordId: '31', sCode: '0' })],
  answers: {
    'GET /api/v5/account/balance': okx({ details: [{ ccy: 'USDT', availBal: '500', cashBal: '500', frozenBal: '0' }] }),
    'GET /api/v5/public/instruments': okx({
      instType: 'SPOT',
      instId: 'BTC-USDT',
      baseCcy: 'BTC',
      quoteCcy: 'USDT',
      state: 'live',
      tickSz: '0.1',
      lotSz: '0.00000001',
      minSz: '0.00001',
      lever: '',
    }),
  },
  shown: (clOrdId) => ({
    'GET /api/v5/trade/order': okx({
      ordId: '31',
      clOrdId,
      instId: 'BTC-USDT',
      side: 'buy',
      ordType: 'limit',
      sz: '10',
      px: '10',
      state: 'filled',
      accFillSz: '10',
      avgPx: '10',
      rebate: '',
      rebateCcy: '',
      cTime: '1597026383085',
      uTime: '1597026383085',
      ...rest,
    }),
  }),
});

const onBybit = (rest: object): OrderSituation => ({
  quote: 'USDT',
  place: ['POST /v5/order/create', 'orderLinkId', bybit({ orderId: '13', orderLinkId: 'x' })],
  answers: {
    'GET /v5/account/wallet-balance': bybit({ list: [{ coin: [{ coin: 'USDT', walletBalance: '500' }] }] }),
    'GET /v5/market/instruments-info': bybit({
      list: [
        {
          symbol: 'BTCUSDT',
          baseCoin: 'BTC',
          quoteCoin: 'USDT',
          status: 'Trading',
          marginTrading: 'none',
          lotSizeFilter: { basePrecision: '0.00001', minOrderAmt: '5' },
          priceFilter: { tickSize: '0.01' },
        },
      ],
    }),
  },
  shown: (orderLinkId) => ({
    'GET /v5/order/realtime': bybit({
      list: [
        {
          orderId: '13',
          orderLinkId,
          symbol: 'BTCUSDT',
          side: 'Buy',
          orderType: 'Limit',
          orderStatus: 'Filled',
          qty: '10',
          price: '10',
          cumExecQty: '10',
          cumExecValue: '100',
          avgPrice: '10',
          createdTime: '1684738540559',
          updatedTime: '1684738540561',
          ...rest,
        },
      ],
    }),
  }),
});

const onBitstamp = (transactions: object[]): OrderSituation => ({
  quote: 'USD',
  place: ['POST /api/v2/buy/btcusd/', 'client_order_id', { id: '12' }],
  answers: {
    ...held('bitstamp', ['usd', '5000']),
    'GET /api/v2/markets/': [
      {
        base_currency: 'BTC',
        counter_currency: 'USD',
        market_symbol: 'btcusd',
        trading: 'Enabled',
        instant_and_market_orders: 'Enabled',
        market_type: 'SPOT',
        counter_decimals: 2,
        base_decimals: 8,
        minimum_order_amount: '0.0001',
        minimum_order_value: '1',
      },
    ],
  },
  shown: (client_order_id) => ({
    'POST /api/v2/order_status/': {
      id: 12,
      datetime: '2022-01-31 14:43:15',
      type: '0',
      status: 'Finished',
      market: 'BTC/USD',
      transactions,
      amount_remaining: '0',
      client_order_id,
    },
  }),
});

const onGemini = (...fees: object[]): OrderSituation => ({
  quote: 'USD',
  place: ['POST /v1/order/new', 'client_order_id', { order_id: '10', is_cancelled: false }],
  answers: {
    ...held('gemini', ['USD', '5000']),
    'GET /v1/symbols/details/all': [
      {
        symbol: 'BTCUSD',
        base_currency: 'BTC',
        quote_currency: 'USD',
        tick_size: 1e-8,
        quote_increment: 0.01,
        min_order_size: '0.00001',
        status: 'open',
        product_type: 'spot',
      },
    ],
  },
  shown: (client_order_id) => ({
    'POST /v1/order/status': {
      order_id: '10',
      symbol: 'btcusd',
      avg_execution_price: '10',
      side: 'buy',
      type: 'exchange limit',
      timestampms: 1547220404836,
      is_live: false,
      is_cancelled: false,
      client_order_id,
      price: '10',
      executed_amount: '10',
      remaining_amount: '0',
      original_amount: '10',
      trades: fees.map((fee) => ({ price: '10', amount: '5', ...fee })),
    },
  }),
});

const onGate = (rest: object): OrderSituation => ({
  quote: 'USDT',
  place: ['POST /api/v4/spot/orders', 'text', { id: '18' }, 201],
  answers: {
    ...held('gate', ['USDT', '5000']),
    'GET /api/v4/spot/currency_pairs': [
      {
        id: 'BTC_USDT',
        base: 'BTC',
        quote: 'USDT',
        fee: '0.2',
        min_quote_amount: '3',
        min_base_amount: '0.00001',
        amount_precision: 6,
        precision: 1,
        trade_status: 'tradable',
      },
    ],
  },
  shown: (text) => ({
    'GET /api/v4/spot/orders/{order_id}': {
      id: '18',
      text,
      status: 'closed',
      currency_pair: 'BTC_USDT',
      type: 'limit',
      side: 'buy',
      amount: '10',
      price: '10',
      left: '0',
      filled_amount: '10',
      filled_total: '100',
      avg_deal_price: '10',
      create_time_ms: '1710488334073.456',
      update_time_ms: 1710488334,
      ...rest,
    },
  }),
});

/** Orders, and what our API shows of them; null = it must call the response unusable. */
export const orderSituations: readonly [name: string, ExchangeId, OrderSituation, shown: object | null][] = [
  [
    'that was canceled after 6 of 10, with fees in two assets',
    ...([
      'binance',
      onBinance(
        ...['BNB', 'CAKE'].map((commissionAsset, id) =>
          binanceTrade(id, { commission: `0.00${id + 1}`, commissionAsset }),
        ),
      ),
    ] as const),
    {
      status: 'canceled',
      executedVolume: '6',
      fee: '0.001',
      fees: [
        { asset: 'BNB', amount: '0.001' },
        { asset: 'CAKE', amount: '0.002' },
      ],
    },
  ],
  ['of which a trade states no fee', 'binance', onBinance(binanceTrade(1, {}), binanceTrade(2, {})), { fee: null }],
  ['whose sum of fees names no coin', 'bybit', onBybit({ cumExecFee: '0.0825' }), { fee: null, fees: null }],
  ['that is filled, and of which nothing is executed', 'bybit', onBybit({ cumExecQty: '0', cumExecValue: '0' }), null],
  ['that is filled, and has no transactions', 'bitstamp', onBitstamp([]), null],
  [
    'of which a transaction states no fee',
    ...(['bitstamp', onBitstamp([{ price: '10', btc: '10', usd: '100' }]), { status: 'filled', fee: null }] as const),
  ],
  ['that is filled, and of which nothing is executed', 'okx', onOkx({ accFillSz: '0', avgPx: '', fee: '' }), null],
  ['that has a rebate', 'okx', onOkx({ fee: '0', feeCcy: 'BTC', rebate: '0.5', rebateCcy: 'USDT' }), { fee: '-0.5' }],
  ['whose fee is empty', 'okx', onOkx({ fee: '', feeCcy: '' }), { fee: null, fees: null }],
  ['of which a trade states no fee', 'gemini', onGemini({ fee_currency: 'USD', fee_amount: '1' }, {}), { fee: null }],
  [
    'that has fees in GT and points, and times with a fraction and in seconds',
    ...(['gate', onGate({ fee: '0', fee_currency: 'BTC', gt_fee: '0.3', point_fee: 1e-8 })] as const),
    {
      openedAt: 1710488334,
      closedAt: 1710488334,
      fee: '0.3',
      fees: [
        { asset: 'GT', amount: '0.3' },
        { asset: 'POINT', amount: '0.00000001' },
      ],
    },
  ],
  [
    'that is filled, and of which nothing is executed',
    'gate',
    onGate({ left: '10', filled_amount: '0', filled_total: '0' }),
    null,
  ],
];
