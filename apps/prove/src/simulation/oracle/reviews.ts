import type { Withdrawal } from '#withdrawal';
import { isDenied } from '../exchange/account.js';
import { DISPROVED } from '../world/records.js';
import type { Facts } from './facts.js';

/** Checks that a withdrawal is in review only for a reason in docs/withdrawals.md that is possible in this run. */
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

/** Returns for each reason of a review whether it is possible in this run. */
function canBe(withdrawal: Withdrawal, { ledger, scenario, restoredInStep }: Facts): Readonly<Record<string, boolean>> {
  const own = ledger.find(({ quoteId }) => quoteId === withdrawal.quoteId);
  const isStrange = own?.form === 'strange';
  const hasOthers = ledger.some((record) => record !== own);
  const { owner, exchange, wallets } = scenario;
  const did = (deed: string): boolean => owner.some(({ does }) => does === deed);
  const hasDuplicates = wallets.length > 1 || did('delete');
  return {
    [DISPROVED]: own !== undefined && isDenied(own),
    'several records at the exchange fit this withdrawal': hasOthers,
    // Only possible when the exchange has booked one submission several times.
    'several records at the exchange have our reference':
      ledger.filter(({ quoteId }) => quoteId === withdrawal.quoteId).length > 1,
    'a record at the exchange may or may not be this withdrawal': ledger.some(({ form }) => form === 'possible'),
    'the record fits a withdrawal of another wallet as well': hasDuplicates,
    'the record may belong to a withdrawal of another wallet': hasDuplicates,
    'the record that fits is linked to a withdrawal with other credentials': hasDuplicates || did('connect'),
    'the history does not contain the withdrawal, but the exchange lists no movements and the balance has changed':
      exchange.movements !== 'listed' &&
      (hasOthers || isStrange || exchange.business !== null || exchange.recordOffset !== 0),
    'the history does not contain the withdrawal, but a movement of the account may be the withdrawal':
      hasOthers || isStrange || exchange.business?.isOdd === true,
    // If the exchange's records have wrong times, they do not show the order of the movements.
    'the history does not contain the withdrawal, but the movements of the account do not explain its balance':
      exchange.recordOffset !== 0,
    'the exchange refuses the query: credentials_invalid': did('revoke'),
    'the credentials of the withdrawal are erased': did('erase'),
    'the withdrawal may have been sent before the restore': restoredInStep !== null,
    'the history does not contain the withdrawal, but it may have been sent again before the restore':
      restoredInStep !== null,
  };
}
