import { Injectable } from '@nestjs/common';
import { ExchangeError, type ExchangeOrder } from '#exchange';
import { Config } from '#platform/config';
import { WalletNotFound, WalletSessions } from '#wallet';
import type { Order } from '../orders/order.entity.js';
import { sentAfter } from '../orders/order-times.js';
import { tradingOf } from '../orders/trading-exchanges.js';

/** What the exchange shows of an order now, or why it shows nothing. */
export type OrderAnswer =
  /** null = the exchange does not list the order. */
  | { kind: 'shown'; order: ExchangeOrder | null }
  /** The exchange did not respond. It may respond a little later. */
  | { kind: 'unavailable'; reason: string }
  /** The exchange refuses the wallet's key, or does not let it read orders. */
  | { kind: 'refused'; reason: string }
  /** The credentials that sent the order are erased. */
  | { kind: 'erased' };

/** Asks the exchange about an order, with the credentials that sent it, for an operator who decides about it. */
@Injectable()
export class OrderAtExchange {
  constructor(
    private readonly sessions: WalletSessions,
    private readonly config: Config,
  ) {}

  /** Searches the order by our client order id or, if it is given, by the exchange's own id. */
  async ask(order: Order, exchangeId: string | null = null): Promise<OrderAnswer> {
    const { clientOrderId, request } = order;
    const notBefore = sentAfter(order, this.config);
    try {
      const trading = tradingOf(await this.sessions.openVersion(order.walletId, order.credentialVersion));
      const found =
        exchangeId === null
          ? await trading.find({ clientOrderId, request, notBefore, isProofNeeded: false })
          : await trading.read({ exchangeId, request, notBefore }).catch(nullIfUnknown);
      return { kind: 'shown', order: found };
    } catch (error) {
      if (error instanceof WalletNotFound) return { kind: 'erased' };
      if (!(error instanceof ExchangeError)) throw error;
      const isPassing = error.kind === 'unavailable' || error.kind === 'rate_limited';
      return { kind: isPassing ? 'unavailable' : 'refused', reason: error.message };
    }
  }
}

function nullIfUnknown(error: unknown): null {
  if (error instanceof ExchangeError && error.code === 'TRADING_ORDER_NOT_FOUND') return null;
  throw error;
}
