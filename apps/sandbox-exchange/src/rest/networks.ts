import { allowsDeposits, allowsWithdrawals, assets, findDepositMethod, methods } from '../catalogue.js';
import type { FundingMethod, SandboxAsset } from '../catalogue.js';
import { contractOf } from '../data/token-contracts.js';
import type { Exchange } from '../exchange.js';
import { addressesOf, fixedAddress, termsOf } from '../kraken/funding/deposits.js';
import type { Call } from '../kraken/handler.js';
import { Refusal } from './refusal.js';

/** The exchange's name of a network for an asset; null = the exchange does not list it. */
export type ChainName = (assetCode: string, network: string) => string | null;

/** Makes a `ChainName` from a table of names by network; a name is the same for all assets. */
export const namedChains =
  (names: Readonly<Record<string, string>>): ChainName =>
  (_assetCode, network) =>
    names[network] ?? null;

/** Finds the asset with a common code, such as BTC. @throws Refusal */
export function assetOf(code: string | undefined): SandboxAsset {
  const asset = assets.find((one) => one.code === code);
  if (asset === undefined) throw new Refusal('parameter_invalid', `there is no asset ${code}`);
  return asset;
}

/** An asset on a network. */
interface ListedNetwork extends FundingMethod {
  readonly asset: SandboxAsset;
  readonly chain: string;
  /** Empty for a network's own coin. */
  readonly contract: string;
}

function networksOf(chainName: ChainName): ListedNetwork[] {
  return methods.flatMap((method) => {
    const { assetCode, network } = method;
    const chain = chainName(assetCode, network);
    if (chain === null) return [];
    return [{ ...method, asset: assetOf(assetCode), chain, contract: contractOf(assetCode, network) ?? '' }];
  });
}

/**
 * Returns the networks that an exchange lists, each with the smallest deposit and whether deposits and withdrawals are
 * open.
 */
export function listedNetworks(exchange: Exchange, chainName: ChainName, codes?: readonly string[]) {
  const asked = networksOf(chainName).filter(({ assetCode }) => codes === undefined || codes.includes(assetCode));
  return asked.map((one) => {
    const receiving = findDepositMethod(one.asset, one.depositMethod);
    const terms = receiving === null ? null : termsOf(exchange, receiving);
    const canDeposit = allowsDeposits(one.asset) && terms?.listed === true;
    return { ...one, canWithdraw: allowsWithdrawals(one.asset), canDeposit, minDeposit: terms?.minimum ?? '' };
  });
}

/** The networks that an exchange lists, by asset. */
export function networksByAsset(...listed: Parameters<typeof listedNetworks>) {
  const byAsset = new Map<string, ReturnType<typeof listedNetworks>>();
  for (const one of listedNetworks(...listed)) byAsset.set(one.assetCode, [...(byAsset.get(one.assetCode) ?? []), one]);
  return [...byAsset];
}

/** The network of an asset by the exchange's name. */
export function networkOf(chainName: ChainName, asset: SandboxAsset, chain: string): ListedNetwork | undefined {
  return networksOf(chainName).find((one) => one.assetCode === asset.code && one.chain === chain);
}

/**
 * Returns the deposit addresses of the account for an asset, oldest first within each network. The Lightning network is
 * left out, because its invoices are not addresses. With `creates`, a network without an address gets one.
 * @throws Refusal
 */
export function shownAddresses(call: Call, chainName: ChainName, asset: SandboxAsset, { creates = true } = {}) {
  if (!allowsDeposits(asset)) throw new Refusal('deposits_closed');
  const listed = networksOf(chainName).filter((one) => one.assetCode === asset.code && one.network !== 'Lightning');
  return listed.flatMap((method) => {
    if (creates) fixedAddress(call, { asset, method });
    const receiving = findDepositMethod(asset, method.depositMethod);
    const all = receiving === null ? [] : addressesOf(call.exchange, call.account, receiving);
    const { chain, network, contract } = method;
    return all.map(({ address, memo }, index) => ({
      chain,
      network,
      contract,
      address,
      memo,
      isLatest: index === all.length - 1,
    }));
  });
}

/** Creates the one deposit address of the account on a network. @throws Refusal */
export function createAddress(call: Call, network: ListedNetwork | undefined) {
  if (network === undefined || network.network === 'Lightning') throw new Refusal('network_unknown');
  const { asset } = network;
  const receiving = findDepositMethod(asset, network.depositMethod);
  if (!allowsDeposits(asset) || receiving === null) throw new Refusal('deposits_closed');
  if (addressesOf(call.exchange, call.account, receiving).length > 0) throw new Refusal('address_exists');
  return { ...network, ...fixedAddress(call, { asset, method: network }) };
}
