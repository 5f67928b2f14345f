import { hasGivenWay, type AskedQuote } from './clients.js';
import type { DatabaseServer } from './installation/database-server.js';

/** A withdrawal as the service has stored it. */
export interface Row {
  id: string;
  quoteId: string;
  state: string;
  exchangeId: string | null;
  transactionId: string;
  transactionStatus: string;
  /** The outcomes of its attempts, oldest first. */
  outcomes: string[];
}

export function readRows(database: DatabaseServer, quoteIds: string[]): Promise<Row[]> {
  return database.query<Row>(
    `select w.id, w.quote_id as "quoteId", w.state, w.exchange_id as "exchangeId", w.transaction_id as "transactionId",
       t.status as "transactionStatus",
       array(select a.outcome from withdrawal_attempts a where a.withdrawal_id = w.id order by a.started_at) as outcomes
     from withdrawals w join transactions t on t.id = w.transaction_id
     where w.quote_id = any($1)`,
    [quoteIds],
  );
}

/**
 * Shortens the pause before the next check of each withdrawal, because these pauses grow to minutes. A withdrawal that
 * has no next check is not changed.
 */
export async function shortenPauses(database: DatabaseServer, quoteIds: string[]): Promise<void> {
  await database.query(
    `update withdrawals set next_check_at = now()
     where quote_id = any($1) and state in ('unknown', 'submitted') and next_check_at > now() + interval '300 ms'`,
    [quoteIds],
  );
}

/** States in which nothing was sent, or only a request without the code that the exchange requires. */
export const UNSENT = ['created', 'verification_required'];
const SETTLED = ['completed', 'failed', 'canceled', 'rejected'];

/** Whether the withdrawal is settled, or changes only when an operator decides or a client executes its quote again. */
export function isAtRest({ state, quoteId }: Row, quotes: readonly AskedQuote[]): boolean {
  const isLeft = UNSENT.includes(state) && quotes.some((quote) => quote.id === quoteId && hasGivenWay(quote));
  return SETTLED.includes(state) || state === 'review' || isLeft;
}
