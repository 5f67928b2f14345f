import { Amount } from '#money';
import type { Asset, AssetCatalogue } from '../../client/asset-catalogue.js';
import type { ExchangeClient } from '../../client/exchange-client.js';
import { canonicalAddress } from '../../networks/address-rule.js';
import { assetNetwork, networkFacts } from '../../networks/asset-network.js';
import { ExchangeError } from '../../port/exchange-error.js';
import type { QuotedWithdrawal, WithdrawalNetwork, WithdrawalRequirement } from '../../port/exchange.port.js';
import { UnusableResponse } from '../../transport/failed-read.js';
import { networkIdOf } from './kraken-assets.js';
import { listBalances } from './kraken-balances.js';
import { privateCall } from './kraken-key.js';
import { readInfo, type KrakenAddress, type KrakenInfo, type KrakenMethod } from './kraken-responses.js';

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

/** Whether Kraken pays to a destination, with the entry for it in the account's address book. */
export type Destination =
  | { isReady: true; entry: KrakenAddress }
  /**
   * `address`: the address is not saved; `confirmation`: the owner has not confirmed the email about the saved
   * address; `tag`: the address is saved with a tag, and the caller gave none.
   */
  | { isReady: false; entry: KrakenAddress | null; missing: 'address' | 'confirmation' | 'tag' };

/**
 * Finds the saved address of a destination. The tags must be equal: we never add a saved tag, because the caller may
 * mean another tag. Of several equal entries we use the first confirmed one by key, so that a repeated request uses the
 * same entry.
 */
export function findDestination(
  saved: readonly KrakenAddress[],
  { address, tag }: { address: string; tag: string | null },
): Destination {
  const sameAddress = saved
    .filter((entry) => canonicalAddress(entry.address) === canonicalAddress(address))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const exact = sameAddress.filter((entry) => (entry.tag ?? entry.memo) === tag);
  const ready = exact.find(({ verified }) => verified);
  if (ready !== undefined) return { isReady: true, entry: ready };
  const [unconfirmed] = exact;
  if (unconfirmed !== undefined) return { isReady: false, entry: unconfirmed, missing: 'confirmation' };
  const [tagged] = sameAddress;
  if (tagged !== undefined && tag === null) return { isReady: false, entry: tagged, missing: 'tag' };
  return { isReady: false, entry: null, missing: 'address' };
}

/** The steps that the account's owner must take before a withdrawal to the destination can be executed. */
export function requirementsOf(destination: Destination): WithdrawalRequirement[] {
  if (destination.isReady) return [];
  switch (destination.missing) {
    case 'address':
      return [{ type: 'address_allowlist', detail: 'Save the address in the withdrawal address book at Kraken.' }];
    case 'confirmation':
      return [{ type: 'address_allowlist', detail: 'Confirm the saved address in the email from Kraken.' }];
    case 'tag':
      return [{ type: 'tag', detail: 'The address is saved at Kraken with a tag; send the same tag.' }];
  }
}

const WITHDRAW_INFO = privateCall('WithdrawInfo');

/**
 * Maximum number of attempts to find an amount that includes its own fee, because the fee may depend on the amount. Two
 * or three are usual.
 */
const ROUNDS_MAX = 5;

/** The figures of a withdrawal. `gross` and `most` include the fee. */
interface Figures {
  readonly gross: Amount;
  readonly fee: Amount;
  /** The largest amount that can be debited; null = not known. */
  readonly most: Amount | null;
}

/**
 * Reads the figures of WithdrawInfo for a saved address. WithdrawInfo takes a gross amount and returns a net amount.
 * @throws ExchangeError
 */
export async function fetchFigures(
  client: ExchangeClient,
  quoted: QuotedWithdrawal,
  { asset, method, key }: { asset: Asset; method: KrakenMethod; key: string },
): Promise<Figures> {
  const { amount, includeFee } = quoted;
  let gross = includeFee ? amount : amount.plus(quoted.network.fee ?? Amount.zero);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const info: KrakenInfo = await client
      .call(WITHDRAW_INFO, { asset: asset.id, key, amount: gross.toString() }, readInfo)
      .catch((error: unknown) => {
        throw isTooLarge(error, gross, method) ? aboveMaximum(client.exchange, error) : error;
      });
    if (!info.amount.plus(info.fee).equals(gross)) {
      throw new UnusableResponse(client.exchange, 'amount and fee of WithdrawInfo do not add up');
    }
    if (includeFee || info.amount.equals(amount)) {
      return { gross, fee: info.fee, most: await mostOf(client, asset, info) };
    }
    gross = amount.plus(info.fee);
  }
  throw new UnusableResponse(client.exchange, 'each fee estimate leads to an amount with another fee');
}

/** Calculates the figures from the price list, for an account without a saved address; null = the list has no fee. */
export function priceListFigures(quoted: QuotedWithdrawal, method: KrakenMethod): Figures | null {
  const fee = feeOf(method, quoted, quoted.network.decimals);
  if (fee === null) return null;
  return { gross: quoted.includeFee ? quoted.amount : quoted.amount.plus(fee), fee, most: null };
}

/**
 * The largest amount that can be debited. WithdrawInfo's `limit` is the account's withdrawal limit or its balance,
 * whichever is smaller. null = not known: the amount exceeds `limit`, and the balance does not cover the amount, so
 * `limit` may be only the balance.
 */
async function mostOf(
  client: ExchangeClient,
  asset: Asset,
  { amount, fee, limit }: KrakenInfo,
): Promise<Amount | null> {
  const most = limit.plus(fee);
  if (!amount.greaterThan(limit)) return most;
  const balance = (await listBalances(client)).find((each) => each.asset === asset.code);
  return balance === undefined || balance.free.lessThan(amount.plus(fee)) ? null : most;
}

/**
 * Kraken returns "Invalid amount" for amounts below the minimum and above the maximum. The minimum is known, so a
 * larger amount is above the maximum.
 */
function isTooLarge(error: unknown, gross: Amount, { minimum }: KrakenMethod): boolean {
  if (!(error instanceof ExchangeError) || error.rawCode !== 'EFunding:Invalid amount' || minimum === null)
    return false;
  // The minimum is net, and the fee is not known here. We assume that no fee is higher than the minimum, so a gross
  // amount above twice the minimum is large enough.
  return gross.greaterThan(minimum.plus(minimum));
}

function aboveMaximum(exchange: string, cause: unknown): ExchangeError {
  const options = { code: 'WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM', rawCode: 'EFunding:Invalid amount', cause } as const;
  return new ExchangeError('refused', exchange, 'the amount exceeds the maximum of the exchange', options);
}
