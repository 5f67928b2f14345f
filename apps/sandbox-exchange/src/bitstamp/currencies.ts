import type { Exchange } from '../exchange.js';
import { namedChains, networksByAsset } from '../rest/networks.js';
import { publicList, type TickerExchange } from '../tickers/ticker-exchange.js';

/**
 * For each network, Bitstamp's name: the values of `network` in the description of the API (RequestCryptoWithdrawal).
 */
export const bitstampChain = namedChains({
  ...{ Bitcoin: 'bitcoin', Ethereum: 'ethereum', Litecoin: 'litecoin', 'Bitcoin Cash': 'bitcoin-cash' },
  ...{ Stellar: 'stellar', Ripple: 'xrpl', Algorand: 'algorand', Hedera: 'hedera', Cardano: 'cardano' },
  ...{ 'Avalanche C-Chain': 'avalanche-c-chain', Solana: 'solana', Polkadot: 'polkadot', NEAR: 'near' },
  ...{ Dogecoin: 'doge', Sui: 'sui' },
});

const word = (isOpen: boolean): string => (isOpen ? 'Enabled' : 'Disabled');

/** Docs: GetCurrencies. */
function currencies(exchange: Exchange): unknown[] {
  return networksByAsset(exchange, bitstampChain).map(([currency, networks]) => ({
    ...{ name: currency, currency, type: 'crypto', symbol: currency, decimals: networks[0]?.asset.decimals },
    ...{ deposit: 'Enabled', withdrawal: 'Enabled' },
    networks: networks.map((one) => ({
      ...{ network: one.chain, deposit: word(one.canDeposit), withdrawal: word(one.canWithdraw) },
      ...{ withdrawal_decimals: one.asset.decimals, withdrawal_minimum_amount: one.minimum },
    })),
  }));
}

const failed = (code: string, reason: string): unknown => ({ status: 'error', reason, code });

export const bitstampCurrencies: TickerExchange = publicList({
  ...{ endpoint: 'bitstamp.currencies', path: '/api/v2/currencies/', list: currencies, empty: () => [] },
  limited: { status: 400, body: failed('400.002', 'Request rate limit exceeded.') },
  unavailable: { status: 503, body: failed('500.001', 'under scheduled maintenance') },
  errorIn: (body) => (body as { code?: string }).code ?? null,
});
