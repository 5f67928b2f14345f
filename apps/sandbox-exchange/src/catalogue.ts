import type { Amount } from '#money';
import { assets, type SandboxAsset } from './data/assets.js';
import { depositMethods, type DepositMethod, type DepositTerms } from './data/deposit-methods.js';
import { methods, type FundingMethod } from './data/networks.js';

const byId = new Map(assets.map((asset) => [asset.id, asset]));
const byName = new Map<string, SandboxAsset>();
for (const asset of assets) {
  for (const name of [asset.id, asset.altname, asset.code]) byName.set(name.toUpperCase(), asset);
}

/** Finds an asset by id, alternative name or common code: Kraken accepts `XXBT` and `XBT`, the control API `BTC`. */
export function findAsset(name: string): SandboxAsset | null {
  return byName.get(name.toUpperCase()) ?? null;
}

/** @throws Error when the exchange has no asset of this id */
export function assetById(id: string): SandboxAsset {
  const asset = byId.get(id);
  if (asset === undefined) throw new Error(`there is no asset ${id}`);
  return asset;
}

export function methodsOf(asset: SandboxAsset): FundingMethod[] {
  return methods.filter((method) => method.assetCode === asset.code);
}

export function findMethod(asset: SandboxAsset, name: string): FundingMethod | null {
  return methodsOf(asset).find((method) => method.method === name || method.depositMethod === name) ?? null;
}

export function depositMethodsOf(asset: SandboxAsset): DepositMethod[] {
  return depositMethods.filter((method) => method.assetCode === asset.code);
}

/** Finds a deposit method by its own name, or by the name of the withdrawal method on the same network. */
export function findDepositMethod(asset: SandboxAsset, name: string): DepositMethod | null {
  const methods = depositMethodsOf(asset);
  const own = methods.find((method) => method.name === name);
  const withdrawalMethod = findMethod(asset, name);
  return own ?? methods.find(({ network }) => network === withdrawalMethod?.network) ?? null;
}

export const allowsWithdrawals = ({ status }: SandboxAsset): boolean =>
  status === 'enabled' || status === 'withdrawal_only';

export const allowsDeposits = ({ status }: SandboxAsset): boolean => status === 'enabled' || status === 'deposit_only';

/** Writes an amount as Kraken does, with all decimal places of the asset. */
export function withAllDigits(amount: Amount | string, { decimals }: SandboxAsset): string {
  const [whole = '0', fraction = ''] = amount.toString().split('.');
  return decimals === 0 ? whole : `${whole}.${fraction.padEnd(decimals, '0')}`;
}

export { assets, methods, type DepositMethod, type DepositTerms, type FundingMethod, type SandboxAsset };
