import { Amount } from '#money';
import type { Reply } from './api-client.js';
import { CONFLICT, isFinal, type AskedQuote } from './clients.js';
import type { LedgerRecord } from './installation/exchange-control.js';
import type { FaultKind } from './faults.js';
import type { PointName } from './points.js';
import { isAtRest, UNSENT, type Row } from './rows.js';

/** The facts after a schedule: the exchange's ledger, the service's rows, and the responses to clients. */
export interface Facts {
  quotes: AskedQuote[];
  ledger: LedgerRecord[];
  rows: Row[];
  /** For each transaction id, the status that the API returns. */
  statuses: ReadonlyMap<string, string>;
  /** The logged reason of each withdrawal in review; missing when the worker died before it logged the reason. */
  reviews: ReadonlyMap<string, string>;
  fired: readonly FaultKind[];
  crashed: readonly PointName[];
  /** Unexpected ends of processes. */
  surprises: readonly string[];
}

const OK = 200;

/** Returns every broken rule in words; the list is empty when the schedule broke none. */
export function judge(facts: Facts): string[] {
  return [
    ...facts.surprises,
    ...facts.quotes.flatMap((quote) => [...answersOf(quote), ...outcomeOf(quote, facts)]),
    ...facts.rows.flatMap((row) => endOf(row, facts)),
    ...paymentsOf(facts).flatMap((payment) => movedOf(payment, facts)),
  ];
}

/**
 * Checks that the quote got a final response, and that all its final responses are equal, apart from refusals as a
 * duplicate (409).
 */
function answersOf({ id, replies }: AskedQuote): string[] {
  const final = replies.filter(isFinal);
  if (final.length === 0) return [`no answer for quote ${id}`];
  const recorded = new Set(final.filter(({ status }) => status !== CONFLICT).map(textOf));
  return recorded.size <= 1 ? [] : [`different answers for quote ${id}: ${[...recorded].join(' | ')}`];
}

function textOf({ status, body }: Extract<Reply, { status: number }>): string {
  // The ids of the requests always differ, so they are left out of the comparison.
  const { requestId: _, ...said } = body as Record<string, unknown>;
  return `${status} ${JSON.stringify(said)}`;
}

/** Checks that a success response names an existing withdrawal, and that a refusal was recorded. */
function outcomeOf({ id, replies }: AskedQuote, { rows }: Facts): string[] {
  const row = rows.find(({ quoteId }) => quoteId === id);
  const statuses = replies.filter(isFinal).map(({ status }) => status);
  if (statuses.includes(OK) && (row === undefined || row.state === 'rejected')) {
    return [`quote ${id} got a success response, but is ${row?.state ?? 'not executed'}`];
  }
  const isRefused = statuses.some((status) => status !== OK && status !== CONFLICT);
  if (isRefused && row !== undefined && row.state !== 'rejected') {
    return [`quote ${id} got a refusal, but is ${row.state}`];
  }
  return [];
}

const STATUS_OF: Readonly<Record<string, string>> = {
  completed: 'ok',
  failed: 'failed',
  rejected: 'failed',
  canceled: 'canceled',
};

function endOf(row: Row, facts: Facts): string[] {
  const { id, state, exchangeId, outcomes } = row;
  if (!isAtRest(row, facts.quotes)) return [`stuck: withdrawal ${id} is ${state} (${outcomes.join(', ')})`];
  if (outcomes.includes('in_flight')) return [`stuck: an attempt of withdrawal ${id} is in flight`];
  const record = facts.ledger.find(({ refid }) => refid === exchangeId);
  const problems: string[] = [];
  if (state === 'completed' && record?.status !== 'Success') problems.push(`unpaid: withdrawal ${id} never left`);
  if (state !== 'completed' && state !== 'review' && record !== undefined && record.status !== 'Failure') {
    problems.push(`lost: withdrawal ${id} is ${state}, but ${record.refid} has left`);
  }
  const reported = facts.statuses.get(row.transactionId);
  for (const status of [row.transactionStatus, reported]) {
    if (status !== (STATUS_OF[state] ?? 'pending'))
      problems.push(`withdrawal ${id} is ${state}, its transaction ${status}`);
  }
  if (state === 'review') problems.push(...reviewOf(row, facts));
  return problems;
}

/** Quotes that look the same in the exchange's ledger (an equal amount to the same address), and their records. */
interface Payment {
  quotes: AskedQuote[];
  records: LedgerRecord[];
}

function paymentsOf({ quotes, ledger }: Facts): Payment[] {
  const payments = new Map<string, Payment>();
  for (const quote of quotes) {
    const key = `${quote.address} ${Amount.of(quote.amountNoFee).toString()}`;
    const payment = payments.get(key) ?? { quotes: [], records: [] };
    payment.quotes.push(quote);
    payments.set(key, payment);
  }
  const unasked: Payment = { quotes: [], records: [] };
  for (const record of ledger) {
    const key = `${record.address} ${Amount.of(record.amount).toString()}`;
    (payments.get(key) ?? unasked).records.push(record);
  }
  return [...payments.values(), unasked];
}

/**
 * Checks that there are at most as many records as executed quotes, and that each record is linked to a withdrawal. For
 * each withdrawal in review, one record may be linked to no withdrawal.
 */
function movedOf({ quotes, records }: Payment, { rows }: Facts): string[] {
  const own = rows.filter(({ quoteId, state }) => !UNSENT.includes(state) && quotes.some(({ id }) => id === quoteId));
  const refids = records.map(({ refid }) => refid).join(', ');
  const names = quotes.map(({ id }) => id).join(', ');
  const problems: string[] = [];
  if (records.length > own.length)
    problems.push(`duplicate: ${refids} for ${own.length} executed of the quotes ${names}`);
  const unknown = records.filter(({ refid }) => !rows.some(({ exchangeId }) => exchangeId === refid));
  const inReview = own.filter(({ state }) => state === 'review').length;
  if (unknown.length > inReview) {
    const states = own.map(({ state }) => state).join(', ');
    problems.push(`lost: ${unknown.map(({ refid }) => refid).join(', ')} left for ${names}, which is ${states}`);
  }
  return problems;
}

/** Checks that a withdrawal is in review only for a reason in docs/withdrawals.md that is possible in this schedule. */
function reviewOf({ id, quoteId }: Row, { reviews, quotes, ledger, fired, crashed }: Facts): string[] {
  const reason = reviews.get(id) ?? '';
  const quote = quotes.find((each) => each.id === quoteId);
  const others = quotes.filter((each) => each !== quote && each.asset === quote?.asset);
  const duplicates = others.filter((each) => each.amountNoFee === quote?.amountNoFee);
  const isLagging = fired.includes('history_lags');
  const allowed: Readonly<Record<string, boolean>> = {
    // An empty reason = the log contains none, because a worker died before it logged the reason.
    '': crashed.some((point) => point.startsWith('worker')),
    'the history does not contain the withdrawal, but the exchange lists no movements and the balance has changed':
      isLagging || (others.length > 0 && ledger.length > 0),
    // After a jump of the exchange's clock, the ledger can list movements in the wrong order.
    'the history does not contain the withdrawal, but the movements of the account do not explain its balance':
      others.length > 0 && fired.includes('clock_jump'),
    'several records at the exchange fit this withdrawal': duplicates.length > 0,
    'a record at the exchange may or may not be this withdrawal':
      duplicates.length > 0 || fired.includes('history_other_fee'),
  };
  return allowed[reason] === true ? [] : [`withdrawal ${id} waits for an operator: ${reason}`];
}
