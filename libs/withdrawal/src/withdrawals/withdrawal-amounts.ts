import type { ExchangeWithdrawal } from '#exchange';
import type { MovedAmounts } from '#transaction';
import type { Quote } from '../quote/quote.entity.js';

/**
 * Returns the amounts that a withdrawal really moved, valued at the price of its quote; null unless the exchange shows
 * both the amount and the fee.
 */
export function movedOf(
  quote: Pick<Quote, 'inDollars'>,
  { amountNoFee: amount, fee }: Pick<ExchangeWithdrawal, 'amountNoFee' | 'fee'>,
): MovedAmounts | null {
  if (amount === null || fee === null) return null;
  return { amount, fee, amountInFiat: quote.inDollars(amount), feeInFiat: quote.inDollars(fee) };
}
