/**
 * Kraken's names of networks (`network` of WithdrawMethods and WithdrawStatus), and of methods where older answers carry
 * no network. A name that is not here is left out: it may be a bank, or a variant of a token that shares its network
 * with the real one ("Polygon - USDC.e"), and sending to the wrong one loses funds.
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

/** Our id of what a withdrawal method moves on; null = not one of ours. */
export function networkIdOf({ network, method }: { network: string | null; method: string }): string | null {
  const names = network === null ? byMethod : byNetwork;
  const name = network ?? method;
  return Object.hasOwn(names, name) ? (names[name] ?? null) : null;
}
