import { lookUp } from '../../declaration/look-up.js';

/**
 * Our network ids by Gate's names of chains. Other names are left out. The names are those of the table in ccxt 4.5.84
 * (`gate.options.networks`) and of the recorded list in github.com/ccxt/ccxt (ts/src/test/static/currencies/gate.json at
 * 178eebd).
 */
const byChain: Readonly<Record<string, string>> = {
  ...{ BTC: 'bitcoin', ETH: 'ethereum', ARBEVM: 'arbitrum', OPETH: 'optimism', BASEEVM: 'base', MATIC: 'polygon' },
  ...{ BSC: 'bsc', AVAX_C: 'avalanche', LINEAETH: 'linea', ZKSERA: 'zksync', SOL: 'solana', TRX: 'tron' },
  ...{ XRP: 'ripple', XLM: 'stellar', HBAR: 'hedera', TON: 'ton', ADA: 'cardano', ALGO: 'algorand', NEAR: 'near' },
  ...{ XTZ: 'tezos', SUI: 'sui', APT: 'aptos' },
};

/** Our id of a chain; null = it is not one of ours. */
export function networkIdOf(chain: string): string | null {
  return lookUp(byChain, chain);
}
