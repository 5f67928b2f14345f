import { lookUp } from '../../declaration/look-up.js';

/**
 * Our network ids by KuCoin's `chainId`. Other ids are left out. The ids are those of the table in ccxt 4.5.84
 * (`kucoin.options.networks`), and `btcln` of the documented list:
 * www.kucoin.com/docs-new/rest/spot-trading/market-data/get-all-currencies
 */
const byChainId: Readonly<Record<string, string>> = {
  btc: 'bitcoin',
  bech32: 'bitcoin',
  btcln: 'lightning',
  eth: 'ethereum',
  etc: 'ethereumclassic',
  arbitrum: 'arbitrum',
  optimism: 'optimism',
  base: 'base',
  matic: 'polygon',
  bsc: 'bsc',
  avaxc: 'avalanche',
  sol: 'solana',
  trx: 'tron',
  ltc: 'litecoin',
  bch: 'bitcoincash',
  doge: 'dogecoin',
  zec: 'zcash',
  xmr: 'monero',
  xrp: 'ripple',
  xlm: 'stellar',
  hbar: 'hedera',
  stx: 'stacks',
  atom: 'cosmos',
  ton: 'ton',
  ada: 'cardano',
  dot: 'polkadot',
  ksm: 'kusama',
  algo: 'algorand',
  near: 'near',
  xtz: 'tezos',
  aptos: 'aptos',
  fil: 'filecoin',
};

/** Our id of the chain of a record; null = it is not one of ours. */
export function networkIdOf(chainId: string): string | null {
  return lookUp(byChainId, chainId);
}

/**
 * Our id of a chain in the list of currencies. KuCoin lists Bitcoin twice: `btc`, and `bech32` for addresses of the
 * form bc1. Only `btc` is offered, so that one network has one entry.
 */
export function listedNetworkId(chainId: string): string | null {
  return chainId === 'bech32' ? null : networkIdOf(chainId);
}
