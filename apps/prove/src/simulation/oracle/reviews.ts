import type { Withdrawal } from '#withdrawal';
import type { Facts } from './facts.js';

/** A withdrawal is in review only for a reason in docs/withdrawals.md that is possible in this run. */
export function reviewOf(withdrawal: Withdrawal, facts: Facts): string[] {
  if (withdrawal.state !== 'review') return [];
  const reason = facts.reviews.get(withdrawal.id);
  const isRestored = facts.restoredInStep !== null;
  const isAllowed =
    reason === undefined ? !facts.isLogComplete || isRestored : canBe(withdrawal, facts)[reason] === true;
  return isAllowed
    ? []
    : [`withdrawal ${withdrawal.id} waits for an operator: ${reason ?? 'no process logged the reason'}`];
}

/** Returns for each reason whether it is possible in this run. */
function canBe(withdrawal: Withdrawal, { ledger, scenario, restoredInStep }: Facts): Readonly<Record<string, boolean>> {
  const own = ledger.find(({ quoteId }) => quoteId === withdrawal.quoteId);
  const isStrange = own?.form === 'strange';
  const hasOthers = ledger.some((record) => record !== own);
  const { owner, exchange, wallets } = scenario;
  const did = (deed: string): boolean => owner.some(({ does }) => does === deed);
  const hasDuplicates = wallets.length > 1 || did('delete');
  return {
    'several records at the exchange fit': hasOthers,
    'a record at the exchange may or may not be this withdrawal': ledger.some(({ form }) => form === 'possible'),
    'the record fits a withdrawal of another wallet as well': hasDuplicates,
    'the record may belong to a withdrawal of another wallet': hasDuplicates,
    'not in the history, but the exchange lists no movements and the balance has changed':
      exchange.movements !== 'listed' &&
      (hasOthers || isStrange || exchange.business !== null || exchange.recordOffset !== 0),
    'not in the history, but a movement of the account may be the withdrawal':
      hasOthers || isStrange || exchange.business?.isOdd === true,
    // The times of the exchange's records are wrong, so they do not show which movements are newer.
    'not in the history, but the movements of the account do not explain its balance': exchange.recordOffset !== 0,
    'the exchange refuses the query: credentials_invalid': did('revoke'),
    'the credentials of the withdrawal are erased': did('erase'),
    'it may have been sent before the restore': restoredInStep !== null,
    'not in the history of the exchange, but it may have been sent again before the restore': restoredInStep !== null,
  };
}
