import { Amount } from '#money';
import type { AssetCatalogue } from '../../../client/asset-catalogue.js';
import type { QuotedWithdrawal, WithdrawalNetwork } from '../../../port/exchange.port.js';
import { assetNetwork, networkFacts } from '../../../networks/asset-network.js';
import type { KrakenMethod } from '../protocol/kraken-responses.js';
import { networkIdOf } from '../protocol/kraken-networks.js';

const PERCENT = Amount.of('0.01');

/**
 * Removes a method's fee if Kraken charges it in another asset, because we state the amount and the fee in one asset.
 */
export function withOwnFee(method: KrakenMethod, assets: AssetCatalogue): KrakenMethod {
  const feeAsset = method.fee?.asset ?? method.asset;
  return assets.codeOf(feeAsset) === assets.codeOf(method.asset) ? method : { ...method, fee: null };
}

/** Converts a withdrawal method; null = its asset or network is not one of ours, or the coin is wrapped. */
export function toNetwork(method: KrakenMethod, assets: AssetCatalogue): WithdrawalNetwork | null {
  const code = assets.codeOf(method.asset);
  const asset = assets.find(code);
  const network = assetNetwork({ asset: code, networkId: networkIdOf(method) });
  if (asset === null || network === null) return null;
  const fee = fixedFeeOf(method);
  return {
    ...networkFacts(code, network),
    displayName: method.method,
    assetName: method.asset,
    exchangeNetworkId: method.method,
    decimals: Math.min(asset.decimals, network.maxDecimals ?? asset.decimals),
    // Kraken's minimum is net. If the fee is not known, `minWithdrawal` is too low by the fee.
    minWithdrawal: method.minimum?.plus(fee ?? Amount.zero) ?? null,
    maxWithdrawal: smallest(method.limits),
    fee,
    feeAsset: code,
  };
}

/**
 * Calculates the fee by the price list; null = the list has no fee. A percentage applies to the arriving amount. The
 * fee is rounded up to `decimals`, because the fee of a quote is an upper bound.
 */
export function feeOf(
  method: KrakenMethod,
  { amount, includeFee }: Pick<QuotedWithdrawal, 'amount' | 'includeFee'>,
  decimals: number,
): Amount | null {
  const percentage = method.fee?.fee_percentage ?? null;
  if (percentage === null || percentage.isZero()) return fixedFeeOf(method);
  const share = percentage.times(PERCENT);
  const part = amount.times(share);
  // Both cases take the percentage of the gross amount, which is slightly more than that of the arriving amount.
  const exact = includeFee ? part : part.plus(part.times(share));
  const rounded = exact.truncate(decimals);
  return rounded.equals(exact) ? rounded : rounded.plus(Amount.of(`1e-${decimals}`));
}

function fixedFeeOf({ fee }: KrakenMethod): Amount | null {
  if (fee === null || fee.fee === null) return null;
  return fee.fee_percentage === null || fee.fee_percentage.isZero() ? fee.fee : null;
}

function smallest(amounts: readonly Amount[]): Amount | null {
  return amounts.reduce<Amount | null>((least, each) => (least === null || each.lessThan(least) ? each : least), null);
}
