import { binanceContract } from '../exchanges/binance/binance-contract.js';
import { bybitContract } from '../exchanges/bybit/bybit-contract.js';
import { gateContract } from '../exchanges/gate/gate-contract.js';
import { krakenContract } from '../exchanges/kraken/kraken-contract.js';
import { kucoinContract } from '../exchanges/kucoin/kucoin-contract.js';
import { okxContract } from '../exchanges/okx/okx-contract.js';
import type { ExchangeContract } from './contract/exchange-contract.js';

/** The contracts of exchanges with orders, by exchange id, for tests that let these exchanges lie about an order. */
export const orderContracts: Readonly<Record<string, ExchangeContract>> = {
  binance: binanceContract,
  bybit: bybitContract,
  gate: gateContract,
  kraken: krakenContract,
  kucoin: kucoinContract,
  okx: okxContract,
};
