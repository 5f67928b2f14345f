import { binanceProtocol } from '../binance/protocol.js';
import { bitgetProtocol } from '../bitget/protocol.js';
import { bitgetUnifiedProtocol } from '../bitget/unified-protocol.js';
import { bitstampProtocol } from '../bitstamp/protocol.js';
import { bybitProtocol } from '../bybit/protocol.js';
import { okxProtocol } from '../okx/protocol.js';
import { gateProtocol } from '../gate/protocol.js';
import { geminiProtocol } from '../gemini/protocol.js';
import { kucoinProtocol } from '../kucoin/protocol.js';
import type { RestProtocol } from './protocol.js';

/** The protocols of exchanges from which Causeway withdraws on most networks. */
export const withdrawingProtocols: readonly RestProtocol[] = [
  okxProtocol,
  bybitProtocol,
  kucoinProtocol,
  binanceProtocol,
];
/** The protocols of exchanges from which Causeway makes no withdrawals, or only over Lightning. */
const thinProtocols: readonly RestProtocol[] = [
  ...[bitgetProtocol, bitgetUnifiedProtocol],
  ...[gateProtocol, geminiProtocol, bitstampProtocol],
];

/** All protocols that work over the accounts and API keys of Kraken's protocol. */
export const restProtocols: readonly RestProtocol[] = [...withdrawingProtocols, ...thinProtocols];
