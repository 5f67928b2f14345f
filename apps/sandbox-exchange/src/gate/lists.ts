import type { Exchange } from '../exchange.js';
import { statusOf } from '../trading/order-book.js';
import { namedChains, networksByAsset } from '../rest/networks.js';
import { MarketList, marketsOf, type ListedMarket } from '../tickers/listed-markets.js';

/** Sources: www.gate.com/docs/developers/apiv4 (June 2026), spot */

/**
 * For each network, Gate's `chain`; ccxt 4.5.84 lists the names (`gate.options.networks`). The sandbox lists no other
 * network for Gate. It lists BTC on Ethereum (kBTC), because real exchanges list wrapped coins under the name of the
 * coin.
 */
export const gateChain = namedChains({
  Bitcoin: 'BTC',
  Ethereum: 'ETH',
  'Ethereum (kBTC)': 'ETH',
  'Arbitrum One': 'ARBEVM',
  Optimism: 'OPETH',
  Base: 'BASEEVM',
  Polygon: 'MATIC',
  'BNB Smart Chain': 'BSC',
  'Avalanche C-Chain': 'AVAX_C',
  Linea: 'LINEAETH',
  'zkSync Era': 'ZKSERA',
  Solana: 'SOL',
  Tron: 'TRX',
  Ripple: 'XRP',
  Stellar: 'XLM',
  Hedera: 'HBAR',
  'The Open Network': 'TON',
  Cardano: 'ADA',
  Algorand: 'ALGO',
  NEAR: 'NEAR',
  Tezos: 'XTZ',
  Sui: 'SUI',
  Aptos: 'APT',
});

export const gateMarkets = new MarketList(
  marketsOf({ quotes: 'USDT USDC BTC ETH', without: 'XMR DASH ZEC' }),
  ({ base, quote }) => `${base}_${quote}`,
);

/** Docs: "Query all currency information" */
function currencies(exchange: Exchange): unknown[] {
  return networksByAsset(exchange, gateChain).map(([currency, networks]) => {
    const chains = networks.map((one) => ({
      name: one.chain,
      addr: one.contract,
      withdraw_disabled: !one.canWithdraw,
      withdraw_delayed: false,
      deposit_disabled: !one.canDeposit,
    }));
    const open = { delisted: false, withdraw_disabled: false, withdraw_delayed: false, deposit_disabled: false };
    const facts = { trade_disabled: false, category: [], total_supply: '' };
    return { currency, name: currency, ...open, ...facts, chain: chains[0]?.name, chains };
  });
}

/** Docs: "Query all supported currency pairs" */
function pair(exchange: Exchange, market: ListedMarket): object {
  const { base, quote, pair: one } = market;
  const { info } = one;
  return {
    id: gateMarkets.symbolOf(market),
    base,
    quote,
    fee: '0.4',
    min_base_amount: info.ordermin,
    min_quote_amount: info.costmin,
    amount_precision: info.lot_decimals,
    precision: info.pair_decimals,
    trade_status: statusOf(exchange, one) === 'online' ? 'tradable' : 'untradable',
  };
}

/** The public lists of currencies and pairs. */
export const gateLists = {
  currencies: { path: '/api/v4/spot/currencies', content: currencies },
  pairs: {
    path: '/api/v4/spot/currency_pairs',
    content: (exchange: Exchange) => gateMarkets.all.map((one) => pair(exchange, one)),
  },
};
