// Generated from openapi.json by `npm run docs`; do not edit.
import type { CallOptions, Calls, Input, Output, WalletInput } from '../call.js';

/** Each operation of the service is a method of the same name. */
export class Operations {
  constructor(protected readonly calls: Calls) {}

  /**
   * Liveness
   * Whether the process responds. It checks neither the database nor the queue: restart the process when it does not respond.
   */
  getLiveness(input: Input<'getLiveness'> = {}, options?: CallOptions): Promise<Output<'getLiveness'>> {
    return this.calls.send({ method: 'GET', path: '/livez', credentials: 'none', repeat: 'read' }, input, options);
  }

  /**
   * Readiness
   * Whether the process can serve requests. It checks the database, its migrations, the encryption key and the clock, and that the process is not stopping.
   */
  getReadiness(input: Input<'getReadiness'> = {}, options?: CallOptions): Promise<Output<'getReadiness'>> {
    return this.calls.send({ method: 'GET', path: '/readyz', credentials: 'none', repeat: 'read' }, input, options);
  }

  /**
   * Revoke API key
   * Revokes the key. All processes refuse it within five seconds. Repeating the request changes nothing.
   */
  revokeApiKey(input: Input<'revokeApiKey'>, options?: CallOptions): Promise<Output<'revokeApiKey'>> {
    return this.calls.send({ method: 'DELETE', path: '/v0/admin/api-keys/{id}', credentials: 'admin', repeat: 'refused_only' }, input, options);
  }

  /**
   * Rotate API key
   * Issues a new key with the name, scopes and allow-list of the old key. The old key works until the overlap ends. A key can be rotated only once: the response is 409 when it was already rotated or revoked, or has expired.
   */
  rotateApiKey(input: Input<'rotateApiKey'>, options?: CallOptions): Promise<Output<'rotateApiKey'>> {
    return this.calls.send({ method: 'POST', path: '/v0/admin/api-keys/{id}/rotate', body: true, credentials: 'admin', repeat: 'refused_only' }, input, options);
  }

  /**
   * List organizations
   * All organizations of this installation.
   */
  listOrganizations(input: Input<'listOrganizations'> = {}, options?: CallOptions): Promise<Output<'listOrganizations'>> {
    return this.calls.send({ method: 'GET', path: '/v0/admin/organizations', query: ['page', 'limit'], credentials: 'admin', repeat: 'read' }, input, options);
  }

  /**
   * Create organization
   * An organization owns projects.
   */
  createOrganization(input: Input<'createOrganization'>, options?: CallOptions): Promise<Output<'createOrganization'>> {
    return this.calls.send({ method: 'POST', path: '/v0/admin/organizations', body: true, credentials: 'admin', repeat: 'refused_only' }, input, options);
  }

  /**
   * List projects
   * The projects of an organization.
   */
  listProjects(input: Input<'listProjects'>, options?: CallOptions): Promise<Output<'listProjects'>> {
    return this.calls.send({ method: 'GET', path: '/v0/admin/organizations/{id}/projects', query: ['page', 'limit'], credentials: 'admin', repeat: 'read' }, input, options);
  }

  /**
   * Create project
   * Wallets, quotes and withdrawals belong to one project.
   */
  createProject(input: Input<'createProject'>, options?: CallOptions): Promise<Output<'createProject'>> {
    return this.calls.send({ method: 'POST', path: '/v0/admin/organizations/{id}/projects', body: true, credentials: 'admin', repeat: 'refused_only' }, input, options);
  }

  /**
   * Delete project
   * Deletes the project for ever and revokes its keys, which all processes refuse with 401 within a second. The credentials, balances and identities of its wallets and its webhook endpoints are erased soon after. Open withdrawals and orders are still settled, and the history stays. Repeating the request changes nothing.
   */
  deleteProject(input: Input<'deleteProject'>, options?: CallOptions): Promise<Output<'deleteProject'>> {
    return this.calls.send({ method: 'DELETE', path: '/v0/admin/projects/{id}', credentials: 'admin', repeat: 'refused_only' }, input, options);
  }

  /**
   * List API keys
   * The keys of a project, without the keys themselves.
   */
  listApiKeys(input: Input<'listApiKeys'>, options?: CallOptions): Promise<Output<'listApiKeys'>> {
    return this.calls.send({ method: 'GET', path: '/v0/admin/projects/{id}/api-keys', query: ['page', 'limit'], credentials: 'admin', repeat: 'read' }, input, options);
  }

  /**
   * Issue API key
   * Only this response contains the key, because only a keyed hash of it is stored.
   */
  issueApiKey(input: Input<'issueApiKey'>, options?: CallOptions): Promise<Output<'issueApiKey'>> {
    return this.calls.send({ method: 'POST', path: '/v0/admin/projects/{id}/api-keys', body: true, credentials: 'admin', repeat: 'refused_only' }, input, options);
  }

  /**
   * Get connect settings
   * Returns what a project allows when people connect accounts in a browser, and how its hosted page looks.
   */
  getConnectSettings(input: Input<'getConnectSettings'>, options?: CallOptions): Promise<Output<'getConnectSettings'>> {
    return this.calls.send({ method: 'GET', path: '/v0/admin/projects/{id}/connect', credentials: 'admin', repeat: 'read' }, input, options);
  }

  /**
   * Set connect settings
   * Replaces all settings with which people connect accounts to a project in a browser. Sessions that have begun continue. Other API processes apply the change within seconds.
   */
  setConnectSettings(input: Input<'setConnectSettings'>, options?: CallOptions): Promise<Output<'setConnectSettings'>> {
    return this.calls.send({ method: 'PUT', path: '/v0/admin/projects/{id}/connect', body: true, credentials: 'admin', repeat: 'refused_only' }, input, options);
  }

  /**
   * Suspend project
   * All processes refuse requests for the project within a second: those with an API key get 403 with `result.reason: "suspended"`. Connect pages, listeners and webhooks stop. The credentials of its wallets are only used to settle open withdrawals and orders. Repeating the request changes nothing.
   */
  suspendProject(input: Input<'suspendProject'>, options?: CallOptions): Promise<Output<'suspendProject'>> {
    return this.calls.send({ method: 'PUT', path: '/v0/admin/projects/{id}/suspension', credentials: 'admin', repeat: 'refused_only' }, input, options);
  }

  /**
   * Resume project
   * Ends the suspension. Background work continues where it stopped, and webhooks that were due are sent. Repeating the request changes nothing.
   */
  resumeProject(input: Input<'resumeProject'>, options?: CallOptions): Promise<Output<'resumeProject'>> {
    return this.calls.send({ method: 'DELETE', path: '/v0/admin/projects/{id}/suspension', credentials: 'admin', repeat: 'refused_only' }, input, options);
  }

  /**
   * List webhook endpoints
   * The endpoints of a project, without their secrets.
   */
  listWebhookEndpoints(input: Input<'listWebhookEndpoints'>, options?: CallOptions): Promise<Output<'listWebhookEndpoints'>> {
    return this.calls.send({ method: 'GET', path: '/v0/admin/projects/{id}/webhook-endpoints', query: ['page', 'limit'], credentials: 'admin', repeat: 'read' }, input, options);
  }

  /**
   * Create webhook endpoint
   * The endpoint receives the events of the project that are recorded from now on. Only this response contains the secret. The response is 409 when the project has too many endpoints.
   */
  createWebhookEndpoint(input: Input<'createWebhookEndpoint'>, options?: CallOptions): Promise<Output<'createWebhookEndpoint'>> {
    return this.calls.send({ method: 'POST', path: '/v0/admin/projects/{id}/webhook-endpoints', body: true, credentials: 'admin', repeat: 'refused_only' }, input, options);
  }

  /**
   * Get webhook delivery
   * One delivery with the request, the response and the times of each attempt.
   */
  getWebhookDelivery(input: Input<'getWebhookDelivery'>, options?: CallOptions): Promise<Output<'getWebhookDelivery'>> {
    return this.calls.send({ method: 'GET', path: '/v0/admin/webhook-deliveries/{id}', credentials: 'admin', repeat: 'read' }, input, options);
  }

  /**
   * Resend webhook delivery
   * Sends the delivery again now, with the same `webhook-id` and with all retries. The response is 409 after 20 re-sends of one delivery.
   */
  resendWebhookDelivery(input: Input<'resendWebhookDelivery'>, options?: CallOptions): Promise<Output<'resendWebhookDelivery'>> {
    return this.calls.send({ method: 'POST', path: '/v0/admin/webhook-deliveries/{id}/resend', credentials: 'admin', repeat: 'refused_only' }, input, options);
  }

  /**
   * Get webhook endpoint
   * One endpoint, without its secret.
   */
  getWebhookEndpoint(input: Input<'getWebhookEndpoint'>, options?: CallOptions): Promise<Output<'getWebhookEndpoint'>> {
    return this.calls.send({ method: 'GET', path: '/v0/admin/webhook-endpoints/{id}', credentials: 'admin', repeat: 'read' }, input, options);
  }

  /**
   * Update webhook endpoint
   * Changes only the members that the body contains. Enabling a disabled endpoint continues its pending deliveries; `resendWebhookDeliveries` adds the events that were recorded while it was disabled.
   */
  updateWebhookEndpoint(input: Input<'updateWebhookEndpoint'>, options?: CallOptions): Promise<Output<'updateWebhookEndpoint'>> {
    return this.calls.send({ method: 'PUT', path: '/v0/admin/webhook-endpoints/{id}', body: true, credentials: 'admin', repeat: 'refused_only' }, input, options);
  }

  /**
   * Delete webhook endpoint
   * Deletes the endpoint with its secrets and its log. Nothing more is delivered to it.
   */
  deleteWebhookEndpoint(input: Input<'deleteWebhookEndpoint'>, options?: CallOptions): Promise<Output<'deleteWebhookEndpoint'>> {
    return this.calls.send({ method: 'DELETE', path: '/v0/admin/webhook-endpoints/{id}', credentials: 'admin', repeat: 'refused_only' }, input, options);
  }

  /**
   * List webhook deliveries
   * The deliveries to an endpoint. A delivery is listed as long as its event is stored.
   */
  listWebhookDeliveries(input: Input<'listWebhookDeliveries'>, options?: CallOptions): Promise<Output<'listWebhookDeliveries'>> {
    return this.calls.send({ method: 'GET', path: '/v0/admin/webhook-endpoints/{id}/deliveries', query: ['page', 'limit', 'state'], credentials: 'admin', repeat: 'read' }, input, options);
  }

  /**
   * Resend webhook deliveries
   * Sends those events of a time range that the endpoint has not accepted, including events that were recorded while it was disabled or did not exist. One request sends at most 5,000 events.
   */
  resendWebhookDeliveries(input: Input<'resendWebhookDeliveries'>, options?: CallOptions): Promise<Output<'resendWebhookDeliveries'>> {
    return this.calls.send({ method: 'POST', path: '/v0/admin/webhook-endpoints/{id}/resend', body: true, credentials: 'admin', repeat: 'refused_only' }, input, options);
  }

  /**
   * Rotate webhook secret
   * Creates a new secret, which only this response contains. During the overlap each webhook has two signatures, one by each secret. The response is 409 while the endpoint has three secrets that sign.
   */
  rotateWebhookSecret(input: Input<'rotateWebhookSecret'>, options?: CallOptions): Promise<Output<'rotateWebhookSecret'>> {
    return this.calls.send({ method: 'POST', path: '/v0/admin/webhook-endpoints/{id}/rotate', body: true, credentials: 'admin', repeat: 'refused_only' }, input, options);
  }

  /**
   * Read US dollar prices
   * Returns the latest prices of an exchange. By default they are refreshed about every 30 seconds, and prices older than 5 minutes are not served. No credentials are needed, pages of any origin may send the request, and each IP address has a rate limit. The response is compressed on request. It is 304 if `If-None-Match` still matches.
   */
  getTickers(input: Input<'getTickers'>, options?: CallOptions): Promise<Output<'getTickers'>> {
    return this.calls.send({ method: 'GET', path: '/v0/market/{exchange}/tickers', query: ['coins'], credentials: 'none', repeat: 'read' }, input, options);
  }

  /**
   * List exchanges
   * The exchanges at which accounts can be connected, in the order in which they should be shown.
   */
  listExchanges(input: Input<'listExchanges'> = {}, options?: CallOptions): Promise<Output<'listExchanges'>> {
    return this.calls.send({ method: 'GET', path: '/v0/oauth2/exchanges', credentials: 'none', repeat: 'read' }, input, options);
  }

  /**
   * Get the outcome of a connect or a withdrawal
   * For clients that cannot keep a stream open. It requires no API key: any client that knows the topic (`idem`) and the organization may poll. Therefore it returns only status, type, success and error code. Listeners also get the other members of the messages. The exchange is not called.
   */
  getOutcome(input: Input<'getOutcome'>, options?: CallOptions): Promise<Output<'getOutcome'>> {
    return this.calls.send({ method: 'GET', path: '/v0/oauth2/status', query: ['idem', 'orgId'], credentials: 'none', repeat: 'read' }, input, options);
  }

  /**
   * Begin to connect, with a choice of the exchange
   * Creates a link to the hosted page, on which the person first chooses the exchange from a list. The list contains the exchanges that the project allows (`exchanges` of `PUT /v0/admin/projects/{id}/connect`) and that offer the requested access and connect method in the country. If the wallet is connected already, only its exchange is listed. Everything else is as in `GET /v0/oauth2/{exchange}/url`.
   * Scopes of the API key: connect.
   */
  createConnectUrlWithoutExchange(input: WalletInput<'createConnectUrlWithoutExchange'>, options?: CallOptions): Promise<Output<'createConnectUrlWithoutExchange'>> {
    return this.calls.send({ method: 'GET', path: '/v0/oauth2/url', query: ['idem', 'access', 'way', 'country', 'returnUrl', 'origin'], wallet: true, credentials: 'project', repeat: 'read' }, input, options);
  }

  /**
   * Begin to connect
   * Creates a link to the hosted page, on which a person connects their account: at the exchange, with its app, or with their own API key. The session belongs to the first browser that takes a step there. The outcome is published on the topic `idem`.
   * If the request has an API key, the wallet may be connected already: then its credentials are replaced, and it keeps its ids and its history. A page in a browser may send the request without an API key, if the project allows that (`PUT /v0/admin/projects/{id}/connect`). Such a request names organization and project, and can connect only a new wallet.
   * Scopes of the API key: connect.
   */
  createConnectUrl(input: WalletInput<'createConnectUrl'>, options?: CallOptions): Promise<Output<'createConnectUrl'>> {
    return this.calls.send({ method: 'GET', path: '/v0/oauth2/{exchange}/url', query: ['idem', 'access', 'way', 'country', 'returnUrl', 'origin'], wallet: true, credentials: 'project', repeat: 'read' }, input, options);
  }

  /**
   * Get API key
   * The scopes of the API key of this request, and its request rate.
   */
  getApiKey(input: Input<'getApiKey'> = {}, options?: CallOptions): Promise<Output<'getApiKey'>> {
    return this.calls.send({ method: 'GET', path: '/v0/organization/api-key', credentials: 'project', repeat: 'read' }, input, options);
  }

  /**
   * Get wallet
   * The wallet as of its last sync in the background. The exchange is not called; to read the balances from the exchange, use `GET /v0/wallet/withdraw/balance`.
   * Scopes of the API key: read.
   */
  getWallet(input: WalletInput<'getWallet'> = {}, options?: CallOptions): Promise<Output<'getWallet'>> {
    return this.calls.send({ method: 'GET', path: '/v0/wallet', wallet: true, credentials: 'project', repeat: 'read' }, input, options);
  }

  /**
   * Delete wallet
   * Erases the credentials, the identity and the balances at once. Transactions and withdrawals stay readable. While a withdrawal or an order is unsettled, an encrypted copy of the credentials is kept to settle it, by default for at most 24 hours.
   * Scopes of the API key: read, delete.
   */
  deleteWallet(input: WalletInput<'deleteWallet'> = {}, options?: CallOptions): Promise<Output<'deleteWallet'>> {
    return this.calls.send({ method: 'DELETE', path: '/v0/wallet', wallet: true, credentials: 'project', repeat: 'refused_only' }, input, options);
  }

  /**
   * Read where to send a deposit
   * The address of the wallet for one asset on one network. The network must match exactly one of the exchange’s deposit methods; it is never guessed. An address that is younger than DEPOSIT_ADDRESS_CACHE_SECONDS is returned again without a call to the exchange, unless it expires within an hour, the credentials of the wallet were replaced since then, or `reusePolicy` is `create_new`.
   * Scopes of the API key: read, deposit.
   */
  getDepositAddress(input: WalletInput<'getDepositAddress'>, options?: CallOptions): Promise<Output<'getDepositAddress'>> {
    return this.calls.send({ method: 'GET', path: '/v0/wallet/deposit/address', query: ['asset', 'network', 'reusePolicy'], wallet: true, credentials: 'project', repeat: 'read' }, input, options);
  }

  /**
   * Read withdrawal fees
   * Fees, smallest and largest amounts of one asset for this account, without a quote. Only the figures of a quote are binding.
   * Scopes of the API key: read.
   */
  getWithdrawalFees(input: WalletInput<'getWithdrawalFees'>, options?: CallOptions): Promise<Output<'getWithdrawalFees'>> {
    return this.calls.send({ method: 'GET', path: '/v0/wallet/info/fee', query: ['asset', 'network', 'amount'], wallet: true, credentials: 'project', repeat: 'read' }, input, options);
  }

  /**
   * Get KYC identity
   * Returns the identity of the account owner. The exchange supplied it when the owner authorized the account; this call does not call the exchange. Fields that the exchange did not supply are null. The identity is stored encrypted. It is erased when the wallet is deleted or its credentials are replaced. A wallet that was connected with an API key has no identity.
   * Scopes of the API key: read, kyc.
   */
  getIdentity(input: WalletInput<'getIdentity'> = {}, options?: CallOptions): Promise<Output<'getIdentity'>> {
    return this.calls.send({ method: 'GET', path: '/v0/wallet/kyc', wallet: true, credentials: 'project', repeat: 'read' }, input, options);
  }

  /**
   * List wallets
   * The connected wallets of the project, newest first, as of their last sync; no exchange is called.
   * Scopes of the API key: read.
   */
  listWallets(input: Input<'listWallets'> = {}, options?: CallOptions): Promise<Output<'listWallets'>> {
    return this.calls.send({ method: 'GET', path: '/v0/wallet/list', query: ['page', 'limit', 'exchange', 'createdSince', 'createdBefore', 'lastSyncSince', 'lastSyncBefore', 'invalidApi', 'fields'], credentials: 'project', repeat: 'read' }, input, options);
  }

  /**
   * Ping wallet
   * Tests the stored credentials by a call to the exchange, and sets or clears `invalidApi`. The response is 200 whether the exchange accepts or refuses the credentials. If the exchange cannot be reached, the response is an error, and `invalidApi` does not change.
   * Scopes of the API key: read.
   */
  pingWallet(input: WalletInput<'pingWallet'> = {}, options?: CallOptions): Promise<Output<'pingWallet'>> {
    return this.calls.send({ method: 'GET', path: '/v0/wallet/ping', wallet: true, credentials: 'project', repeat: 'read' }, input, options);
  }

  /**
   * Place an order
   * Places a spot order on a route of Tradable assets, at most once: send an `Idempotency-Key`, and repeat the call with the same key as often as you like, also after a response was lost. Volume and price are checked against the rules of the route and never rounded. A member with another usual name (`limitPrice`), a member in the query, and a request for a stop order or a dry run (`stopPrice`, `validate`, `dryRun`) are refused. When the exchange refuses the order, the refusal is reported only after two looks at the account that do not show the order; if one of them shows it, the result is the order. When the exchange gives no definite response, or the account does not confirm a refusal, the result is 200 with the status `unknown` and not an error, because the order may exist. A worker searches for it at the exchange until it finds the order, or has proof that the order was never placed (`canceled`, `not_placed`). Until then another order with the same wallet, route, side, type, volume and price gets 409 with `result.orderId`. An error means that this request placed no order. After GENERIC_INTERNAL_SERVER_ERROR, 409 GENERIC_INVALID_REQUEST, and TRADING_PROVIDER_ERROR with `result.reason` `database_restored`, the order may exist: repeat the call with the same key. The result of an order that may have been sent is kept for its key, whatever its status is; use a new key to try again. With `result.reason` `host_clock_differs`, this call placed nothing, but an earlier call with the same key may have placed the order: repeat it with the same key, too.
   * Scopes of the API key: trade.
   */
  placeOrder(input: WalletInput<'placeOrder'>, options?: CallOptions): Promise<Output<'placeOrder'>> {
    return this.calls.send({ method: 'POST', path: '/v0/wallet/trade/order', body: true, wallet: true, credentials: 'project', repeat: 'with_key' }, input, options);
  }

  /**
   * Get an order
   * Returns an order that was placed here. A final order (`filled`, `canceled`, `expired`) is returned from the database, but for a day, an order that was refused or never placed is searched at the exchange again. Any other order is first read from the exchange, unless it was read within the last half second. A worker also follows the order until it is final, and publishes each change as `order.updated`.
   * Scopes of the API key: trade.
   */
  getOrder(input: WalletInput<'getOrder'>, options?: CallOptions): Promise<Output<'getOrder'>> {
    return this.calls.send({ method: 'GET', path: '/v0/wallet/trade/order/{orderId}', wallet: true, credentials: 'project', repeat: 'read' }, input, options);
  }

  /**
   * List tradable assets
   * Lists the routes of the exchange of a wallet, or of `exchange`, with their rules for orders. For a test project they are those of the sandbox exchange. By default the stored catalogue is refreshed every 10 minutes, and a catalogue that is older than an hour is first read again; if the exchange cannot be reached, the stored catalogue is returned (its age is in the header `age`). The response is compressed on request. It is 304 if `If-None-Match` still matches.
   * Scopes of the API key: read.
   */
  getTradableAssets(input: WalletInput<'getTradableAssets'> = {}, options?: CallOptions): Promise<Output<'getTradableAssets'>> {
    return this.calls.send({ method: 'GET', path: '/v0/wallet/trade/tradable-assets', query: ['exchange', 'source', 'sources', 'destination', 'destinations'], wallet: true, credentials: 'project', repeat: 'read' }, input, options);
  }

  /**
   * Get transaction
   * One transaction of the project, even if its wallet was deleted.
   * Scopes of the API key: read.
   */
  getTransaction(input: Input<'getTransaction'>, options?: CallOptions): Promise<Output<'getTransaction'>> {
    return this.calls.send({ method: 'GET', path: '/v0/wallet/transaction/{transactionId}', credentials: 'project', repeat: 'read' }, input, options);
  }

  /**
   * Enrich transaction
   * Reads from the chain what the exchange has not reported: `hash`, `addressFrom`, and the block (`confirmedAt`, `blockHeight`). Values that the exchange has reported are kept. The worker does the same in the background. The chain is not called within seconds of the last look-up, or once it has confirmed the transaction: the response is then the stored transaction.
   * Scopes of the API key: read.
   */
  enrichTransaction(input: Input<'enrichTransaction'>, options?: CallOptions): Promise<Output<'enrichTransaction'>> {
    return this.calls.send({ method: 'POST', path: '/v0/wallet/transaction/{transactionId}/enrich', credentials: 'project', repeat: 'with_key' }, input, options);
  }

  /**
   * List transactions
   * Deposits and withdrawals, newest first: of one wallet (`walletId`, or the wallet header; both must be the same), or of all wallets of the project, including deleted ones. No exchange is called: the history is read in the background, see `syncProgress` of Get wallet. A wallet id that the project has never connected is not found.
   * Scopes of the API key: read.
   */
  listTransactions(input: Input<'listTransactions'> = {}, options?: CallOptions): Promise<Output<'listTransactions'>> {
    return this.calls.send({ method: 'GET', path: '/v0/wallet/transactions', query: ['page', 'limit', 'walletId', 'sinceDate', 'beforeDate', 'asset', 'type', 'status', 'direction', 'network'], credentials: 'project', repeat: 'read' }, input, options);
  }

  /**
   * Read the withdrawable balance
   * Returns the free balances of the wallet and the networks of each asset. Calls the exchange, unless `balanceRefreshThreshold` or `only-if-cached` allows stored balances. Without `only-if-cached`, `max-age` of `Cache-Control` can only lower the accepted age. With `only-if-cached` but neither `balanceRefreshThreshold` nor `max-age`, balances may be BALANCE_CACHE_SECONDS old. Networks are stored when this endpoint reads them, and are used for a day. `Age` is the age of the balances.
   * Scopes of the API key: read.
   */
  getWithdrawalBalance(input: WalletInput<'getWithdrawalBalance'> = {}, options?: CallOptions): Promise<Output<'getWithdrawalBalance'>> {
    return this.calls.send({ method: 'GET', path: '/v0/wallet/withdraw/balance', query: ['autoDeleteIfInvalid', 'balanceRefreshThreshold', 'refreshThresholdMinutes'], wallet: true, credentials: 'project', repeat: 'read' }, input, options);
  }

  /**
   * Quote a withdrawal
   * Checks a withdrawal and returns its fee and amounts; moves no money. The checks run in this order: asset, network, address, tag, precision, minimum, maximum, balance, balance for the fee. Quotes are immutable: the execution uses exactly the quoted amounts.
   * Scopes of the API key: read, quote.
   */
  createQuote(input: WalletInput<'createQuote'>, options?: CallOptions): Promise<Output<'createQuote'>> {
    return this.calls.send({ method: 'POST', path: '/v0/wallet/withdraw/quote', body: true, wallet: true, credentials: 'project', repeat: 'with_key' }, input, options);
  }

  /**
   * Get a quote and its withdrawal
   * Returns the quote, its withdrawal after an execution, and the open verification, so that a reloaded page can continue. The exchange is not called.
   * Scopes of the API key: read, quote.
   */
  getWithdrawal(input: WalletInput<'getWithdrawal'>, options?: CallOptions): Promise<Output<'getWithdrawal'>> {
    return this.calls.send({ method: 'GET', path: '/v0/wallet/withdraw/{quoteId}', wallet: true, credentials: 'project', repeat: 'read' }, input, options);
  }

  /**
   * Execute a withdrawal quote
   * Moves money, at most once for one quote. You can repeat the call as often as you like and get the recorded result. When the exchange gives no definite response, the response is the same as for an accepted withdrawal, and the transaction stays `pending` until the history of the exchange settles it. A withdrawal is never reported as failed while money may have left. A dry run is exactly `{"params": {"dryRun": true}}`. A misspelled or misplaced `dryRun` anywhere in the body, the query or the names of headers is refused, and so are unknown members of `params` and members of the body in the query. A call without a body executes. `autoDeleteIfInvalid` is a parameter of the query; in the body it is ignored. No money has moved when the response is a WITHDRAWAL_2FA_* code. The `result` of WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS and WITHDRAWAL_2FA_INCOMPLETE is a `VerificationReportResponse`.
   * Scopes of the API key: read, quote, withdrawal.
   */
  executeQuote(input: WalletInput<'executeQuote'>, options?: CallOptions): Promise<Output<'executeQuote'>> {
    return this.calls.send({ method: 'PUT', path: '/v0/wallet/withdraw/{quoteId}/execute', query: ['autoDeleteIfInvalid'], body: true, wallet: true, credentials: 'project', repeat: 'refused_only' }, input, options);
  }

  /**
   * Connect wallet
   * Tests the credentials by a call to the exchange, stores them encrypted, and reads the balances. With the walletId of a connected wallet of the same exchange, it replaces the credentials, and the wallet keeps its ids and its history. The wallets of a test project are at the sandbox exchange, whichever exchange they name. After 10 failed connects of a project at one exchange in a minute, or 60 refused ones in an hour, the response is GENERIC_RATE_LIMIT_EXCEEDED and the exchange is not called; a connect in progress counts as failed until it has succeeded. For a wallet with fewer than 3 failures, the limits are 30 in a minute and 180 in an hour. One wallet may be refused 20 times in an hour.
   * Scopes of the API key: connect.
   */
  connectWallet(input: WalletInput<'connectWallet'>, options?: CallOptions): Promise<Output<'connectWallet'>> {
    return this.calls.send({ method: 'POST', path: '/v0/wallet/{exchange}/connect', body: true, wallet: true, credentials: 'project', repeat: 'with_key' }, input, options);
  }
}

/** The lists with pages, and the member of each response that has the entries. */
export const lists = {
  listOrganizations: 'organizations',
  listProjects: 'projects',
  listApiKeys: 'apiKeys',
  listWebhookEndpoints: 'endpoints',
  listWebhookDeliveries: 'deliveries',
  listWallets: 'wallets',
  listTransactions: 'transactions',
} as const;
