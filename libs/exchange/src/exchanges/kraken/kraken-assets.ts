import { z } from 'zod';
import { decimalPlaces, name } from '../../capabilities/response-fields.js';
import type { AssetListing } from '../../client/declared-exchange.js';
import { lookUp } from '../../declaration/look-up.js';
import { assetNetwork } from '../../networks/asset-network.js';
import { resultOf } from './kraken-responses.js';

/**
 * Kraken's older ids with a prefix: "X" for cryptocurrencies and "Z" for currencies of states. Newer ids have none, so
 * an id such as `XRT` keeps its letter. Kraken's page get-asset-info (2026): "legacy X/Z-prefixed format (XXBT, ZUSD)".
 * Kraken's article 360000920306 lists XETC, XETH, XLTC, XMLN, XREP and XXBT. No page that lists all was at hand.
 */
const PREFIXED = /^(?:X(?:ETC|ETH|LTC|MLN|REP|XBT|XDG|XLM|XMR|XRP|ZEC)|Z(?:AUD|CAD|EUR|GBP|JPY|USD))$/;

/**
 * The names that Kraken shows instead of two older ones. docs.kraken.com/api/docs/guides/spot-ws-intro (June 2026): "we
 * are using `BTC` instead of `XBT`". Not compared with a page: DOGE, which was written after ccxt 4.5.84.
 */
const SHOWN: Readonly<Record<string, string>> = { XBT: 'BTC', XDG: 'DOGE' };

/** The name that Kraken shows for an id or an alternative name. The suffix of a form, such as `.F`, stays. */
export function krakenCode(id: string): string {
  const [asset = '', ...form] = id.split('.');
  const short = PREFIXED.test(asset) ? asset.slice(1) : asset;
  return [Object.hasOwn(SHOWN, short) ? SHOWN[short] : short, ...form].join('.');
}

const entry = z.tuple([name, z.object({ altname: name, decimals: decimalPlaces })]);
const listed = resultOf(z.record(z.string(), z.unknown()).transform((result) => Object.entries(result)));

/**
 * docs.kraken.com/api-reference/market-data/get-asset-info (compared, 2026): `altname` of XXBT is XBT. The page does
 * not say that `altname` follows renamings.
 */
export const krakenAssets: AssetListing = {
  endpoint: { method: 'GET', path: '/0/public/Assets', isPublic: true },
  read: (body, lists) =>
    lists.read('Assets', listed(body), (each) => {
      const [id, { altname, decimals }] = entry.parse(each);
      return { id, name: krakenCode(altname), aliases: [altname], decimals };
    }),
  unlisted: krakenCode,
};

/**
 * The id of a pair's asset. Only `wsname` (`XBT/USD`) has the alternative name of the asset, which follows renamings.
 * @param shortName the asset's name in `wsname`; empty or undefined = not known.
 */
export function krakenAssetId(id: string, shortName: string | undefined): string {
  return shortName === undefined || shortName === '' ? id : shortName;
}

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
