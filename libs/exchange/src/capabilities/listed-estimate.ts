import { ExchangeError } from '../port/exchange-error.js';
import type { QuotedWithdrawal, WithdrawalEstimate, WithdrawalRequirement } from '../port/exchange.port.js';
import { debitedBounds, decimalsOf, type AmountForm, type PayableNetwork } from './network-list.js';

/**
 * Calculates the cost of a withdrawal from the fee in the exchange's list of networks.
 * @throws ExchangeError when the amount does not exceed the fee, or when the amount without the fee has too many
 *   decimals.
 */
export function estimateByList(
  exchange: string,
  { asset, amount, includeFee }: QuotedWithdrawal,
  entry: PayableNetwork,
  { amountIs, requirements }: { amountIs: AmountForm; requirements: WithdrawalRequirement[] },
): WithdrawalEstimate {
  const { fee } = entry.listed;
  const amountNoFee = includeFee ? amount.minus(fee) : amount;
  const amountWithFee = amountNoFee.plus(fee);
  if (!amountNoFee.isPositive()) {
    throw new ExchangeError('refused', exchange, 'the amount must be greater than the fee', {
      code: 'WITHDRAWAL_AMOUNT_BELOW_MINIMUM',
    });
  }
  const stated = amountIs === 'net' ? amountNoFee : amountWithFee;
  if (stated.decimalPlaces() > decimalsOf(entry)) {
    throw new ExchangeError('refused', exchange, 'the amount has more decimals than the network allows', {
      reason: 'amount_not_representable',
    });
  }
  return {
    amountNoFee,
    fee,
    amountWithFee,
    feeDetails: [{ category: 'exchange_withdrawal_fee', currency: asset, amount: fee }],
    ...debitedBounds(entry.listed, amountIs),
    requirements,
    expiresAt: null,
  };
}
