/**
 * exchange: everything that speaks to an exchange.
 *
 * Owns: the port that features see (`ExchangeSession`), the registry of exchanges, the connectors behind it, sessions and
 * their limits, how owners of accounts authorize us (`Authorizations`), and the reading of exchanges' errors.
 * Never does: persist, retry, decide policy, or know of tenants beyond the credential it is given.
 * Invariants: one ccxt instance per credential, never re-keyed; a submit is one request and is never repeated; an
 * outcome is `rejected` only on an allow-listed response, otherwise `unknown`; no call inside a database transaction.
 */
export type * from './port/exchange.port.js';
export * from './port/authorization.port.js';
export {
  Authorizations,
  type AuthorizationReturn,
  type AuthorizationTarget,
} from './authorization/authorizations.service.js';
export type * from './port/deposit.port.js';
export type * from './port/identity.port.js';
export type * from './port/trading.port.js';
export { ExchangeError, ProviderError, TradingProviderError, type ExchangeErrorKind } from './port/exchange-error.js';
export type { CredentialField, ExchangeSpec } from './port/exchange-spec.js';
export { ADDRESS_LENGTH_MAX, addressMatches, canonicalAddress, isCaselessAddress } from './networks/address-rule.js';
export { ExchangeModule } from './exchange.module.js';
export { UnusableResponse } from './transport/failed-read.js';
export { totalHeld } from './port/holdings.js';
export { exchangeIds, type ExchangeId } from './registry/exchanges.js';
export { Exchanges } from './registry/exchanges.service.js';
export { ASSET_PATTERN, NETWORK_PATTERN } from './port/names.js';
export { networkById, resolveNetworkId, type Network } from './networks/networks.js';
export type { SessionTarget } from './port/session-target.js';
export { isDestinationTag } from './port/tag-type.js';
export { NoResponse, Transport, type HttpResponse } from './transport/transport.js';
export type { TickerList } from './declaration/ticker-source.js';
export { isTickerExchange, tickerExchanges, type TickerExchange } from './registry/ticker-sources.js';
export { Tickers } from './registry/tickers.service.js';
export type { PairList, TradedPair } from './port/pair-list.js';
export { PairLists } from './registry/pair-lists.service.js';
