import { assets, allowsWithdrawals, methods, methodsOf, type FundingMethod, type SandboxAsset } from '../catalogue.js';
import { addressRule } from '../data/address-rules.js';
import { endpoint, ok } from './handler.js';
import { PartnerError } from './partner-error.js';

const byCode = new Map(assets.map((asset) => [asset.code, asset]));

const idOf = (network: string): string =>
  network
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
const ids = new Map(methods.map(({ network }) => [network, idOf(network)]));

/** Converts a network name to its id: `Arbitrum One` becomes `arbitrum-one`. */
export function networkIdOf(network: string): string {
  return ids.get(network) ?? idOf(network);
}

/**
 * Finds an asset by its common code; the partner API does not know the names of other protocols.
 * @throws PartnerError `asset_not_supported`
 */
export function getAsset(code: string): SandboxAsset {
  const asset = byCode.get(code);
  if (asset === undefined) throw new PartnerError('asset_not_supported', `unknown asset ${code}`);
  return asset;
}

export function findNetwork(asset: SandboxAsset, networkId: string): FundingMethod | null {
  return methodsOf(asset).find(({ network }) => networkIdOf(network) === networkId) ?? null;
}

/** Key of an entry of the address book. */
export function bookKey(entry: {
  asset: SandboxAsset;
  networkId: string;
  address: string;
  tag: string | null;
}): string {
  return [entry.asset.code, entry.networkId, entry.address, entry.tag ?? ''].join(' ').trimEnd();
}

function networkRecord(method: FundingMethod, asset: SandboxAsset): unknown {
  return {
    asset: asset.code,
    network: networkIdOf(method.network),
    displayName: method.method,
    addressRegex: addressRule(method.network),
    tagType: tagTypeOf(method),
    decimals: asset.decimals,
    minimum: method.minimum,
    maximum: method.maximum,
    fee: method.fee,
    feeAsset: asset.code,
  };
}

export function tagTypeOf({ memo }: FundingMethod): 'memo' | 'destinationTag' | null {
  return memo === 'tag' ? 'destinationTag' : memo;
}

export const networks = endpoint({
  permission: 'read',
  handler: ({ query }) => {
    const only = query.asset === undefined ? null : getAsset(query.asset);
    const records = (only === null ? methods : methodsOf(only)).flatMap((method) => {
      const asset = getAsset(method.assetCode);
      return allowsWithdrawals(asset) ? [networkRecord(method, asset)] : [];
    });
    return ok({ networks: records });
  },
});
