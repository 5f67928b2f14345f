import { canonicalAddress, type ListedWithdrawal } from '#exchange';
import type { Withdrawal } from './withdrawal.entity.js';

/**
 * Whether a record of the exchange has the amount and the address of a withdrawal. Exchanges differ in whether the amount
 * of a record has the fee in it; one that does not tell the address is like every address.
 */
export function isAlike(
  w: Pick<Withdrawal, 'amountNoFee' | 'amountWithFee' | 'address'>,
  { amountNoFee, fee, address }: Pick<ListedWithdrawal, 'amountNoFee' | 'fee' | 'address'>,
): boolean {
  const said = fee === null ? [amountNoFee] : [amountNoFee, amountNoFee.plus(fee)];
  const hasAmount = said.some((amount) => amount.equals(w.amountNoFee) || amount.equals(w.amountWithFee));
  return hasAmount && (address === null || canonicalAddress(address) === canonicalAddress(w.address));
}
