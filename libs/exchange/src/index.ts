/**
 * exchange: everything that speaks to an exchange.
 *
 * Owns: the port that features see (`ExchangeSession`), the registry of exchanges, the connectors behind it, sessions and
 * their limits, how owners of accounts authorize us (`Authorizations`), and the reading of exchanges' errors.
 * Never does: persist, retry, decide policy, or know of tenants beyond the credential it is given.
 * Invariants: one ccxt instance per credential, never re-keyed; a submit is one request and is never repeated; an
 * outcome is `rejected` only on an allow-listed answer, otherwise `unknown`; no call inside a database transaction.
 */
export type * from './exchange.port.js';
export * from './authorization.port.js';
export { Authorizations, type AuthorizationReturn, type AuthorizationTarget } from './authorizations.service.js';
export type * from './deposit.port.js';
export type * from './identity.port.js';
export type * from './trading.port.js';
export { ExchangeError, ProviderError, TradingProviderError, type ExchangeErrorKind } from './exchange-error.js';
export type { CredentialField, ExchangeSpec } from './exchange-spec.js';
export { ADDRESS_LENGTH_MAX, addressMatches, canonicalAddress, isCaselessAddress } from './address-rule.js';
export { ExchangeModule } from './exchange.module.js';
export { UnusableAnswer } from './failed-read.js';
export { totalHeld } from './holdings.js';
export { exchangeIds, type ExchangeId } from './exchanges.js';
export { Exchanges } from './exchanges.service.js';
export { ASSET_PATTERN, NETWORK_PATTERN } from './names.js';
export { networkById, resolveNetworkId, type Network } from './networks.js';
export type { SessionTarget } from './session-target.js';
export { isDestinationTag } from './tag-type.js';
export { NoAnswer, Transport, type HttpAnswer } from './transport.js';
export type { TickerList } from './tickers/ticker-source.js';
export { isTickerExchange, tickerExchanges, type TickerExchange } from './tickers/ticker-sources.js';
export { Tickers } from './tickers/tickers.service.js';
export type { PairList, TradedPair } from './pairs/pair-list.js';
export { PairLists } from './pairs/pair-lists.service.js';
