/**
 * exchange: all communication with exchanges. Owns: the port that features use (`ExchangeSession`); the registry of
 * exchanges, their connectors, sessions and call limits; how account owners authorize us; the interpretation of
 * exchanges' errors; the pauses that exchanges demand, shared by all processes. Never does: store data (except nonces,
 * pauses and live processes), retry (except a read that was refused because of its nonce, or whose reused connection
 * ended before the response began), decide policy, or know tenants beyond the credentials it is given. Invariants: each
 * credential has its own client, which never gets other credentials. A submission is one request and is never
 * repeated. Only an error code on an allow list makes its outcome `rejected` or `verification_required`. If no byte was
 * written, the outcome is `not_sent`; after every other failure it is `unknown`. No call to an exchange happens inside
 * a database transaction.
 * Each folder imports only those before it:
 * - `port`: the types that features use; `transport`: HTTP, queues, pauses, error maps;
 * - `sharing`: the limits of calls that all processes share; `submission`: calls that move money;
 * - `nonces`; `networks`: chains and addresses; `declaration`: the types of a declaration;
 * - `client`: the signed calls of one credential;
 * - `capabilities`: the behaviour that most exchanges share;
 * - `exchanges/<id>`: everything about one exchange;
 * - `registry`: the list of exchanges and the services over it; `authorization`: OAuth and QR login;
 * - `check`: compares an exchange with its documentation, with an owner's key.
 */
export { amountKinds, unreadReasons } from './port/exchange.port.js';
export type * from './port/exchange.port.js';
export * from './port/authorization.port.js';
export {
  Authorizations,
  type AuthorizationReturn,
  type AuthorizationTarget,
} from './authorization/authorizations.service.js';
export type * from './port/deposit.port.js';
export type * from './port/identity.port.js';
export type { AccountChange, PayingAccount } from './port/paying-account.js';
export type * from './port/trading.port.js';
export { ExchangeError, ProviderError, TradingProviderError, type ExchangeErrorKind } from './port/exchange-error.js';
export type { CredentialField, ExchangeSpec, KeyGuide, Region } from './port/exchange-spec.js';
export { accountOf, formsOf, mayBeOneAccount, receiverOf } from './networks/account.js';
export {
  acceptsAddress,
  ADDRESS_LENGTH_MAX,
  addressMatches,
  canonicalAddress,
  isCaselessAddress,
  sentAddress,
} from './networks/address-rule.js';
export { hasValidChecksum } from './networks/address-checksum.js';
export { invoiceAmount, LIGHTNING } from './networks/lightning-invoice.js';
export { UNREPORTED_KEY_INFO } from './capabilities/response-fields.js';
export { STATUS_IN_HISTORY } from './capabilities/transfer-record.js';
export { ExchangeModule, FollowSharingModule, PauseStoreModule } from './exchange.module.js';
export { OrderTooOld, UnusableResponse } from './transport/failed-read.js';
export { asked } from './port/asked.js';
export { retryAfterSecondsOf } from './port/retry-after.js';
export { lagOf } from './submission/exchange-lag.js';
export { holdingsOf, withdrawableOf, withOtherBalances } from './port/holdings.js';
export { checkExchange, type CheckedAccount, type CheckResult } from './check/check-exchange.js';
export {
  differencesOf,
  isRemark,
  type CheckedCall,
  type CheckedStep,
  type CheckReport,
  type Difference,
} from './check/check-report.js';
export { readRecording, toRecording, writeRecording, type Recording } from './check/recording.js';
export { exchangeFacts, type ExchangeFacts } from './registry/exchange-facts.js';
export {
  credentialFieldsOf,
  defaultTradingExchangeIds,
  exampleExchange,
  exchangeIds,
  liveExchangeIds,
  tradingExchangeIds,
} from './registry/exchanges.js';
export { PauseStore, type StoredPause } from './sharing/pause-store.js';
export { Exchanges } from './registry/exchanges.service.js';
export {
  ASSET_LENGTH_MAX,
  AssetIndex,
  foldedName,
  onlyOf,
  NETWORK_LENGTH_MAX,
  resolveAsset,
  type AssetName,
  type ChosenAsset,
} from './port/names.js';
export { findNetwork } from './networks/find-network.js';
export { tagProblem } from './networks/tag-rule.js';
export { listNetworks, networkById, resolveNetworkId, type Network } from './networks/networks.js';
export type { SessionTarget } from './port/session-target.js';
export { NoResponse, Transport, type HttpResponse } from './transport/transport.js';
export type { AccountNotice, NoticeDeclaration } from './declaration/notice-declaration.js';
export type { TickerList } from './declaration/ticker-source.js';
export { isTickerExchange, tickerExchanges } from './registry/ticker-sources.js';
export { Tickers } from './registry/tickers.service.js';
export type { PairList, TradedPair } from './port/pair-list.js';
export { PairLists } from './registry/pair-lists.service.js';
