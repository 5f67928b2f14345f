import type { Withdrawal } from '#withdrawal';
import type { LedgerRecord } from '../exchange/account.js';
import type { Scenario } from '../scenario/scenario.js';
import type { Rows } from '../store/simulated-store.js';
import type { MadeQuote } from '../world/records.js';
import type { Answer } from '../world/replies.js';
import { answersOf } from './answers.js';
import { isAtRest } from './invariants.js';
import { feeOf, moneyOf } from './money.js';
import { reviewOf } from './reviews.js';

/** What is known when a run is over: what the exchange has done, what the service believes, and what it has told. */
export interface Facts {
  scenario: Scenario;
  rows: Rows;
  /** Everything that the exchange has booked, in all accounts. */
  ledger: readonly LedgerRecord[];
  quotes: readonly MadeQuote[];
  answers: readonly Answer[];
  /** Why a withdrawal waits for an operator, as the log has it. */
  reviews: ReadonlyMap<string, string>;
  /** No call of the database failed. */
  isDatabaseWell: boolean;
  /** Somebody died, or the database failed: a log may lack its last words. */
  isLogComplete: boolean;
}

/** Everything that must not be, in words; an empty list is a good run. */
export function judge(facts: Facts): string[] {
  return [
    ...facts.quotes.flatMap(({ quote: { id } }) => [...moneyOf(id, facts), ...answersOf(id, facts)]),
    ...facts.rows.withdrawals.flatMap((w) => [...restOf(w), ...reviewOf(w, facts), ...feeOf(w, facts)]),
  ];
}

/** 0 stuck. */
function restOf(w: Withdrawal): string[] {
  return isAtRest(w) ? [] : [`stuck: withdrawal ${w.id} is ${w.state}`];
}
