import type { Exchange } from '../exchange.js';
import { namedChains, networksByAsset } from '../rest/networks.js';

/**
 * For each network, KuCoin's `chainId`; ccxt 4.5.84 lists the ids (`kucoin.options.networks`). The sandbox lists no
 * other network for KuCoin. It lists BTC on Ethereum (kBTC), because real exchanges list wrapped coins under the name
 * of the coin.
 */
export const kucoinChain = namedChains({
  Bitcoin: 'btc',
  Lightning: 'btcln',
  Ethereum: 'eth',
  'Ethereum (kBTC)': 'eth',
  'Ethereum Classic': 'etc',
  'Arbitrum One': 'arbitrum',
  Optimism: 'optimism',
  Base: 'base',
  Polygon: 'matic',
  'BNB Smart Chain': 'bsc',
  'Avalanche C-Chain': 'avaxc',
  Solana: 'sol',
  Tron: 'trx',
  Litecoin: 'ltc',
  'Bitcoin Cash': 'bch',
  Dogecoin: 'doge',
  Zcash: 'zec',
  Monero: 'xmr',
  Ripple: 'xrp',
  Stellar: 'xlm',
  Hedera: 'hbar',
  Stacks: 'stx',
  Cosmos: 'atom',
  'The Open Network': 'ton',
  Cardano: 'ada',
  Polkadot: 'dot',
  Kusama: 'ksm',
  Algorand: 'algo',
  NEAR: 'near',
  Tezos: 'xtz',
  Aptos: 'aptos',
  Filecoin: 'fil',
});

/**
 * Docs: spot-trading/market-data/get-all-currencies. As on that page, Bitcoin has a second chain, for addresses in
 * bech32 (bc1…).
 */
export function currencies(exchange: Exchange): unknown[] {
  return networksByAsset(exchange, kucoinChain).map(([currency, networks]) => {
    const chains = networks.flatMap((one) => {
      const listed = {
        chainId: one.chain,
        chainName: one.chain.toUpperCase(),
        contractAddress: one.contract,
        confirms: 3,
        withdrawalMinSize: one.minimum,
        withdrawalMinFee: one.fee,
        withdrawFeeRate: '0',
        preConfirms: 1,
        maxWithdraw: one.maximum,
        maxDeposit: null,
        withdrawPrecision: one.asset.decimals,
        depositMinSize: one.minDeposit,
        needTag: one.memo !== null,
        isWithdrawEnabled: one.canWithdraw,
        isDepositEnabled: one.canDeposit,
      };
      return one.chain === 'btc' ? [listed, { ...listed, chainId: 'bech32', chainName: 'BTC-Segwit' }] : [listed];
    });
    const names = { currency, name: currency, fullName: currency, contractAddress: null, confirms: null };
    return { ...names, precision: 8, isMarginEnabled: false, isDebitEnabled: false, chains };
  });
}
