import { lookUp } from '../../../declaration/look-up.js';

/**
 * Our network ids by Kraken's names of networks (`network` of WithdrawMethods and WithdrawStatus). Other names are left
 * out. They may be banks, or variants of a token on the same chain ("Polygon - USDC.e"); funds sent to the wrong one
 * are lost.
 */
const byNetwork: Readonly<Record<string, string>> = {
  Bitcoin: 'bitcoin',
  Lightning: 'lightning',
  Ethereum: 'ethereum',
  'Ethereum Classic': 'ethereumclassic',
  Arbitrum: 'arbitrum',
  'Arbitrum One': 'arbitrum',
  Optimism: 'optimism',
  Base: 'base',
  Polygon: 'polygon',
  'Polygon PoS': 'polygon',
  'BNB Smart Chain': 'bsc',
  'Avalanche C-Chain': 'avalanche',
  Avalanche: 'avalanche',
  Linea: 'linea',
  'zkSync Era': 'zksync',
  Unichain: 'unichain',
  Solana: 'solana',
  Tron: 'tron',
  Litecoin: 'litecoin',
  'Bitcoin Cash': 'bitcoincash',
  Dogecoin: 'dogecoin',
  Zcash: 'zcash',
  Dash: 'dash',
  Monero: 'monero',
  Ripple: 'ripple',
  'XRP Ledger': 'ripple',
  Stellar: 'stellar',
  Hedera: 'hedera',
  Stacks: 'stacks',
  Cosmos: 'cosmos',
  'Cosmos Hub': 'cosmos',
  Celestia: 'celestia',
  Injective: 'injective',
  Sei: 'sei',
  TON: 'ton',
  'The Open Network': 'ton',
  Cardano: 'cardano',
  Polkadot: 'polkadot',
  Kusama: 'kusama',
  Algorand: 'algorand',
  Near: 'near',
  NEAR: 'near',
  Tezos: 'tezos',
  Sui: 'sui',
  Aptos: 'aptos',
  Filecoin: 'filecoin',
};

const byMethod: Readonly<Record<string, string>> = {
  Bitcoin: 'bitcoin',
  'Bitcoin Lightning': 'lightning',
  Ether: 'ethereum',
  'Ether (Hex)': 'ethereum',
  'Tether USD (ERC20)': 'ethereum',
  'Tether USD (TRC20)': 'tron',
  Litecoin: 'litecoin',
  'Bitcoin Cash': 'bitcoincash',
  Dogecoin: 'dogecoin',
  'Ripple XRP': 'ripple',
  'Stellar XLM': 'stellar',
  Solana: 'solana',
  Tron: 'tron',
  Cosmos: 'cosmos',
  Polkadot: 'polkadot',
  Algorand: 'algorand',
  Monero: 'monero',
  'Zcash (Transparent)': 'zcash',
};

/** The tables of names of networks and of methods of withdrawals. */
export const withdrawalNetworkNames = [byNetwork, byMethod];

/**
 * Our id of a withdrawal method's network; null = it is not one of ours. Older responses contain no network, so then
 * the name of the method identifies the network.
 */
export function networkIdOf({ network, method }: { network: string | null; method: string }): string | null {
  const names = network === null ? byMethod : byNetwork;
  const name = network ?? method;
  return lookUp(names, name);
}
