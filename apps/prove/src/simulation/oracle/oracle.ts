import type { Withdrawal } from '#withdrawal';
import { answersOf } from './answers.js';
import { isAtRest } from './invariants.js';
import type { Facts } from './facts.js';
import { feeOf, historyOf, moneyOf } from './money.js';
import { reviewOf } from './reviews.js';

/** Lists every broken rule in words; an empty list is a good run. */
export function judge(facts: Facts): string[] {
  return [
    ...facts.quotes.flatMap(({ quote: { id } }) => [...moneyOf(id, facts), ...answersOf(id, facts)]),
    ...facts.rows.withdrawals.flatMap((w) => [...restOf(w), ...reviewOf(w, facts), ...feeOf(w, facts)]),
    ...historyOf(facts),
  ];
}

/** Reports withdrawals that are stuck. */
function restOf(w: Withdrawal): string[] {
  return isAtRest(w) ? [] : [`stuck: withdrawal ${w.id} is ${w.state}`];
}
