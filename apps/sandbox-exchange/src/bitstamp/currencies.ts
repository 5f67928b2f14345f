import type { Exchange } from '../exchange.js';
import { namedChains, networksByAsset } from '../rest/networks.js';

/**
 * For each network, Bitstamp's name: the values of `network` in the description of the API (RequestCryptoWithdrawal).
 */
export const bitstampChain = namedChains({
  Bitcoin: 'bitcoin',
  Ethereum: 'ethereum',
  Litecoin: 'litecoin',
  'Bitcoin Cash': 'bitcoin-cash',
  Stellar: 'stellar',
  Ripple: 'xrpl',
  Algorand: 'algorand',
  Hedera: 'hedera',
  Cardano: 'cardano',
  'Avalanche C-Chain': 'avalanche-c-chain',
  Solana: 'solana',
  Polkadot: 'polkadot',
  NEAR: 'near',
  Dogecoin: 'doge',
  Sui: 'sui',
});

const word = (isOpen: boolean): string => (isOpen ? 'Enabled' : 'Disabled');

/** Docs: GetCurrencies. */
export function currencies(exchange: Exchange): unknown[] {
  return networksByAsset(exchange, bitstampChain).map(([currency, networks]) => ({
    name: currency,
    currency,
    type: 'crypto',
    symbol: currency,
    decimals: networks[0]?.asset.decimals,
    deposit: 'Enabled',
    withdrawal: 'Enabled',
    networks: networks.map((one) => ({
      network: one.chain,
      deposit: word(one.canDeposit),
      withdrawal: word(one.canWithdraw),
      withdrawal_decimals: one.asset.decimals,
      withdrawal_minimum_amount: one.minimum,
    })),
  }));
}
