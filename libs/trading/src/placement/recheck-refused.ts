import { Injectable } from '@nestjs/common';
import type { TradingCapability } from '#exchange';
import { Config } from '#platform/config';
import type { DatabaseTime } from '#platform/database';
import type { Wallet } from '#wallet';
import { NextCheck } from '../orders/next-check.js';
import { OrderExistsAfterAll } from '../orders/order.errors.js';
import { countsAsNone } from '../orders/order-state.js';
import { OrderStore, type OrderTerms } from '../orders/order-store.js';
import { sentAfter } from '../orders/order-times.js';
import { OrderTransitions } from '../orders/order-transitions.js';

/** The account and the terms of the order that is about to be placed. */
export interface EqualOrder {
  wallet: Wallet;
  terms: OrderTerms;
  credentialVersion: string;
  time: DatabaseTime;
}

/**
 * Searches the exchange for sent orders that count as refused or never placed, before one with equal terms is placed.
 * An exchange may show an order that it has refused only after the refusal is confirmed, and the worker compares it
 * only some time later.
 */
@Injectable()
export class RecheckRefused {
  constructor(
    private readonly store: OrderStore,
    private readonly transitions: OrderTransitions,
    private readonly nextCheck: NextCheck,
    private readonly config: Config,
  ) {}

  /**
   * @throws OrderExistsAfterAll when the exchange has such an order; its row is then corrected
   * @throws ExchangeError when the exchange cannot be searched
   */
  async execute(trading: TradingCapability, { wallet, terms, credentialVersion, time }: EqualOrder): Promise<void> {
    const refused = await this.store.listRefusedLike(wallet, terms);
    // Other credentials may belong to another account, which does not show what has become of the order.
    for (const order of refused.filter((each) => each.credentialVersion === credentialVersion)) {
      const askedAt = time.now();
      const { clientOrderId, request } = order;
      const notBefore = sentAfter(order, this.config);
      const seen = await trading.find({ clientOrderId, request, notBefore, isProofNeeded: false });
      if (seen === null) continue;
      const nextCheckAt = await this.nextCheck.after({ ...order, state: 'open' }, askedAt);
      const { id, state } = await this.transitions.read(order, seen, askedAt, nextCheckAt);
      if (!countsAsNone(state)) throw new OrderExistsAfterAll(id);
    }
  }
}
