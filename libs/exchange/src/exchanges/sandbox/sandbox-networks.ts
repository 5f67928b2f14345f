import type { Amount } from '#money';
import { addressRulesOf } from '../../networks/address-rule.js';
import type { WithdrawalNetwork } from '../../port/exchange.port.js';
import { assetNetwork, networkFacts } from '../../networks/asset-network.js';
import type { SandboxNetwork } from './sandbox-responses.js';
import { lookUp } from '../../declaration/look-up.js';

/**
 * Our network ids, by the partner API's network ids. Other networks are left out, such as those of token variants that
 * share a chain with the real token (`polygon-usdc-e`).
 */
const ours: Readonly<Record<string, string>> = {
  bitcoin: 'bitcoin',
  lightning: 'lightning',
  ethereum: 'ethereum',
  'ethereum-classic': 'ethereumclassic',
  'arbitrum-one': 'arbitrum',
  optimism: 'optimism',
  base: 'base',
  polygon: 'polygon',
  'bnb-smart-chain': 'bsc',
  'avalanche-c-chain': 'avalanche',
  linea: 'linea',
  'zksync-era': 'zksync',
  unichain: 'unichain',
  solana: 'solana',
  tron: 'tron',
  litecoin: 'litecoin',
  'bitcoin-cash': 'bitcoincash',
  dogecoin: 'dogecoin',
  zcash: 'zcash',
  dash: 'dash',
  monero: 'monero',
  ripple: 'ripple',
  stellar: 'stellar',
  hedera: 'hedera',
  stacks: 'stacks',
  cosmos: 'cosmos',
  celestia: 'celestia',
  injective: 'injective',
  sei: 'sei',
  'the-open-network': 'ton',
  cardano: 'cardano',
  polkadot: 'polkadot',
  kusama: 'kusama',
  algorand: 'algorand',
  near: 'near',
  tezos: 'tezos',
  sui: 'sui',
  aptos: 'aptos',
  filecoin: 'filecoin',
};

/** The tables of names of networks. */
export const networkNames = [ours];

/** A network with its fee, which the API reports for every network. */
export type NetworkWithFee = WithdrawalNetwork & { fee: Amount };

/** Our network id; null = we do not know the network. */
export function networkIdOf(name: string): string | null {
  return lookUp(ours, name);
}

/** Converts an entry; null = an unknown network, a wrapped coin, or a fee that is charged in another asset. */
export function toNetwork(entry: SandboxNetwork): NetworkWithFee | null {
  const network = assetNetwork({ asset: entry.asset, networkId: networkIdOf(entry.network) });
  if (network === null || entry.feeAsset !== entry.asset) return null;
  return {
    ...networkFacts(entry.asset, network),
    ...addressRulesOf(network, entry.addressRegex),
    displayName: entry.displayName,
    assetName: entry.asset,
    exchangeNetworkId: entry.network,
    tagType: entry.tagType,
    decimals: Math.min(entry.decimals, network.maxDecimals ?? entry.decimals),
    minWithdrawal: entry.minimum.plus(entry.fee),
    maxWithdrawal: entry.maximum.plus(entry.fee),
    fee: entry.fee,
    feeAsset: entry.feeAsset,
  };
}
