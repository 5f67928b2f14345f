import type { ExchangeSpec } from '../port/exchange-spec.js';
import { exchanges } from './exchanges.js';

/** The facts about one exchange, for documents. */
export interface ExchangeFacts {
  readonly spec: ExchangeSpec;
  /** Whether owners can connect without an API key, by OAuth or QR login. */
  readonly isAuthorized: boolean;
  readonly hasPairs: boolean;
  readonly hasPrices: boolean;
}

/** All exchanges of the registry, in display order. */
export const exchangeFacts: readonly ExchangeFacts[] = Object.values(exchanges).map((exchange) => ({
  spec: exchange.spec,
  isAuthorized: exchange.authorization !== undefined,
  hasPairs: exchange.pairs !== undefined,
  hasPrices: exchange.tickers !== undefined,
}));
