import type { ListedNetwork } from '../../capabilities/network-list.js';
import { networkById } from '../../networks/networks.js';
import { tokenContract } from '../../networks/token-contracts.js';

/**
 * The names of networks that the documentation of addresses and sends mentions, which are our ids, too
 * (docs.cdp.coinbase.com/coinbase-app/transfer-apis/onchain-addresses). Other names are not documented.
 */
const NAMES = ['bitcoin', 'ethereum', 'solana', 'base', 'polygon'] as const;

export function networkIdOf(exchangeName: string | null): string | null {
  return NAMES.find((name) => name === exchangeName) ?? null;
}

/**
 * The networks of an asset. Coinbase lists neither networks nor contracts, so that an asset counts on the network of
 * which it is the coin, and where our table has its contract. Coinbase refuses a network that it does not serve.
 */
export function networksOf(asset: string): { id: string; name: string }[] {
  return NAMES.flatMap((id) => {
    const network = networkById(id);
    const isOwn = network?.coins.includes(asset) === true || tokenContract(asset, id) !== null;
    return network !== null && isOwn ? [{ id, name: network.name }] : [];
  });
}

/** Bounds are not documented. */
export const UNBOUNDED: Pick<ListedNetwork, 'minWithdrawal' | 'maxWithdrawal' | 'minDeposit'> = {
  minWithdrawal: null,
  maxWithdrawal: null,
  minDeposit: null,
};
