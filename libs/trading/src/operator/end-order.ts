import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit, Projects } from '#access';
import { Amount } from '#money';
import { ValidationFailed } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { isUnlisted } from '../orders/order-review.js';
import { OrderNotFound } from '../orders/order.errors.js';
import { OrderStore } from '../orders/order-store.js';
import { OrderTransitions } from '../orders/order-transitions.js';
import type { Order } from '../orders/order.entity.js';
import { requireText } from './decide-order.js';
import { OrderAtExchange } from './order-at-exchange.js';
import { OrderDecisionRefused, OrderNotInReview } from './operator.errors.js';

/** Decimal places of the average price, which is the cost divided by the executed volume. */
const PRICE_PLACES = 18;

export interface EndOrderInput {
  id: string;
  /** The operator's name for the audit log. */
  operator: string;
  /** The whole executed volume of the order, in the base asset. */
  executedVolume: Amount;
  /** The cost of the executed volume, in the quote asset; null = that of the last report. */
  cost: Amount | null;
  /** The reason names where the operator has found the execution. */
  reason: string;
}

/** Records an operator's decision how an open order ended that its exchange no longer lists. */
@Injectable()
export class EndOrder {
  constructor(
    private readonly store: OrderStore,
    private readonly transitions: OrderTransitions,
    private readonly exchange: OrderAtExchange,
    private readonly projects: Projects,
    private readonly audit: Audit,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Changes the order and the audit log in one transaction. The order is `filled` when its whole volume was executed,
   * else `canceled`.
   * @throws OrderNotFound, ValidationFailed
   * @throws OrderNotInReview when the exchange may still show the order
   * @throws OrderDecisionRefused when the exchange shows the order, or cannot be queried
   */
  async execute(input: EndOrderInput): Promise<void> {
    const { id, operator, reason, executedVolume } = input;
    requireText('by', operator);
    requireText('reason', reason);
    const order = await this.store.find(id);
    if (order === null) throw new OrderNotFound();
    if (!isUnlisted(order)) throw new OrderNotInReview(order.state);
    const cost = checkedCost(order, input);
    await this.requireUnlisted(order);
    const averagePrice = executedVolume.isZero() ? Amount.zero : cost.dividedBy(executedVolume, PRICE_PLACES);
    const status = executedVolume.equals(order.volume) ? 'filled' : 'canceled';
    const alongside = (tx: EntityManager): Promise<void> => this.record(tx, order, { ...input, cost });
    const ended = await this.transitions.decidedEnd(order, { status, executedVolume, cost, averagePrice, alongside });
    if (ended === null) throw new OrderNotInReview((await this.store.find(id))?.state ?? order.state);
    this.logger.info({ orderId: id, operator, status }, 'an operator recorded how an order ended');
  }

  private async requireUnlisted(order: Order): Promise<void> {
    const answer = await this.exchange.ask(order, order.exchangeIds[0]);
    if (answer.kind === 'unavailable')
      throw new OrderDecisionRefused(`The exchange cannot be queried now; try again later: ${answer.reason}`);
    if (answer.kind !== 'shown' || answer.order === null) return;
    const { status } = answer.order;
    throw new OrderDecisionRefused(`The exchange shows the order again (${status}); the worker records what it shows`);
  }

  private async record(tx: EntityManager, order: Order, input: EndOrderInput & { cost: Amount }): Promise<void> {
    const { id: subject, projectId, exchange } = order;
    const { operator: actor, reason, executedVolume, cost } = input;
    const { organizationId } = await this.projects.getContext(projectId, tx);
    const amounts = { executedVolume: executedVolume.toString(), cost: cost.toString() };
    const details = { exchange, outcome: 'ended', ...amounts, reason };
    await this.audit.record(tx, { organizationId, projectId, actor, action: 'order.settled', subject, details });
  }
}

/** Checks the executed volume against the order and its last report. @returns the cost. @throws ValidationFailed */
function checkedCost(order: Order, { executedVolume, cost }: EndOrderInput): Amount {
  const refuse = (field: string, message: string): never => {
    throw new ValidationFailed([{ field, message: `${field} ${message}` }]);
  };
  const { volume, executedVolume: reported } = order;
  if (executedVolume.lessThan(reported) || executedVolume.greaterThan(volume))
    return refuse('executed', `must be from ${reported}, which the exchange has reported, to ${volume}`);
  if (executedVolume.equals(reported)) {
    if (cost !== null && !cost.equals(order.cost))
      return refuse('cost', `of this volume was reported as ${order.cost}`);
    return order.cost;
  }
  if (cost === null) return refuse('cost', 'is required: give --cost with the cost of the whole executed volume');
  if (cost.lessThan(order.cost) || cost.isZero())
    return refuse('cost', `must be above zero, and not below ${order.cost}, which the exchange has reported`);
  return cost;
}
