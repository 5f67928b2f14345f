import { lookUp } from '../../declaration/look-up.js';

/**
 * Our network ids by Binance's names of networks (`network`). Other names are left out. docs:
 * developers.binance.com/docs/wallet/capital; the names are those of the table in ccxt 4.5.84
 * (`binance.options.networks`).
 */
const byName: Readonly<Record<string, string>> = {
  BTC: 'bitcoin',
  LIGHTNING: 'lightning',
  ETH: 'ethereum',
  ARBITRUM: 'arbitrum',
  OPTIMISM: 'optimism',
  BASE: 'base',
  MATIC: 'polygon',
  BSC: 'bsc',
  AVAXC: 'avalanche',
  LINEA: 'linea',
  ZKSYNCERA: 'zksync',
  SOL: 'solana',
  TRX: 'tron',
  LTC: 'litecoin',
  BCH: 'bitcoincash',
  DOGE: 'dogecoin',
  ZEC: 'zcash',
  DASH: 'dash',
  XMR: 'monero',
  XRP: 'ripple',
  XLM: 'stellar',
  HBAR: 'hedera',
  STX: 'stacks',
  ATOM: 'cosmos',
  TIA: 'celestia',
  INJ: 'injective',
  SEI: 'sei',
  TON: 'ton',
  ADA: 'cardano',
  ALGO: 'algorand',
  NEAR: 'near',
  XTZ: 'tezos',
  SUI: 'sui',
  APT: 'aptos',
  FIL: 'filecoin',
};

/** Our id of a network; null = it is not one of ours. */
export function networkIdOf(name: string): string | null {
  return lookUp(byName, name);
}
