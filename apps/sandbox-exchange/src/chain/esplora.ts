import type { Protocol } from '../faults/protocol.js';
import type { TickerExchange } from '../tickers/ticker-exchange.js';

const ENDPOINT = 'chain.esplora';

const protocol: Protocol = { refusals: {}, emptied: () => ({}), errorIn: () => null };

/**
 * A chain API as in https://github.com/Blockstream/esplora/blob/master/API.md. It has no transactions, because the
 * sandbox's withdrawals exist on no chain. Tests arm faults for it; a fault applies to both paths, because they are one
 * endpoint.
 */
export const chainApi: readonly TickerExchange[] = [
  {
    endpoint: ENDPOINT,
    paths: ['/chain/:network/tx/:txid'],
    respond: () => ({ status: 404, body: 'Transaction not found' }),
    protocol,
  },
  {
    endpoint: ENDPOINT,
    paths: ['/chain/:network/address/:address/txs'],
    respond: () => ({ status: 200, body: [] }),
    protocol,
  },
];
