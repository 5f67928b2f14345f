import type { Dialect } from '../faults/dialect.js';
import type { TickerExchange } from '../tickers/ticker-exchange.js';

const ENDPOINT = 'chain.esplora';

const dialect: Dialect = { refusals: {}, emptied: () => ({}), errorIn: () => null };

/**
 * A chain API as https://github.com/Blockstream/esplora/blob/master/API.md documents it, which knows no transaction:
 * what the sandbox exchange sends moves on no chain. It is there for its faults, which meet both of its calls.
 */
export const chainApi: readonly TickerExchange[] = [
  {
    endpoint: ENDPOINT,
    paths: ['/chain/:network/tx/:txid'],
    answer: () => ({ status: 404, body: 'Transaction not found' }),
    dialect,
  },
  {
    endpoint: ENDPOINT,
    paths: ['/chain/:network/address/:address/txs'],
    answer: () => ({ status: 200, body: [] }),
    dialect,
  },
];
