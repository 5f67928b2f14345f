import type { Exchange } from '../exchange.js';
import { statusOf } from '../trading/order-book.js';
import { namedChains, networksByAsset } from '../rest/networks.js';
import { MarketList, marketsOf, type ListedMarket } from '../tickers/listed-markets.js';

/** Sources: the pages of www.bitget.com/api-doc/spot/market (December 2025). */

/**
 * For each network, Bitget's `chain`; github.com/ccxt/ccxt has a recorded list
 * (ts/src/test/static/currencies/bitget.json). The sandbox lists no other network for Bitget. It lists BTC on Ethereum
 * (kBTC), because real exchanges list wrapped coins under the name of the coin.
 */
export const bitgetChain = namedChains({
  Bitcoin: 'BTC',
  Lightning: 'LIGHTNING',
  Ethereum: 'ERC20',
  'Ethereum (kBTC)': 'ERC20',
  Optimism: 'Optimism',
  'Arbitrum One': 'ArbitrumOne',
  Base: 'BASE',
  Polygon: 'Polygon',
  'BNB Smart Chain': 'BEP20',
  Linea: 'LINEA',
  'Avalanche C-Chain': 'AVAXC-Chain',
  Solana: 'SOL',
  Tron: 'TRC20',
  Litecoin: 'LTC',
  'Bitcoin Cash': 'BCH',
  Dogecoin: 'DOGE',
  Ripple: 'XRP',
  Cosmos: 'ATOM',
  Cardano: 'Cardano',
  Polkadot: 'DOT',
  NEAR: 'NEARProtocol',
  Aptos: 'Aptos',
  Filecoin: 'FIL',
});

export const bitgetMarkets = new MarketList(
  marketsOf({ quotes: 'USDT USDC EUR BTC ETH', without: 'XMR DASH ZEC' }),
  ({ base, quote }) => base + quote,
);

/** Docs: Get-Coin-List. */
function coins(exchange: Exchange): unknown[] {
  return networksByAsset(exchange, bitgetChain).map(([coin, networks], index) => {
    const chains = networks.map((one) => ({
      chain: one.chain,
      needTag: String(one.memo !== null),
      withdrawable: String(one.canWithdraw),
      rechargeable: String(one.canDeposit),
      withdrawFee: one.fee,
      extraWithdrawFee: '0',
      depositConfirm: '1',
      withdrawConfirm: '1',
      minDepositAmount: one.minDeposit,
      minWithdrawAmount: one.minimum,
      withdrawStep: '0',
      withdrawMinScale: String(one.asset.decimals),
      contractAddress: one.contract,
      congestion: 'normal',
      browserUrl: '',
    }));
    return { coinId: String(index + 1), coin, transfer: 'true', chains };
  });
}

/** Docs: Get-Symbols. */
function symbol(exchange: Exchange, market: ListedMarket): object {
  const { base, quote, pair } = market;
  const { info } = pair;
  return {
    symbol: bitgetMarkets.symbolOf(market),
    baseCoin: base,
    quoteCoin: quote,
    minTradeAmount: info.ordermin,
    minTradeUSDT: info.costmin,
    takerFeeRate: '0.004',
    makerFeeRate: '0.0025',
    pricePrecision: String(info.pair_decimals),
    quantityPrecision: String(info.lot_decimals),
    status: statusOf(exchange, pair) === 'online' ? 'online' : 'halt',
  };
}

/** The public lists of coins and pairs. */
export const bitgetLists = {
  coins: { path: '/api/v2/spot/public/coins', content: coins },
  symbols: {
    path: '/api/v2/spot/public/symbols',
    content: (exchange: Exchange) => bitgetMarkets.all.map((one) => symbol(exchange, one)),
  },
};
