import { allowsDeposits, methods, methodsOf, type FundingMethod, type SandboxAsset } from '../catalogue.js';
import { fixedAddress } from '../kraken/funding/deposits.js';
import { addressRule } from '../data/address-rules.js';
import { endpoint, ok } from './handler.js';
import { findNetwork, getAsset, networkIdOf, tagTypeOf } from './networks.js';
import { PartnerError } from './partner-error.js';

function methodRecord(method: FundingMethod, asset: SandboxAsset): unknown {
  return {
    asset: asset.code,
    network: networkIdOf(method.network),
    displayName: method.depositMethod,
    addressRegex: addressRule(method.network),
    tagType: tagTypeOf(method),
    minimum: method.minimum,
    fee: '0',
    limit: null,
  };
}

/** Lists the deposit networks of assets with open deposits. */
export const depositMethods = endpoint({
  permission: 'read',
  handler: ({ query }) => {
    const only = query.asset === undefined ? null : getAsset(query.asset);
    const records = (only === null ? methods : methodsOf(only)).flatMap((method) => {
      const asset = getAsset(method.assetCode);
      return allowsDeposits(asset) ? [methodRecord(method, asset)] : [];
    });
    return ok({ depositMethods: records });
  },
});

/** Returns the one permanent address for an asset and a network. No call creates another. */
export const depositAddresses = endpoint({
  permission: 'read',
  handler: (call) => {
    const { asset: code, network } = call.query;
    if (code === undefined || network === undefined)
      throw new PartnerError('invalid_request', 'asset and network are required');
    const asset = getAsset(code);
    const method = findNetwork(asset, network);
    if (method === null || !allowsDeposits(asset)) {
      throw new PartnerError('network_not_supported', `${code} cannot be deposited on ${network}`);
    }
    const { address, memo } = fixedAddress(call, { asset, method });
    return ok({ addresses: [{ asset: code, network, address, tag: memo, expiresAt: null }] });
  },
});
