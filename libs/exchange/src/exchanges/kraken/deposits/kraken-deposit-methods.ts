import { assetNetwork } from '../../../networks/asset-network.js';
import { networkIdOf } from '../protocol/kraken-networks.js';
import { lookUp } from '../../../declaration/look-up.js';

/**
 * Our network ids by asset code and Kraken's name of the deposit method. DepositMethods contains no network, so only
 * the name of the method identifies the network, and only together with the asset: the method "Optimism" of ETH
 * receives ETH, but that of USDC receives USDC.e.
 * The names are those that client libraries have recorded: ccxt (kraken.js, `depositMethods`), XChange (pull request
 * 4619), npm-kraken-api (issue 53) and others in their tests. This table also has some coins under Kraken's name of
 * their own chain ("Solana" for SOL).
 * These recorded names are left out:
 * - names of a token alone ("USDC", "Link"), which identify the network only while the token is on one chain
 * - "Ethereum (Polygon)" for ETH, which is a wrapped coin
 * - "Ethereum (ERC20)" for ETH, because ETH is not an ERC-20 token. Only one library has recorded this name, and all
 *   libraries have recorded "Ether (Hex)".
 * - "Injective Protocol (INJ)" for INJ: INJ was a token on Ethereum when Kraken introduced the name, and is also the
 *   coin of a chain of its own now
 */
const named: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  BTC: { Bitcoin: 'bitcoin', 'Bitcoin Lightning': 'lightning' },
  ETH: {
    'Ether (Hex)': 'ethereum',
    'Arbitrum One': 'arbitrum',
    Optimism: 'optimism',
    'ETH - Base (Unified)': 'base',
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
  INJ: { Injective: 'injective' },
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

/** The tables of names of methods of deposits, one for each asset. */
export const depositNetworkNames = Object.values(named);

/**
 * Names that consist of an asset and Kraken's name of the network: "USDC - Base (Unified)", "PENGU - Solana". SPL in
 * "USDC (SPL)" is Solana's token standard.
 */
const ofChain = /^(?<asset>.+?) (?:- (?<chain>.+?)(?: \(Unified\))?|\(SPL\))$/;

/**
 * Our id of the network on which a method receives an asset; null = not known for certain. A name that consists of
 * asset and network counts only for that exact asset: "USDC.e - Optimism (Unified)" receives a variant of USDC, and
 * USDC sent there is lost.
 */
export function depositNetworkOf(asset: string, method: string): string | null {
  const ofAsset = lookUp(named, asset) ?? {};
  const exact = lookUp(ofAsset, method);
  if (exact !== null) return exact;
  const parts = ofChain.exec(method)?.groups;
  if (parts?.['asset'] !== asset) return null;
  const networkId = networkIdOf({ network: parts['chain'] ?? 'Solana', method });
  return assetNetwork({ asset, networkId })?.id ?? null;
}
