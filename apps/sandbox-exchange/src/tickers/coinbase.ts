import { Amount } from '#money';
import type { Exchange } from '../exchange.js';
import type { Protocol, Reply } from '../faults/protocol.js';
import { statusOf } from '../trading/order-book.js';
import type { PairStatus } from '../ledger/records.js';
import { DAY_CHANGE_PERCENT, marketsOf, quotationOf, type ListedMarket } from './listed-markets.js';
import type { TickerExchange } from './ticker-exchange.js';

const ENDPOINT = 'coinbase.products';

const markets = marketsOf({ quotes: 'USD EUR GBP USDC USDT BTC ETH', without: 'XMR TRX KSM USD GBP AUD EUR' });
const byId = new Map(markets.map((market) => [idOf(market), market]));

/**
 * Error format of every call:
 * https://docs.cdp.coinbase.com/api-reference/advanced-trade-api/rest-api/public/list-public-products
 */
const failure = (status: number, code: number, message: string): Reply => ({
  status,
  body: { error: message, code, message, details: [] },
});

interface Product {
  product_id: string;
  product_type: 'SPOT' | 'FUTURE';
  price: string;
  [field: string]: unknown;
}
interface ProductList {
  products: Product[];
  num_products: number;
}

function idOf({ base, quote }: Pick<ListedMarket, 'base' | 'quote'>): string {
  return `${base}-${quote}`;
}

/** Finds a market by its id, such as BTC-USD. */
export function findCoinbaseMarket(productId: string): ListedMarket | null {
  return byId.get(productId) ?? null;
}

/** The id of the product that trades a pair; the id of the pair for pairs that are not listed. */
export function productOfPair(pairId: string): string {
  const market = markets.find(({ pair }) => pair.id === pairId);
  return market === undefined ? pairId : idOf(market);
}

/** Default fields of a product that trades. */
const plain = {
  volume_percentage_change_24h: '4.2',
  watched: false,
  is_disabled: false,
  new: false,
  status: 'online',
  cancel_only: false,
  limit_only: false,
  post_only: false,
  trading_disabled: false,
  auction_mode: false,
  view_only: false,
  fcm_trading_session_details: null,
  mid_market_price: '',
  new_at: '2023-01-01T00:00:00Z',
};

/** Products in USDC are aliases of the product in dollars: they share its order book and price. */
function aliasOf({ base, quote }: ListedMarket): ListedMarket | undefined {
  return quote === 'USDC' ? byId.get(idOf({ base, quote: 'USD' })) : undefined;
}

function spot(exchange: Exchange, market: ListedMarket): Product {
  const { base, quote, pair } = market;
  const alias = aliasOf(market);
  const { last, ticker } = quotationOf(exchange, alias?.pair ?? pair);
  const inUsdc = quote === 'USD' ? byId.get(idOf({ base, quote: 'USDC' })) : undefined;
  return {
    product_id: idOf(market),
    product_type: 'SPOT',
    price: last.toString(),
    ...plain,
    price_percentage_change_24h: DAY_CHANGE_PERCENT,
    volume_24h: ticker.v[1],
    approximate_quote_24h_volume: last.times(Amount.of(ticker.v[1])).truncate(2).toString(),
    base_increment: Amount.of(`1e-${pair.info.lot_decimals}`).toString(),
    quote_increment: pair.info.tick_size,
    price_increment: pair.info.tick_size,
    quote_min_size: pair.info.costmin,
    quote_max_size: '10000000',
    base_min_size: pair.info.ordermin,
    base_max_size: '1000000',
    base_name: base,
    quote_name: quote,
    base_currency_id: base,
    quote_currency_id: quote,
    base_display_symbol: base,
    quote_display_symbol: quote === 'USDC' ? 'USD' : quote,
    alias: alias === undefined ? '' : idOf(alias),
    alias_to: inUsdc === undefined ? [] : [idOf(inUsdc)],
    display_name: idOf(market),
    product_venue: 'CBE',
    ...statusFieldsOf(statusOf(exchange, pair)),
  };
}

function statusFieldsOf(status: PairStatus): object {
  return {
    cancel_only: status === 'cancel_only',
    limit_only: status === 'limit_only',
    post_only: status === 'post_only',
    trading_disabled: status === 'maintenance' || status === 'reduce_only',
  };
}

/** A delisted product stays in the list without a price. */
const delisted: Product = {
  product_id: 'WLUNA-USD',
  product_type: 'SPOT',
  price: '',
  ...plain,
  status: 'delisted',
  is_disabled: true,
  trading_disabled: true,
  base_currency_id: 'WLUNA',
  base_name: 'WLUNA',
  quote_currency_id: 'USD',
  quote_name: 'USD',
  alias: '',
  alias_to: [],
  product_venue: 'CBE',
};

/** Futures are products, too. They have no base currency. */
function futures(exchange: Exchange): Product[] {
  const contracts = [
    { id: 'BIT-25DEC26-CDE', quote: 'USD', root: 'BTC', size: '0.01', expiry: 'EXPIRING', venue: 'FCM' },
    { id: 'ETH-PERP-INTX', quote: 'USDC', root: 'ETH', size: '1', expiry: 'PERPETUAL', venue: 'INTX' },
  ];
  return contracts.map(({ id, quote, root, size, expiry, venue }) => {
    const market = byId.get(idOf({ base: root, quote: 'USD' }));
    if (market === undefined) throw new Error(`no market for ${id}`);
    return {
      ...spot(exchange, market),
      product_id: id,
      product_type: 'FUTURE',
      status: '',
      base_currency_id: '',
      base_name: '',
      alias_to: [],
      base_display_symbol: '',
      quote_currency_id: quote,
      display_name: `${root} ${expiry}`,
      product_venue: venue,
      future_product_details: { contract_root_unit: root, contract_size: size, contract_expiry_type: expiry },
    };
  });
}

/** Source: https://docs.cdp.coinbase.com/api-reference/advanced-trade-api/rest-api/public/list-public-products */
function products(exchange: Exchange, query: URLSearchParams): Reply {
  const [limit, offset] = [query.get('limit') ?? '', query.get('offset') ?? '0'];
  if (![limit, offset].every((text) => /^[0-9]{0,9}$/.test(text))) return failure(400, 3, 'invalid argument');
  const type = query.get('product_type');
  const ids = query.getAll('product_ids');
  const all = [...markets.map((market) => spot(exchange, market)), delisted, ...futures(exchange)]
    .filter(({ product_type }) => type === null || product_type === type)
    .filter(({ product_id }) => ids.length === 0 || ids.includes(product_id));
  const from = Number(offset);
  const page = all.slice(from, limit === '' ? all.length : from + Number(limit));
  const list: ProductList = { products: page, num_products: page.length };
  return { status: 200, body: list };
}

const protocol: Protocol = {
  refusals: {
    // https://docs.cloud.coinbase.com/advanced-trade/docs/rest-api-rate-limits documents only the status.
    rate_limit: () => failure(429, 8, 'too many requests'),
    service_unavailable: () => failure(503, 14, 'unavailable'),
  },
  emptied: () => ({ products: [], num_products: 0 }),
  errorIn: (body) => (body as { error?: string }).error ?? null,
  tickers: {
    endpoint: ENDPOINT,
    priceFields: ['price'],
    mapped: (body, change) => {
      const list = body as Partial<ProductList>;
      return list.products === undefined ? body : { ...list, products: list.products.map(change) };
    },
  },
};

export const coinbase: TickerExchange = {
  endpoint: ENDPOINT,
  paths: ['/api/v3/brokerage/market/products'],
  respond: ({ exchange, query }) => products(exchange, query),
  protocol,
};
