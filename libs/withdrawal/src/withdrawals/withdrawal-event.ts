import type { EntityManager } from 'typeorm';
import { Amount } from '#money';
import type { Database, NamedStatement } from '#platform/database';
import type { Events, EventType } from '#platform/events';
import type { WithdrawalState } from './withdrawal-state.js';

/** The facts of a quote and of its withdrawal, if it was executed. Amounts are decimal strings. */
export interface EventFacts {
  organizationId: string;
  projectId: string;
  walletId: string;
  exchange: string;
  quoteId: string;
  withdrawalId: string | null;
  transactionId: string | null;
  exchangeTransactionId: string | null;
  asset: string;
  network: string;
  destinationAddress: string;
  tag: string | null;
  amountNoFee: string;
  fee: string;
  amountWithFee: string;
  errorType: string | null;
  errorMessage: string | null;
  errorResult: Record<string, unknown> | null;
}

/**
 * The event about each state. The other states have no event, because the attempt's outcome is still open or an
 * operator decides it.
 */
const eventOf: Partial<Record<WithdrawalState, EventType>> = {
  verification_required: 'withdrawal.verification_required',
  submitted: 'withdrawal.submitted',
  completed: 'withdrawal.completed',
  failed: 'withdrawal.failed',
  canceled: 'withdrawal.failed',
  rejected: 'withdrawal.failed',
  unknown: 'withdrawal.unknown',
};

const FACTS: NamedStatement = {
  name: 'facts of a withdrawal event',
  text: `select p.organization_id as "organizationId", q.project_id as "projectId", w.external_id as "walletId", q.exchange, q.id as "quoteId",
           x.id as "withdrawalId", x.transaction_id as "transactionId", x.exchange_id as "exchangeTransactionId",
           q.asset, q.network, q.address as "destinationAddress", coalesce(x.tag, q.tag) as tag,
           q.amount_no_fee as "amountNoFee", q.fee, q.amount_with_fee as "amountWithFee",
           x.error_code as "errorType", x.error_message as "errorMessage", x.error_result as "errorResult"
      from quotes q join projects p on p.id = q.project_id join wallets w on w.id = q.wallet_id
           left join withdrawals x on x.quote_id = q.id
     where q.id = $1`,
};

/** Whether `recordStateEvent` records an event about a change to this state. */
export function hasEvent(state: WithdrawalState): boolean {
  return eventOf[state] !== undefined;
}

/**
 * Records the event about a change of state that `tx` has made, if the new state has an event.
 * @param facts read after the change
 */
export async function recordStateEvent(
  events: Events,
  tx: EntityManager,
  state: WithdrawalState,
  facts: EventFacts,
): Promise<void> {
  const type = eventOf[state];
  if (type !== undefined) await recordEvent(events, tx, { type, state }, facts);
}

/** Records the event that the exchange shows a withdrawal that was reported as failed. @param facts read afterwards */
export function recordReopened(events: Events, tx: EntityManager, facts: EventFacts): Promise<void> {
  return recordEvent(events, tx, { type: 'withdrawal.reopened', state: 'review' }, facts);
}

async function recordEvent(
  events: Events,
  tx: EntityManager,
  { type, state }: { type: EventType; state: WithdrawalState },
  facts: EventFacts,
): Promise<void> {
  const { organizationId: _organization, projectId, errorType, errorMessage, errorResult, ...shown } = facts;
  const error = errorType === null ? null : { error: errorMessage, type: errorType, result: errorResult };
  const data = { ...shown, status: state, error };
  await events.record(tx, [{ projectId, type, subject: facts.withdrawalId ?? facts.quoteId, data }]);
}

/** Reads the facts about a quote and its withdrawal. */
export async function readEventFacts(db: Database, tx: EntityManager, quoteId: string): Promise<EventFacts> {
  const [facts] = await db.read<EventFacts>(FACTS, [quoteId], tx);
  if (facts === undefined) throw new Error('the quote does not exist');
  const [amountNoFee, fee, amountWithFee] = [facts.amountNoFee, facts.fee, facts.amountWithFee].map((amount) =>
    Amount.of(amount).toString(),
  );
  return { ...facts, amountNoFee: amountNoFee ?? '', fee: fee ?? '', amountWithFee: amountWithFee ?? '' };
}
