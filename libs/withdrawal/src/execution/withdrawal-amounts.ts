import type { ExchangeWithdrawal } from '#exchange';
import type { MovedAmounts } from '#transaction';
import type { Quote } from '../quote/quote.entity.js';

/**
 * What a withdrawal really moved, by the price of its quote. Amount and fee belong together: null unless the exchange
 * tells both.
 */
export function movedOf(
  quote: Pick<Quote, 'inDollars'>,
  { amountNoFee: amount, fee }: Pick<ExchangeWithdrawal, 'amountNoFee' | 'fee'>,
): MovedAmounts | null {
  if (amount === null || fee === null) return null;
  return { amount, fee, amountInFiat: quote.inDollars(amount), feeInFiat: quote.inDollars(fee) };
}
