import type { Withdrawal } from '#withdrawal';
import { answersOf } from './answers.js';
import { isAtRest } from './invariants.js';
import type { Facts } from './facts.js';
import { feeOf, historyOf, moneyOf } from './money.js';
import { reviewOf } from './reviews.js';

/** Returns every broken rule in words; the list is empty when the run broke none. */
export function judge(facts: Facts): string[] {
  return [
    ...facts.quotes.flatMap(({ quote: { id } }) => [...moneyOf(id, facts), ...answersOf(id, facts)]),
    ...facts.rows.withdrawals.flatMap((withdrawal) => [
      ...restOf(withdrawal),
      ...reviewOf(withdrawal, facts),
      ...feeOf(withdrawal, facts),
    ]),
    ...historyOf(facts),
  ];
}

/** Reports withdrawals that are stuck. */
function restOf(withdrawal: Withdrawal): string[] {
  return isAtRest(withdrawal) ? [] : [`stuck: withdrawal ${withdrawal.id} is ${withdrawal.state}`];
}
