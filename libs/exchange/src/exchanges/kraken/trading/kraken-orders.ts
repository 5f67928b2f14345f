import { Cached } from '../../../transport/cached.js';
import type { CcxtClient, Endpoint } from '../../../ccxt/ccxt-client.js';
import type { ExchangeError } from '../../../port/exchange-error.js';
import { UnusableResponse } from '../../../transport/failed-read.js';
import type { ExchangeOrder, OrderStatus } from '../../../port/trading.port.js';
import {
  readClosedOrders,
  readOpenOrders,
  readOrder,
  readQueryWindow,
  type KrakenOrderEntries,
  type QueryWindow,
} from '../protocol/kraken-order-responses.js';

const privateCall = (path: string): Endpoint => ({ api: 'private', method: 'POST', path });
const OPEN_ORDERS = privateCall('OpenOrders');
const CLOSED_ORDERS = privateCall('ClosedOrders');
const GET_API_KEY_INFO = privateCall('GetApiKeyInfo');

/** Pages of ClosedOrders that one search reads. */
const PAGES_MAX = 20;

/** The window changes only when somebody edits the key at Kraken; each call counts towards the account's limit. */
const WINDOW_TTL_MS = 300_000;

/** `pending` is on its way into the book, and so one that may still execute. */
const statuses: Readonly<Record<string, OrderStatus>> = {
  pending: 'open',
  open: 'open',
  closed: 'filled',
  canceled: 'canceled',
  expired: 'expired',
};

/** One of Kraken's entries in our words; null = it is no order that we understand. */
export function toOrder(exchangeId: string, entry: Record<string, unknown>): ExchangeOrder | null {
  const order = readOrder(entry);
  if (order === null) return null;
  const { pair, type: side, ordertype: type } = order.descr;
  return {
    exchangeId,
    clientOrderId: order.cl_ord_id,
    status: Object.hasOwn(statuses, order.status) ? (statuses[order.status] ?? 'unknown') : 'unknown',
    rawStatus: order.status,
    volume: order.vol,
    executedVolume: order.vol_exec,
    cost: order.cost,
    averagePrice: order.price,
    fee: order.fee,
    openedAt: order.opentm,
    closedAt: order.closetm,
    description: { pair, side, type },
    raw: entry,
  };
}

/** The time of which a key may be shown anything. */
export function queryWindowOf(client: CcxtClient): Cached<QueryWindow> {
  return new Cached(client.clock, WINDOW_TTL_MS, () => client.call(GET_API_KEY_INFO, {}, readQueryWindow));
}

/** Whether the key is shown everything from `since` until now. */
export function isShown({ from, to }: QueryWindow, since: Date, now: Date): boolean {
  return (from === null || from <= since) && (to === null || to > now);
}

/** Searches the orders of one Kraken account for one by our id. */
export class KrakenOrderSearch {
  constructor(
    private readonly client: CcxtClient,
    private readonly clientOrderId: string,
    private readonly notBefore: Date,
  ) {}

  /**
   * The open ones first: an order that closes meanwhile is then among the closed ones.
   * @param sight what the key may be shown; without it null is no proof.
   * @throws ExchangeError rather than an incomplete listing.
   */
  async run(sight?: Cached<QueryWindow>): Promise<ExchangeOrder | null> {
    const found = (await this.amongOpen()) ?? (await this.amongClosed());
    if (found !== null || sight === undefined) return found;
    // What the key is not shown is not absent.
    if (isShown(await sight.get(), this.notBefore, this.client.clock.now())) return null;
    throw this.incomplete('the API key is not shown all orders of the time');
  }

  private async amongOpen(): Promise<ExchangeOrder | null> {
    return this.ours(await this.client.call(OPEN_ORDERS, { cl_ord_id: this.clientOrderId }, readOpenOrders));
  }

  private async amongClosed(): Promise<ExchangeOrder | null> {
    // Whole seconds, and what is from the very second is left out.
    const start = String(Math.floor(this.notBefore.getTime() / 1000) - 1);
    let offset = 0;
    for (let pages = 0; pages < PAGES_MAX; pages++) {
      // Without its count the exchange answers "much faster"; the last page is the one that is empty.
      const params = { cl_ord_id: this.clientOrderId, start, ofs: String(offset), without_count: 'true' };
      const page = await this.client.call(CLOSED_ORDERS, params, readClosedOrders);
      const length = Object.keys(page).length;
      if (length === 0) return null;
      const found = this.ours(page);
      if (found !== null) return found;
      offset += length;
    }
    throw this.incomplete('too many orders to list');
  }

  /** Orders of others appear where the exchange does not keep to the id that is asked for. */
  private ours(entries: KrakenOrderEntries): ExchangeOrder | null {
    let isWhole = true;
    for (const [exchangeId, entry] of Object.entries(entries)) {
      const order = toOrder(exchangeId, entry);
      if (order?.clientOrderId === this.clientOrderId) return order;
      // Neither is known to be another's.
      if (order === null || order.clientOrderId === null) isWhole = false;
    }
    if (!isWhole) throw this.incomplete('an order in the list that may be the one that is sought');
    return null;
  }

  private incomplete(what: string): ExchangeError {
    return new UnusableResponse(this.client.exchange, what);
  }
}
