import { z } from 'zod';
import { KrakenError } from '../kraken/handler.js';
import { addOrder } from '../kraken/trading/place-order.js';
import type { Order } from '../ledger/records.js';
import { findCoinbaseMarket, productOfPair } from '../tickers/coinbase.js';
import { demand } from './authenticate.js';
import { CoinbaseError } from './coinbase-error.js';
import type { CoinbaseCall } from './handler.js';
import { uuidOf } from './wallets.js';

/**
 * Source: https://docs.cdp.coinbase.com/api-reference/advanced-trade-api/rest-api/orders. A pair can have any
 * quote asset, not only US dollars.
 */

const size = { base_size: z.string() };
const input = z.object({
  client_order_id: z.string().min(1),
  product_id: z.string(),
  side: z.enum(['BUY', 'SELL']),
  retail_portfolio_id: z.string().optional(),
  order_configuration: z.union([
    z.object({ market_market_ioc: z.object(size) }),
    z.object({ limit_limit_gtc: z.object({ ...size, limit_price: z.string() }) }),
  ]),
});
type Input = z.infer<typeof input>;
const PAGE_STANDARD = 100;

/** Coinbase's reason for a refusal, by the beginning of Kraken's error text. */
const reasons: readonly (readonly [text: string, reason: string])[] = [
  ['EOrder:Insufficient funds', 'INSUFFICIENT_FUND'],
  ['EOrder:Order minimum', 'PREVIEW_INVALID_BASE_SIZE_TOO_SMALL'],
  ['EOrder:Cost minimum', 'PREVIEW_INVALID_QUOTE_SIZE_TOO_SMALL'],
  ['EOrder:Tick size', 'INVALID_PRICE_PRECISION'],
  ['EOrder:Invalid price', 'INVALID_PRICE_PRECISION'],
  ['EGeneral:Invalid arguments:volume', 'INVALID_SIZE_PRECISION'],
  ['EService:Market', 'ORDER_ENTRY_DISABLED'],
];

function failure(reason: string): unknown {
  const response = {
    error: reason,
    message: reason,
    error_details: '',
    preview_failure_reason: '',
    new_order_failure_reason: reason,
  };
  return { success: false, error_response: response };
}

const success = ({ id, clientOrderId, side }: Order, product_id: string): unknown => ({
  success: true,
  success_response: { order_id: id, product_id, side: side.toUpperCase(), client_order_id: clientOrderId },
});

/**
 * A request with the `client_order_id` of an existing order creates no order and returns the existing one. A request
 * with an access token must name the portfolio (guides/oauth-access).
 */
export function placeOrder(call: CoinbaseCall): unknown {
  const { caller, exchange, account } = call;
  demand(caller, { scope: 'wallet:buys:create', permission: 'trade' });
  const read = input.safeParse(call.body);
  if (!read.success) throw new CoinbaseError('invalid_request', 'the order is not valid');
  const { client_order_id: clientOrderId, product_id: product, retail_portfolio_id: portfolio } = read.data;
  if ('scopes' in caller.by && portfolio !== uuidOf(account.id, 'portfolio')) {
    throw new CoinbaseError('invalid_scope', 'Source Account Not Tradeable');
  }
  const { orders } = exchange.book(account);
  const earlier = [...orders.values()].find((order) => order.clientOrderId === clientOrderId);
  if (earlier !== undefined) return success(earlier, product);
  const market = findCoinbaseMarket(product);
  if (market === null) return failure('INVALID_PRODUCT_ID');
  try {
    const params = { pair: market.pair.id, cl_ord_id: clientOrderId, ...paramsOf(read.data) };
    const [id = ''] = addOrder({ exchange, account, params, receivedAt: call.now, now: call.now }).txid ?? [];
    const placed = exchange.book(account).orders.get(id);
    return placed === undefined ? failure('UNKNOWN_FAILURE_REASON') : success(placed, product);
  } catch (error) {
    if (!(error instanceof KrakenError)) throw error;
    return failure(reasons.find(([text]) => error.message.startsWith(text))?.[1] ?? 'INVALID_REQUEST');
  }
}

function paramsOf({ side, order_configuration: form }: Input): Record<string, string> {
  const type = side.toLowerCase();
  if ('market_market_ioc' in form)
    return { type, ordertype: 'market', volume: form.market_market_ioc.base_size, price: '' };
  const { base_size: volume, limit_price: price } = form.limit_limit_gtc;
  return { type, ordertype: 'limit', volume, price };
}

const time = (at: number | null): string => (at === null ? '' : new Date(at).toISOString());

/** Fees are in the quote asset. */
function record(order: Order): object {
  const { id, clientOrderId, side, type, volume, executedVolume, limitPrice, openedAt, closedAt } = order;
  const statuses = { open: 'OPEN', pending: 'PENDING', closed: 'FILLED', canceled: 'CANCELLED', expired: 'EXPIRED' };
  return {
    order_id: id,
    product_id: productOfPair(order.pair),
    side: side.toUpperCase(),
    client_order_id: clientOrderId,
    order_configuration:
      limitPrice === null
        ? { market_market_ioc: { base_size: volume } }
        : { limit_limit_gtc: { base_size: volume, limit_price: limitPrice, post_only: false } },
    status: statuses[order.status],
    created_time: time(openedAt),
    last_fill_time: time(closedAt),
    filled_size: executedVolume,
    filled_value: order.cost,
    average_filled_price: order.averagePrice,
    total_fees: order.fee,
    order_type: type.toUpperCase(),
    product_type: 'SPOT',
    settled: closedAt !== null,
  };
}

export function orders(call: CoinbaseCall): unknown {
  const { caller, query, exchange, account } = call;
  demand(caller, { scope: 'wallet:buys:read', permission: 'view' });
  const since = Date.parse(query.get('start_date') ?? '1970-01-01');
  const isAmong = (list: string, value: string): boolean => !query.has(list) || query.getAll(list).includes(value);
  const found = [...exchange.book(account).orders.values()]
    .filter(({ openedAt }) => openedAt >= since)
    .filter(({ id, pair }) => isAmong('order_ids', id) && isAmong('product_ids', productOfPair(pair)))
    .sort((a, b) => b.openedAt - a.openedAt);
  const start = Number(query.get('cursor') ?? 0);
  const end = start + Number(query.get('limit') ?? PAGE_STANDARD);
  const hasNext = end < found.length;
  return { orders: found.slice(start, end).map(record), has_next: hasNext, cursor: hasNext ? String(end) : '' };
}
