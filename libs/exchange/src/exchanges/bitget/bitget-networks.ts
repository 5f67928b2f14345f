import { lookUp } from '../../declaration/look-up.js';

/**
 * Our network ids by Bitget's names of chains in lower case, because the documented list of coins has "BTC" where
 * requests and records have "erc20". Other names are left out. The names are those of the recorded list in
 * github.com/ccxt/ccxt (ts/src/test/static/currencies/bitget.json at 06876cd) and of the table in ccxt 4.5.84
 * (`bitget.options.networks`).
 */
const byChain: Readonly<Record<string, string>> = {
  ...{ btc: 'bitcoin', lightning: 'lightning', eth: 'ethereum', erc20: 'ethereum', etc: 'ethereumclassic' },
  ...{ arbitrumone: 'arbitrum', optimism: 'optimism', base: 'base', polygon: 'polygon', bep20: 'bsc' },
  ...{ 'c-chain': 'avalanche', 'avaxc-chain': 'avalanche', linea: 'linea', zksyncera: 'zksync' },
  ...{ sol: 'solana', trc20: 'tron', ltc: 'litecoin', bch: 'bitcoincash', doge: 'dogecoin', xrp: 'ripple' },
  ...{ atom: 'cosmos', ton: 'ton', cardano: 'cardano', dot: 'polkadot', kusama: 'kusama' },
  ...{ nearprotocol: 'near', aptos: 'aptos', fil: 'filecoin' },
};

/** Our id of a chain; null = it is not one of ours. */
export function networkIdOf(chain: string): string | null {
  return lookUp(byChain, chain.toLowerCase());
}
