import { addressMatches, canonicalAddress } from './address-rule.js';
import { isCoin, networkById, type Network } from './networks.js';
import { isIssuedByList, tokenContract } from './token-contracts.js';

/** An asset on a chain, as an exchange lists it for deposits or withdrawals. */
export interface ListedAsset {
  /** Our code of the asset. */
  readonly asset: string;
  /** Our id of the chain that the exchange names; null = our table of the exchange's names lacks it. */
  readonly networkId: string | null;
  /**
   * The token contract that the exchange lists with the asset, whole or only its ending; null = the exchange lists
   * contracts, but none with this asset; absent = the exchange lists no contracts at all.
   */
  readonly contract?: string | { readonly ending: string } | null;
}

/**
 * The network on which an exchange pays out or receives exactly this asset; null = we do not know the network, or the
 * asset there is another token with the same name. Our table of contracts (`tokenContract`) decides:
 *
 * - A coin on its own chain has no contract. A listed contract is ignored: some exchanges list wrong ones.
 * - A coin on another chain is a token there. Its listed contract must equal the one in our table, so that wrapped
 *   coins (BTC on Ethereum) are never offered.
 * - The listed contract of a token must equal the one in our table. If our table has no contract of the token on this
 *   network, every possible contract is accepted, unless the issuer lists all contracts of the token.
 *
 * If an exchange lists no contracts, our table of its network names must leave out the networks of other tokens with
 * the same name, such as `polygon-usdc-e`. A coin is then accepted on another chain only if our table of contracts has
 * its contract there.
 */
export function assetNetwork({ asset, networkId, contract }: ListedAsset): Network | null {
  const network = networkById(networkId ?? '');
  if (network === null) return null;
  if (network.coins.includes(asset)) return network;
  const known = tokenContract(asset, network.id);
  if (contract === undefined) return known === null && isCoin(asset) ? null : network;
  if (contract === null || contract === '') return null;
  if (known !== null) return isContract(contract, known) ? network : null;
  const isAnothers = isCoin(asset) || isIssuedByList(asset) || !canBeContract(contract, network);
  return isAnothers ? null : network;
}

/** The facts about a network for withdrawals of an asset that our own tables state. */
export function networkFacts(asset: string, { id, name, caip2: chainId, addressRegex, tagType }: Network) {
  return { asset, id, name, chainId, tokenAddress: tokenContract(asset, id), addressRegex, tagType };
}

function isContract(listed: Exclude<ListedAsset['contract'], null | undefined>, known: string): boolean {
  if (typeof listed === 'string') return canonicalAddress(listed) === canonicalAddress(known);
  // Exchanges do not document the case of the letters in an ending. No token has two contracts that differ only in the
  // case of letters.
  return listed.ending !== '' && known.toLowerCase().endsWith(listed.ending.toLowerCase());
}

/**
 * Whether a listed contract is possible on the network. A whole contract must match the network's address format. The
 * ending of a contract cannot be checked, so every ending that is not empty is possible.
 */
function canBeContract(listed: Exclude<ListedAsset['contract'], null | undefined>, { addressRegex }: Network): boolean {
  return typeof listed === 'string' ? addressMatches(addressRegex, listed) : listed.ending !== '';
}
