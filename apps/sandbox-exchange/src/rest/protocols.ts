import { binanceProtocol } from '../binance/protocol.js';
import { bybitProtocol } from '../bybit/protocol.js';
import { okxProtocol } from '../okx/protocol.js';
import { kucoinProtocol } from '../kucoin/protocol.js';
import type { RestProtocol } from './protocol.js';

/** All protocols of exchanges over the accounts and keys of Kraken's protocol. */
export const restProtocols: readonly RestProtocol[] = [okxProtocol, bybitProtocol, kucoinProtocol, binanceProtocol];
