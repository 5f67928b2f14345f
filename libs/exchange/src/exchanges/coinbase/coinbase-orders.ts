import { z } from 'zod';
import { Amount } from '#money';
import { name, optionalText } from '../../capabilities/response-fields.js';
import { ReferenceOrders } from '../../capabilities/reference-orders.js';
import type { EntryPage } from '../../capabilities/transfer-pages.js';
import type { CcxtClient, Endpoint } from '../../ccxt/ccxt-client.js';
import type { ExchangeOrder, OrderInstruction, OrderStatus, PreparedOrder } from '../../port/trading.port.js';
import type { OrderReceipt } from '../../submission/order-outcome.js';
import { readResponse, UnusableResponse } from '../../transport/failed-read.js';
import { coinbaseOrderErrors } from './coinbase-errors.js';
import { readPage, type HeldAccount } from './coinbase-responses.js';

/** Advanced Trade: docs.cdp.coinbase.com/api-reference/advanced-trade-api/rest-api/orders */

const LIST: Endpoint = { api: ['v3', 'private'], method: 'GET', path: 'brokerage/orders/historical/batch' };
const PLACE: Endpoint = {
  ...{ api: ['v3', 'private'], method: 'POST', path: 'brokerage/orders' },
  sentAs: { order_configuration: 'json' },
};
const PAGE = '100';
/** Most pages that one search reads. */
const PAGES_MAX = 20;

/**
 * Spot orders. A repeated `client_order_id` creates nothing ("the order will not be created and the order corresponding
 * with that ID will be returned instead"). Orders have no deadline that the exchange keeps for all types.
 * @param accounts for tokens: an order must name the portfolio of the accounts that the owner has granted
 *   (advanced-trade-apis/guides/oauth-access); null = the key determines it.
 */
export function ordersOf(client: CcxtClient, accounts: (() => Promise<HeldAccount[]>) | null): ReferenceOrders {
  return new ReferenceOrders(client, {
    endpoint: PLACE,
    acceptance: { statuses: [200], readId: readReceipt },
    errors: coinbaseOrderErrors,
    prepare: prepareOrder,
    ...(accounts !== null && { beforePlacing: async () => portfolioOf(client, await accounts()) }),
    byReference: async ({ clientOrderId, request: { product_id: product_ids = '' }, notBefore }) => {
      const filter = { product_ids, start_date: notBefore.toISOString(), limit: PAGE };
      let cursor: string | null = null;
      for (let pages = 0; pages < PAGES_MAX; pages++) {
        const page: EntryPage = await listOrders(client, { ...filter, ...(cursor !== null && { cursor }) });
        const found = page.entries.find((entry) => referenceOf(entry) === clientOrderId);
        if (found !== undefined) return orderFrom(client, found);
        if (page.nextCursor === null) return null;
        cursor = page.nextCursor;
      }
      throw new UnusableResponse(client.exchange, 'too many orders to list');
    },
    // The response to another endpoint, for one order, is not documented for an order that does not exist.
    byId: async ({ exchangeId: order_ids }) => {
      const [found] = (await listOrders(client, { order_ids })).entries;
      return found === undefined ? null : orderFrom(client, found);
    },
  });
}

function listOrders(client: CcxtClient, params: Record<string, string>): Promise<EntryPage> {
  return client.call(LIST, params, (body) => readPage('orders', body));
}

const orderFrom = (client: CcxtClient, entry: unknown): ExchangeOrder =>
  readResponse(client.exchange, 'an order', entry, () => readOrder(entry));
const referenceOf = (entry: unknown): string => z.object({ client_order_id: z.string() }).parse(entry).client_order_id;

function portfolioOf(client: CcxtClient, accounts: readonly HeldAccount[]): Record<string, string> {
  const [portfolio, ...others] = new Set(accounts.map((account) => account.retail_portfolio_id));
  if (typeof portfolio === 'string' && others.length === 0) return { retail_portfolio_id: portfolio };
  throw new UnusableResponse(client.exchange, 'the accounts belong to several portfolios, or to none');
}

function prepareOrder({ exchangeSymbol, side, volume, price, clientOrderId }: OrderInstruction): PreparedOrder {
  const base_size = volume.toString();
  const order_configuration =
    price === null
      ? { market_market_ioc: { base_size } }
      : { limit_limit_gtc: { base_size, limit_price: price.toString(), post_only: false } };
  return {
    request: {
      client_order_id: clientOrderId,
      product_id: exchangeSymbol,
      side: side.toUpperCase(),
      order_configuration: JSON.stringify(order_configuration),
    },
    submissionDeadline: null,
  };
}

const placed = z.object({ success: z.literal(true), success_response: z.object({ order_id: name }) });

function readReceipt(body: unknown): OrderReceipt | null {
  const { success, data } = placed.safeParse(body);
  return success ? { exchangeIds: [data.success_response.order_id], description: null } : null;
}

/** An amount; absent and "" = nothing was executed. */
const executed = optionalText.transform((text) => (text === null ? Amount.zero : Amount.of(text)));
const time = optionalText.transform((text) => (text === null ? null : new Date(text)));
const sized = z.object({ base_size: z.string() });

const order = z.looseObject({
  order_id: name,
  client_order_id: optionalText,
  product_id: name,
  side: name,
  order_type: optionalText,
  status: name,
  order_configuration: z.record(z.string(), z.unknown()),
  filled_size: executed,
  filled_value: executed,
  average_filled_price: executed,
  total_fees: executed,
  created_time: time,
  last_fill_time: time,
});

/** PENDING, QUEUED and their neighbours can still be executed. A FAILED order was not. */
const STATUSES: Readonly<Record<string, OrderStatus>> = {
  ...{ PENDING: 'open', OPEN: 'open', QUEUED: 'open', CANCEL_QUEUED: 'open', EDIT_QUEUED: 'open' },
  ...{ FILLED: 'filled', CANCELLED: 'canceled', EXPIRED: 'expired', FAILED: 'canceled' },
};

/** Fees are in the quote asset. When an order was canceled is not reported. */
function readOrder(entry: unknown): ExchangeOrder {
  const read = order.parse(entry);
  const [size] = Object.values(read.order_configuration).flatMap((form) => sized.safeParse(form).data ?? []);
  if (size === undefined) throw new Error('the order has no size in the base asset');
  const status = STATUSES[read.status] ?? 'unknown';
  return {
    exchangeId: read.order_id,
    clientOrderId: read.client_order_id,
    status,
    rawStatus: read.status,
    volume: Amount.of(size.base_size),
    executedVolume: read.filled_size,
    cost: read.filled_value,
    averagePrice: read.average_filled_price,
    fee: read.total_fees,
    feeAsset: null,
    openedAt: read.created_time,
    closedAt: status === 'filled' ? read.last_fill_time : null,
    description: { pair: read.product_id, side: read.side, type: read.order_type ?? 'unknown' },
    raw: read,
  };
}
