import type { Withdrawal } from '#withdrawal';
import { isDenied, type LedgerRecord } from '../exchange/account.js';
import type { ExchangeTraits } from '../exchange/exchange.js';
import type { Scenario } from '../scenario/scenario.js';
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

/** Without references, an exchange lists no kinds of changes of the paying account, so each debit may be ours. */
function hasOddMovements({ business, showsPayingAccount, class: exchangeClass }: ExchangeTraits): boolean {
  return business !== null && (business.isOdd || (showsPayingAccount && exchangeClass === 'by_match'));
}

/**
 * If the exchange's records have wrong times, they do not show the order of the movements. The list of the paying
 * account also proves nothing when the times in it are out of order.
 */
function isOutOfOrder({ exchange, clockJumps }: Scenario, ledger: readonly LedgerRecord[]): boolean {
  const isLate = ledger.some(({ shownAt, bookedAt }) => shownAt > bookedAt);
  return exchange.recordOffset !== 0 || (exchange.showsPayingAccount && (clockJumps > 0 || isLate));
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
      hasOthers || isStrange || hasOddMovements(exchange),
    'the history does not contain the withdrawal, but the movements of the account do not explain its balance':
      isOutOfOrder(scenario, ledger),
    'the exchange refuses the query: credentials_invalid': did('revoke'),
    'the credentials of the withdrawal are erased': did('erase'),
    'the withdrawal may have been sent before the restore': restoredInStep !== null,
    'the history does not contain the withdrawal, but it may have been sent again before the restore':
      restoredInStep !== null,
  };
}
