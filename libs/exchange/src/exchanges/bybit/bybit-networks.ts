import { lookUp } from '../../declaration/look-up.js';

/**
 * Our network ids by Bybit's `chain`. Other names are left out. docs: bybit-exchange.github.io/docs/v5/asset/coin-info;
 * the names are those of the table in ccxt 4.5.84 (`bybit.options.networks`), and of samples of the documentation.
 */
const byChain: Readonly<Record<string, string>> = {
  BTC: 'bitcoin',
  ETH: 'ethereum',
  ETC: 'ethereumclassic',
  ARBI: 'arbitrum',
  OP: 'optimism',
  BASE: 'base',
  MATIC: 'polygon',
  BSC: 'bsc',
  CAVAX: 'avalanche',
  ZKV2: 'zksync',
  SOL: 'solana',
  TRX: 'tron',
  LTC: 'litecoin',
  BCH: 'bitcoincash',
  DOGE: 'dogecoin',
  XRP: 'ripple',
  XLM: 'stellar',
  HBAR: 'hedera',
  STX: 'stacks',
  ATOM: 'cosmos',
  TON: 'ton',
  ADA: 'cardano',
  DOT: 'polkadot',
  ALGO: 'algorand',
  NEAR: 'near',
  XTZ: 'tezos',
  SUI: 'sui',
  APTOS: 'aptos',
  FIL: 'filecoin',
};

/** Our id of a chain; null = it is not one of ours. */
export function networkIdOf(chain: string): string | null {
  return lookUp(byChain, chain);
}
