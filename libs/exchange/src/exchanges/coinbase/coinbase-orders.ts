import { z } from 'zod';
import { Amount } from '#money';
import { fieldOf } from '../../capabilities/entry-fields.js';
import { idIn } from '../../capabilities/envelope.js';
import { orderReader } from '../../capabilities/order-form.js';
import { ReferenceOrders } from '../../capabilities/reference-orders.js';
import { amount, name, optionalAmount, optionalText } from '../../capabilities/response-fields.js';
import type { EntryPage } from '../../capabilities/transfer-pages.js';
import type { CcxtClient, Endpoint } from '../../ccxt/ccxt-client.js';
import type { ExchangeOrder } from '../../port/trading.port.js';
import { readResponse, UnusableResponse } from '../../transport/failed-read.js';
import { coinbaseErrors } from './coinbase-errors.js';
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
    acceptance: { statuses: [200], readId: idIn(placed) },
    errors: coinbaseErrors.orders,
    request: ({ exchangeSymbol, side, volume, price, clientOrderId }) => ({
      client_order_id: clientOrderId,
      product_id: exchangeSymbol,
      side: side.toUpperCase(),
      order_configuration: JSON.stringify(configurationOf(volume.toString(), price?.toString() ?? null)),
    }),
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
  readResponse(client.exchange, 'an order', entry, () => readOrder(entry, client.codeOf));
const referenceOf = (entry: unknown): string => z.object({ client_order_id: z.string() }).parse(entry).client_order_id;

function portfolioOf(client: CcxtClient, accounts: readonly HeldAccount[]): Record<string, string> {
  const [portfolio, ...others] = new Set(accounts.map((account) => account.retail_portfolio_id));
  if (typeof portfolio === 'string' && others.length === 0) return { retail_portfolio_id: portfolio };
  throw new UnusableResponse(client.exchange, 'the accounts belong to several portfolios, or to none');
}

function configurationOf(base_size: string, limit_price: string | null): object {
  if (limit_price === null) return { market_market_ioc: { base_size } };
  return { limit_limit_gtc: { base_size, limit_price, post_only: false } };
}

const placed = z
  .object({ success: z.literal(true), success_response: z.object({ order_id: name }) })
  .transform((body) => body.success_response.order_id);

/** An amount; absent and "" = nothing was executed. */
const executedIn = (field: string) => fieldOf(field, optionalAmount).transform((found) => found ?? Amount.zero);
const timeIn = (field: string) =>
  fieldOf(field, optionalText).transform((text) => (text === null ? null : new Date(text)));

/** The size in the base asset, which one of the forms of an order has. */
const size = fieldOf('order_configuration', z.record(z.string(), z.unknown())).transform((forms) => {
  const sized = z.object({ base_size: amount });
  const [found] = Object.values(forms).flatMap((form) => sized.safeParse(form).data ?? []);
  if (found === undefined) throw new Error('the order has no size in the base asset');
  return found.base_size;
});

/** Fees are in the quote asset. When an order was canceled is not reported. */
const readOrder = orderReader({
  ...{ exchangeId: 'order_id', clientOrderId: 'client_order_id', pair: 'product_id', side: 'side' },
  type: fieldOf('order_type', optionalText).transform((type) => type ?? 'unknown'),
  status: 'status',
  // PENDING, QUEUED and their neighbours can still be executed. A FAILED order was not.
  statuses: {
    ...{ PENDING: 'open', OPEN: 'open', QUEUED: 'open', CANCEL_QUEUED: 'open', EDIT_QUEUED: 'open' },
    ...{ FILLED: 'filled', CANCELLED: 'canceled', EXPIRED: 'expired', FAILED: 'canceled' },
  },
  ...{ volume: size, executedVolume: executedIn('filled_size'), cost: executedIn('filled_value') },
  ...{ averagePrice: executedIn('average_filled_price'), fee: executedIn('total_fees') },
  openedAt: timeIn('created_time'),
  changedAt: z
    .object({ status: name, last_fill_time: optionalText })
    .transform((one) => (one.status === 'FILLED' && one.last_fill_time !== null ? new Date(one.last_fill_time) : null)),
});
