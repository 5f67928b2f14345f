import type { ExchangeSpec } from '../port/exchange-spec.js';
import { declared, exchanges } from './exchanges.js';

/** The facts about one exchange, for documents. */
export interface ExchangeFacts {
  readonly name: string;
  /** The spec; null = the exchange has only public lists, and no account can be connected. */
  readonly spec: ExchangeSpec | null;
  /** Whether owners can connect without an API key, by OAuth or QR login. */
  readonly isAuthorized: boolean;
  readonly hasPairs: boolean;
  readonly hasPrices: boolean;
}

/** All exchanges of the registry, in display order. */
export const exchangeFacts: readonly ExchangeFacts[] = Object.entries(declared).map(([id, { pairs, tickers }]) => {
  const exchange = exchanges[id];
  return {
    name: exchange?.spec.name ?? id,
    spec: exchange?.spec ?? null,
    isAuthorized: exchange?.authorization !== undefined,
    hasPairs: pairs !== undefined,
    hasPrices: tickers !== undefined,
  };
});
