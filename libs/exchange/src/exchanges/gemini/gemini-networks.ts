import { lookUp } from '../../declaration/look-up.js';

/**
 * Our network ids by Gemini's names, which have deposit addresses: the values of `network` of "List Deposit Addresses"
 * (developer.gemini.com/rest/fund-management).
 */
const withAddresses: Readonly<Record<string, string>> = {
  bitcoin: 'bitcoin',
  ethereum: 'ethereum',
  bitcoincash: 'bitcoincash',
  litecoin: 'litecoin',
  zcash: 'zcash',
  filecoin: 'filecoin',
  dogecoin: 'dogecoin',
  tezos: 'tezos',
  solana: 'solana',
  polkadot: 'polkadot',
  avalanche: 'avalanche',
  cosmos: 'cosmos',
  xrpl: 'ripple',
};

/** Further names of "List Past Transfers" and "Get Assets for Network". */
const others: Readonly<Record<string, string>> = {
  arbitrum: 'arbitrum',
  optimism: 'optimism',
  base: 'base',
  linea: 'linea',
};

export const networksWithAddresses: readonly string[] = Object.keys(withAddresses);

/** Our id of a network; null = it is not one of ours. */
export function networkIdOf(network: string): string | null {
  return lookUp(withAddresses, network) ?? lookUp(others, network);
}
