import type { ExchangeWithdrawal } from '#exchange';
import type { WithdrawalAttempt } from '../withdrawals/withdrawal-attempt.entity.js';

/**
 * The result of comparing the id that the exchange gave with the records that have our reference. `right`: nothing
 * speaks against the id. `unproven`: the record with the id lacks our reference. `several`: several records have our
 * reference. `wrong`: only another record has our reference, so that one is the withdrawal.
 */
export type IdVerdict =
  { kind: 'right' } | { kind: 'unproven' } | { kind: 'several' } | { kind: 'wrong'; record: ExchangeWithdrawal };

/**
 * Compares the id that the exchange gave with the records of a search for our reference.
 * @param mayChangeReference the exchange may change references, so a record without ours may be the withdrawal
 */
export function verdictOn(
  exchangeId: string | null,
  records: readonly ExchangeWithdrawal[],
  mayChangeReference: boolean,
): IdVerdict {
  const certain = records.filter(({ isCertain }) => isCertain);
  const record = certain.find((each) => each.exchangeId !== exchangeId);
  if (record !== undefined) return certain.length > 1 ? { kind: 'several' } : { kind: 'wrong', record };
  const isShown = records.some((each) => each.exchangeId === exchangeId);
  return { kind: isShown || mayChangeReference ? 'right' : 'unproven' };
}

/**
 * Returns the final status that the record with the exchange's id gives the withdrawal, or why it gives none yet.
 * @param seen the record; null = the exchange does not list it. It is not pending.
 */
export function endOf(
  seen: ExchangeWithdrawal | null,
  { kind }: IdVerdict,
): { status: 'completed' | 'failed' | 'canceled'; seen: ExchangeWithdrawal } | { doubt: string } {
  if (seen === null) return { doubt: 'the exchange does not list the accepted withdrawal' };
  const { status } = seen;
  if (status === 'unknown' || status === 'pending')
    return { doubt: 'the exchange shows the withdrawal with a status that it does not document' };
  if (kind === 'unproven')
    return { doubt: 'the record with the id that the exchange gave does not have our reference' };
  return { status, seen };
}

/** Whether the records of the exchange show our reference of this attempt. */
export function hasReference({
  class: submissionClass,
  clientRef,
}: Pick<WithdrawalAttempt, 'class' | 'clientRef'>): boolean {
  return submissionClass !== 'by_match' && clientRef !== null;
}
