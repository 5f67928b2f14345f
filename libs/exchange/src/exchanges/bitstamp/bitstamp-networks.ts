import { lookUp } from '../../declaration/look-up.js';

/**
 * Our network ids by Bitstamp's names: the values of `network` in the description of the API
 * (www.bitstamp.net/api/#tag/Withdrawals/operation/RequestCryptoWithdrawal). Other names are left out.
 */
const byName: Readonly<Record<string, string>> = {
  bitcoin: 'bitcoin',
  ethereum: 'ethereum',
  litecoin: 'litecoin',
  'bitcoin-cash': 'bitcoincash',
  stellar: 'stellar',
  xrpl: 'ripple',
  algorand: 'algorand',
  hedera: 'hedera',
  cardano: 'cardano',
  'avalanche-c-chain': 'avalanche',
  solana: 'solana',
  polkadot: 'polkadot',
  near: 'near',
  doge: 'dogecoin',
  sui: 'sui',
};

/** Our id of a network; null = it is not one of ours. */
export function networkIdOf(network: string): string | null {
  return lookUp(byName, network);
}
