import { call, placeOrder, type Headers, type OrderRequest, type Reply } from './api-client.js';
import { callUntilAnswered } from './clients.js';
import type { Director } from './director.js';
import type { ExchangeAccount } from './installation/exchange-control.js';
import type { Installation } from './installation/installation.js';
import { isFinalForOrder, isFinalState, placedIdOf, type AskedOrder, type OrderFacts } from './order-oracle.js';
import { hasFreeNonces, readOrderRows, shortenOrderPauses, type OrderRow } from './order-rows.js';
import { Random } from './random.js';
import type { PlannedOrder, Schedule } from './schedule.js';
import { until } from './until.js';

const READ_TIMEOUT_MS = 15_000;
/** Longest time for which the clients of an order with `isLate` wait for the kill before they begin. */
const LATE_MS = 3_000;
/** A little longer than the exclusive right of a killed process to the nonces of a key. */
const NONCES_MS = 6_000;

interface OrderAccount {
  account: ExchangeAccount;
  /** The headers of calls for its wallet. */
  wallet: Headers;
}

/** The orders of one schedule: their clients, their owner, and the facts about them. */
export class PlayedOrders {
  private readonly orders: (AskedOrder & { planned: PlannedOrder })[];

  constructor(
    private readonly installation: Installation,
    private readonly schedule: Schedule,
    private readonly owner: OrderAccount,
  ) {
    this.orders = schedule.orders.map((planned) => ({
      planned,
      key: `${owner.account.accountId}-${planned.volume}`,
      volume: planned.volume,
      replies: [],
      reads: [],
    }));
  }

  /** Lets the clients place each order until they have final responses. */
  async run(director: Director): Promise<void> {
    const { apis } = this.installation;
    const random = new Random(this.schedule.seed);
    await Promise.all(
      this.orders.map(async (order, index) => {
        const { clients, isLate } = order.planned;
        if (isLate) await this.untilSendable(director).catch(() => false);
        const all = Array.from({ length: clients }, (_, client) => {
          const first = this.schedule.isOneSided ? 0 : (index + client) % apis.length;
          return callUntilAnswered([...apis.slice(first), ...apis.slice(0, first)], random, async (address) => {
            const reply = await this.place(address, order);
            return isFinalForOrder(reply);
          });
        });
        await Promise.all(all);
      }),
    );
  }

  async areAtRest(): Promise<boolean> {
    if (this.orders.length === 0) return true;
    return (await this.rows()).every(({ state }) => isFinalState(state));
  }

  /** Ends what would last: the owner cancels open orders, and the worker checks each order soon. */
  async hurry(): Promise<void> {
    if (this.orders.length === 0) return;
    await this.installation.exchange.cancelOrders(this.owner.account);
    await shortenOrderPauses(this.installation.database, this.keys);
  }

  /** Repeats each answered request and reads its order at every API process, and collects all facts. */
  async learn(): Promise<OrderFacts> {
    if (this.orders.length === 0) return { orders: [], records: [], rows: [] };
    const rows = await this.rows();
    for (const { address } of this.installation.apis) {
      for (const order of this.orders) {
        if (!order.replies.some(isFinalForOrder)) continue;
        await this.place(address ?? '', order);
        const orderId = placedIdOf(order);
        if (orderId !== null) order.reads.push(await this.read(address ?? '', orderId));
      }
    }
    const orders = this.orders.map(({ key, volume, replies, reads }) => ({ key, volume, replies, reads }));
    return { orders, rows, records: await this.installation.exchange.orders(this.owner.account) };
  }

  /** Waits for the crash, and for the end of the exclusive right to nonces that a killed process may have held. */
  private async untilSendable(director: Director): Promise<void> {
    await until('the crash', LATE_MS, () => director.hasCrashed);
    await until('free nonces', NONCES_MS, () => hasFreeNonces(this.installation.database).catch(() => false));
  }

  private get keys(): string[] {
    return this.orders.map(({ key }) => key);
  }

  private rows(): Promise<OrderRow[]> {
    return readOrderRows(this.installation.database, this.keys);
  }

  private async place(address: string, order: AskedOrder & { planned: PlannedOrder }): Promise<Reply> {
    const reply = await placeOrder(address, this.owner.wallet, this.requestOf(order.planned), order.key);
    order.replies.push(reply);
    return reply;
  }

  private requestOf({ volume, form }: PlannedOrder): OrderRequest {
    const { trading, name } = this.installation.exchange.exchange;
    if (trading === null) throw new Error(`schedules place no orders at ${name}`);
    const { routeId, priceBelow, priceAbove } = trading;
    if (form === 'market') return { routeId, volume, type: 'market' };
    return { routeId, volume, price: form === 'open' ? priceAbove : priceBelow };
  }

  /** Repeats the call, because a busy machine may respond late. */
  private read(address: string, orderId: string): Promise<Reply> {
    return until(`the order ${orderId}`, READ_TIMEOUT_MS, async () => {
      const path = `/v0/wallet/trade/order/${orderId}`;
      const reply = await call(address, { method: 'GET', path, headers: this.owner.wallet });
      return isFinalForOrder(reply) && reply;
    });
  }
}
