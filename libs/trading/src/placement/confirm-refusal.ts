import { Injectable } from '@nestjs/common';
import { ExchangeError, lagOf, type ExchangeOrder, type ExchangeSession, type TradingCapability } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import type { DatabaseTime } from '#platform/database';
import type { Order } from '../orders/order.entity.js';
import { sentAfter } from '../orders/order-times.js';
import { readFunds, showLess, type OrderFunds } from './order-funds.js';

/** An order that the exchange has refused. */
export interface RefusedOrder {
  session: ExchangeSession;
  trading: TradingCapability;
  order: Order;
  time: DatabaseTime;
  /** What the account held of the spent asset before the order was sent; null = not known. */
  fundsBefore: OrderFunds | null;
}

export type RefusalEvidence =
  | { kind: 'confirmed' }
  /** The exchange has the order. */
  | { kind: 'found'; seen: ExchangeOrder; askedAt: Date }
  | { kind: 'doubtful'; reason: string };

/** Number of looks at the account that must not show the order. */
const LOOKS = 2;

/**
 * Looks at the account before a refusal is reported. The exchange may have executed the order all the same: the network
 * can deliver a request twice, and an exchange can answer with a wrong code. The looks are apart by more than the time
 * that an exchange takes to show an order (`lagOf`).
 */
@Injectable()
export class ConfirmRefusal {
  constructor(
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  async execute(refused: RefusedOrder): Promise<RefusalEvidence> {
    for (let looks = 1; ; looks++) {
      const evidence = await this.look(refused);
      if (evidence.kind !== 'confirmed' || looks === LOOKS) return evidence;
      await this.clock.sleep(lagOf(refused.session, this.config));
    }
  }

  private async look({ session, trading, order, time, fundsBefore }: RefusedOrder): Promise<RefusalEvidence> {
    const { clientOrderId, request } = order;
    const notBefore = sentAfter(order, this.config);
    const askedAt = time.now();
    try {
      const seen = await trading.find({ clientOrderId, request, notBefore });
      if (seen !== null) return { kind: 'found', seen, askedAt };
      if (fundsBefore === null) return { kind: 'doubtful', reason: 'the balances before the order are not known' };
      const funds = await readFunds(session, order);
      if (funds === null) return { kind: 'doubtful', reason: 'the balances could not be read' };
      // A balance that has grown is no evidence: a deposit of the same amount hides an execution.
      const isLower = showLess(fundsBefore, funds);
      return isLower ? { kind: 'doubtful', reason: 'the free balance is lower than before' } : { kind: 'confirmed' };
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      return { kind: 'doubtful', reason: `the account could not be read: ${error.kind}` };
    }
  }
}
