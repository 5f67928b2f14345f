import { networkIdOf } from '../protocol/kraken-networks.js';

/**
 * What DepositMethods calls the ways of receiving, by our code of the asset. Its response names no network, so the name is
 * all that there is to go by, and a name says nothing of an asset that it is not listed for: "Optimism" receives ETH, but
 * is the way of USDC.e among those of USDC. As recorded by clients of Kraken: ccxt (kraken.js, `depositMethods`), XChange
 * (pull request 4619), npm-kraken-api (issue 53) and recordings of answers in tests of others; coins besides under
 * Kraken's own name of their chain. Left out although recorded: names of a token alone ("USDC", "Link"), which told a
 * chain only as long as there was one; and "Ethereum (ERC20)" of ETH, which one client alone recorded, beside the
 * "Ether (Hex)" of all of them, although ETH is no token of that standard.
 */
const named: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  BTC: { Bitcoin: 'bitcoin', 'Bitcoin Lightning': 'lightning' },
  ETH: {
    'Ether (Hex)': 'ethereum',
    'Arbitrum One': 'arbitrum',
    Optimism: 'optimism',
    'ETH - Base (Unified)': 'base',
    'Ethereum (Polygon)': 'polygon',
    'zkSync Era': 'zksync',
    Linea: 'linea',
  },
  USDT: {
    'Tether USD (ERC20)': 'ethereum',
    'Tether USD (TRC20)': 'tron',
    'Tether USD (SPL)': 'solana',
    'Tether USD (Polygon)': 'polygon',
    'Tether USD (Aptos)': 'aptos',
  },
  USDC: { 'USDC - Stellar XLM': 'stellar' },
  BNB: { 'BNB - BNB Chain': 'bsc' },
  AVAX: { 'AVAX - Avalanche C-Chain (Unified)': 'avalanche' },
  INJ: { 'Injective Protocol (INJ)': 'ethereum', Injective: 'injective' },
  LTC: { Litecoin: 'litecoin' },
  BCH: { 'Bitcoin Cash': 'bitcoincash' },
  DOGE: { Dogecoin: 'dogecoin' },
  ZEC: { 'Zcash (Transparent)': 'zcash' },
  DASH: { Dash: 'dash' },
  XMR: { Monero: 'monero' },
  XRP: { 'Ripple XRP': 'ripple' },
  XLM: { 'Stellar XLM': 'stellar' },
  ETC: { 'Ether Classic (Hex)': 'ethereumclassic' },
  SOL: { Solana: 'solana' },
  TRX: { Tron: 'tron' },
  ADA: { ADA: 'cardano' },
  DOT: { Polkadot: 'polkadot' },
  KSM: { Kusama: 'kusama' },
  ATOM: { Cosmos: 'cosmos' },
  TIA: { Celestia: 'celestia' },
  SEI: { Sei: 'sei' },
  ALGO: { Algorand: 'algorand' },
  XTZ: { XTZ: 'tezos' },
  FIL: { Filecoin: 'filecoin' },
  NEAR: { NEAR: 'near' },
  SUI: { Sui: 'sui' },
  APT: { Aptos: 'aptos' },
  TON: { TON: 'ton' },
  HBAR: { Hedera: 'hedera' },
  STX: { Stacks: 'stacks' },
};

/**
 * Coins of chains: received on the networks that are named above, in either form of a name. Elsewhere something that
 * somebody else issued would go by their name.
 */
const coins: ReadonlySet<string> = new Set(
  (
    'BTC ETH BNB AVAX LTC BCH DOGE ZEC DASH XMR XRP XLM ETC SOL TRX ADA DOT KSM ATOM TIA SEI ALGO XTZ FIL NEAR SUI APT ' +
    'TON HBAR STX'
  ).split(' '),
);

/**
 * "USDC - Base (Unified)", "PENGU - Solana": asset, and Kraken's own name of the network. "USDC (SPL)": SPL is Solana's
 * standard of tokens, and nobody else's.
 */
const ofChain = /^(?<asset>[^ ]+) (?:- (?<chain>.+?)(?: \(Unified\))?|\(SPL\))$/;

/**
 * Our id of the network on which a method receives an asset; null = not known for certain. In the names that are made of
 * asset and chain, the asset must be the very one: "USDC.e - Optimism (Unified)" receives a variant of USDC, and USDC
 * that is sent there is lost.
 */
export function depositNetworkOf(asset: string, method: string): string | null {
  const ofAsset = entryOf(named, asset) ?? {};
  const exact = entryOf(ofAsset, method);
  if (exact !== null) return exact;
  const parts = ofChain.exec(method)?.groups;
  if (parts?.['asset'] !== asset) return null;
  const network = networkIdOf({ network: parts['chain'] ?? 'Solana', method });
  if (network === null || !coins.has(asset)) return network;
  return Object.values(ofAsset).includes(network) ? network : null;
}

function entryOf<T>(record: Readonly<Record<string, T>>, key: string): T | null {
  return Object.hasOwn(record, key) ? (record[key] ?? null) : null;
}
