import type { ExchangeDeclaration } from '../declaration/exchange-declaration.js';
import { coinbase } from '../exchanges/coinbase/coinbase.js';
import { kraken } from '../exchanges/kraken/kraken.js';
import { sandbox } from '../exchanges/sandbox/sandbox.js';

/** Every exchange that can be connected: one declaration and one line here each. */
export const exchanges = { kraken, coinbase, sandbox } as const satisfies Record<string, ExchangeDeclaration>;

export type ExchangeId = keyof typeof exchanges;

/** Ids of all exchanges, in the order in which they are shown. */
export const exchangeIds: readonly string[] = Object.keys(exchanges);

/** The declaration of an exchange. */
export function findExchange(id: string): ExchangeDeclaration | null {
  return Object.hasOwn(exchanges, id) ? exchanges[id as ExchangeId] : null;
}
