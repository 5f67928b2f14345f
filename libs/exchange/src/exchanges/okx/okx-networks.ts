import { lookUp } from '../../declaration/look-up.js';

/**
 * Our network ids by OKX's names of chains: the part of `chain` after the asset ("USDT-ERC20"). Other names are left
 * out. docs: www.okx.com/docs-v5/en/#funding-account-rest-api-get-currencies; the names are those of the table in ccxt
 * 4.5.84 (`okx.options.networks`), and "Bitcoin", "Ethereum" in samples of the documentation.
 */
const byChain: Readonly<Record<string, string>> = {
  Bitcoin: 'bitcoin',
  Lightning: 'lightning',
  Ethereum: 'ethereum',
  ERC20: 'ethereum',
  'Ethereum Classic': 'ethereumclassic',
  'Arbitrum One': 'arbitrum',
  Optimism: 'optimism',
  Base: 'base',
  Polygon: 'polygon',
  BSC: 'bsc',
  'Avalanche C-Chain': 'avalanche',
  Linea: 'linea',
  'zkSync Era': 'zksync',
  Solana: 'solana',
  TRC20: 'tron',
  Litecoin: 'litecoin',
  BitcoinCash: 'bitcoincash',
  Dogecoin: 'dogecoin',
  Zcash: 'zcash',
  Ripple: 'ripple',
  'Stellar Lumens': 'stellar',
  Hedera: 'hedera',
  'l-Stacks': 'stacks',
  Cosmos: 'cosmos',
  Celestia: 'celestia',
  INJ: 'injective',
  SEI: 'sei',
  TON: 'ton',
  Cardano: 'cardano',
  Polkadot: 'polkadot',
  Kusama: 'kusama',
  Algorand: 'algorand',
  NEAR: 'near',
  Tezos: 'tezos',
  SUI: 'sui',
  Aptos: 'aptos',
  Filecoin: 'filecoin',
};

/** Our id of the chain of an asset; null = it is not one of ours. */
export function networkIdOf(assetId: string, chain: string): string | null {
  const prefix = `${assetId}-`;
  const name = chain.startsWith(prefix) ? chain.slice(prefix.length) : '';
  return lookUp(byChain, name);
}
