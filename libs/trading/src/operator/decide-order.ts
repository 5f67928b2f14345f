import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit, Projects } from '#access';
import type { ExchangeOrder } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { ValidationFailed } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { isInReview, reviewSince } from '../orders/order-review.js';
import { OrderNotFound } from '../orders/order.errors.js';
import { OrderStore } from '../orders/order-store.js';
import { OrderTransitions } from '../orders/order-transitions.js';
import type { Order } from '../orders/order.entity.js';
import { OrderAtExchange, type OrderAnswer } from './order-at-exchange.js';
import { OrderDecisionRefused, OrderNotInReview } from './operator.errors.js';

export const orderOutcomes = ['placed', 'not_placed'] as const;
/** `placed`: the exchange has the order, or had it; `not_placed`: the exchange has never had it. */
export type OrderDecision = (typeof orderOutcomes)[number];

export interface DecideOrderInput {
  id: string;
  /** The operator's name for the audit log. */
  operator: string;
  outcome: OrderDecision;
  /** The exchange's own id of the order, when it was placed. */
  exchangeId: string | null;
  /** What the operator has found. Required when the order was not placed, and when the exchange does not show it. */
  reason: string | null;
  /** true: the operator has made sure at the exchange that the order was never placed. */
  isAbsenceConfirmed: boolean;
}

/** Maximum number of characters of each text that an operator gives; the audit log keeps them for ever. */
const LENGTH_MAX = 500;

/** Records an operator's decision about an order whose outcome evidence has not settled. */
@Injectable()
export class DecideOrder {
  constructor(
    private readonly store: OrderStore,
    private readonly transitions: OrderTransitions,
    private readonly exchange: OrderAtExchange,
    private readonly projects: Projects,
    private readonly audit: Audit,
    private readonly clock: Clock,
    private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Changes the state and the audit log and releases the credentials, in one transaction.
   * @throws OrderNotFound, ValidationFailed, OrderNotInReview
   * @throws OrderDecisionRefused when the exchange contradicts the decision
   */
  async execute(input: DecideOrderInput): Promise<void> {
    const { operator, outcome, reason } = input;
    requireText('by', operator);
    if (reason !== null) requireText('reason', reason);
    if (input.exchangeId !== null) requireText('exchangeId', input.exchangeId);
    const order = await this.store.find(input.id);
    if (order === null) throw new OrderNotFound();
    const now = this.clock.now();
    if (!isInReview(order, reviewSince(now, this.config))) throw new OrderNotInReview(order.state);
    const exchangeId = outcome === 'placed' ? exchangeIdOf(input) : null;
    const answer = await this.exchange.ask(order, exchangeId);
    if (exchangeId === null) checkAbsence(input, answer);
    else checkPlaced(order, exchangeId, reason, answer);
    const alongside = (tx: EntityManager): Promise<void> => this.record(tx, order, { ...input, exchangeId });
    const decided = await this.transitions.decided(order, { exchangeId, now, alongside });
    if (decided === null) throw new OrderNotInReview((await this.store.find(order.id))?.state ?? order.state);
    this.logger.info({ orderId: order.id, operator, outcome }, 'an operator settled an order');
  }

  private async record(
    tx: EntityManager,
    { id: subject, projectId, exchange }: Order,
    { operator: actor, outcome, exchangeId, reason }: DecideOrderInput,
  ): Promise<void> {
    const { organizationId } = await this.projects.getContext(projectId, tx);
    const details = { exchange, outcome, exchangeId, reason };
    await this.audit.record(tx, { organizationId, projectId, actor, action: 'order.settled', subject, details });
  }
}

function exchangeIdOf({ exchangeId }: DecideOrderInput): string {
  if (exchangeId !== null) return exchangeId;
  throw new ValidationFailed([
    {
      field: 'exchangeId',
      message: 'exchangeId is required: give --exchange-id with the exchange’s own id of the order',
    },
  ]);
}

/** Checks a decision that the exchange has the order. */
function checkPlaced(order: Order, exchangeId: string, reason: string | null, answer: OrderAnswer): void {
  if (answer.kind === 'unavailable') {
    throw new OrderDecisionRefused(`The exchange cannot be queried now; try again later: ${answer.reason}`);
  }
  if (answer.kind === 'shown' && answer.order !== null && !isSame(answer.order, order)) {
    throw new OrderDecisionRefused(
      `The exchange’s order ${exchangeId} has another client order id, side or volume, so it is not this order`,
    );
  }
  if ((answer.kind !== 'shown' || answer.order === null) && reason === null) {
    throw new OrderDecisionRefused(
      `The exchange does not show the order ${exchangeId}; explain with --reason where you have seen it`,
    );
  }
}

/** Checks a decision that the order was never placed. After a wrong decision, the client would place it again. */
function checkAbsence({ reason, isAbsenceConfirmed }: DecideOrderInput, answer: OrderAnswer): void {
  if (reason === null)
    throw new ValidationFailed([
      { field: 'reason', message: 'reason is required: give --reason with what you have found' },
    ]);
  if (!isAbsenceConfirmed) {
    throw new OrderDecisionRefused(
      'Make sure at the exchange that the order was never placed, and confirm it with --confirm-not-placed',
    );
  }
  if (answer.kind === 'unavailable') {
    throw new OrderDecisionRefused(`The exchange cannot be queried now; try again later: ${answer.reason}`);
  }
  if (answer.kind === 'shown' && answer.order !== null) {
    const { exchangeId, status } = answer.order;
    throw new OrderDecisionRefused(`The exchange shows the order as ${exchangeId} (${status}), so it was placed`);
  }
}

function isSame({ clientOrderId, volume, description }: ExchangeOrder, order: Order): boolean {
  return (
    (clientOrderId === null || clientOrderId === order.clientOrderId) &&
    volume.equals(order.volume) &&
    description.side.toLowerCase() === order.side
  );
}

export function requireText(field: string, text: string): void {
  if (/^\P{Cc}+$/u.test(text) && text.length <= LENGTH_MAX) return;
  throw new ValidationFailed([{ field, message: `${field} must be 1 to ${LENGTH_MAX} printable characters` }]);
}
