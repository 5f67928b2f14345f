import type { ExchangeDeclaration } from '../declaration/exchange-declaration.js';
import { coinbase } from '../exchanges/coinbase/coinbase.js';
import { kraken } from '../exchanges/kraken/kraken.js';
import { sandbox } from '../exchanges/sandbox/sandbox.js';

/** All exchanges that can be connected. A new exchange gets one line here. */
export const exchanges = { kraken, coinbase, sandbox } as const satisfies Record<string, ExchangeDeclaration>;

export type ExchangeId = keyof typeof exchanges;

/** Ids of all exchanges, in display order. */
export const exchangeIds: readonly string[] = Object.keys(exchanges);

export function findExchange(id: string): ExchangeDeclaration | null {
  return Object.hasOwn(exchanges, id) ? exchanges[id as ExchangeId] : null;
}
