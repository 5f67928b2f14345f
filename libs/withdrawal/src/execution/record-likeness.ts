import { canonicalAddress, type ListedWithdrawal } from '#exchange';
import type { Withdrawal } from './withdrawal.entity.js';

/**
 * Whether a record of the exchange has the amount and the address of a withdrawal. Both amounts are compared, because some
 * exchanges include the fee in a record's amount. A record without an address matches every address.
 */
export function isAlike(
  withdrawal: Pick<Withdrawal, 'amountNoFee' | 'amountWithFee' | 'address'>,
  { amountNoFee, fee, address }: Pick<ListedWithdrawal, 'amountNoFee' | 'fee' | 'address'>,
): boolean {
  const amounts = fee === null ? [amountNoFee] : [amountNoFee, amountNoFee.plus(fee)];
  const hasAmount = amounts.some(
    (amount) => amount.equals(withdrawal.amountNoFee) || amount.equals(withdrawal.amountWithFee),
  );
  return hasAmount && (address === null || canonicalAddress(address) === canonicalAddress(withdrawal.address));
}
