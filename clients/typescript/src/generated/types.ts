// Generated from openapi.json by `npm run docs`; do not edit.

export interface paths {
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Liveness
         * @description Whether the process responds. It checks neither the database nor the queue: restart the process when it does not respond.
         */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Readiness
         * @description Whether the process can serve requests. It checks the database, its migrations, the encryption key and the clock, and that the process is not stopping.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/admin/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke API key
         * @description Revokes the key. All processes refuse it within five seconds. Repeating the request changes nothing.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/admin/api-keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate API key
         * @description Issues a new key with the name, scopes and allow-list of the old key. The old key works until the overlap ends. A key can be rotated only once: the response is 409 when it was already rotated or revoked, or has expired.
         */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/admin/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List organizations
         * @description All organizations of this installation.
         */
        get: operations["listOrganizations"];
        put?: never;
        /**
         * Create organization
         * @description An organization owns projects.
         */
        post: operations["createOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/admin/organizations/{id}/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List projects
         * @description The projects of an organization.
         */
        get: operations["listProjects"];
        put?: never;
        /**
         * Create project
         * @description Wallets, quotes and withdrawals belong to one project.
         */
        post: operations["createProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/admin/projects/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete project
         * @description Deletes the project for ever and revokes its keys, which all processes refuse with 401 within a second. The credentials, balances and identities of its wallets and its webhook endpoints are erased soon after. Open withdrawals and orders are still settled, and the history stays. Repeating the request changes nothing.
         */
        delete: operations["deleteProject"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/admin/projects/{id}/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description The keys of a project, without the keys themselves.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Issue API key
         * @description Only this response contains the key, because only a keyed hash of it is stored.
         */
        post: operations["issueApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/admin/projects/{id}/connect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get connect settings
         * @description Returns what a project allows when people connect accounts in a browser, and how its hosted page looks.
         */
        get: operations["getConnectSettings"];
        /**
         * Set connect settings
         * @description Replaces all settings with which people connect accounts to a project in a browser. Sessions that have begun continue. Other API processes apply the change within seconds.
         */
        put: operations["setConnectSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/admin/projects/{id}/suspension": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Suspend project
         * @description All processes refuse requests for the project within a second: those with an API key get 403 with `result.reason: "suspended"`. Connect pages, listeners and webhooks stop. The credentials of its wallets are only used to settle open withdrawals and orders. Repeating the request changes nothing.
         */
        put: operations["suspendProject"];
        post?: never;
        /**
         * Resume project
         * @description Ends the suspension. Background work continues where it stopped, and webhooks that were due are sent. Repeating the request changes nothing.
         */
        delete: operations["resumeProject"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/admin/projects/{id}/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints
         * @description The endpoints of a project, without their secrets.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Create webhook endpoint
         * @description The endpoint receives the events of the project that are recorded from now on. Only this response contains the secret. The response is 409 when the project has too many endpoints.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/admin/webhook-deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get webhook delivery
         * @description One delivery with the request, the response and the times of each attempt.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/admin/webhook-deliveries/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend webhook delivery
         * @description Sends the delivery again now, with the same `webhook-id` and with all retries. The response is 409 after 20 re-sends of one delivery.
         */
        post: operations["resendWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/admin/webhook-endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get webhook endpoint
         * @description One endpoint, without its secret.
         */
        get: operations["getWebhookEndpoint"];
        /**
         * Update webhook endpoint
         * @description Changes only the members that the body contains. Enabling a disabled endpoint continues its pending deliveries; `resendWebhookDeliveries` adds the events that were recorded while it was disabled.
         */
        put: operations["updateWebhookEndpoint"];
        post?: never;
        /**
         * Delete webhook endpoint
         * @description Deletes the endpoint with its secrets and its log. Nothing more is delivered to it.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/admin/webhook-endpoints/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook deliveries
         * @description The deliveries to an endpoint. A delivery is listed as long as its event is stored.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/admin/webhook-endpoints/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend webhook deliveries
         * @description Sends those events of a time range that the endpoint has not accepted, including events that were recorded while it was disabled or did not exist. One request sends at most 5,000 events.
         */
        post: operations["resendWebhookDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/admin/webhook-endpoints/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate webhook secret
         * @description Creates a new secret, which only this response contains. During the overlap each webhook has two signatures, one by each secret. The response is 409 while the endpoint has three secrets that sign.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/market/{exchange}/tickers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read US dollar prices
         * @description Returns the latest prices of an exchange. By default they are refreshed about every 30 seconds, and prices older than 5 minutes are not served. No credentials are needed, pages of any origin may send the request, and each IP address has a rate limit. The response is compressed on request. It is 304 if `If-None-Match` still matches.
         */
        get: operations["getTickers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/oauth2/exchanges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List exchanges
         * @description The exchanges at which accounts can be connected, in the order in which they should be shown.
         */
        get: operations["listExchanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/oauth2/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the outcome of a connect or a withdrawal
         * @description For clients that cannot keep a stream open. It requires no API key: any client that knows the topic (`idem`) and the organization may poll. Therefore it returns only status, type, success and error code. Listeners also get the other members of the messages. The exchange is not called.
         */
        get: operations["getOutcome"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/oauth2/url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Begin to connect, with a choice of the exchange
         * @description Creates a link to the hosted page, on which the person first chooses the exchange from a list. The list contains the exchanges that the project allows (`exchanges` of `PUT /v0/admin/projects/{id}/connect`) and that offer the requested access and connect method in the country. If the wallet is connected already, only its exchange is listed. Everything else is as in `GET /v0/oauth2/{exchange}/url`.
         */
        get: operations["createConnectUrlWithoutExchange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/oauth2/{exchange}/url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Begin to connect
         * @description Creates a link to the hosted page, on which a person connects their account: at the exchange, with its app, or with their own API key. The session belongs to the first browser that takes a step there. The outcome is published on the topic `idem`.
         *
         *     If the request has an API key, the wallet may be connected already: then its credentials are replaced, and it keeps its ids and its history. A page in a browser may send the request without an API key, if the project allows that (`PUT /v0/admin/projects/{id}/connect`). Such a request names organization and project, and can connect only a new wallet.
         */
        get: operations["createConnectUrl"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/organization/api-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get API key
         * @description The scopes of the API key of this request, and its request rate.
         */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get wallet
         * @description The wallet as of its last sync in the background. The exchange is not called; to read the balances from the exchange, use `GET /v0/wallet/withdraw/balance`.
         */
        get: operations["getWallet"];
        put?: never;
        post?: never;
        /**
         * Delete wallet
         * @description Erases the credentials, the identity and the balances at once. Transactions and withdrawals stay readable. While a withdrawal or an order is unsettled, an encrypted copy of the credentials is kept to settle it, by default for at most 24 hours.
         */
        delete: operations["deleteWallet"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/wallet/deposit/address": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read where to send a deposit
         * @description The address of the wallet for one asset on one network. The network must match exactly one of the exchange’s deposit methods; it is never guessed. An address that is younger than DEPOSIT_ADDRESS_CACHE_SECONDS is returned again without a call to the exchange, unless it expires within an hour, the credentials of the wallet were replaced since then, or `reusePolicy` is `create_new`.
         */
        get: operations["getDepositAddress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/wallet/info/fee": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read withdrawal fees
         * @description Fees, smallest and largest amounts of one asset for this account, without a quote. Only the figures of a quote are binding.
         */
        get: operations["getWithdrawalFees"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/wallet/kyc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get KYC identity
         * @description Returns the identity of the account owner. The exchange supplied it when the owner authorized the account; this call does not call the exchange. Fields that the exchange did not supply are null. The identity is stored encrypted. It is erased when the wallet is deleted or its credentials are replaced. A wallet that was connected with an API key has no identity.
         */
        get: operations["getIdentity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/wallet/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List wallets
         * @description The connected wallets of the project, newest first, as of their last sync; no exchange is called.
         */
        get: operations["listWallets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/wallet/ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ping wallet
         * @description Tests the stored credentials by a call to the exchange, and sets or clears `invalidApi`. The response is 200 whether the exchange accepts or refuses the credentials. If the exchange cannot be reached, the response is an error, and `invalidApi` does not change.
         */
        get: operations["pingWallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/wallet/trade/order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Place an order
         * @description Places a spot order on a route of Tradable assets, at most once: send an `Idempotency-Key`, and repeat the call with the same key as often as you like, also after a response was lost. Volume and price are checked against the rules of the route and never rounded. A member with another usual name (`limitPrice`), a member in the query, and a request for a stop order or a dry run (`stopPrice`, `validate`, `dryRun`) are refused. When the exchange refuses the order, the refusal is reported only after two looks at the account that do not show the order; if one of them shows it, the result is the order. When the exchange gives no definite response, or the account does not confirm a refusal, the result is 200 with the status `unknown` and not an error, because the order may exist. A worker searches for it at the exchange until it finds the order, or has proof that the order was never placed (`canceled`, `not_placed`). Until then another order with the same wallet, route, side, type, volume and price gets 409 with `result.orderId`. An error means that this request placed no order. After GENERIC_INTERNAL_SERVER_ERROR, 409 GENERIC_INVALID_REQUEST, and TRADING_PROVIDER_ERROR with `result.reason` `database_restored`, the order may exist: repeat the call with the same key. The result of an order that may have been sent is kept for its key, whatever its status is; use a new key to try again. With `result.reason` `host_clock_differs`, this call placed nothing, but an earlier call with the same key may have placed the order: repeat it with the same key, too.
         */
        post: operations["placeOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/wallet/trade/order/{orderId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an order
         * @description Returns an order that was placed here. A final order (`filled`, `canceled`, `expired`) is returned from the database, but for a day, an order that was refused or never placed is searched at the exchange again. Any other order is first read from the exchange, unless it was read within the last half second. A worker also follows the order until it is final, and publishes each change as `order.updated`.
         */
        get: operations["getOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/wallet/trade/tradable-assets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tradable assets
         * @description Lists the routes of the exchange of a wallet, or of `exchange`, with their rules for orders. For a test project they are those of the sandbox exchange. By default the stored catalogue is refreshed every 10 minutes, and a catalogue that is older than an hour is first read again; if the exchange cannot be reached, the stored catalogue is returned (its age is in the header `age`). The response is compressed on request. It is 304 if `If-None-Match` still matches.
         */
        get: operations["getTradableAssets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/wallet/transaction/{transactionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get transaction
         * @description One transaction of the project, even if its wallet was deleted.
         */
        get: operations["getTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/wallet/transaction/{transactionId}/enrich": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enrich transaction
         * @description Reads from the chain what the exchange has not reported: `hash`, `addressFrom`, and the block (`confirmedAt`, `blockHeight`). Values that the exchange has reported are kept. The worker does the same in the background. The chain is not called within seconds of the last look-up, or once it has confirmed the transaction: the response is then the stored transaction.
         */
        post: operations["enrichTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/wallet/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List transactions
         * @description Deposits and withdrawals, newest first: of one wallet (`walletId`, or the wallet header; both must be the same), or of all wallets of the project, including deleted ones. No exchange is called: the history is read in the background, see `syncProgress` of Get wallet. A wallet id that the project has never connected is not found.
         */
        get: operations["listTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/wallet/withdraw/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the withdrawable balance
         * @description Returns the free balances of the wallet and the networks of each asset. Calls the exchange, unless `balanceRefreshThreshold` or `only-if-cached` allows stored balances. Without `only-if-cached`, `max-age` of `Cache-Control` can only lower the accepted age. With `only-if-cached` but neither `balanceRefreshThreshold` nor `max-age`, balances may be BALANCE_CACHE_SECONDS old. Networks are stored when this endpoint reads them, and are used for a day. `Age` is the age of the balances.
         */
        get: operations["getWithdrawalBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/wallet/withdraw/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Quote a withdrawal
         * @description Checks a withdrawal and returns its fee and amounts; moves no money. The checks run in this order: asset, network, address, tag, precision, minimum, maximum, balance, balance for the fee. Quotes are immutable: the execution uses exactly the quoted amounts.
         */
        post: operations["createQuote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/wallet/withdraw/{quoteId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a quote and its withdrawal
         * @description Returns the quote, its withdrawal after an execution, and the open verification, so that a reloaded page can continue. The exchange is not called.
         */
        get: operations["getWithdrawal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/wallet/withdraw/{quoteId}/execute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Execute a withdrawal quote
         * @description Moves money, at most once for one quote. You can repeat the call as often as you like and get the recorded result. When the exchange gives no definite response, the response is the same as for an accepted withdrawal, and the transaction stays `pending` until the history of the exchange settles it. A withdrawal is never reported as failed while money may have left. A dry run is exactly `{"params": {"dryRun": true}}`. A misspelled or misplaced `dryRun` anywhere in the body, the query or the names of headers is refused, and so are unknown members of `params` and members of the body in the query. A call without a body executes. `autoDeleteIfInvalid` is a parameter of the query; in the body it is ignored. No money has moved when the response is a WITHDRAWAL_2FA_* code. The `result` of WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS and WITHDRAWAL_2FA_INCOMPLETE is a `VerificationReportResponse`.
         */
        put: operations["executeQuote"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/wallet/{exchange}/connect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Connect wallet
         * @description Tests the credentials by a call to the exchange, stores them encrypted, and reads the balances. With the walletId of a connected wallet of the same exchange, it replaces the credentials, and the wallet keeps its ids and its history. The wallets of a test project are at the sandbox exchange, whichever exchange they name. After 10 failed connects of a project at one exchange in a minute, or 60 refused ones in an hour, the response is GENERIC_RATE_LIMIT_EXCEEDED and the exchange is not called; a connect in progress counts as failed until it has succeeded. For a wallet with fewer than 3 failures, the limits are 30 in a minute and 180 in an hour. One wallet may be refused 20 times in an hour.
         */
        post: operations["connectWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AccountAmountResponse: {
            /**
             * @description Name of the account, as the exchange writes it.
             * @example trading
             */
            account: string;
            /**
             * @description What keeps the amount from being withdrawn. `free`: the account pays no withdrawals, and the owner can move the amount; `earning`: it earns interest until the owner ends this; `locked`: the owner cannot use it now, such as staked assets; `owed`: the owner owes it to the exchange; `sub_account`: the owner has it in a sub-account, and it is in no sum of the wallet.
             * @example free
             * @enum {string}
             */
            kind: "free" | "earning" | "locked" | "owed" | "sub_account";
            /**
             * @description The amount, as a decimal string.
             * @example 0.25
             */
            amount: string;
        };
        /** @description Details of the error. */
        AccountRefusal: {
            /** @description Machine-readable detail, for example `address_not_allowlisted`. */
            reason?: string;
            /** @description The error code of the exchange. Its support may ask for it. */
            exchangeCode?: string;
            /** @description Name of an API key that was created at the exchange and could not be deleted. The owner of the account has to delete it. */
            keyName?: string;
        };
        ApiKeyListResponse: {
            /** @description One page, newest first, with revoked and expired keys. */
            apiKeys: components["schemas"]["ApiKeyResponse"][];
            /** @description The number of this page, and the numbers of all pages and entries. */
            pagination: components["schemas"]["PaginationResponse"];
        };
        ApiKeyResponse: {
            /**
             * Format: uuid
             * @description Id of the key, for rotating and revoking it.
             */
            id: string;
            /**
             * Format: uuid
             * @description The project of the key.
             */
            projectId: string;
            /** @description Name for people. */
            name: string;
            /**
             * @description Prefix and last four characters of the key.
             * @example svc_live_…4xKz
             */
            hint: string;
            /** @description What the key may do. */
            scopes: ("read" | "kyc" | "quote" | "withdrawal" | "trade" | "deposit" | "delete" | "connect")[];
            /** @description IP addresses and CIDR ranges from which the key works; empty: all addresses. */
            ipAllowlist: string[];
            /**
             * Format: date-time
             * @description When the key was issued; ISO 8601.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the key expires; ISO 8601. null: never.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When the key stops working because it was revoked or rotated; ISO 8601. null: neither revoked nor rotated.
             */
            revokedAt: string | null;
            /**
             * Format: date-time
             * @description When the key was last used, up to a minute out of date; ISO 8601. null: never.
             */
            lastUsedAt: string | null;
        };
        /** @description The API key lacks scopes that the endpoint requires; `missing` lists them. */
        ApikeyInsufficientPermissionsError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "APIKEY_INSUFFICIENT_PERMISSIONS";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description The scopes that the key lacks. */
            missing: string[];
        };
        AssetBalanceResponse: {
            /**
             * @description Not reserved by orders or withdrawals.
             * @example 1.25
             */
            free: number;
            /**
             * @description Reserved by orders or withdrawals.
             * @example 0.25
             */
            used: number;
            /**
             * @description `free + used`.
             * @example 1.5
             */
            total: number;
            /**
             * @description True when the last sync could not read an amount of the asset. The amounts are then those of the last sync that could. Absent otherwise.
             * @example true
             */
            isPartial?: boolean;
        };
        /** @description The request has `only-if-cached`, and the stored data are older than the request or the setting of the endpoint allows. */
        CacheExpiredError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "CACHE_EXPIRED";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
        };
        /** @description The request has `only-if-cached`, and the endpoint keeps no cache. */
        CacheInvalidPathError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "CACHE_INVALID_PATH";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
        };
        /** @description The request has `only-if-cached`, and no data for its response are stored. */
        CacheMissError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "CACHE_MISS";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
        };
        CatalogueSource: {
            /**
             * @description The call of the exchange that returned the list of pairs, without its host.
             * @example /0/public/AssetPairs
             */
            api: string;
            /**
             * Format: date-time
             * @description When the exchange last returned the list (ISO 8601, UTC).
             * @example 2026-01-01T12:10:00.000Z
             */
            fetchedAt: string;
        };
        CatalogueStats: {
            /**
             * @description Number of assets in this response.
             * @example 2
             */
            totalAssets: number;
            /**
             * @description Number of routes in this response.
             * @example 1
             */
            totalRoutes: number;
            /**
             * @description Number of these routes on which trading is enabled.
             * @example 1
             */
            tradableRoutes: number;
        };
        CodeAttemptResponse: {
            /**
             * @description Type of the step.
             * @enum {string}
             */
            method: "GOOGLE" | "EMAIL" | "SMS" | "FACE" | "YUBIKEY" | "PASSPHRASE";
            /**
             * @description Result of the check by the exchange.
             * @enum {string}
             */
            status: "success" | "failure";
            /** @description Time of the check, in epoch milliseconds. */
            createdAt: number;
            /** @description The same as `status`. */
            success: boolean;
        };
        ConnectExchange: {
            /**
             * @description Exchange id, as in paths and in `wallet.exchange`.
             * @example kraken
             */
            id: string;
            /**
             * @description Name for people.
             * @example Kraken
             */
            name: string;
            /**
             * Format: uri
             * @description An SVG picture for lists. It is not the exchange’s own logo.
             */
            logoUrl: string;
            /**
             * @description Whether accounts can be connected now. `maintenance` and `coming_soon` are reserved.
             * @enum {string}
             */
            status: "live" | "offline" | "maintenance" | "coming_soon";
        };
        ConnectExchangesResponse: {
            /**
             * @description Always true in a 200 response.
             * @enum {boolean}
             */
            success: true;
            /** @description The exchanges, in the order in which they should be shown. */
            exchanges: components["schemas"]["ConnectExchange"][];
        };
        /** @description Details of the error. */
        ConnectFailure: {
            /** @description Name of an API key that was created at the exchange and could not be deleted. The owner of the account has to delete it. */
            keyName?: string;
        };
        ConnectMessageResponse: {
            /**
             * @description `qr_code_auth`: a login with the app of the exchange; `oauth2`: the other connect methods, and every cancelled connect session.
             * @enum {string}
             */
            type: "oauth2" | "qr_code_auth";
            /** @description Absent while the outcome is open. */
            success?: boolean;
            /** @description Id of the wallet, as the application chose it. */
            walletId: string;
            /**
             * @description Exchange id. Absent when the session ended before the person had chosen an exchange.
             * @example kraken
             */
            exchange?: string;
            /**
             * @description The connect method. Absent while the person has chosen none.
             * @enum {string}
             */
            way?: "oauth2" | "api_key" | "qr_code";
            /** @description Message for people. Set where `success` is false. */
            error?: string;
            /**
             * @description Error code of the interface. Set where `success` is false.
             * @enum {string}
             */
            code?: "GENERIC_NOT_FOUND" | "GENERIC_UNAUTHORIZED" | "GENERIC_INTERNAL_SERVER_ERROR" | "GENERIC_VALIDATION_ERROR" | "GENERIC_INVALID_REQUEST" | "GENERIC_RATE_LIMIT_EXCEEDED" | "APIKEY_INSUFFICIENT_PERMISSIONS" | "WALLET_NOT_FOUND" | "WALLET_INVALID_CREDENTIALS" | "WALLET_IDENTITY_NOT_FOUND" | "QUOTE_NOT_FOUND" | "QUOTE_EXPIRED" | "WITHDRAWAL_INSUFFICIENT_BALANCE" | "WITHDRAWAL_INSUFFICIENT_BALANCE_FOR_FEE" | "WITHDRAWAL_INVALID_ADDRESS" | "WITHDRAWAL_NETWORK_NOT_SUPPORTED" | "WITHDRAWAL_TOO_MANY_ADDRESSES" | "WITHDRAWAL_FUNDING_ADDRESS_CONFLICT" | "WITHDRAWAL_AMOUNT_BELOW_MINIMUM" | "WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM" | "WITHDRAWAL_ASSET_NOT_SUPPORTED" | "WITHDRAWAL_PROVIDER_ERROR" | "WITHDRAWAL_KYC_REQUIRED" | "WITHDRAWAL_EMAIL_UNVERIFIED" | "WITHDRAWAL_RATE_LIMIT_EXCEEDED" | "WITHDRAWAL_DRY_RUN_COMPLETE" | "WITHDRAWAL_2FA_REQUIRED_TOTP" | "WITHDRAWAL_2FA_REQUIRED_SMS" | "WITHDRAWAL_2FA_REQUIRED_FACE_RECOGNITION" | "WITHDRAWAL_2FA_REQUIRED_EMAIL" | "WITHDRAWAL_2FA_REQUIRED_YUBIKEY" | "WITHDRAWAL_2FA_REQUIRED_PASSPHRASE" | "WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS" | "WITHDRAWAL_2FA_INCOMPLETE" | "WITHDRAWAL_2FA_INVALID" | "WITHDRAWAL_2FA_METHOD_NOT_SUPPORTED" | "OAUTH_AUTHORIZATION_FAILED" | "OAUTH_TOKEN_EXCHANGE_FAILED" | "OAUTH_INVALID_STATE" | "OAUTH_INSUFFICIENT_SCOPE" | "OAUTH_QR_CODE_UNAVAILABLE" | "OAUTH_COUNTRY_NOT_DETECTED" | "OAUTH_COUNTRY_NOT_SUPPORTED" | "OAUTH_COUNTRY_CODE_INVALID" | "WEBHOOK_SIGNATURE_INVALID" | "WEBHOOK_MISSING_HEADERS" | "WEBHOOK_INVALID_TIMESTAMP" | "CACHE_MISS" | "CACHE_EXPIRED" | "CACHE_INVALID_PATH" | "DEPOSIT_NOT_IMPLEMENTED" | "DEPOSIT_ASSET_REQUIRED" | "DEPOSIT_NETWORK_REQUIRED" | "DEPOSIT_METHODS_UNAVAILABLE" | "DEPOSIT_ADDRESS_UNAVAILABLE" | "DEPOSIT_EXCHANGE_NOT_SUPPORTED" | "DEPOSIT_METHOD_NOT_RESOLVED" | "TRADING_DATA_UNAVAILABLE" | "TRADING_EXCHANGE_NOT_SUPPORTED" | "TRADING_ROUTE_NOT_FOUND" | "TRADING_ROUTE_UNAVAILABLE" | "TRADING_ORDER_TYPE_NOT_SUPPORTED" | "TRADING_ORDER_NOT_FOUND" | "TRADING_PROVIDER_ERROR" | "INFO_ASSET_REQUIRED" | "INFO_FEE_EXCHANGE_NOT_SUPPORTED" | "ENRICHMENT_NETWORK_NOT_SUPPORTED" | "ENRICHMENT_TIMEOUT" | "ENRICHMENT_API_ERROR";
            /** @description Details of the error. `reason` is `cancelled` or `denied` when the person ended the attempt, on our page or at the exchange. */
            result?: {
                [key: string]: unknown;
            };
            /** @description Content of the QR code that the person scans with the app of the exchange. */
            qrCodeUrl?: string;
            /**
             * @description Progress of a login with the app of the exchange.
             * @enum {string}
             */
            qrCodeStatus?: "available" | "scanned" | "confirmed" | "expired";
            /** @description When the QR code expires, epoch milliseconds. */
            qrCodeExpiresAt?: number;
        };
        ConnectProjectSettings: {
            /** @description Whether web pages of the `origins` may start a connect session without an API key. */
            browserConnects: boolean;
            /**
             * @description Origins of pages of the project, exactly as browsers send them: https, or http on the loopback. Pages of these origins may open the hosted page as a popup and receive its outcome. With `browserConnects` they may also start a connect session without an API key and read the responses.
             * @example [
             *       "https://shop.example"
             *     ]
             */
            origins: string[];
            /**
             * @description Addresses to which the hosted page may send people back. A request must name one of them exactly. Each is an https address, or http on the loopback, without user and fragment. For a mobile app, use an https address that opens the app, because any other app may claim a custom scheme.
             * @example [
             *       "https://shop.example/connected"
             *     ]
             */
            returnUrls: string[];
            /**
             * @description The access that a connect session requests when the caller names none. `read` is always included. Access that the exchange’s connector does not support, or that no key of the project can use, is left out. null = all access that the connector supports and a key of the project can use.
             * @example [
             *       "read",
             *       "withdrawal"
             *     ]
             */
            connectAccess?: ("read" | "deposit" | "trade" | "withdrawal")[] | null;
            /**
             * @description The exchanges at which people may connect accounts. A link without an exchange shows them as a list. null = all exchanges that this service supports.
             * @example [
             *       "kraken"
             *     ]
             */
            exchanges?: string[] | null;
            /**
             * @description The name that the hosted page shows. null = the name of the project.
             * @example Shop
             */
            displayName?: string | null;
            /**
             * @description The colour of buttons and links on the hosted page, as `#rrggbb` in lower case. The page makes it darker or lighter where texts would be hard to read. null = the default colour.
             * @example #0a7c66
             */
            color?: string | null;
            /**
             * Format: uri
             * @description A square logo for the hosted page, which browsers load from this https address. null = the first letter of the name.
             * @example https://shop.example/logo.png
             */
            logoUrl?: string | null;
        };
        ConnectUrlResponse: {
            /** @description Page on which the person connects the account. Open it in a browser; it is secret. */
            url: string;
            /**
             * @description Always true in a 200 response.
             * @enum {boolean}
             */
            success: true;
            /** @description Whether the page begins with a QR code for the app of the exchange. */
            isQRCode: boolean;
            /** @description The `idem` of the request. */
            idem: string;
            /** @description When the link expires, in epoch milliseconds. */
            expiresAt: number;
        };
        ConnectWalletRequest: {
            /**
             * @description API key, as the exchange shows it; at `sandbox` the bearer token. Printable ASCII.
             * @example my-api-key
             */
            apiKey: string;
            /**
             * @description API secret or private key (PEM with its line breaks), where the exchange has one. Stored encrypted, never shown again.
             * @example my-api-secret
             */
            apiSecret?: string | null;
            /**
             * @description Passphrase of the API key, where the exchange has one. Printable ASCII.
             * @example correct horse
             */
            apiPassphrase?: string | null;
            /**
             * @description User or account id that belongs to the API key, where the exchange asks for one. Printable ASCII.
             * @example 700012
             */
            apiUid?: string | null;
            /**
             * @description Regional site that issued the key, where the exchange has several, for example `eea`: see [exchanges](exchanges.md). Absent: the first site that is listed there.
             * @example null
             */
            apiRegion?: string | null;
        };
        CostRules: {
            /**
             * @description Smallest volume × price of an order, in the quote asset; null = no minimum.
             * @example 0.5
             */
            minCost: string | null;
        };
        CreateOrganizationRequest: {
            /**
             * @description Name for people. It need not be unique.
             * @example Shop
             */
            name: string;
        };
        CreateProjectRequest: {
            /**
             * @description Name for people. It need not be unique.
             * @example Shop
             */
            name: string;
            /**
             * @description Wallets of a `test` project are at the sandbox exchange, wallets of a `live` project at real exchanges. The mode never changes.
             * @enum {string}
             */
            mode: "test" | "live";
        };
        CreateQuoteRequest: {
            /**
             * @description Asset symbol as in Withdrawal balance, in any writing system. Another spelling (case, or the exchange’s own id) is understood when it names one asset of the exchange only; otherwise the error lists the candidates.
             * @example BTC
             */
            asset: string;
            /**
             * @description Amount as a plain decimal greater than zero: at most 20 digits before and 18 after the point; no sign, no exponent. It is never rounded: more digits than the network accepts are refused.
             * @example 0.01
             */
            amount: string;
            /**
             * @description Destination address; must match `addressRegex` of the network, and have a form that the exchange accepts. Bech32 in capitals, as QR codes contain it, is accepted and becomes lower case; a payment URI (`bitcoin:…`) is refused. On Lightning, it is an invoice for exactly the amount that the receiver gets, a whole number of satoshi. A mistyped address, whose checksum is invalid, is refused.
             * @example bc1pjgv68y0p8ln590tkgc6p2wmqxwqun9y79d6sle83cx0kwwwcttcqd3xcrp
             */
            address: string;
            /**
             * @description true: the account is debited `amount`, and the receiver gets `amount` minus the fee. false: the receiver gets `amount`, and the account is debited the fee on top. Default: false.
             * @example false
             */
            includeFee?: boolean;
            /**
             * @description Network id as in Withdrawal balance; common names (ERC20, TRC20) are understood, case does not matter. May be left out when exactly one network of the asset has addresses of this form.
             * @example bitcoin
             */
            network?: string;
            /**
             * @description Address tag, memo or destination tag, within the limits of the network: on the XRP Ledger a number of 32 bits, on Stellar at most 28 bytes, on Stacks 34, on Hedera 100, elsewhere 256. A network whose exchange takes no tag refuses it. null = the address has no tag. A quote without this member is refused when a quote or an execution of this wallet has used a tag with the same address.
             * @example null
             */
            tag?: string | null;
        };
        CreateWebhookEndpointRequest: {
            /**
             * @description Address that receives the events. It must begin with `https://` and have a public address; redirects are not followed.
             * @example https://shop.example.com/causeway
             */
            url: string;
            /** @description Text for people. Absent: empty. */
            description?: string;
            /** @description The types of events that the endpoint receives. Empty: all types, including those of later releases. Absent: all. */
            eventTypes?: ("wallet.created" | "wallet.deleted" | "wallet.balance.updated" | "wallet.credentials.invalid" | "wallet.credentials.valid" | "quote.created" | "withdrawal.submitted" | "withdrawal.verification_required" | "withdrawal.completed" | "withdrawal.failed" | "withdrawal.unknown" | "withdrawal.reopened" | "transaction.created" | "transaction.updated" | "order.updated" | "webhook_endpoint.disabled")[];
        };
        CreatedWebhookEndpointResponse: {
            /**
             * Format: uuid
             * @description Id of the endpoint.
             */
            id: string;
            /**
             * Format: uuid
             * @description The project whose events the endpoint receives.
             */
            projectId: string;
            /** @description Address that receives the events. */
            url: string;
            /** @description Text for people; may be empty. */
            description: string;
            /** @description The types of events that the endpoint receives; empty: all types. */
            eventTypes: ("wallet.created" | "wallet.deleted" | "wallet.balance.updated" | "wallet.credentials.invalid" | "wallet.credentials.valid" | "quote.created" | "withdrawal.submitted" | "withdrawal.verification_required" | "withdrawal.completed" | "withdrawal.failed" | "withdrawal.unknown" | "withdrawal.reopened" | "transaction.created" | "transaction.updated" | "order.updated" | "webhook_endpoint.disabled")[];
            /**
             * Format: date-time
             * @description When the endpoint was created; ISO 8601.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of the first failure since the last success; ISO 8601. null: the last attempt succeeded, or there was none.
             */
            failingSince: string | null;
            /**
             * Format: date-time
             * @description When the endpoint was disabled; ISO 8601. null: it is enabled.
             */
            disabledAt: string | null;
            /**
             * @description Why the endpoint was disabled. `requested`: by a call of `updateWebhookEndpoint`; `failing`: every attempt of several days has failed; `gone`: it has responded with 410. null: it is enabled.
             * @enum {string|null}
             */
            disabledReason: "requested" | "failing" | "gone" | null;
            /**
             * @description The secret that signs the webhooks to this endpoint. It is shown only in this response and cannot be read again.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw2RkUQwQo1zY=
             */
            secret: string;
        };
        CurrentApiKeyResponse: {
            /** @description Each scope, and whether the key has it. */
            permissions: components["schemas"]["PermissionsResponse"];
            /** @description The request rate of the key. */
            rateLimit: components["schemas"]["KeyRateLimitResponse"];
        };
        DeleteWalletResponse: {
            /**
             * @description Always true: every other outcome is an error.
             * @example true
             */
            success: boolean;
            /**
             * @description Text for people.
             * @example Wallet deleted
             */
            message: string;
        };
        DepositAddressResponse: {
            /**
             * @description The address to send to. It is an address of `network`, for `asset` alone.
             * @example bc1pjgv68y0p8ln590tkgc6p2wmqxwqun9y79d6sle83cx0kwwwcttcqd3xcrp
             */
            address: string;
            /**
             * @description The tag of the address; null = it has none. A deposit that is sent without its tag may be lost.
             * @example null
             */
            tag: string | null;
            /**
             * @description The usual name of the tag on this network; null = addresses on this network have no tag.
             * @example null
             * @enum {string|null}
             */
            tagType: "memo" | "destinationTag" | "message" | null;
            /**
             * @description Network id: always the requested network.
             * @example bitcoin
             */
            network: string;
            /**
             * @description Asset symbol.
             * @example BTC
             */
            asset: string;
            /**
             * @description Exchange identifier.
             * @example kraken
             */
            exchange: string;
            /**
             * @description true: the address was stored, and the exchange was not called. The header `Age` is its age.
             * @example false
             */
            cached: boolean;
            /**
             * @description When the address was requested from the exchange, in epoch milliseconds.
             * @example 1767268800000
             */
            fetchedAt: number;
            /**
             * @description Smallest deposit that is credited, in the asset, as a decimal string; "0" = not reported. A smaller deposit may be lost.
             * @example 0.0001
             */
            minimum: string;
            /**
             * @description Fee that the exchange keeps of each deposit, in the asset, as a decimal string; null = not reported.
             * @example null
             */
            fee: string | null;
            /**
             * @description The largest amount that can be received now, in the asset, as a decimal string; null = no limit is reported.
             * @example null
             */
            limit: string | null;
            /**
             * @description Whether the exchange creates addresses of this asset and network on request (`create_new`).
             * @example true
             */
            canGenerateAddress: boolean;
            /**
             * @description When the address stops receiving, in epoch milliseconds; null = never.
             * @example null
             */
            expiresAt: number | null;
        };
        /** @description The exchange has no usable address, and the request or the exchange does not allow creating one. `result.reason` is `tag_missing` where the exchange returns an address without the tag that it needs, `unsafe_address` where it returns an address that is not valid on the network, and `address_pending` while it generates the address: try again in a minute. */
        DepositAddressUnavailableError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "DEPOSIT_ADDRESS_UNAVAILABLE";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description Details of the refusal. */
            result?: components["schemas"]["ExchangeRefusal"];
        };
        /** @description The query lacks `asset`. */
        DepositAssetRequiredError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "DEPOSIT_ASSET_REQUIRED";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
        };
        /** @description Deposits to this exchange are not supported. */
        DepositExchangeNotSupportedError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "DEPOSIT_EXCHANGE_NOT_SUPPORTED";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
        };
        /** @description The network matches none or several of the exchange’s deposit methods; `result.networks` lists the networks that match exactly one method. */
        DepositMethodNotResolvedError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "DEPOSIT_METHOD_NOT_RESOLVED";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description Details of the error. */
            result: {
                /** @description The networks that match exactly one deposit method of the asset. */
                networks: string[];
            };
        };
        /** @description The exchange has no deposit method for the asset now, or does not list the asset; try again after `Retry-After`. */
        DepositMethodsUnavailableError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "DEPOSIT_METHODS_UNAVAILABLE";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
        };
        /** @description The query lacks `network`. */
        DepositNetworkRequiredError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "DEPOSIT_NETWORK_REQUIRED";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
        };
        /** @description The request has `create_new`, and the exchange creates no address of this asset and network on request. */
        DepositNotImplementedError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "DEPOSIT_NOT_IMPLEMENTED";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
        };
        /** @description The chain API returned an error, or a response that cannot be used. */
        EnrichmentApiError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "ENRICHMENT_API_ERROR";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
        };
        /** @description No chain API is configured for the network. */
        EnrichmentNetworkNotSupportedError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "ENRICHMENT_NETWORK_NOT_SUPPORTED";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
        };
        /** @description The chain API did not respond in time. */
        EnrichmentTimeoutError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "ENRICHMENT_TIMEOUT";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
        };
        ExactAmountsResponse: {
            /**
             * @description The debited amount, as a decimal string.
             * @example 0.01005
             */
            amountWithFee: string;
            /**
             * @description The amount that arrives, as a decimal string.
             * @example 0.01
             */
            amountNoFee: string;
            /**
             * @description The fee, as a decimal string.
             * @example 0.00005
             */
            estimatedFee: string;
            /**
             * @description The same as `amountWithFee`.
             * @example 0.01005
             */
            estimatedTotal: string;
            /**
             * @description `amountWithFeeInFiat` as a decimal string; absent when `amountWithFeeInFiat` is absent.
             * @example 1185.9
             */
            amountWithFeeInFiat?: string;
            /**
             * @description `amountNoFeeInFiat` as a decimal string; absent when `amountNoFeeInFiat` is absent.
             * @example 1180
             */
            amountNoFeeInFiat?: string;
            /**
             * @description `estimatedFeeInFiat` as a decimal string; absent when `estimatedFeeInFiat` is absent.
             * @example 5.9
             */
            estimatedFeeInFiat?: string;
        };
        ExactAssetBalanceResponse: {
            /**
             * @description `free` as a decimal string.
             * @example 1.25
             */
            free: string;
            /**
             * @description `used` as a decimal string.
             * @example 0.25
             */
            used: string;
            /**
             * @description `total` as a decimal string.
             * @example 1.5
             */
            total: string;
        };
        ExactFeeDetailResponse: {
            /**
             * @description `amount` as a decimal string.
             * @example 0.00005
             */
            amount: string;
            /**
             * @description `amountInFiat` as a decimal string; absent when `amountInFiat` is absent.
             * @example 5.9
             */
            amountInFiat?: string;
        };
        ExactNetworkFeeResponse: {
            /**
             * @description `fee` as a decimal string; null when `fee` is null.
             * @example 0.00005
             */
            fee: string | null;
            /**
             * @description `minimumWithdrawal` as a decimal string.
             * @example 0.0001
             */
            minimumWithdrawal: string;
            /**
             * @description `maximumWithdrawal` as a decimal string; null when `maximumWithdrawal` is null.
             * @example 5
             */
            maximumWithdrawal: string | null;
        };
        ExactTransactionResponse: {
            /**
             * @description `amount` as a decimal string.
             * @example 0.05
             */
            amount: string;
            /**
             * @description `feeCost` as a decimal string; null when `feeCost` is null.
             * @example 0.0001
             */
            feeCost: string | null;
            /**
             * @description `amountInFiat` as a decimal string; null when `amountInFiat` is null.
             * @example 5900.25
             */
            amountInFiat: string | null;
            /**
             * @description `feeInFiat` as a decimal string; null when `feeInFiat` is null.
             * @example 11.8
             */
            feeInFiat: string | null;
        };
        ExactWalletListEntryResponse: {
            /**
             * @description `balances` as decimal strings, by asset symbol.
             * @example {
             *       "BTC": "1.5"
             *     }
             */
            balances: {
                [key: string]: string;
            };
        };
        ExactWalletResponse: {
            /**
             * @description `balances` as decimal strings, by asset symbol.
             * @example {
             *       "BTC": {
             *         "free": "1.25",
             *         "used": "0.25",
             *         "total": "1.5"
             *       }
             *     }
             */
            balances: {
                [key: string]: components["schemas"]["ExactAssetBalanceResponse"];
            };
        };
        ExactWithdrawableAssetResponse: {
            /**
             * @description `amount` as a decimal string.
             * @example 5
             */
            amount: string;
            /**
             * @description `amountInFiat` as a decimal string; absent when `amountInFiat` is absent.
             * @example 590000
             */
            amountInFiat?: string;
        };
        /** @description Details of the error. */
        ExchangeRefusal: {
            /** @description Machine-readable detail, for example `address_not_allowlisted`. */
            reason?: string;
            /** @description The error code of the exchange. Its support may ask for it. */
            exchangeCode?: string;
        };
        ExecuteRequest: {
            /**
             * @description Authenticator (TOTP) code, or the code of a hardware key or the passphrase, where the exchange asks for it.
             * @example 123456
             */
            twofa?: string | null;
            /**
             * @description Code that the exchange sent by email.
             * @example 482913
             */
            emailCode?: string | null;
            /**
             * @description Code that the exchange sent by SMS.
             * @example 482913
             */
            smsCode?: string | null;
            /** @description The `bizNo` of the verification report. */
            bizNo?: string | null;
            /** @description Address tag or memo, when the quote was requested without `tag`. A tag that differs from the tag of the quote is refused. `tag` is required here when the wallet has used a tag with this address since the quote was requested; send null for an address without a tag. */
            tag?: string | null;
            /** @description Options of the execution. Unknown members are refused. */
            params?: {
                /** @description true: runs every check and moves no money. The response is WITHDRAWAL_DRY_RUN_COMPLETE when nothing is known to be missing; `error` then names what the exchange checks only in an execution. Default: false. */
                dryRun?: boolean;
            };
        };
        ExecutedWithdrawalResponse: {
            /**
             * Format: uuid
             * @description Our withdrawal id (UUIDv7), as the execution returned it.
             */
            id: string;
            /**
             * Format: uuid
             * @description Our transaction id; see `GET /v0/wallet/transaction/{transactionId}`.
             */
            transactionId: string;
            /**
             * @description State inside the service. `submitting`: the withdrawal is being sent; `unknown`: it was sent, the exchange gave no definite response, and the worker settles it from the history of the exchange; `review`: an operator has to decide; `submitted`: accepted by the exchange; `rejected`: refused, and no money has moved.
             * @enum {string}
             */
            state: "created" | "submitting" | "verification_required" | "submitted" | "completed" | "failed" | "canceled" | "rejected" | "unknown" | "review";
            /** @description Address tag or memo of the withdrawal; null = none. */
            tag: string | null;
            /** @description The id of the withdrawal at the exchange; null until it is known. */
            exchangeTransactionId: string | null;
            /** @description Time of the first execution, in epoch milliseconds. */
            createdAt: number;
            /** @description Time of the last change of `state`, in epoch milliseconds. */
            stateChangedAt: number;
        };
        ExecutionResponse: {
            /**
             * @description true: the exchange has accepted the withdrawal, or may have. An unknown outcome gives the same response and is settled later.
             * @example true
             */
            success: boolean;
            /** @description The same at every repeat of this call. */
            result: components["schemas"]["ExecutionResult"];
        };
        ExecutionResult: {
            /** @description Our withdrawal id (UUIDv7). */
            id: string;
            /** @description Our transaction id. `GET /v0/wallet/transaction/{transactionId}` returns the transaction at once. */
            transactionId: string;
            /**
             * @description Always `pending`. Follow the transaction, which ends as `ok`, `failed` or `canceled`.
             * @example pending
             * @enum {string}
             */
            status: "pending";
        };
        FeeDetailResponse: {
            /**
             * @description Receiver of the fee: the exchange, or the chain.
             * @example exchange_withdrawal_fee
             * @enum {string}
             */
            category: "exchange_withdrawal_fee" | "network_fee";
            /**
             * @description Asset of the fee.
             * @example BTC
             */
            currency: string;
            /**
             * @description Amount of the fee in that asset.
             * @example 0.00005
             */
            amount: number;
            /**
             * @description The fee in `fiatCurrency`; absent when no price is known.
             * @example 5.9
             */
            amountInFiat?: number;
            /**
             * @description Currency of `amountInFiat`; absent when `amountInFiat` is absent.
             * @example USD
             */
            fiatCurrency?: string;
            /** @description The amounts as decimal strings, because a JSON number may lose digits. */
            exact: components["schemas"]["ExactFeeDetailResponse"];
        };
        FeeInfoResponse: {
            /**
             * @description Asset symbol.
             * @example BTC
             */
            asset: string;
            /**
             * @description Exchange identifier.
             * @example kraken
             */
            exchange: string;
            /** @description Fees and the smallest and largest amount, by network. */
            networks: components["schemas"]["NetworkFeeResponse"][];
        };
        FeeTier: {
            /**
             * @description The smallest trading volume of an account in the last 30 days for which the fees apply, in US dollars.
             * @example 50000
             */
            volume: string;
            /**
             * @description Fee of an order that waits in the order book, in percent of its cost; negative = the exchange pays.
             * @example 0.14
             */
            maker: string;
            /**
             * @description Fee of an order that trades at once, in percent of its cost.
             * @example 0.24
             */
            taker: string;
        };
        /** @description An unexpected fault; the log line with this `requestId` has the cause. With 503 and `Retry-After`: the service is busy, is stopping, or cannot reach its database or its queue; send the request again. */
        GenericInternalServerError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "GENERIC_INTERNAL_SERVER_ERROR";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
        };
        /** @description The request is well formed but cannot be served: for example, an unsupported exchange (400), a suspended project (403; `result.reason` is `suspended`), a conflict with an operation in progress or with the present state (409), or the same quote or idempotency key with another payload (422). */
        GenericInvalidRequestError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "GENERIC_INVALID_REQUEST";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description Details of the error. */
            result?: {
                /** @description The transaction of the withdrawal that the request conflicts with; null = it has none. */
                transactionId?: string | null;
                /** @description The id at the exchange of the withdrawal that the request conflicts with. */
                exchangeTransactionId?: string;
                /** @description The order that the request conflicts with; null = its id is not known. */
                orderId?: string | null;
                /** @description Name of an API key that was created at the exchange and could not be deleted. The owner of the account has to delete it. */
                keyName?: string;
                /** @description Machine-readable detail, for example `address_not_allowlisted`. */
                reason?: string;
                /** @description The error code of the exchange. Its support may ask for it. */
                exchangeCode?: string;
            };
            /** @description The supported exchanges, when the request names an exchange that is not supported. */
            supportedExchanges?: string[];
        };
        /** @description The path or a requested object does not exist, for example a transaction, a webhook endpoint or the prices of an exchange. */
        GenericNotFoundError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "GENERIC_NOT_FOUND";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
        };
        /** @description There were too many requests with this API key, from this address or for this wallet; too many failed attempts of this project to connect wallets of one exchange; or too many calls to the exchange under `/trade`. `Retry-After` has the seconds to wait. */
        GenericRateLimitExceededError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "GENERIC_RATE_LIMIT_EXCEEDED";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description Details of the refusal. */
            result?: components["schemas"]["ExchangeRefusal"];
        };
        /** @description The API key, organization or project header is missing or wrong; or the key is expired, revoked, of another organization or project, or not allowed from this IP address; or the token of an administration route is wrong. */
        GenericUnauthorizedError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "GENERIC_UNAUTHORIZED";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
        };
        /** @description A parameter, header or body field has the wrong form; `result.fields` lists each. */
        GenericValidationError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "GENERIC_VALIDATION_ERROR";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description Details of the error. */
            result?: {
                /** @description The parameters, headers or body fields that are wrong; absent when the exchange refused the order. */
                fields?: {
                    /** @description Name of the parameter, header or body field. */
                    field: string;
                    /** @description What is wrong with it, for people. */
                    message: string;
                }[];
                /** @description The networks of the asset, where `network` is required. */
                networks?: string[];
                /** @description The assets or routes that a name may mean, where it names several. */
                candidates?: string[];
                /** @description The rules of the route, where the volume or the price does not follow them. */
                tradingRules?: components["schemas"]["TradingRules"];
                /** @description Machine-readable detail, for example `address_not_allowlisted`. */
                reason?: string;
                /** @description The error code of the exchange. Its support may ask for it. */
                exchangeCode?: string;
            };
            /** @description The supported exchanges, when the request names an exchange that is not supported. */
            supportedExchanges?: string[];
        };
        IdentityResponse: {
            /**
             * @description Full name as the exchange returned it, cut after 256 characters.
             * @example Ada Lovelace
             */
            fullName: string | null;
            /**
             * @description Email address.
             * @example ada@example.org
             */
            email: string | null;
            /**
             * @description Account number as the exchange returned it, without spaces. Its check digits are not verified. An internal number of the exchange (IIBAN) is not a bank account, and no money can be sent to it.
             * @example DE89370400440532013000
             */
            iban: string | null;
            /**
             * @description Country code, ISO 3166-1 alpha-2.
             * @example DE
             */
            country: string | null;
        };
        /** @description The query lacks `asset`. */
        InfoAssetRequiredError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "INFO_ASSET_REQUIRED";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
        };
        /** @description The exchange publishes no withdrawal fees. */
        InfoFeeExchangeNotSupportedError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "INFO_FEE_EXCHANGE_NOT_SUPPORTED";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
        };
        IssueApiKeyRequest: {
            /**
             * @description Name for people. It need not be unique.
             * @example Server of the shop
             */
            name: string;
            /** @description What the key may do. */
            scopes: ("read" | "kyc" | "quote" | "withdrawal" | "trade" | "deposit" | "delete" | "connect")[];
            /**
             * Format: date-time
             * @description When the key expires; ISO 8601 with a time zone, in the future. Absent or null: never.
             */
            expiresAt?: string | null;
            /**
             * @description IP addresses and CIDR ranges from which the key works. Absent, null or empty: all addresses.
             * @example [
             *       "192.0.2.7",
             *       "2001:db8::/32"
             *     ]
             */
            ipAllowlist?: string[] | null;
        };
        IssuedApiKeyResponse: {
            /**
             * Format: uuid
             * @description Id of the key, for rotating and revoking it.
             */
            id: string;
            /**
             * Format: uuid
             * @description The project of the key.
             */
            projectId: string;
            /** @description Name for people. */
            name: string;
            /**
             * @description Prefix and last four characters of the key.
             * @example svc_live_…4xKz
             */
            hint: string;
            /** @description What the key may do. */
            scopes: ("read" | "kyc" | "quote" | "withdrawal" | "trade" | "deposit" | "delete" | "connect")[];
            /** @description IP addresses and CIDR ranges from which the key works; empty: all addresses. */
            ipAllowlist: string[];
            /**
             * Format: date-time
             * @description When the key was issued; ISO 8601.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the key expires; ISO 8601. null: never.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When the key stops working because it was revoked or rotated; ISO 8601. null: neither revoked nor rotated.
             */
            revokedAt: string | null;
            /**
             * Format: date-time
             * @description When the key was last used, up to a minute out of date; ISO 8601. null: never.
             */
            lastUsedAt: string | null;
            /** @description The API key, for the header `x-svc-api-key`. It is shown only in this response and cannot be read again. */
            key: string;
        };
        KeyRateLimitResponse: {
            /** @description Whether requests of this key are limited. Always true. */
            rateLimitEnabled: boolean;
            /**
             * @description Length of the window in milliseconds.
             * @example 60000
             */
            rateLimitTimeWindow: number;
            /**
             * @description Requests that one API process accepts in a window.
             * @example 600
             */
            rateLimitMax: number;
            /** @description Requests in the current window, this one included, as counted by the responding process. */
            requestCount: number;
            /**
             * Format: date-time
             * @description When the key was last used, up to a minute out of date; ISO 8601. null: the key was not used before.
             */
            lastRequest: string | null;
        };
        ListTransactionsResponse: {
            /** @description One page of transactions, newest first. `pagination.totalCount` is exact up to 500. A higher count may be a second old, and one above 10,000 ten minutes. */
            transactions: components["schemas"]["TransactionResponse"][];
            /** @description The number of this page, and the numbers of all pages and entries. */
            pagination: components["schemas"]["TransactionPaginationResponse"];
        };
        ListWalletsResponse: {
            /** @description One page of wallets, newest first. */
            wallets: components["schemas"]["WalletListEntryResponse"][];
            /** @description The number of this page, and the numbers of all pages and entries. */
            pagination: components["schemas"]["PaginationResponse"];
        };
        LivenessResponse: {
            /**
             * @description Always `alive`.
             * @example alive
             * @enum {string}
             */
            status: "alive";
        };
        NetworkFeeResponse: {
            /**
             * @description Network id, as in quotes.
             * @example bitcoin
             */
            network: string;
            /**
             * @description Withdrawal fee in units of `feeAsset`. null only in these cases: the exchange shows the fee only in a quote; it charges the fee in another asset; its price list has no fee, and no amount was given, the amount cannot be withdrawn, or more than three networks would need an estimate (then name one network).
             * @example 0.00005
             */
            fee: number | null;
            /**
             * @description Asset in which the fee is charged.
             * @example BTC
             */
            feeAsset: string;
            /**
             * @description `fixed`: the same for every amount. `variable`: depends on the amount or the moment.
             * @example fixed
             * @enum {string}
             */
            feeType: "fixed" | "variable";
            /**
             * @description Smallest amount that can be debited, in the asset; 0 = unknown.
             * @example 0.0001
             */
            minimumWithdrawal: number;
            /**
             * @description Largest amount that can be debited at once, in the asset; null = unknown.
             * @example 5
             */
            maximumWithdrawal: number | null;
            /**
             * @description Why `amount` cannot be withdrawn on this network: it has more digits after the point than the network accepts, or the debited amount (with the fee) is out of bounds. null = no known problem, or no amount was given.
             * @example null
             * @enum {string|null}
             */
            amountProblem: "too_many_decimals" | "below_minimum" | "above_maximum" | null;
            /** @description The amounts as decimal strings, because a JSON number may lose digits. */
            exact: components["schemas"]["ExactNetworkFeeResponse"];
        };
        /** @description The owner of the account cancelled or denied the authorization, did not finish it in time, or used up all attempts; or the exchange denied it. */
        OauthAuthorizationFailedError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "OAUTH_AUTHORIZATION_FAILED";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description Details of the failure. */
            result?: components["schemas"]["ConnectFailure"];
        };
        /** @description The country is not an ISO 3166-1 alpha-2 code. */
        OauthCountryCodeInvalidError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "OAUTH_COUNTRY_CODE_INVALID";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
        };
        /** @description The exchange is not offered in every country, and the country of the owner is not known; send `country`. */
        OauthCountryNotDetectedError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "OAUTH_COUNTRY_NOT_DETECTED";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
        };
        /** @description The exchange is not offered in this country. */
        OauthCountryNotSupportedError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "OAUTH_COUNTRY_NOT_SUPPORTED";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
        };
        /** @description The authorization grants less access than was requested. */
        OauthInsufficientScopeError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "OAUTH_INSUFFICIENT_SCOPE";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description Details of the failure. */
            result?: components["schemas"]["ConnectFailure"];
        };
        /** @description The `state` of the callback is unknown, already used, expired or from another browser. */
        OauthInvalidStateError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "OAUTH_INVALID_STATE";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
        };
        /** @description The owner of the account allowed the access, but the exchange returned no tokens or no API key for it, or did not respond. */
        OauthTokenExchangeFailedError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "OAUTH_TOKEN_EXCHANGE_FAILED";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description Details of the failure. */
            result?: components["schemas"]["ConnectFailure"];
        };
        OrderDescriptionResponse: {
            /**
             * @description The pair as the exchange writes it, or as we write it before the exchange has reported it.
             * @example XBTUSD
             */
            pair: string;
            /**
             * @description `buy` or `sell`, as the exchange reports it.
             * @example sell
             */
            side: string;
            /**
             * @description `market` or `limit`, as the exchange reports it.
             * @example limit
             */
            type: string;
        };
        OrderFeeResponse: {
            /**
             * @description Asset in which the fee is charged.
             * @example USD
             */
            asset: string;
            /**
             * @description Amount as a decimal string; negative = a rebate.
             * @example 1.2
             */
            amount: string;
        };
        OrderResponse: {
            /**
             * Format: uuid
             * @description Our order id (UUIDv7).
             */
            orderId: string;
            /**
             * @description Exchange of the wallet.
             * @example kraken
             */
            exchange: string;
            /**
             * @description `filled`, `canceled`, `expired` are final. They never change, except that an order with the `rawStatus` `not_placed` or `refused` gets its true status if the exchange shows it after all. `unknown`: it is not known yet whether the exchange has the order, the exchange reports an unknown status (`rawStatus`), the present credentials of the wallet cannot read the order (`rawStatus` `not_visible`), or the order has ended and the exchange no longer shows whether it was executed (`rawStatus` `not_listed`). An order that was never placed is `canceled` with the `rawStatus` `not_placed`. An order that the exchange refused is `canceled` with the `rawStatus` `refused`.
             * @example filled
             * @enum {string}
             */
            status: "open" | "filled" | "canceled" | "expired" | "unknown";
            /**
             * @description The exchange's own status. Before it has reported one: `unknown`, `accepted`, `not_placed` or `refused`. `not_visible`: the credentials of the wallet were replaced, and the exchange does not show the order to the present ones; all values but `status` are those of the last report. `not_listed`: the exchange no longer lists the order, so it has ended; with the status `canceled` it was certainly not executed, and with `unknown` it may have been executed after the last report. `settled_by_operator`: an operator of this installation has found out how such an order ended.
             * @example closed
             */
            rawStatus: string;
            /**
             * @description Ordered volume, in the base asset, as a decimal string.
             * @example 0.01
             */
            volume: string;
            /**
             * @description Executed volume, in the base asset, as a decimal string.
             * @example 0.01
             */
            executedVolume: string;
            /**
             * @description Cost of the executed volume, in the quote asset, as a decimal string.
             * @example 750.005
             */
            cost: string;
            /**
             * @description Average price of the executed volume, in the quote asset, as a decimal string; 0 while nothing is executed.
             * @example 75000.5
             */
            averagePrice: string;
            /**
             * @description Fee so far, in `feeAsset`, as a decimal string; negative = a rebate. If fees are charged in several assets, it is the first of `fees`. null = a part of the order is executed, and the exchange does not report the fee.
             * @example 1.2
             */
            fee: string | null;
            /**
             * @description Asset of `fee`: the quote asset, or another asset, such as the base asset, if the exchange charges the fee in it. null exactly where `fee` is null.
             * @example USD
             */
            feeAsset: string | null;
            /** @description All fees so far, one for each asset in which the exchange charges them; empty = no fee. null exactly where `fee` is null. */
            fees: components["schemas"]["OrderFeeResponse"][] | null;
            /**
             * @description When the exchange opened the order, in epoch seconds; null = not reported.
             * @example 1763700000
             */
            openedAt: number | null;
            /**
             * @description When the order ended at the exchange, in epoch seconds; null = it has not ended, or the time is not reported.
             * @example 1763700060
             */
            closedAt: number | null;
            /** @description The terms of the order. */
            description: components["schemas"]["OrderDescriptionResponse"];
            /** @description The exchange's own entry of the order, from its last response; empty while there is none. Its inner structure is the exchange's. */
            rawResponse: {
                [key: string]: unknown;
            };
        };
        /** @description A spot order has changed. */
        OrderUpdatedEvent: {
            /**
             * Format: uuid
             * @description Id of the event, as in `webhook-id`.
             */
            id: string;
            /**
             * @description Type of the event.
             * @enum {string}
             */
            type: "order.updated";
            /**
             * Format: date-time
             * @description When the change was recorded; ISO 8601.
             */
            timestamp: string;
            /** @description The caller’s id of the wallet. */
            walletId: string;
            /** @description Number among all events of the wallet: 1, 2, 3 … A higher number is later. */
            walletSequence: number;
            /** @description The change. `{"omitted": true}` when it would be larger than 256 KiB. */
            data: ({
                /** @description The caller’s id of the wallet. */
                walletId: string;
                /** @description The route of the order. */
                routeId: string;
            } & components["schemas"]["OrderResponse"]) | {
                /**
                 * @description Always true: the data are larger than 256 KiB.
                 * @enum {boolean}
                 */
                omitted: true;
            };
        };
        OrganizationListResponse: {
            /** @description One page, newest first. */
            organizations: components["schemas"]["OrganizationResponse"][];
            /** @description The number of this page, and the numbers of all pages and entries. */
            pagination: components["schemas"]["PaginationResponse"];
        };
        OrganizationResponse: {
            /**
             * Format: uuid
             * @description Value of `x-svc-org-id`.
             */
            id: string;
            /** @description Name for people. */
            name: string;
            /**
             * Format: date-time
             * @description When the organization was created; ISO 8601.
             */
            createdAt: string;
        };
        OutcomeResponse: {
            /** @description The topic of the request. */
            idem: string;
            /**
             * @description For a connect session: `pending` until it has succeeded or can no longer succeed. For a withdrawal quote: the outcome in its latest message.
             * @enum {string}
             */
            status: "pending" | "success" | "failed";
            /** @description null while `status` is `pending`. */
            success: boolean | null;
            /**
             * @description Type of the latest message of the topic. null = it has no message.
             * @enum {string|null}
             */
            type: "oauth2" | "qr_code_auth" | "withdraw" | null;
            /**
             * @description Error code of the latest message. While `status` is `pending`, it is the code of a failed attempt. null = the message reports no error. Only listeners get the text and the details of the error.
             * @enum {string|null}
             */
            code: "GENERIC_NOT_FOUND" | "GENERIC_UNAUTHORIZED" | "GENERIC_INTERNAL_SERVER_ERROR" | "GENERIC_VALIDATION_ERROR" | "GENERIC_INVALID_REQUEST" | "GENERIC_RATE_LIMIT_EXCEEDED" | "APIKEY_INSUFFICIENT_PERMISSIONS" | "WALLET_NOT_FOUND" | "WALLET_INVALID_CREDENTIALS" | "WALLET_IDENTITY_NOT_FOUND" | "QUOTE_NOT_FOUND" | "QUOTE_EXPIRED" | "WITHDRAWAL_INSUFFICIENT_BALANCE" | "WITHDRAWAL_INSUFFICIENT_BALANCE_FOR_FEE" | "WITHDRAWAL_INVALID_ADDRESS" | "WITHDRAWAL_NETWORK_NOT_SUPPORTED" | "WITHDRAWAL_TOO_MANY_ADDRESSES" | "WITHDRAWAL_FUNDING_ADDRESS_CONFLICT" | "WITHDRAWAL_AMOUNT_BELOW_MINIMUM" | "WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM" | "WITHDRAWAL_ASSET_NOT_SUPPORTED" | "WITHDRAWAL_PROVIDER_ERROR" | "WITHDRAWAL_KYC_REQUIRED" | "WITHDRAWAL_EMAIL_UNVERIFIED" | "WITHDRAWAL_RATE_LIMIT_EXCEEDED" | "WITHDRAWAL_DRY_RUN_COMPLETE" | "WITHDRAWAL_2FA_REQUIRED_TOTP" | "WITHDRAWAL_2FA_REQUIRED_SMS" | "WITHDRAWAL_2FA_REQUIRED_FACE_RECOGNITION" | "WITHDRAWAL_2FA_REQUIRED_EMAIL" | "WITHDRAWAL_2FA_REQUIRED_YUBIKEY" | "WITHDRAWAL_2FA_REQUIRED_PASSPHRASE" | "WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS" | "WITHDRAWAL_2FA_INCOMPLETE" | "WITHDRAWAL_2FA_INVALID" | "WITHDRAWAL_2FA_METHOD_NOT_SUPPORTED" | "OAUTH_AUTHORIZATION_FAILED" | "OAUTH_TOKEN_EXCHANGE_FAILED" | "OAUTH_INVALID_STATE" | "OAUTH_INSUFFICIENT_SCOPE" | "OAUTH_QR_CODE_UNAVAILABLE" | "OAUTH_COUNTRY_NOT_DETECTED" | "OAUTH_COUNTRY_NOT_SUPPORTED" | "OAUTH_COUNTRY_CODE_INVALID" | "WEBHOOK_SIGNATURE_INVALID" | "WEBHOOK_MISSING_HEADERS" | "WEBHOOK_INVALID_TIMESTAMP" | "CACHE_MISS" | "CACHE_EXPIRED" | "CACHE_INVALID_PATH" | "DEPOSIT_NOT_IMPLEMENTED" | "DEPOSIT_ASSET_REQUIRED" | "DEPOSIT_NETWORK_REQUIRED" | "DEPOSIT_METHODS_UNAVAILABLE" | "DEPOSIT_ADDRESS_UNAVAILABLE" | "DEPOSIT_EXCHANGE_NOT_SUPPORTED" | "DEPOSIT_METHOD_NOT_RESOLVED" | "TRADING_DATA_UNAVAILABLE" | "TRADING_EXCHANGE_NOT_SUPPORTED" | "TRADING_ROUTE_NOT_FOUND" | "TRADING_ROUTE_UNAVAILABLE" | "TRADING_ORDER_TYPE_NOT_SUPPORTED" | "TRADING_ORDER_NOT_FOUND" | "TRADING_PROVIDER_ERROR" | "INFO_ASSET_REQUIRED" | "INFO_FEE_EXCHANGE_NOT_SUPPORTED" | "ENRICHMENT_NETWORK_NOT_SUPPORTED" | "ENRICHMENT_TIMEOUT" | "ENRICHMENT_API_ERROR" | null;
        };
        PaginationResponse: {
            /** @description Number of matching entries on all pages. */
            totalCount: number;
            /** @description Number of this page, counted from 0. */
            page: number;
            /** @description Entries on a page. */
            limit: number;
            /** @description Number of pages. */
            pageCount: number;
        };
        PermissionsResponse: {
            /** @description May read wallets, balances, fees, transactions and the catalogue. */
            read: boolean;
            /** @description May read identities. Needs `read`, too. */
            kyc: boolean;
            /** @description May create withdrawal quotes. Needs `read`, too. */
            quote: boolean;
            /** @description May execute withdrawals. Needs `read` and `quote`, too. */
            withdrawal: boolean;
            /** @description May place and read orders. */
            trade: boolean;
            /** @description May request deposit addresses. Needs `read`, too. */
            deposit: boolean;
            /** @description May delete wallets. Needs `read`, too. */
            delete: boolean;
            /** @description May connect wallets. */
            connect: boolean;
        };
        PingWalletResponse: {
            /**
             * @description The caller’s own id of the wallet.
             * @example customer-4711
             */
            id: string;
            /**
             * @description Exchange identifier.
             * @example kraken
             */
            exchange: string;
            /**
             * @description INVALID_API_CREDENTIALS only when the exchange has reported the credentials as invalid.
             * @enum {string}
             */
            status: "SUCCESS" | "INVALID_API_CREDENTIALS";
            /** @description Whether the exchange accepted the credentials. */
            success: boolean;
            /**
             * @description When the API key expires, as the exchange reports it. Epoch seconds; null = not reported.
             * @example 1790000000
             */
            validUntil: number | null;
            /**
             * @description Permissions of the API key, by the exchange’s own names. Empty when it does not report them.
             * @example [
             *       "read",
             *       "withdraw"
             *     ]
             */
            permissions: string[];
            /**
             * @description IP addresses from which the exchange accepts the API key. Empty when the exchange does not restrict or report them.
             * @example [
             *       "203.0.113.10"
             *     ]
             */
            ipAllowlist: string[];
            /**
             * @description When the API key was last used, as the exchange reports it. Epoch seconds; null = not reported.
             * @example 1790000000
             */
            lastUsed: number | null;
            /**
             * @description When the API key was made, as the exchange reports it. Epoch seconds; null = not reported.
             * @example 1790000000
             */
            createdTime: number | null;
            /**
             * @description When the API key was last changed, as the exchange reports it. Epoch seconds; null = not reported.
             * @example 1790000000
             */
            modifiedTime: number | null;
            /**
             * @description Settings of the API key because of which withdrawals and orders are refused until the owner changes them at the exchange. `nonce_window`: the nonce window of the key is not 0, so the exchange could carry out a request twice. Empty when there are none, or when the exchange does not report such settings.
             * @example [
             *       "nonce_window"
             *     ]
             */
            unsafeSettings: string[];
        };
        PlaceOrderRequest: {
            /**
             * @description Route id from the catalogue, or the pair as `<base>/<quote>`. Another spelling counts if it names one route only.
             * @example kraken:spot:BTC-USD
             */
            routeId: string;
            /**
             * @description Volume in the base asset, as a plain decimal greater than zero: at most 20 digits before and 18 after the point; no sign, no exponent. It is never rounded: a value that does not follow the rules of the route is refused. It must be at least `minBaseQty`, and a multiple of `stepSize`.
             * @example 0.01
             */
            volume: string;
            /**
             * @description Limit price in the quote asset, as a plain decimal greater than zero: at most 20 digits before and 18 after the point; no sign, no exponent. It is never rounded: a value that does not follow the rules of the route is refused. It must be a multiple of `tickSize`. Required for a limit order, refused for a market order. null is accepted only together with `"type": "market"`.
             * @example 75000.5
             */
            price?: string | null;
            /**
             * @description `sell`: the base asset for the quote asset; `buy`: the quote asset for the base asset. Default: `sell`.
             * @example sell
             * @enum {string}
             */
            side?: "buy" | "sell";
            /**
             * @description Default: `limit` if the request has a `price`, otherwise `market`.
             * @example limit
             * @enum {string}
             */
            type?: "market" | "limit";
        };
        PlacedOrderResponse: {
            /**
             * Format: uuid
             * @description Our order id (UUIDv7), for reading the order.
             */
            orderId: string;
            /**
             * @description The exchange's own ids of the order; empty while it is not known whether the exchange has the order.
             * @example [
             *       "OUF4EM-FRGI2-MQMWZD"
             *     ]
             */
            txid: string[];
            /**
             * @description Exchange of the wallet.
             * @example kraken
             */
            exchange: string;
            /**
             * @description Route of the order, as in Tradable assets.
             * @example kraken:spot:BTC-USD
             */
            routeId: string;
            /**
             * @description Text for people that describes the order: the exchange's own text, if the exchange returned one.
             * @example sell 0.01000000 XBTUSD @ limit 75000.5
             */
            description: string;
            /** @description The exchange's own response; empty while there is none. Its inner structure is the exchange's. */
            rawResponse: {
                [key: string]: unknown;
            };
            /**
             * @description `open`: the exchange has accepted the order. `unknown`: the exchange gave no definite response. The order may exist and must not be placed again: follow it with GET /v0/wallet/trade/order/{orderId}. Other statuses occur in the response to a repeat, and when the exchange has the order although it refused it.
             * @example open
             * @enum {string}
             */
            status: "open" | "filled" | "canceled" | "expired" | "unknown";
        };
        PriceRules: {
            /**
             * @description Every price must be a multiple of this value, in the quote asset. It need not be a power of ten.
             * @example 0.1
             */
            tickSize: string;
            /**
             * @description Maximum number of digits after the point of a price.
             * @example 1
             */
            priceDecimals: number;
        };
        ProblemResponse: {
            /**
             * @description URI reference of the code’s documentation.
             * @example /docs/errors#WALLET_NOT_FOUND
             */
            type: string;
            /**
             * @description Error code; also in `code`.
             * @example WALLET_NOT_FOUND
             */
            title: string;
            /**
             * @description HTTP status.
             * @example 404
             */
            status: number;
            /**
             * @description What went wrong, for people; the same as `error`.
             * @example Wallet not found
             */
            detail: string;
            /**
             * @description Error code.
             * @example WALLET_NOT_FOUND
             * @enum {string}
             */
            code: "GENERIC_NOT_FOUND" | "GENERIC_UNAUTHORIZED" | "GENERIC_INTERNAL_SERVER_ERROR" | "GENERIC_VALIDATION_ERROR" | "GENERIC_INVALID_REQUEST" | "GENERIC_RATE_LIMIT_EXCEEDED" | "APIKEY_INSUFFICIENT_PERMISSIONS" | "WALLET_NOT_FOUND" | "WALLET_INVALID_CREDENTIALS" | "WALLET_IDENTITY_NOT_FOUND" | "QUOTE_NOT_FOUND" | "QUOTE_EXPIRED" | "WITHDRAWAL_INSUFFICIENT_BALANCE" | "WITHDRAWAL_INSUFFICIENT_BALANCE_FOR_FEE" | "WITHDRAWAL_INVALID_ADDRESS" | "WITHDRAWAL_NETWORK_NOT_SUPPORTED" | "WITHDRAWAL_TOO_MANY_ADDRESSES" | "WITHDRAWAL_FUNDING_ADDRESS_CONFLICT" | "WITHDRAWAL_AMOUNT_BELOW_MINIMUM" | "WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM" | "WITHDRAWAL_ASSET_NOT_SUPPORTED" | "WITHDRAWAL_PROVIDER_ERROR" | "WITHDRAWAL_KYC_REQUIRED" | "WITHDRAWAL_EMAIL_UNVERIFIED" | "WITHDRAWAL_RATE_LIMIT_EXCEEDED" | "WITHDRAWAL_DRY_RUN_COMPLETE" | "WITHDRAWAL_2FA_REQUIRED_TOTP" | "WITHDRAWAL_2FA_REQUIRED_SMS" | "WITHDRAWAL_2FA_REQUIRED_FACE_RECOGNITION" | "WITHDRAWAL_2FA_REQUIRED_EMAIL" | "WITHDRAWAL_2FA_REQUIRED_YUBIKEY" | "WITHDRAWAL_2FA_REQUIRED_PASSPHRASE" | "WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS" | "WITHDRAWAL_2FA_INCOMPLETE" | "WITHDRAWAL_2FA_INVALID" | "WITHDRAWAL_2FA_METHOD_NOT_SUPPORTED" | "OAUTH_AUTHORIZATION_FAILED" | "OAUTH_TOKEN_EXCHANGE_FAILED" | "OAUTH_INVALID_STATE" | "OAUTH_INSUFFICIENT_SCOPE" | "OAUTH_QR_CODE_UNAVAILABLE" | "OAUTH_COUNTRY_NOT_DETECTED" | "OAUTH_COUNTRY_NOT_SUPPORTED" | "OAUTH_COUNTRY_CODE_INVALID" | "WEBHOOK_SIGNATURE_INVALID" | "WEBHOOK_MISSING_HEADERS" | "WEBHOOK_INVALID_TIMESTAMP" | "CACHE_MISS" | "CACHE_EXPIRED" | "CACHE_INVALID_PATH" | "DEPOSIT_NOT_IMPLEMENTED" | "DEPOSIT_ASSET_REQUIRED" | "DEPOSIT_NETWORK_REQUIRED" | "DEPOSIT_METHODS_UNAVAILABLE" | "DEPOSIT_ADDRESS_UNAVAILABLE" | "DEPOSIT_EXCHANGE_NOT_SUPPORTED" | "DEPOSIT_METHOD_NOT_RESOLVED" | "TRADING_DATA_UNAVAILABLE" | "TRADING_EXCHANGE_NOT_SUPPORTED" | "TRADING_ROUTE_NOT_FOUND" | "TRADING_ROUTE_UNAVAILABLE" | "TRADING_ORDER_TYPE_NOT_SUPPORTED" | "TRADING_ORDER_NOT_FOUND" | "TRADING_PROVIDER_ERROR" | "INFO_ASSET_REQUIRED" | "INFO_FEE_EXCHANGE_NOT_SUPPORTED" | "ENRICHMENT_NETWORK_NOT_SUPPORTED" | "ENRICHMENT_TIMEOUT" | "ENRICHMENT_API_ERROR";
            /**
             * @description The same as `detail`.
             * @example Wallet not found
             */
            error: string;
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description Details of the error, as in the default form. */
            result?: {
                [key: string]: unknown;
            };
            /** @description The scopes that the key lacks, for APIKEY_INSUFFICIENT_PERMISSIONS. */
            missing?: string[];
            /** @description The ids of the supported exchanges, when the request names an exchange that is not supported. */
            supportedExchanges?: string[];
        };
        ProjectListResponse: {
            /** @description One page, newest first. */
            projects: components["schemas"]["ProjectResponse"][];
            /** @description The number of this page, and the numbers of all pages and entries. */
            pagination: components["schemas"]["PaginationResponse"];
        };
        ProjectResponse: {
            /**
             * Format: uuid
             * @description Value of `x-svc-project-id`.
             */
            id: string;
            /**
             * Format: uuid
             * @description The organization that owns it.
             */
            organizationId: string;
            /** @description Name for people. */
            name: string;
            /**
             * @description `test`: its wallets are at the sandbox exchange. `live`: they are at real exchanges.
             * @enum {string}
             */
            mode: "test" | "live";
            /**
             * Format: date-time
             * @description When the project was created; ISO 8601.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the project was suspended; ISO 8601. null: it is not suspended.
             */
            suspendedAt: string | null;
            /**
             * Format: date-time
             * @description When the project was deleted and its keys became invalid; ISO 8601. null: it is not deleted.
             */
            deletedAt: string | null;
        };
        QuantityRules: {
            /**
             * @description Minimum volume of an order, in the base asset.
             * @example 0.00005
             */
            minBaseQty: string;
            /**
             * @description Every volume must be a multiple of this value, in the base asset.
             * @example 0.00000001
             */
            stepSize: string;
            /**
             * @description Maximum number of digits after the point of a volume.
             * @example 8
             */
            quantityDecimals: number;
        };
        /** @description A withdrawal was quoted. No money moves before the quote is executed. */
        QuoteCreatedEvent: {
            /**
             * Format: uuid
             * @description Id of the event, as in `webhook-id`.
             */
            id: string;
            /**
             * @description Type of the event.
             * @enum {string}
             */
            type: "quote.created";
            /**
             * Format: date-time
             * @description When the change was recorded; ISO 8601.
             */
            timestamp: string;
            /** @description The caller’s id of the wallet. */
            walletId: string;
            /** @description Number among all events of the wallet: 1, 2, 3 … A higher number is later. */
            walletSequence: number;
            /** @description The change. `{"omitted": true}` when it would be larger than 256 KiB. */
            data: ({
                /** @description The caller’s id of the wallet. */
                walletId: string;
                /** @description Id of the exchange. */
                exchange: string;
            } & components["schemas"]["QuoteResponse"]) | {
                /**
                 * @description Always true: the data are larger than 256 KiB.
                 * @enum {boolean}
                 */
                omitted: true;
            };
        };
        /** @description The quote was not executed before its `expiresAt`; create a new quote. */
        QuoteExpiredError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "QUOTE_EXPIRED";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description Details of the error. */
            result?: {
                /** @description `expiresAt` of the quote, epoch milliseconds. */
                expiresAt?: number;
            };
        };
        /** @description The wallet has no quote with this id. */
        QuoteNotFoundError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "QUOTE_NOT_FOUND";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
        };
        QuoteResponse: {
            /**
             * Format: uuid
             * @description Quote id (UUIDv7); the path parameter of Execute withdrawal.
             * @example 0199d3a0-5d3e-7c1a-9f60-2f1c3b8d4e55
             */
            id: string;
            /**
             * @description Asset symbol.
             * @example BTC
             */
            asset: string;
            /**
             * @description The debited amount, in the asset: `amountNoFee + estimatedFee`.
             * @example 0.01005
             */
            amountWithFee: number;
            /**
             * @description The amount that arrives at the destination, in the asset.
             * @example 0.01
             */
            amountNoFee: number;
            /**
             * @description Destination address.
             * @example bc1pjgv68y0p8ln590tkgc6p2wmqxwqun9y79d6sle83cx0kwwwcttcqd3xcrp
             */
            destinationAddress: string;
            /**
             * @description Network id.
             * @example bitcoin
             */
            network: string;
            /**
             * @description Address tag or memo; null = none.
             * @example null
             */
            tag: string | null;
            /**
             * @description The fee, in the asset.
             * @example 0.00005
             */
            estimatedFee: number;
            /**
             * @description The same as `amountWithFee`.
             * @example 0.01005
             */
            estimatedTotal: number;
            /**
             * @description `amountWithFee` in US dollars, at the price when the quote was made; absent when no price was known.
             * @example 1185.9
             */
            amountWithFeeInFiat?: number;
            /**
             * @description `amountNoFee` in US dollars, at the same price; absent when no price was known.
             * @example 1180
             */
            amountNoFeeInFiat?: number;
            /**
             * @description `estimatedFee` in US dollars, at the same price; absent when no price was known.
             * @example 5.9
             */
            estimatedFeeInFiat?: number;
            /**
             * @description When the quote expires, in epoch milliseconds. A later execution gets QUOTE_EXPIRED.
             * @example 1767269100000
             */
            expiresAt: number;
            /** @description The parts of the fee. */
            feeDetails: components["schemas"]["FeeDetailResponse"][];
            /** @description The amounts as decimal strings, because a JSON number may lose digits. */
            exact: components["schemas"]["ExactAmountsResponse"];
            /** @description Smallest and largest amount that can be withdrawn, for this account and network. */
            additionalInfo: components["schemas"]["WithdrawalLimitsResponse"];
            /** @description What the execution will still need; empty = nothing. */
            requirements: components["schemas"]["RequirementResponse"][];
        };
        ReadinessChecks: {
            /** @description The database responds, accepts writes, and has every migration of this build. */
            database: boolean;
            /** @description The key-encryption keys encrypt and decrypt, and open stored records, except those of `VAULT_LOST_KEYS`. */
            vault: boolean;
            /** @description The host’s clock was compared with the database’s clock for this response and differs by at most `CLOCK_DIFFERENCE_MAX_MS`. */
            clock: boolean;
            /** @description The queue responds. Only the worker has this check. */
            queue?: boolean;
            /** @description The process is not stopping. */
            running: boolean;
        };
        ReadinessResponse: {
            /**
             * @description Whether requests may be sent to this process.
             * @example ready
             * @enum {string}
             */
            status: "ready" | "unavailable";
            /** @description Each check; false = failed. */
            checks: components["schemas"]["ReadinessChecks"];
            /** @description The pauses of calls to exchanges that this process keeps; they do not make it unready. */
            pauses: components["schemas"]["ShownPauses"][];
        };
        ReceivedWebhookResponse: {
            /** @description The webhook is stored. A worker processes it. */
            success: boolean;
        };
        RecordedErrorResponse: {
            /** @description The error code that the execution returned and returns at every repeat. */
            type: string;
            /** @description The error message, for people. */
            error: string;
            /** @description The details of the error; null = none. */
            result: {
                [key: string]: unknown;
            } | null;
        };
        RequirementResponse: {
            /**
             * @description A requirement of the execution. `travel_rule`: the exchange asks for data about the recipient, which withdrawals through this API do not carry.
             * @example address_allowlist
             * @enum {string}
             */
            type: "address_allowlist" | "totp" | "tag" | "email" | "sms" | "face" | "yubikey" | "passphrase" | "kyc" | "travel_rule";
            /**
             * @description Instruction for people.
             * @example Save the address in the withdrawal address book at Kraken.
             */
            detail: string;
        };
        ResendWebhooksRequest: {
            /**
             * Format: date-time
             * @description Time of the first event, inclusive; ISO 8601 with a time zone.
             * @example 2026-11-20T00:00:00Z
             */
            from: string;
            /**
             * Format: date-time
             * @description Time after the last event, exclusive; ISO 8601 with a time zone. Absent: now.
             */
            to?: string;
            /** @description Whether events that the endpoint has accepted are sent again, too. Absent: false. */
            includeDelivered?: boolean;
        };
        ResentWebhooksResponse: {
            /** @description The number of deliveries that are due now. */
            count: number;
            /**
             * Format: date-time
             * @description The `from` of the next request, if the range has more events than one request sends; null: the range has no more events.
             */
            continueFrom: string | null;
        };
        RotateApiKeyRequest: {
            /** @description Seconds for which the old key still works. Default: 86400. */
            overlapSeconds?: number;
            /**
             * Format: date-time
             * @description Expiry of the new key; ISO 8601 with a time zone, in the future; null: never. Absent: the expiry of the old key.
             */
            expiresAt?: string | null;
        };
        RotateWebhookSecretRequest: {
            /** @description Seconds for which the old secret signs beside the new one. Default: 86400. */
            overlapSeconds?: number;
        };
        RotatedApiKeyResponse: {
            /**
             * Format: uuid
             * @description Id of the key, for rotating and revoking it.
             */
            id: string;
            /**
             * Format: uuid
             * @description The project of the key.
             */
            projectId: string;
            /** @description Name for people. */
            name: string;
            /**
             * @description Prefix and last four characters of the key.
             * @example svc_live_…4xKz
             */
            hint: string;
            /** @description What the key may do. */
            scopes: ("read" | "kyc" | "quote" | "withdrawal" | "trade" | "deposit" | "delete" | "connect")[];
            /** @description IP addresses and CIDR ranges from which the key works; empty: all addresses. */
            ipAllowlist: string[];
            /**
             * Format: date-time
             * @description When the key was issued; ISO 8601.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the key expires; ISO 8601. null: never.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When the key stops working because it was revoked or rotated; ISO 8601. null: neither revoked nor rotated.
             */
            revokedAt: string | null;
            /**
             * Format: date-time
             * @description When the key was last used, up to a minute out of date; ISO 8601. null: never.
             */
            lastUsedAt: string | null;
            /** @description The API key, for the header `x-svc-api-key`. It is shown only in this response and cannot be read again. */
            key: string;
            /**
             * Format: date-time
             * @description When the old key stops working; ISO 8601.
             */
            previousWorksUntil: string;
        };
        RotatedWebhookSecretResponse: {
            /**
             * Format: uuid
             * @description Id of the endpoint.
             */
            id: string;
            /**
             * Format: uuid
             * @description The project whose events the endpoint receives.
             */
            projectId: string;
            /** @description Address that receives the events. */
            url: string;
            /** @description Text for people; may be empty. */
            description: string;
            /** @description The types of events that the endpoint receives; empty: all types. */
            eventTypes: ("wallet.created" | "wallet.deleted" | "wallet.balance.updated" | "wallet.credentials.invalid" | "wallet.credentials.valid" | "quote.created" | "withdrawal.submitted" | "withdrawal.verification_required" | "withdrawal.completed" | "withdrawal.failed" | "withdrawal.unknown" | "withdrawal.reopened" | "transaction.created" | "transaction.updated" | "order.updated" | "webhook_endpoint.disabled")[];
            /**
             * Format: date-time
             * @description When the endpoint was created; ISO 8601.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of the first failure since the last success; ISO 8601. null: the last attempt succeeded, or there was none.
             */
            failingSince: string | null;
            /**
             * Format: date-time
             * @description When the endpoint was disabled; ISO 8601. null: it is enabled.
             */
            disabledAt: string | null;
            /**
             * @description Why the endpoint was disabled. `requested`: by a call of `updateWebhookEndpoint`; `failing`: every attempt of several days has failed; `gone`: it has responded with 410. null: it is enabled.
             * @enum {string|null}
             */
            disabledReason: "requested" | "failing" | "gone" | null;
            /**
             * @description The secret that signs the webhooks to this endpoint. It is shown only in this response and cannot be read again.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw2RkUQwQo1zY=
             */
            secret: string;
            /**
             * Format: date-time
             * @description When the old secret stops signing; ISO 8601.
             */
            previousSignsUntil: string;
        };
        RouteFees: {
            /**
             * @description How the exchange charges the fee.
             * @example maker_taker
             * @enum {string}
             */
            model: "maker_taker";
            /** @description Fees by trading volume, ascending. Empty where the exchange does not publish them with its pairs. */
            tiers: components["schemas"]["FeeTier"][];
        };
        RouteMargin: {
            /** @description Whether the exchange offers margin trading on the route. Orders that are placed here never use margin. */
            isMarginEnabled: boolean;
        };
        ShownPauses: {
            /**
             * @description The exchange.
             * @example sandbox
             */
            exchange: string;
            /**
             * @description The paused calls: of one credential to one endpoint, of one credential, from our address to one endpoint, or all calls from our address.
             * @example address
             * @enum {string}
             */
            reach: "endpoint" | "credential" | "address_endpoint" | "address";
            /**
             * @description Why: a documented ban, a documented refusal beyond a limit, a header that shows a limit as used up, or `Retry-After` of another response.
             * @example ban
             * @enum {string}
             */
            reason: "ban" | "rate_limit" | "used_up" | "retry_after";
            /**
             * @description How many pauses of this kind this process keeps.
             * @example 1
             */
            pauses: number;
            /**
             * @description When the first of them began, in epoch milliseconds.
             * @example 1795212744950
             */
            since: number;
            /**
             * @description When the last of them ends, in epoch milliseconds.
             * @example 1795471944950
             */
            until: number;
        };
        /** @description Details of the error. */
        SingleVerification: {
            /**
             * @description The verification that the exchange requires.
             * @enum {string}
             */
            method?: "GOOGLE" | "EMAIL" | "SMS" | "FACE" | "YUBIKEY" | "PASSPHRASE";
            /** @description Machine-readable detail, for example `address_not_allowlisted`. */
            reason?: string;
            /** @description The error code of the exchange. Its support may ask for it. */
            exchangeCode?: string;
            /** @description Name of an API key that was created at the exchange and could not be deleted. The owner of the account has to delete it. */
            keyName?: string;
        };
        SyncProgressResponse: {
            /**
             * @description `reading` until the history has been read back to the beginning of the account, then `complete`.
             * @enum {string}
             */
            state: "reading" | "complete";
            /**
             * @description Deposits and withdrawals read so far.
             * @example 4200
             */
            records: number;
            /**
             * Format: date-time
             * @description Time of the oldest record read so far. ISO 8601, UTC; null = none yet.
             */
            reachedAt: string | null;
            /**
             * Format: date-time
             * @description All deposits and withdrawals after this time have been read. ISO 8601, UTC; null = none yet. Older ones may be missing while `state` is `reading`.
             */
            completeSince: string | null;
            /**
             * Format: date-time
             * @description The latest moment of which the exchange may have more records than it lists, so that some may be missing for ever. ISO 8601, UTC; null = there is none.
             */
            unlistedAt: string | null;
            /**
             * @description How much of the period since the launch of the exchange has been read, from 0 to 1. It becomes 1 when the beginning of the account has been reached.
             * @example 0.42
             */
            fraction: number;
        };
        TickersResponse: {
            /**
             * @description Always true.
             * @example true
             * @enum {boolean}
             */
            success: true;
            /**
             * @description Exchange identifier.
             * @example kraken
             */
            exchange: ("kraken" | "coinbase" | "bitstamp" | "gemini") | (string & {});
            /**
             * @description Currency of the prices.
             * @example USD
             * @enum {string}
             */
            currency: "USD";
            /**
             * Format: date-time
             * @description When the exchange returned these prices (ISO 8601, UTC).
             * @example 2026-01-01T12:00:00.000Z
             */
            updatedAt: string;
            /**
             * @description Last price of one unit of each asset in US dollars, by asset symbol. Only pairs that the exchange quotes in US dollars count: an asset without such a pair is left out. Prices in USDT and other stablecoins are not converted.
             * @example {
             *       "BTC": 64000.1,
             *       "ETH": 3100.25
             *     }
             */
            prices: {
                [key: string]: number;
            };
        };
        TopicMessageResponse: {
            /**
             * Format: uuid
             * @description Id of the message. A client that reconnects sends the last id, and receives the later messages.
             */
            messageId: string;
            /** @description The topic. */
            idem: string;
            /** @description When the message was published, in epoch milliseconds. */
            timestamp: number;
            /** @description The content of the message. */
            body: components["schemas"]["ConnectMessageResponse"] | components["schemas"]["WithdrawMessageResponse"];
        };
        TradableAsset: {
            /**
             * @description Code of the asset, the same as in balances.
             * @example BTC
             */
            assetId: string;
            /**
             * @description Code of the asset.
             * @example BTC
             */
            symbol: string;
            /**
             * @description The exchange’s own ids of the asset, in alphabetical order.
             * @example [
             *       "XXBT"
             *     ]
             */
            exchangeSymbols: string[];
        };
        TradableAssetsResponse: {
            /**
             * @description Version of the form of this response.
             * @example 1
             * @enum {integer}
             */
            schemaVersion: 1;
            /**
             * @description Exchange identifier.
             * @example kraken
             */
            exchange: string;
            /**
             * Format: date-time
             * @description When the assets or routes last changed (ISO 8601, UTC).
             * @example 2026-01-01T12:00:00.000Z
             */
            generatedAt: string;
            /** @description Where the catalogue comes from. */
            source: components["schemas"]["CatalogueSource"];
            /** @description The assets of the routes, each once, in alphabetical order. */
            assets: components["schemas"]["TradableAsset"][];
            /** @description The pairs that can be traded, by base asset and quote asset. */
            routes: components["schemas"]["TradableRoute"][];
            /** @description Counts of this response, after the filters. */
            stats: components["schemas"]["CatalogueStats"];
        };
        TradableRoute: {
            /**
             * @description Id of the route, for Place order: `<exchange>:<marketType>:<baseAsset>-<quoteAsset>`.
             * @example kraken:spot:BTC-USD
             */
            routeId: string;
            /**
             * @description Exchange identifier.
             * @example kraken
             */
            exchange: string;
            /**
             * @description Kind of market.
             * @example spot
             * @enum {string}
             */
            marketType: "spot";
            /**
             * @description Code of the asset in which the volume of an order is stated.
             * @example BTC
             */
            baseAsset: string;
            /**
             * @description Code of the asset in which the price of an order is stated.
             * @example USD
             */
            quoteAsset: string;
            /**
             * @description `<baseAsset>/<quoteAsset>`.
             * @example BTC/USD
             */
            displaySymbol: string;
            /**
             * @description The exchange’s own name of the pair, as orders use it.
             * @example XBTUSD
             */
            exchangeSymbol: string;
            /**
             * @description The exchange’s own status of the pair, in lower case.
             * @example online
             */
            status: string;
            /** @description Whether the exchange accepts plain orders on the route, according to its last list of pairs. */
            isTradingEnabled: boolean;
            /** @description Margin trading on the route. */
            margin: components["schemas"]["RouteMargin"];
            /**
             * @description Types of orders that the route accepts; empty while trading is not enabled.
             * @example [
             *       "market",
             *       "limit"
             *     ]
             */
            orderTypes: ("market" | "limit")[];
            /** @description The rules for orders. Nothing is rounded. */
            tradingRules: components["schemas"]["TradingRules"];
            /** @description The exchange’s public fees. The fees of an account may differ. */
            fees: components["schemas"]["RouteFees"];
        };
        /** @description No catalogue of the exchange is stored, and it cannot be read now; try again later. */
        TradingDataUnavailableError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "TRADING_DATA_UNAVAILABLE";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
        };
        /** @description Trading on this exchange is not supported. */
        TradingExchangeNotSupportedError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "TRADING_EXCHANGE_NOT_SUPPORTED";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
        };
        /** @description The wallet has no order with this id. */
        TradingOrderNotFoundError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "TRADING_ORDER_NOT_FOUND";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
        };
        /** @description The route does not support this type of order. */
        TradingOrderTypeNotSupportedError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "TRADING_ORDER_TYPE_NOT_SUPPORTED";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description Details of the error. */
            result?: {
                /** @description The order types that the route accepts. */
                orderTypes?: string[];
                /** @description Machine-readable detail, for example `address_not_allowlisted`. */
                reason?: string;
                /** @description The error code of the exchange. Its support may ask for it. */
                exchangeCode?: string;
            };
        };
        /** @description With 422, the exchange refuses the request for a lasting reason, as with WITHDRAWAL_PROVIDER_ERROR. With 502: the exchange could not be reached, refused the order, or returned a response that cannot be used safely (`result.reason` is `unusable_answer`); or Causeway did not send the request, because its clock differs from the database’s (`host_clock_differs`) or the database was restored (`database_restored`). */
        TradingProviderError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "TRADING_PROVIDER_ERROR";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description Details of the refusal. */
            result?: components["schemas"]["ExchangeRefusal"];
        };
        /** @description The exchange has no route with this id. */
        TradingRouteNotFoundError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "TRADING_ROUTE_NOT_FOUND";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description Details of the refusal. */
            result?: components["schemas"]["ExchangeRefusal"];
        };
        /** @description The route accepts no orders now. */
        TradingRouteUnavailableError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "TRADING_ROUTE_UNAVAILABLE";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description Details of the error. */
            result?: {
                /** @description The status of the route. */
                status?: string;
                /** @description Machine-readable detail, for example `address_not_allowlisted`. */
                reason?: string;
                /** @description The error code of the exchange. Its support may ask for it. */
                exchangeCode?: string;
            };
        };
        TradingRules: {
            /** @description Rules for the price of a limit order. */
            price: components["schemas"]["PriceRules"];
            /** @description Rules for the volume of an order. */
            quantity: components["schemas"]["QuantityRules"];
            /** @description Rules for volume and price together. */
            cost: components["schemas"]["CostRules"];
        };
        /** @description A deposit or a withdrawal is new in the history of a wallet. */
        TransactionCreatedEvent: {
            /**
             * Format: uuid
             * @description Id of the event, as in `webhook-id`.
             */
            id: string;
            /**
             * @description Type of the event.
             * @enum {string}
             */
            type: "transaction.created";
            /**
             * Format: date-time
             * @description When the change was recorded; ISO 8601.
             */
            timestamp: string;
            /** @description The caller’s id of the wallet. */
            walletId: string;
            /** @description Number among all events of the wallet: 1, 2, 3 … A higher number is later. */
            walletSequence: number;
            /** @description The change. `{"omitted": true}` when it would be larger than 256 KiB. */
            data: components["schemas"]["TransactionResponse"] | {
                /**
                 * @description Always true: the data are larger than 256 KiB.
                 * @enum {boolean}
                 */
                omitted: true;
            };
        };
        TransactionPaginationResponse: {
            /** @description Number of matching entries on all pages. */
            totalCount: number;
            /** @description Number of this page, counted from 0. */
            page: number;
            /** @description Entries on a page. */
            limit: number;
            /** @description Number of pages. */
            pageCount: number;
            /** @description Entries before this page: `page` × `limit`. */
            offset: number;
        };
        TransactionResponse: {
            /**
             * Format: uuid
             * @description Transaction id (UUIDv7), ours; `result.transactionId` of an execution.
             * @example 0199d3a0-5d3e-7c1a-9f60-2f1c3b8d4e55
             */
            id: string;
            /**
             * @description Wallet id, as chosen when the wallet was connected.
             * @example demo-wallet
             */
            walletId: string;
            /**
             * @description Exchange identifier.
             * @example kraken
             */
            exchange: string;
            /**
             * @description The exchange’s own id of the transaction; null until the exchange has reported it.
             * @example FTQcuak-V6Za8qrWnhzTx67yYHz8Tg
             */
            exchangeTransactionId: string | null;
            /**
             * @description When we first recorded the transaction, in epoch milliseconds.
             * @example 1760000000000
             */
            createdAt: number;
            /**
             * @description When our record last changed, in epoch milliseconds.
             * @example 1760000042000
             */
            updatedAt: number;
            /**
             * @description When the transaction happened at the exchange, in epoch milliseconds. For a withdrawal that was made here, it is the time of its execution.
             * @example 1760000000000
             */
            timestamp: number;
            /**
             * @description Kind of transaction.
             * @example withdrawal
             * @enum {string}
             */
            type: "deposit" | "withdrawal" | "transaction";
            /**
             * @description Amount that arrives, without the fee, in units of `currency`. For a withdrawal it is the quoted amount until the exchange shows the record. `amount` and `feeCost` together are the debited amount.
             * @example 0.05
             */
            amount: number;
            /**
             * @description Asset symbol.
             * @example BTC
             */
            currency: string;
            /**
             * @description Direction seen from the wallet; null when the transaction is neither incoming nor outgoing.
             * @example out
             * @enum {string|null}
             */
            direction: "in" | "out" | null;
            /**
             * @description Fee in units of `feeCurrency`; null only where the exchange does not report it.
             * @example 0.0001
             */
            feeCost: number | null;
            /**
             * @description Asset in which the fee was charged; null exactly where `feeCost` is null.
             * @example BTC
             */
            feeCurrency: string | null;
            /**
             * @description `amount` in `fiatCurrency` at the time of the transaction; null when no price was known.
             * @example 5900.25
             */
            amountInFiat: number | null;
            /**
             * @description `feeCost` in `fiatCurrency` at the time of the transaction; null when no price was known.
             * @example 11.8
             */
            feeInFiat: number | null;
            /**
             * @description Currency of the fiat values; null when `amountInFiat` and `feeInFiat` are null.
             * @example USD
             * @enum {string|null}
             */
            fiatCurrency: "USD" | "EUR" | null;
            /**
             * @description Status. It changes once, from `pending` to `ok` (completed), `failed` (nothing left the account) or `canceled`.
             * @example pending
             * @enum {string}
             */
            status: "pending" | "ok" | "failed" | "canceled";
            /**
             * @description Receiving address; null only where the exchange does not report it.
             * @example bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq
             */
            addressTo: string | null;
            /**
             * @description Sending address; null when it is not known.
             * @example null
             */
            addressFrom: string | null;
            /**
             * @description Tag (memo, destination tag) of the receiving address; null when there is none.
             * @example null
             */
            tag: string | null;
            /**
             * @description Network, lower case: our id, as in quotes; for a network or a variant of a token that has no id of ours, the exchange’s own name as `<exchange>:<name>`; if the exchange names none, `unknown`.
             * @example bitcoin
             */
            network: string;
            /**
             * @description Hash on the chain; null until it is known.
             * @example null
             */
            hash: string | null;
            /**
             * @description Time of the block that the transaction is in, in epoch milliseconds; null until the chain has confirmed it.
             * @example null
             */
            confirmedAt: number | null;
            /**
             * @description Height of that block; null until the chain has confirmed it.
             * @example null
             */
            blockHeight: number | null;
            /** @description The amounts as decimal strings, because a JSON number may lose digits. */
            exact: components["schemas"]["ExactTransactionResponse"];
        };
        /** @description A deposit or a withdrawal in the history of a wallet has changed. */
        TransactionUpdatedEvent: {
            /**
             * Format: uuid
             * @description Id of the event, as in `webhook-id`.
             */
            id: string;
            /**
             * @description Type of the event.
             * @enum {string}
             */
            type: "transaction.updated";
            /**
             * Format: date-time
             * @description When the change was recorded; ISO 8601.
             */
            timestamp: string;
            /** @description The caller’s id of the wallet. */
            walletId: string;
            /** @description Number among all events of the wallet: 1, 2, 3 … A higher number is later. */
            walletSequence: number;
            /** @description The change. `{"omitted": true}` when it would be larger than 256 KiB. */
            data: components["schemas"]["TransactionResponse"] | {
                /**
                 * @description Always true: the data are larger than 256 KiB.
                 * @enum {boolean}
                 */
                omitted: true;
            };
        };
        UnreadAccountResponse: {
            /**
             * @description Name of the account, as the exchange writes it.
             * @example margin
             */
            account: string;
            /**
             * @description Why the account could not be read. `not_served`: the API of the exchange does not show it to this key, or this service does not read it; `permission_missing`: the key lacks the permission, or is used from an address that is not allowed; `refused`: the exchange refused to show it for another reason; `unavailable`: there was no usable response, and the next syncs try again.
             * @example not_served
             * @enum {string}
             */
            reason: "not_served" | "permission_missing" | "refused" | "unavailable";
        };
        UpdateWebhookEndpointRequest: {
            /** @description Address that receives the events. It must begin with `https://` and have a public address; redirects are not followed. Absent: unchanged. */
            url?: string;
            /** @description Text for people. Absent: unchanged. */
            description?: string;
            /** @description The types of events that the endpoint receives. Empty: all types, including those of later releases. Absent: unchanged. */
            eventTypes?: ("wallet.created" | "wallet.deleted" | "wallet.balance.updated" | "wallet.credentials.invalid" | "wallet.credentials.valid" | "quote.created" | "withdrawal.submitted" | "withdrawal.verification_required" | "withdrawal.completed" | "withdrawal.failed" | "withdrawal.unknown" | "withdrawal.reopened" | "transaction.created" | "transaction.updated" | "order.updated" | "webhook_endpoint.disabled")[];
            /** @description false: nothing is delivered, and events that are recorded while the endpoint is disabled get no delivery. true: pending deliveries continue. Absent: unchanged. */
            enabled?: boolean;
        };
        VerificationReportResponse: {
            /** @description Id of the verification. Send it with each code in the body of the execution. */
            bizNo: string;
            /** @description The steps of the verification. */
            steps: components["schemas"]["VerificationStepResponse"][];
            /**
             * @description AND: every required step is needed; OR: one step is enough.
             * @enum {string}
             */
            relation: "AND" | "OR";
            /** @description The verified steps. */
            mfa: components["schemas"]["VerifiedMethodsResponse"];
        };
        VerificationStepResponse: {
            /**
             * @description GOOGLE: authenticator code in `twofa`; EMAIL: code in `emailCode`; SMS: code in `smsCode`; FACE: in the app of the exchange, without a code.
             * @enum {string}
             */
            type: "GOOGLE" | "EMAIL" | "SMS" | "FACE" | "YUBIKEY" | "PASSPHRASE";
            /**
             * @description `failure`: the last code was wrong; send another code.
             * @enum {string}
             */
            status: "pending" | "success" | "failure";
            /** @description false: another step can replace this step. */
            required: boolean;
            /** @description Hints for the person: `email` (masked) and `emailSent`, `phone` (masked) and `smsSent`. `collected`: the code is kept until the missing codes arrive; the exchange then checks all of them together. */
            metadata?: {
                [key: string]: string | boolean;
            };
        };
        VerifiedMethodsResponse: {
            /** @description The same as `bizNo` of the verification report that contains this object. */
            bizNo: string;
            /**
             * @description By method: true = verified, false = the last code was wrong, absent = not tried. This is the authoritative state.
             * @example {
             *       "GOOGLE": true
             *     }
             */
            verified: {
                [key: string]: boolean;
            };
            /** @description The newest codes that the exchange has checked, at most 50, oldest first. */
            attempts: components["schemas"]["CodeAttemptResponse"][];
        };
        /** @description The balances that the exchange reports have changed. Read them with `getWallet`. */
        WalletBalanceUpdatedEvent: {
            /**
             * Format: uuid
             * @description Id of the event, as in `webhook-id`.
             */
            id: string;
            /**
             * @description Type of the event.
             * @enum {string}
             */
            type: "wallet.balance.updated";
            /**
             * Format: date-time
             * @description When the change was recorded; ISO 8601.
             */
            timestamp: string;
            /** @description The caller’s id of the wallet. */
            walletId: string;
            /** @description Number among all events of the wallet: 1, 2, 3 … A higher number is later. */
            walletSequence: number;
            /** @description The change. `{"omitted": true}` when it would be larger than 256 KiB. */
            data: {
                /** @description The caller’s id of the wallet. */
                walletId: string;
                /** @description Id of the exchange. */
                exchange: string;
                /**
                 * Format: date-time
                 * @description When the exchange reported the balances; ISO 8601.
                 */
                lastSyncAt: string;
                /** @description The assets whose balances have changed since the previous refresh of the wallet. */
                assets: string[];
            } | {
                /**
                 * @description Always true: the data are larger than 256 KiB.
                 * @enum {boolean}
                 */
                omitted: true;
            };
        };
        /** @description An account was connected for the first time under this `walletId`. */
        WalletCreatedEvent: {
            /**
             * Format: uuid
             * @description Id of the event, as in `webhook-id`.
             */
            id: string;
            /**
             * @description Type of the event.
             * @enum {string}
             */
            type: "wallet.created";
            /**
             * Format: date-time
             * @description When the change was recorded; ISO 8601.
             */
            timestamp: string;
            /** @description The caller’s id of the wallet. */
            walletId: string;
            /** @description Number among all events of the wallet: 1, 2, 3 … A higher number is later. */
            walletSequence: number;
            /** @description The change. `{"omitted": true}` when it would be larger than 256 KiB. */
            data: {
                /** @description The caller’s id of the wallet. */
                walletId: string;
                /** @description Id of the exchange. */
                exchange: string;
            } | {
                /**
                 * @description Always true: the data are larger than 256 KiB.
                 * @enum {boolean}
                 */
                omitted: true;
            };
        };
        /** @description The exchange refuses the credentials of the wallet. Its owner must connect it again. */
        WalletCredentialsInvalidEvent: {
            /**
             * Format: uuid
             * @description Id of the event, as in `webhook-id`.
             */
            id: string;
            /**
             * @description Type of the event.
             * @enum {string}
             */
            type: "wallet.credentials.invalid";
            /**
             * Format: date-time
             * @description When the change was recorded; ISO 8601.
             */
            timestamp: string;
            /** @description The caller’s id of the wallet. */
            walletId: string;
            /** @description Number among all events of the wallet: 1, 2, 3 … A higher number is later. */
            walletSequence: number;
            /** @description The change. `{"omitted": true}` when it would be larger than 256 KiB. */
            data: {
                /** @description The caller’s id of the wallet. */
                walletId: string;
                /** @description Id of the exchange. */
                exchange: string;
            } | {
                /**
                 * @description Always true: the data are larger than 256 KiB.
                 * @enum {boolean}
                 */
                omitted: true;
            };
        };
        /** @description The exchange accepts the credentials of the wallet again. */
        WalletCredentialsValidEvent: {
            /**
             * Format: uuid
             * @description Id of the event, as in `webhook-id`.
             */
            id: string;
            /**
             * @description Type of the event.
             * @enum {string}
             */
            type: "wallet.credentials.valid";
            /**
             * Format: date-time
             * @description When the change was recorded; ISO 8601.
             */
            timestamp: string;
            /** @description The caller’s id of the wallet. */
            walletId: string;
            /** @description Number among all events of the wallet: 1, 2, 3 … A higher number is later. */
            walletSequence: number;
            /** @description The change. `{"omitted": true}` when it would be larger than 256 KiB. */
            data: {
                /** @description The caller’s id of the wallet. */
                walletId: string;
                /** @description Id of the exchange. */
                exchange: string;
            } | {
                /**
                 * @description Always true: the data are larger than 256 KiB.
                 * @enum {boolean}
                 */
                omitted: true;
            };
        };
        /** @description The wallet was deleted, by request or because the exchange has refused its credentials. */
        WalletDeletedEvent: {
            /**
             * Format: uuid
             * @description Id of the event, as in `webhook-id`.
             */
            id: string;
            /**
             * @description Type of the event.
             * @enum {string}
             */
            type: "wallet.deleted";
            /**
             * Format: date-time
             * @description When the change was recorded; ISO 8601.
             */
            timestamp: string;
            /** @description The caller’s id of the wallet. */
            walletId: string;
            /** @description Number among all events of the wallet: 1, 2, 3 … A higher number is later. */
            walletSequence: number;
            /** @description The change. `{"omitted": true}` when it would be larger than 256 KiB. */
            data: {
                /** @description The caller’s id of the wallet. */
                walletId: string;
                /** @description Id of the exchange. */
                exchange: string;
                /**
                 * @description Why the wallet was deleted.
                 * @enum {string}
                 */
                reason: "requested" | "credentials_invalid";
            } | {
                /**
                 * @description Always true: the data are larger than 256 KiB.
                 * @enum {boolean}
                 */
                omitted: true;
            };
        };
        /** @description The wallet has no linked identity. */
        WalletIdentityNotFoundError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "WALLET_IDENTITY_NOT_FOUND";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
        };
        /** @description The exchange has refused two signed calls (one at a connect) because the credentials are invalid, revoked or expired. `result.walletDeleted` states whether the wallet was deleted for this reason. `result.deletionAt` is the earliest time at which the wallet may be deleted (ISO 8601; null = no deletion is planned). When a connect is refused, `result.reason` is `unknown_key`, `invalid_signature` (the secret is wrong), `invalid_passphrase`, `revoked` or `expired` where the exchange states the cause. */
        WalletInvalidCredentialsError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "WALLET_INVALID_CREDENTIALS";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description Details of the error. */
            result?: {
                /** @description Whether the wallet was deleted because its credentials were refused. */
                walletDeleted?: boolean;
                /**
                 * Format: date-time
                 * @description The earliest time at which the wallet is deleted; null = no deletion is planned.
                 */
                deletionAt?: string | null;
                /** @description Name of an API key that was created at the exchange and could not be deleted. The owner of the account has to delete it. */
                keyName?: string;
                /** @description Machine-readable detail, for example `address_not_allowlisted`. */
                reason?: string;
                /** @description The error code of the exchange. Its support may ask for it. */
                exchangeCode?: string;
            };
        };
        WalletListEntryResponse: {
            /**
             * @description The caller’s own id of the wallet; the same as `walletId`.
             * @example customer-4711
             */
            id: string;
            /**
             * @description The caller’s own id of the wallet, unique in the project.
             * @example customer-4711
             */
            walletId: string;
            /**
             * @description Exchange identifier.
             * @example kraken
             */
            exchange?: string;
            /**
             * Format: uuid
             * @description The project that connected the wallet.
             */
            projectId?: string;
            /** @description True when the exchange itself has answered that the stored credentials are invalid. */
            invalidApi?: boolean;
            /**
             * Format: date-time
             * @description When the wallet was connected. ISO 8601, UTC.
             */
            createdAt?: string;
            /**
             * Format: date-time
             * @description Last change of the credentials or of `invalidApi`; a sync does not change it. ISO 8601, UTC.
             */
            updatedAt?: string;
            /**
             * Format: date-time
             * @description When the stored balances were requested from the exchange. ISO 8601, UTC. Connecting the wallet requests them for the first time; null only until the exchange has returned balances.
             */
            lastSyncAt?: string | null;
            /**
             * @description Total holdings as of `lastSyncAt`, by asset symbol; assets of which nothing is held are left out.
             * @example {
             *       "BTC": 1.5
             *     }
             */
            balances?: {
                [key: string]: number;
            };
            /**
             * @description Addresses from which this service calls exchanges, for the allow-list of the API key.
             * @example [
             *       "203.0.113.10"
             *     ]
             */
            ipPool?: string[];
            /** @description The holdings as decimal strings, because a JSON number may lose digits. */
            exact?: components["schemas"]["ExactWalletListEntryResponse"];
        };
        /** @description The project has no wallet with this id. */
        WalletNotFoundError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "WALLET_NOT_FOUND";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
        };
        WalletResponse: {
            /**
             * @description The caller’s own id of the wallet; the same as `walletId`.
             * @example customer-4711
             */
            id: string;
            /**
             * @description The caller’s own id of the wallet, unique in the project.
             * @example customer-4711
             */
            walletId: string;
            /**
             * @description Exchange identifier.
             * @example kraken
             */
            exchange: string;
            /**
             * Format: uuid
             * @description The project that connected the wallet.
             */
            projectId: string;
            /** @description True when the exchange itself has answered that the stored credentials are invalid. */
            invalidApi: boolean;
            /**
             * Format: date-time
             * @description When the wallet was connected. ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Last change of the credentials or of `invalidApi`; a sync does not change it. ISO 8601, UTC.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description When the stored balances were requested from the exchange. ISO 8601, UTC. Connecting the wallet requests them for the first time; null only until the exchange has returned balances.
             */
            lastSyncAt: string | null;
            /**
             * @description Holdings as of `lastSyncAt`, by asset symbol; assets of which nothing is held are left out.
             * @example {
             *       "BTC": {
             *         "free": 1.25,
             *         "used": 0.25,
             *         "total": 1.5
             *       }
             *     }
             */
            balances: {
                [key: string]: components["schemas"]["AssetBalanceResponse"];
            };
            /** @description Accounts of the same owner at the exchange that could not be read, or not wholly; absent when all were read. Their amounts are those of the last sync that could read them, or are missing. No withdrawal is paid from them. */
            unread?: components["schemas"]["UnreadAccountResponse"][];
            /**
             * @description Addresses from which this service calls exchanges, for the allow-list of the API key.
             * @example [
             *       "203.0.113.10"
             *     ]
             */
            ipPool: string[];
            /** @description Progress of the first reading of the history, from the newest record to the beginning of the account; null = it has not begun. */
            syncProgress: components["schemas"]["SyncProgressResponse"] | null;
            /** @description The holdings as decimal strings, because a JSON number may lose digits. */
            exact: components["schemas"]["ExactWalletResponse"];
        };
        WebhookAttemptResponse: {
            /** @description Number of the attempt, counted from 1. */
            number: number;
            /** @description Address to which the request was sent. */
            url: string;
            /**
             * Format: date-time
             * @description When the attempt began; ISO 8601.
             */
            startedAt: string;
            /** @description How long the attempt took, in milliseconds; null: the attempt is in progress, or the process that made it has ended before its result. */
            durationMs: number | null;
            /** @description The headers of the request that belong to the webhook; null: the attempt has not ended. */
            requestHeaders: {
                [key: string]: string;
            } | null;
            /** @description Status of the response; null: there was none. */
            responseStatus: number | null;
            /** @description Headers of the response; null: there was none. */
            responseHeaders: {
                [key: string]: string;
            } | null;
            /** @description The first 4 KiB of the body of the response; null: there was no response. */
            responseBody: string | null;
            /** @description Why the attempt has failed; null: it has succeeded or has not ended. */
            error: string | null;
        };
        WebhookDeliveryDetailResponse: {
            /**
             * Format: uuid
             * @description Id of the delivery.
             */
            id: string;
            /**
             * Format: uuid
             * @description The endpoint.
             */
            endpointId: string;
            /**
             * Format: uuid
             * @description The event; the value of `webhook-id` of every attempt.
             */
            eventId: string;
            /**
             * @description The type of the event.
             * @enum {string}
             */
            eventType: "wallet.created" | "wallet.deleted" | "wallet.balance.updated" | "wallet.credentials.invalid" | "wallet.credentials.valid" | "quote.created" | "withdrawal.submitted" | "withdrawal.verification_required" | "withdrawal.completed" | "withdrawal.failed" | "withdrawal.unknown" | "withdrawal.reopened" | "transaction.created" | "transaction.updated" | "order.updated" | "webhook_endpoint.disabled";
            /**
             * @description `pending`: an attempt is due or will be; `delivered`: the endpoint has responded with a status from 200 to 299; `failed`: the last retry has failed.
             * @enum {string}
             */
            state: "pending" | "delivered" | "failed";
            /** @description Attempts that have begun. */
            attempts: number;
            /** @description Number of times that the delivery was sent again on request. */
            resends: number;
            /**
             * Format: date-time
             * @description When the next attempt is due; ISO 8601. null: there is none.
             */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When the delivery was created; ISO 8601.
             */
            createdAt: string;
            /** @description The body of every attempt, as text. */
            requestBody: string;
            /** @description All attempts, oldest first. */
            log: components["schemas"]["WebhookAttemptResponse"][];
        };
        WebhookDeliveryListResponse: {
            /** @description One page, newest first. */
            deliveries: components["schemas"]["WebhookDeliveryResponse"][];
            /** @description The number of this page, and the numbers of all pages and entries. */
            pagination: components["schemas"]["PaginationResponse"];
        };
        WebhookDeliveryResponse: {
            /**
             * Format: uuid
             * @description Id of the delivery.
             */
            id: string;
            /**
             * Format: uuid
             * @description The endpoint.
             */
            endpointId: string;
            /**
             * Format: uuid
             * @description The event; the value of `webhook-id` of every attempt.
             */
            eventId: string;
            /**
             * @description The type of the event.
             * @enum {string}
             */
            eventType: "wallet.created" | "wallet.deleted" | "wallet.balance.updated" | "wallet.credentials.invalid" | "wallet.credentials.valid" | "quote.created" | "withdrawal.submitted" | "withdrawal.verification_required" | "withdrawal.completed" | "withdrawal.failed" | "withdrawal.unknown" | "withdrawal.reopened" | "transaction.created" | "transaction.updated" | "order.updated" | "webhook_endpoint.disabled";
            /**
             * @description `pending`: an attempt is due or will be; `delivered`: the endpoint has responded with a status from 200 to 299; `failed`: the last retry has failed.
             * @enum {string}
             */
            state: "pending" | "delivered" | "failed";
            /** @description Attempts that have begun. */
            attempts: number;
            /** @description Number of times that the delivery was sent again on request. */
            resends: number;
            /**
             * Format: date-time
             * @description When the next attempt is due; ISO 8601. null: there is none.
             */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When the delivery was created; ISO 8601.
             */
            createdAt: string;
        };
        /** @description Another endpoint of this project was disabled, because every attempt of several days has failed, or because it has responded with 410. */
        WebhookEndpointDisabledEvent: {
            /**
             * Format: uuid
             * @description Id of the event, as in `webhook-id`.
             */
            id: string;
            /**
             * @description Type of the event.
             * @enum {string}
             */
            type: "webhook_endpoint.disabled";
            /**
             * Format: date-time
             * @description When the change was recorded; ISO 8601.
             */
            timestamp: string;
            /** @description null: the event concerns no wallet. */
            walletId: null;
            /** @description null: the event concerns no wallet. */
            walletSequence: null;
            /** @description The change. `{"omitted": true}` when it would be larger than 256 KiB. */
            data: {
                /** @description The endpoint that was disabled. */
                endpointId: string;
                /** @description Address of the disabled endpoint. */
                url: string;
                /**
                 * @description Why the endpoint was disabled.
                 * @enum {string}
                 */
                reason: "failing" | "gone";
                /** @description Time of the first failure since the last success; ISO 8601. */
                failingSince: string | null;
            } | {
                /**
                 * @description Always true: the data are larger than 256 KiB.
                 * @enum {boolean}
                 */
                omitted: true;
            };
        };
        WebhookEndpointListResponse: {
            /** @description One page, newest first. */
            endpoints: components["schemas"]["WebhookEndpointResponse"][];
            /** @description The number of this page, and the numbers of all pages and entries. */
            pagination: components["schemas"]["PaginationResponse"];
        };
        WebhookEndpointResponse: {
            /**
             * Format: uuid
             * @description Id of the endpoint.
             */
            id: string;
            /**
             * Format: uuid
             * @description The project whose events the endpoint receives.
             */
            projectId: string;
            /** @description Address that receives the events. */
            url: string;
            /** @description Text for people; may be empty. */
            description: string;
            /** @description The types of events that the endpoint receives; empty: all types. */
            eventTypes: ("wallet.created" | "wallet.deleted" | "wallet.balance.updated" | "wallet.credentials.invalid" | "wallet.credentials.valid" | "quote.created" | "withdrawal.submitted" | "withdrawal.verification_required" | "withdrawal.completed" | "withdrawal.failed" | "withdrawal.unknown" | "withdrawal.reopened" | "transaction.created" | "transaction.updated" | "order.updated" | "webhook_endpoint.disabled")[];
            /**
             * Format: date-time
             * @description When the endpoint was created; ISO 8601.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of the first failure since the last success; ISO 8601. null: the last attempt succeeded, or there was none.
             */
            failingSince: string | null;
            /**
             * Format: date-time
             * @description When the endpoint was disabled; ISO 8601. null: it is enabled.
             */
            disabledAt: string | null;
            /**
             * @description Why the endpoint was disabled. `requested`: by a call of `updateWebhookEndpoint`; `failing`: every attempt of several days has failed; `gone`: it has responded with 410. null: it is enabled.
             * @enum {string|null}
             */
            disabledReason: "requested" | "failing" | "gone" | null;
        };
        /** @description The time of an incoming webhook differs from our clock by more than five minutes. */
        WebhookInvalidTimestampError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "WEBHOOK_INVALID_TIMESTAMP";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
        };
        /** @description An incoming webhook lacks its id, time or signature header. */
        WebhookMissingHeadersError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "WEBHOOK_MISSING_HEADERS";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
        };
        /** @description The signature of an incoming webhook is wrong. */
        WebhookSignatureInvalidError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "WEBHOOK_SIGNATURE_INVALID";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
        };
        WithdrawErrorResponse: {
            /** @description Message for people. */
            error: string;
            /**
             * @description Error code of the interface.
             * @enum {string}
             */
            type: "GENERIC_NOT_FOUND" | "GENERIC_UNAUTHORIZED" | "GENERIC_INTERNAL_SERVER_ERROR" | "GENERIC_VALIDATION_ERROR" | "GENERIC_INVALID_REQUEST" | "GENERIC_RATE_LIMIT_EXCEEDED" | "APIKEY_INSUFFICIENT_PERMISSIONS" | "WALLET_NOT_FOUND" | "WALLET_INVALID_CREDENTIALS" | "WALLET_IDENTITY_NOT_FOUND" | "QUOTE_NOT_FOUND" | "QUOTE_EXPIRED" | "WITHDRAWAL_INSUFFICIENT_BALANCE" | "WITHDRAWAL_INSUFFICIENT_BALANCE_FOR_FEE" | "WITHDRAWAL_INVALID_ADDRESS" | "WITHDRAWAL_NETWORK_NOT_SUPPORTED" | "WITHDRAWAL_TOO_MANY_ADDRESSES" | "WITHDRAWAL_FUNDING_ADDRESS_CONFLICT" | "WITHDRAWAL_AMOUNT_BELOW_MINIMUM" | "WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM" | "WITHDRAWAL_ASSET_NOT_SUPPORTED" | "WITHDRAWAL_PROVIDER_ERROR" | "WITHDRAWAL_KYC_REQUIRED" | "WITHDRAWAL_EMAIL_UNVERIFIED" | "WITHDRAWAL_RATE_LIMIT_EXCEEDED" | "WITHDRAWAL_DRY_RUN_COMPLETE" | "WITHDRAWAL_2FA_REQUIRED_TOTP" | "WITHDRAWAL_2FA_REQUIRED_SMS" | "WITHDRAWAL_2FA_REQUIRED_FACE_RECOGNITION" | "WITHDRAWAL_2FA_REQUIRED_EMAIL" | "WITHDRAWAL_2FA_REQUIRED_YUBIKEY" | "WITHDRAWAL_2FA_REQUIRED_PASSPHRASE" | "WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS" | "WITHDRAWAL_2FA_INCOMPLETE" | "WITHDRAWAL_2FA_INVALID" | "WITHDRAWAL_2FA_METHOD_NOT_SUPPORTED" | "OAUTH_AUTHORIZATION_FAILED" | "OAUTH_TOKEN_EXCHANGE_FAILED" | "OAUTH_INVALID_STATE" | "OAUTH_INSUFFICIENT_SCOPE" | "OAUTH_QR_CODE_UNAVAILABLE" | "OAUTH_COUNTRY_NOT_DETECTED" | "OAUTH_COUNTRY_NOT_SUPPORTED" | "OAUTH_COUNTRY_CODE_INVALID" | "WEBHOOK_SIGNATURE_INVALID" | "WEBHOOK_MISSING_HEADERS" | "WEBHOOK_INVALID_TIMESTAMP" | "CACHE_MISS" | "CACHE_EXPIRED" | "CACHE_INVALID_PATH" | "DEPOSIT_NOT_IMPLEMENTED" | "DEPOSIT_ASSET_REQUIRED" | "DEPOSIT_NETWORK_REQUIRED" | "DEPOSIT_METHODS_UNAVAILABLE" | "DEPOSIT_ADDRESS_UNAVAILABLE" | "DEPOSIT_EXCHANGE_NOT_SUPPORTED" | "DEPOSIT_METHOD_NOT_RESOLVED" | "TRADING_DATA_UNAVAILABLE" | "TRADING_EXCHANGE_NOT_SUPPORTED" | "TRADING_ROUTE_NOT_FOUND" | "TRADING_ROUTE_UNAVAILABLE" | "TRADING_ORDER_TYPE_NOT_SUPPORTED" | "TRADING_ORDER_NOT_FOUND" | "TRADING_PROVIDER_ERROR" | "INFO_ASSET_REQUIRED" | "INFO_FEE_EXCHANGE_NOT_SUPPORTED" | "ENRICHMENT_NETWORK_NOT_SUPPORTED" | "ENRICHMENT_TIMEOUT" | "ENRICHMENT_API_ERROR";
            /**
             * @description The same as `type`.
             * @enum {string}
             */
            code: "GENERIC_NOT_FOUND" | "GENERIC_UNAUTHORIZED" | "GENERIC_INTERNAL_SERVER_ERROR" | "GENERIC_VALIDATION_ERROR" | "GENERIC_INVALID_REQUEST" | "GENERIC_RATE_LIMIT_EXCEEDED" | "APIKEY_INSUFFICIENT_PERMISSIONS" | "WALLET_NOT_FOUND" | "WALLET_INVALID_CREDENTIALS" | "WALLET_IDENTITY_NOT_FOUND" | "QUOTE_NOT_FOUND" | "QUOTE_EXPIRED" | "WITHDRAWAL_INSUFFICIENT_BALANCE" | "WITHDRAWAL_INSUFFICIENT_BALANCE_FOR_FEE" | "WITHDRAWAL_INVALID_ADDRESS" | "WITHDRAWAL_NETWORK_NOT_SUPPORTED" | "WITHDRAWAL_TOO_MANY_ADDRESSES" | "WITHDRAWAL_FUNDING_ADDRESS_CONFLICT" | "WITHDRAWAL_AMOUNT_BELOW_MINIMUM" | "WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM" | "WITHDRAWAL_ASSET_NOT_SUPPORTED" | "WITHDRAWAL_PROVIDER_ERROR" | "WITHDRAWAL_KYC_REQUIRED" | "WITHDRAWAL_EMAIL_UNVERIFIED" | "WITHDRAWAL_RATE_LIMIT_EXCEEDED" | "WITHDRAWAL_DRY_RUN_COMPLETE" | "WITHDRAWAL_2FA_REQUIRED_TOTP" | "WITHDRAWAL_2FA_REQUIRED_SMS" | "WITHDRAWAL_2FA_REQUIRED_FACE_RECOGNITION" | "WITHDRAWAL_2FA_REQUIRED_EMAIL" | "WITHDRAWAL_2FA_REQUIRED_YUBIKEY" | "WITHDRAWAL_2FA_REQUIRED_PASSPHRASE" | "WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS" | "WITHDRAWAL_2FA_INCOMPLETE" | "WITHDRAWAL_2FA_INVALID" | "WITHDRAWAL_2FA_METHOD_NOT_SUPPORTED" | "OAUTH_AUTHORIZATION_FAILED" | "OAUTH_TOKEN_EXCHANGE_FAILED" | "OAUTH_INVALID_STATE" | "OAUTH_INSUFFICIENT_SCOPE" | "OAUTH_QR_CODE_UNAVAILABLE" | "OAUTH_COUNTRY_NOT_DETECTED" | "OAUTH_COUNTRY_NOT_SUPPORTED" | "OAUTH_COUNTRY_CODE_INVALID" | "WEBHOOK_SIGNATURE_INVALID" | "WEBHOOK_MISSING_HEADERS" | "WEBHOOK_INVALID_TIMESTAMP" | "CACHE_MISS" | "CACHE_EXPIRED" | "CACHE_INVALID_PATH" | "DEPOSIT_NOT_IMPLEMENTED" | "DEPOSIT_ASSET_REQUIRED" | "DEPOSIT_NETWORK_REQUIRED" | "DEPOSIT_METHODS_UNAVAILABLE" | "DEPOSIT_ADDRESS_UNAVAILABLE" | "DEPOSIT_EXCHANGE_NOT_SUPPORTED" | "DEPOSIT_METHOD_NOT_RESOLVED" | "TRADING_DATA_UNAVAILABLE" | "TRADING_EXCHANGE_NOT_SUPPORTED" | "TRADING_ROUTE_NOT_FOUND" | "TRADING_ROUTE_UNAVAILABLE" | "TRADING_ORDER_TYPE_NOT_SUPPORTED" | "TRADING_ORDER_NOT_FOUND" | "TRADING_PROVIDER_ERROR" | "INFO_ASSET_REQUIRED" | "INFO_FEE_EXCHANGE_NOT_SUPPORTED" | "ENRICHMENT_NETWORK_NOT_SUPPORTED" | "ENRICHMENT_TIMEOUT" | "ENRICHMENT_API_ERROR";
            /** @description The same as `error`. */
            message: string;
            /** @description Details of the error. */
            result?: {
                [key: string]: unknown;
            };
        };
        WithdrawMessageResponse: {
            /**
             * @description Always `withdraw`: the message is about a withdrawal.
             * @enum {string}
             */
            type: "withdraw";
            /** @description true: the money may have left. false: nothing has left; see `error`. A complete dry run is false, with the code WITHDRAWAL_DRY_RUN_COMPLETE. */
            success: boolean;
            /** @description Id of the wallet, as the application chose it. */
            walletId: string;
            /**
             * @description Exchange id.
             * @example kraken
             */
            exchange: string;
            /** @description The quote. */
            quoteId: string;
            /** @description Transaction of a withdrawal that may have left the exchange. */
            transactionId?: string;
            /**
             * @description `verification`: the person must verify the withdrawal; `dry_run`: result of a dry run; `complete`: the withdrawal may have left the exchange. Absent for other refusals.
             * @enum {string}
             */
            step?: "verification" | "dry_run" | "complete";
            /** @description How many steps of the verification are verified. */
            stepIndex?: number;
            /** @description How many steps the verification needs. */
            totalSteps?: number;
            /** @description The error. Present where `success` is false. */
            error?: components["schemas"]["WithdrawErrorResponse"];
        };
        WithdrawableAssetResponse: {
            /**
             * @description Asset symbol.
             * @example BTC
             */
            asset: string;
            /**
             * @description Free balance that can be withdrawn now, in the asset: the amount that is not reserved by orders or withdrawals. Fees are paid from it. Balances in accounts from which the exchange pays no withdrawals are in `elsewhere`.
             * @example 5
             */
            amount: number;
            /**
             * @description `amount` in US dollars; absent when no price is known.
             * @example 590000
             */
            amountInFiat?: number;
            /** @description Amounts of the same owner at the exchange that cannot be withdrawn now, and debts; absent when there are none. A withdrawal can use them only after the owner has moved them or ended their term. */
            elsewhere?: components["schemas"]["AccountAmountResponse"][];
            /**
             * @description True when the last sync could not read an amount of the asset. The amounts are then those of the last sync that could, and a withdrawal of the asset is refused. Absent otherwise.
             * @example true
             */
            isPartial?: boolean;
            /** @description Networks on which the asset can be withdrawn; empty for assets that cannot be withdrawn, such as fiat. */
            networks: components["schemas"]["WithdrawalNetworkResponse"][];
            /** @description The amounts as decimal strings, because a JSON number may lose digits. */
            exact: components["schemas"]["ExactWithdrawableAssetResponse"];
        };
        WithdrawableBalanceResponse: {
            /**
             * Format: date-time
             * @description When these balances were read from the exchange (ISO 8601, UTC).
             * @example 2026-01-01T12:00:00.000Z
             */
            lastSyncAt: string;
            /** @description Assets with a free balance, or with an amount in `elsewhere`, by symbol. */
            balances: components["schemas"]["WithdrawableAssetResponse"][];
            /** @description Accounts of the same owner at the exchange that could not be read, or not wholly; absent when all were read. Their amounts are those of the last sync that could read them, or are missing. No withdrawal is paid from them. */
            unread?: components["schemas"]["UnreadAccountResponse"][];
        };
        /** @description Some verifications of the challenge are still open; `result` is the verification report. */
        Withdrawal2faIncompleteError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "WITHDRAWAL_2FA_INCOMPLETE";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description What has to be verified, and what was verified so far. */
            result: components["schemas"]["VerificationReportResponse"];
        };
        /** @description The code was wrong, or the challenge is locked (`result.locked`). */
        Withdrawal2faInvalidError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "WITHDRAWAL_2FA_INVALID";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description Details of the error. */
            result?: {
                /**
                 * @description The verification that the exchange requires.
                 * @enum {string}
                 */
                method?: "GOOGLE" | "EMAIL" | "SMS" | "FACE" | "YUBIKEY" | "PASSPHRASE";
                /** @description true: there were too many wrong codes; request a new quote. */
                locked?: boolean;
                /** @description Machine-readable detail, for example `address_not_allowlisted`. */
                reason?: string;
                /** @description The error code of the exchange. Its support may ask for it. */
                exchangeCode?: string;
            };
        };
        /** @description The request has a code for a step that the challenge does not have; `result.valid2FAMethods` lists the steps of the challenge. */
        Withdrawal2faMethodNotSupportedError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "WITHDRAWAL_2FA_METHOD_NOT_SUPPORTED";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description Details of the error. */
            result?: {
                /** @description The verification methods that the exchange requires. */
                valid2FAMethods?: string[];
                /** @description Machine-readable detail, for example `address_not_allowlisted`. */
                reason?: string;
                /** @description The error code of the exchange. Its support may ask for it. */
                exchangeCode?: string;
            };
        };
        /** @description The exchange requires a code sent by email (`emailCode`). */
        Withdrawal2faRequiredEmailError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "WITHDRAWAL_2FA_REQUIRED_EMAIL";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description The verification that the exchange requires. */
            result?: components["schemas"]["SingleVerification"];
        };
        /** @description The exchange requires a face check in its own app. */
        Withdrawal2faRequiredFaceRecognitionError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "WITHDRAWAL_2FA_REQUIRED_FACE_RECOGNITION";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description The verification that the exchange requires. */
            result?: components["schemas"]["SingleVerification"];
        };
        /** @description The exchange requires several verifications; `result` is the verification report. */
        Withdrawal2faRequiredMultiStepsError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description What has to be verified, and what was verified so far. */
            result?: components["schemas"]["VerificationReportResponse"];
        };
        /** @description The exchange requires a withdrawal passphrase. */
        Withdrawal2faRequiredPassphraseError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "WITHDRAWAL_2FA_REQUIRED_PASSPHRASE";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description The verification that the exchange requires. */
            result?: components["schemas"]["SingleVerification"];
        };
        /** @description The exchange requires a code sent by SMS (`smsCode`). */
        Withdrawal2faRequiredSmsError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "WITHDRAWAL_2FA_REQUIRED_SMS";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description The verification that the exchange requires. */
            result?: components["schemas"]["SingleVerification"];
        };
        /** @description The exchange requires an authenticator code (`twofa`). */
        Withdrawal2faRequiredTotpError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "WITHDRAWAL_2FA_REQUIRED_TOTP";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description The verification that the exchange requires. */
            result?: components["schemas"]["SingleVerification"];
        };
        /** @description The exchange requires a hardware key. */
        Withdrawal2faRequiredYubikeyError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "WITHDRAWAL_2FA_REQUIRED_YUBIKEY";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description The verification that the exchange requires. */
            result?: components["schemas"]["SingleVerification"];
        };
        /** @description The debited amount, which includes the fee, is above the maximum of the network or the account. */
        WithdrawalAmountAboveMaximumError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description Details of the error. */
            result?: {
                /** @description The largest amount that can be debited, a decimal string. */
                maximum?: string;
                /** @description Machine-readable detail, for example `address_not_allowlisted`. */
                reason?: string;
                /** @description The error code of the exchange. Its support may ask for it. */
                exchangeCode?: string;
            };
        };
        /** @description The debited amount, which includes the fee, is below the minimum of the network; or the amount is not above the fee. */
        WithdrawalAmountBelowMinimumError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "WITHDRAWAL_AMOUNT_BELOW_MINIMUM";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description Details of the error. */
            result?: {
                /** @description The smallest amount that can be debited, a decimal string; null = the exchange does not state it. */
                minimum?: string | null;
                /** @description Machine-readable detail, for example `address_not_allowlisted`. */
                reason?: string;
                /** @description The error code of the exchange. Its support may ask for it. */
                exchangeCode?: string;
            };
        };
        /** @description The exchange does not list the asset, or does not allow its withdrawal. */
        WithdrawalAssetNotSupportedError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "WITHDRAWAL_ASSET_NOT_SUPPORTED";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description Details of the refusal. */
            result?: components["schemas"]["ExchangeRefusal"];
        };
        /** @description The exchange reports that the withdrawal is complete. */
        WithdrawalCompletedEvent: {
            /**
             * Format: uuid
             * @description Id of the event, as in `webhook-id`.
             */
            id: string;
            /**
             * @description Type of the event.
             * @enum {string}
             */
            type: "withdrawal.completed";
            /**
             * Format: date-time
             * @description When the change was recorded; ISO 8601.
             */
            timestamp: string;
            /** @description The caller’s id of the wallet. */
            walletId: string;
            /** @description Number among all events of the wallet: 1, 2, 3 … A higher number is later. */
            walletSequence: number;
            /** @description The change. `{"omitted": true}` when it would be larger than 256 KiB. */
            data: {
                /** @description The caller’s id of the wallet. */
                walletId: string;
                /** @description Id of the exchange. */
                exchange: string;
                /** @description The quote. */
                quoteId: string;
                /** @description Our id of the withdrawal; null: the quote was not executed. */
                withdrawalId: string | null;
                /** @description Our id of the transaction of the withdrawal; null: the quote was not executed. */
                transactionId: string | null;
                /** @description The exchange’s id of the withdrawal; null until it is known. */
                exchangeTransactionId: string | null;
                /**
                 * @description The state of the withdrawal.
                 * @enum {string}
                 */
                status: "submitted" | "verification_required" | "completed" | "failed" | "canceled" | "rejected" | "unknown";
                /** @description The asset. */
                asset: string;
                /** @description Id of the network. */
                network: string;
                /** @description The destination address. */
                destinationAddress: string;
                /** @description Address tag or memo; null: none. */
                tag: string | null;
                /** @description The amount that arrives, as a decimal string. */
                amountNoFee: string;
                /** @description The fee, as a decimal string. */
                fee: string;
                /** @description The amount that is debited, as a decimal string. */
                amountWithFee: string;
                /** @description The error of a refusal or of the required verification; null: none. */
                error: {
                    /** @description What is wrong, for people. */
                    error: string | null;
                    /** @description The error code. */
                    type: string;
                    /** @description Details of the error; null: none. */
                    result: Record<string, never> | null;
                } | null;
            } | {
                /**
                 * @description Always true: the data are larger than 256 KiB.
                 * @enum {boolean}
                 */
                omitted: true;
            };
        };
        /** @description The dry run found nothing missing; no money was moved. */
        WithdrawalDryRunCompleteError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "WITHDRAWAL_DRY_RUN_COMPLETE";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description Details of the error. */
            result: {
                /** @description Always true. */
                dryRun: boolean;
                /** @description Always true: nothing is known to be missing. `error` names what the exchange checks only in an execution. */
                readyToTransact: boolean;
                /** @description Id of the verification; absent if there was none. */
                bizNo?: string;
                /** @description What was verified. */
                steps?: components["schemas"]["VerificationStepResponse"][];
                /**
                 * @description How the steps combine.
                 * @enum {string}
                 */
                relation?: "AND" | "OR";
                /** @description What was verified so far. */
                mfa?: components["schemas"]["VerifiedMethodsResponse"];
            };
        };
        /** @description The exchange requires that the email address of the account is confirmed first. */
        WithdrawalEmailUnverifiedError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "WITHDRAWAL_EMAIL_UNVERIFIED";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description Details of the refusal. */
            result?: components["schemas"]["AccountRefusal"];
        };
        /** @description The withdrawal has ended and nothing has left: it was refused, canceled, or has failed. */
        WithdrawalFailedEvent: {
            /**
             * Format: uuid
             * @description Id of the event, as in `webhook-id`.
             */
            id: string;
            /**
             * @description Type of the event.
             * @enum {string}
             */
            type: "withdrawal.failed";
            /**
             * Format: date-time
             * @description When the change was recorded; ISO 8601.
             */
            timestamp: string;
            /** @description The caller’s id of the wallet. */
            walletId: string;
            /** @description Number among all events of the wallet: 1, 2, 3 … A higher number is later. */
            walletSequence: number;
            /** @description The change. `{"omitted": true}` when it would be larger than 256 KiB. */
            data: {
                /** @description The caller’s id of the wallet. */
                walletId: string;
                /** @description Id of the exchange. */
                exchange: string;
                /** @description The quote. */
                quoteId: string;
                /** @description Our id of the withdrawal; null: the quote was not executed. */
                withdrawalId: string | null;
                /** @description Our id of the transaction of the withdrawal; null: the quote was not executed. */
                transactionId: string | null;
                /** @description The exchange’s id of the withdrawal; null until it is known. */
                exchangeTransactionId: string | null;
                /**
                 * @description The state of the withdrawal.
                 * @enum {string}
                 */
                status: "submitted" | "verification_required" | "completed" | "failed" | "canceled" | "rejected" | "unknown";
                /** @description The asset. */
                asset: string;
                /** @description Id of the network. */
                network: string;
                /** @description The destination address. */
                destinationAddress: string;
                /** @description Address tag or memo; null: none. */
                tag: string | null;
                /** @description The amount that arrives, as a decimal string. */
                amountNoFee: string;
                /** @description The fee, as a decimal string. */
                fee: string;
                /** @description The amount that is debited, as a decimal string. */
                amountWithFee: string;
                /** @description The error of a refusal or of the required verification; null: none. */
                error: {
                    /** @description What is wrong, for people. */
                    error: string | null;
                    /** @description The error code. */
                    type: string;
                    /** @description Details of the error; null: none. */
                    result: Record<string, never> | null;
                } | null;
            } | {
                /**
                 * @description Always true: the data are larger than 256 KiB.
                 * @enum {boolean}
                 */
                omitted: true;
            };
        };
        /** @description The address book of the exchange account already has another entry for this address or name. */
        WithdrawalFundingAddressConflictError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "WITHDRAWAL_FUNDING_ADDRESS_CONFLICT";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description Details of the refusal. */
            result?: components["schemas"]["ExchangeRefusal"];
        };
        /** @description The free balance is smaller than the amount. */
        WithdrawalInsufficientBalanceError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "WITHDRAWAL_INSUFFICIENT_BALANCE";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description Details of the error. */
            result?: {
                /** @description The free balance that can be withdrawn, a decimal string. */
                free?: string;
                /** @description Amounts of the same owner at the exchange that cannot be withdrawn now, and debts; absent when there are none. */
                elsewhere?: {
                    /** @description Name of the account, as the exchange writes it. */
                    account: string;
                    /**
                     * @description What keeps the amount from being withdrawn.
                     * @enum {string}
                     */
                    kind: "free" | "earning" | "locked" | "owed" | "sub_account";
                    /** @description The amount, a decimal string. */
                    amount: string;
                }[];
                /** @description Machine-readable detail, for example `address_not_allowlisted`. */
                reason?: string;
                /** @description The error code of the exchange. Its support may ask for it. */
                exchangeCode?: string;
            };
        };
        /** @description The free balance covers the amount but not the fee on top of it. */
        WithdrawalInsufficientBalanceForFeeError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "WITHDRAWAL_INSUFFICIENT_BALANCE_FOR_FEE";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description Details of the error. */
            result?: {
                /** @description The free balance, a decimal string. */
                free?: string;
                /** @description The amount with the fee, a decimal string. */
                needed?: string;
                /** @description Machine-readable detail, for example `address_not_allowlisted`. */
                reason?: string;
                /** @description The error code of the exchange. Its support may ask for it. */
                exchangeCode?: string;
            };
        };
        /** @description The address is not valid on the network, or the exchange account does not allow withdrawals to it (`result.reason`). */
        WithdrawalInvalidAddressError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "WITHDRAWAL_INVALID_ADDRESS";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description Details of the refusal. */
            result?: components["schemas"]["ExchangeRefusal"];
        };
        /** @description The exchange requires that the account holder is verified first. */
        WithdrawalKycRequiredError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "WITHDRAWAL_KYC_REQUIRED";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description Details of the refusal. */
            result?: components["schemas"]["AccountRefusal"];
        };
        WithdrawalLimitsResponse: {
            /**
             * @description Smallest amount that can be debited, as a decimal string; null = unknown.
             * @example 0.0001
             */
            minWithdrawal: string | null;
            /**
             * @description Largest amount that can be debited at once, as a decimal string; null = unknown.
             * @example 5
             */
            maxWithdrawal: string | null;
        };
        /** @description The asset cannot be withdrawn on this network. */
        WithdrawalNetworkNotSupportedError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "WITHDRAWAL_NETWORK_NOT_SUPPORTED";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description Details of the error. */
            result?: {
                /** @description The networks on which the asset can be withdrawn. */
                networks?: string[];
                /** @description Machine-readable detail, for example `address_not_allowlisted`. */
                reason?: string;
                /** @description The error code of the exchange. Its support may ask for it. */
                exchangeCode?: string;
            };
        };
        WithdrawalNetworkResponse: {
            /**
             * @description Network id, as in quotes.
             * @example bitcoin
             */
            id: string;
            /**
             * @description Name of the network.
             * @example Bitcoin
             */
            name: string;
            /**
             * @description Name under which the exchange shows this network.
             * @example Bitcoin
             */
            displayName: string;
            /**
             * @description Smallest amount that can be debited, as a decimal string; "0" = unknown.
             * @example 0.0001
             */
            minWithdrawal: string;
            /**
             * @description Largest amount that can be debited, as a decimal string; the free balance where the exchange has no bound.
             * @example 5
             */
            maxWithdrawal: string;
            /**
             * @description Name of the asset on this network, as the exchange writes it.
             * @example XBT
             */
            assetName: string;
            /**
             * @description Regular expression (RE2 syntax) that the destination address must match as a whole. Some exchanges accept fewer forms of addresses; the quote refuses the others.
             * @example ^(bc1(q[02-9ac-hj-np-z]{38}|[qp][02-9ac-hj-np-z]{58})|[13][1-9A-HJ-NP-Za-km-z]{25,34})$
             */
            addressRegex: string;
            /**
             * @description CAIP-2 id of the chain (chainagnostic.org); null where none is established.
             * @example bip122:000000000019d6689c085ae165831e93
             */
            chainId?: string | null;
            /**
             * @description Contract of the asset on this network; null when unknown, and for a coin on its own chain. Use it only for comparison: money that is sent to it may be lost.
             * @example null
             */
            tokenAddress?: string | null;
        };
        /** @description With 422, the exchange refuses the request for a lasting reason: repeating it does not help until the owner of the account or the operator has changed what `result.reason` and `error` name, such as `ip_not_allowed`, `permission_missing`, `location_blocked`, `country_not_served`. With 502: the exchange could not be reached, refused the request for a reason that has no error code of its own, or returned a response that cannot be used safely (`result.reason` is `unusable_answer`); or Causeway did not send the request, because its clock differs from the database’s (`host_clock_differs`) or the database was restored (`database_restored`). When the rate limit of the exchange is reached (`result.reason` is `rate_limited` or `own_limit`), or the exchange has banned this installation for a time (`banned`), `Retry-After` has the seconds to wait. During its maintenance, `result.reason` is `maintenance`. This call moved no money. */
        WithdrawalProviderError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "WITHDRAWAL_PROVIDER_ERROR";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description Details of the refusal. */
            result?: components["schemas"]["AccountRefusal"];
        };
        /** @description Too many executions for this wallet, or the rate limit of the exchange is reached. `Retry-After` has the seconds to wait. */
        WithdrawalRateLimitExceededError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "WITHDRAWAL_RATE_LIMIT_EXCEEDED";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description Details of the refusal. */
            result?: components["schemas"]["ExchangeRefusal"];
        };
        /** @description The exchange shows a withdrawal that was reported as failed, so the money may have left. Do not pay again: a later event reports the outcome. */
        WithdrawalReopenedEvent: {
            /**
             * Format: uuid
             * @description Id of the event, as in `webhook-id`.
             */
            id: string;
            /**
             * @description Type of the event.
             * @enum {string}
             */
            type: "withdrawal.reopened";
            /**
             * Format: date-time
             * @description When the change was recorded; ISO 8601.
             */
            timestamp: string;
            /** @description The caller’s id of the wallet. */
            walletId: string;
            /** @description Number among all events of the wallet: 1, 2, 3 … A higher number is later. */
            walletSequence: number;
            /** @description The change. `{"omitted": true}` when it would be larger than 256 KiB. */
            data: {
                /** @description The caller’s id of the wallet. */
                walletId: string;
                /** @description Id of the exchange. */
                exchange: string;
                /** @description The quote. */
                quoteId: string;
                /** @description Our id of the withdrawal; null: the quote was not executed. */
                withdrawalId: string | null;
                /** @description Our id of the transaction of the withdrawal; null: the quote was not executed. */
                transactionId: string | null;
                /** @description The exchange’s id of the withdrawal; null until it is known. */
                exchangeTransactionId: string | null;
                /**
                 * @description The state of the withdrawal.
                 * @enum {string}
                 */
                status: "submitted" | "verification_required" | "completed" | "failed" | "canceled" | "rejected" | "unknown";
                /** @description The asset. */
                asset: string;
                /** @description Id of the network. */
                network: string;
                /** @description The destination address. */
                destinationAddress: string;
                /** @description Address tag or memo; null: none. */
                tag: string | null;
                /** @description The amount that arrives, as a decimal string. */
                amountNoFee: string;
                /** @description The fee, as a decimal string. */
                fee: string;
                /** @description The amount that is debited, as a decimal string. */
                amountWithFee: string;
                /** @description The error of a refusal or of the required verification; null: none. */
                error: {
                    /** @description What is wrong, for people. */
                    error: string | null;
                    /** @description The error code. */
                    type: string;
                    /** @description Details of the error; null: none. */
                    result: Record<string, never> | null;
                } | null;
            } | {
                /**
                 * @description Always true: the data are larger than 256 KiB.
                 * @enum {boolean}
                 */
                omitted: true;
            };
        };
        WithdrawalStatusResponse: {
            /**
             * @description `open`: the quote can be executed; `verification_required`: it can be executed after a person has verified it; `expired`: it was never executed; `pending`, `ok`, `failed`, `canceled`: the status of its transaction. `pending` without a withdrawal: the database was restored and may lack an execution of the quote.
             * @enum {string}
             */
            status: "open" | "expired" | "verification_required" | "pending" | "ok" | "failed" | "canceled";
            /** @description The quote. */
            quote: components["schemas"]["QuoteResponse"];
            /** @description The withdrawal; null until the quote is executed for the first time. */
            withdrawal: components["schemas"]["ExecutedWithdrawalResponse"] | null;
            /** @description The open verification as the exchange last reported it; null = none. A dry run reads it again, for example after a face check. */
            verification: components["schemas"]["VerificationReportResponse"] | null;
            /** @description true: there were too many wrong codes; request a new quote. */
            locked: boolean;
            /** @description The recorded refusal of the last execution; null = none. With the status `verification_required` it does not end the quote: a call that is being executed, or a later one, may still pay. */
            error: components["schemas"]["RecordedErrorResponse"] | null;
        };
        /** @description The exchange has accepted the withdrawal. */
        WithdrawalSubmittedEvent: {
            /**
             * Format: uuid
             * @description Id of the event, as in `webhook-id`.
             */
            id: string;
            /**
             * @description Type of the event.
             * @enum {string}
             */
            type: "withdrawal.submitted";
            /**
             * Format: date-time
             * @description When the change was recorded; ISO 8601.
             */
            timestamp: string;
            /** @description The caller’s id of the wallet. */
            walletId: string;
            /** @description Number among all events of the wallet: 1, 2, 3 … A higher number is later. */
            walletSequence: number;
            /** @description The change. `{"omitted": true}` when it would be larger than 256 KiB. */
            data: {
                /** @description The caller’s id of the wallet. */
                walletId: string;
                /** @description Id of the exchange. */
                exchange: string;
                /** @description The quote. */
                quoteId: string;
                /** @description Our id of the withdrawal; null: the quote was not executed. */
                withdrawalId: string | null;
                /** @description Our id of the transaction of the withdrawal; null: the quote was not executed. */
                transactionId: string | null;
                /** @description The exchange’s id of the withdrawal; null until it is known. */
                exchangeTransactionId: string | null;
                /**
                 * @description The state of the withdrawal.
                 * @enum {string}
                 */
                status: "submitted" | "verification_required" | "completed" | "failed" | "canceled" | "rejected" | "unknown";
                /** @description The asset. */
                asset: string;
                /** @description Id of the network. */
                network: string;
                /** @description The destination address. */
                destinationAddress: string;
                /** @description Address tag or memo; null: none. */
                tag: string | null;
                /** @description The amount that arrives, as a decimal string. */
                amountNoFee: string;
                /** @description The fee, as a decimal string. */
                fee: string;
                /** @description The amount that is debited, as a decimal string. */
                amountWithFee: string;
                /** @description The error of a refusal or of the required verification; null: none. */
                error: {
                    /** @description What is wrong, for people. */
                    error: string | null;
                    /** @description The error code. */
                    type: string;
                    /** @description Details of the error; null: none. */
                    result: Record<string, never> | null;
                } | null;
            } | {
                /**
                 * @description Always true: the data are larger than 256 KiB.
                 * @enum {boolean}
                 */
                omitted: true;
            };
        };
        /** @description The address book of the exchange account is full, or the exchange creates no further deposit addresses for now. */
        WithdrawalTooManyAddressesError: {
            /** @description What went wrong, for people. Decide by `type`, never by this text. */
            error: string;
            /**
             * @description Error code.
             * @enum {string}
             */
            type: "WITHDRAWAL_TOO_MANY_ADDRESSES";
            /** @description The `x-request-id` of this request, which its log lines contain. */
            requestId: string;
            /** @description Details of the refusal. */
            result?: components["schemas"]["ExchangeRefusal"];
        };
        /** @description The exchange gave no definite response, so the money may have left. Do not pay again: a later event reports the outcome. */
        WithdrawalUnknownEvent: {
            /**
             * Format: uuid
             * @description Id of the event, as in `webhook-id`.
             */
            id: string;
            /**
             * @description Type of the event.
             * @enum {string}
             */
            type: "withdrawal.unknown";
            /**
             * Format: date-time
             * @description When the change was recorded; ISO 8601.
             */
            timestamp: string;
            /** @description The caller’s id of the wallet. */
            walletId: string;
            /** @description Number among all events of the wallet: 1, 2, 3 … A higher number is later. */
            walletSequence: number;
            /** @description The change. `{"omitted": true}` when it would be larger than 256 KiB. */
            data: {
                /** @description The caller’s id of the wallet. */
                walletId: string;
                /** @description Id of the exchange. */
                exchange: string;
                /** @description The quote. */
                quoteId: string;
                /** @description Our id of the withdrawal; null: the quote was not executed. */
                withdrawalId: string | null;
                /** @description Our id of the transaction of the withdrawal; null: the quote was not executed. */
                transactionId: string | null;
                /** @description The exchange’s id of the withdrawal; null until it is known. */
                exchangeTransactionId: string | null;
                /**
                 * @description The state of the withdrawal.
                 * @enum {string}
                 */
                status: "submitted" | "verification_required" | "completed" | "failed" | "canceled" | "rejected" | "unknown";
                /** @description The asset. */
                asset: string;
                /** @description Id of the network. */
                network: string;
                /** @description The destination address. */
                destinationAddress: string;
                /** @description Address tag or memo; null: none. */
                tag: string | null;
                /** @description The amount that arrives, as a decimal string. */
                amountNoFee: string;
                /** @description The fee, as a decimal string. */
                fee: string;
                /** @description The amount that is debited, as a decimal string. */
                amountWithFee: string;
                /** @description The error of a refusal or of the required verification; null: none. */
                error: {
                    /** @description What is wrong, for people. */
                    error: string | null;
                    /** @description The error code. */
                    type: string;
                    /** @description Details of the error; null: none. */
                    result: Record<string, never> | null;
                } | null;
            } | {
                /**
                 * @description Always true: the data are larger than 256 KiB.
                 * @enum {boolean}
                 */
                omitted: true;
            };
        };
        /** @description The exchange requires a verification before it executes the withdrawal. */
        WithdrawalVerificationRequiredEvent: {
            /**
             * Format: uuid
             * @description Id of the event, as in `webhook-id`.
             */
            id: string;
            /**
             * @description Type of the event.
             * @enum {string}
             */
            type: "withdrawal.verification_required";
            /**
             * Format: date-time
             * @description When the change was recorded; ISO 8601.
             */
            timestamp: string;
            /** @description The caller’s id of the wallet. */
            walletId: string;
            /** @description Number among all events of the wallet: 1, 2, 3 … A higher number is later. */
            walletSequence: number;
            /** @description The change. `{"omitted": true}` when it would be larger than 256 KiB. */
            data: {
                /** @description The caller’s id of the wallet. */
                walletId: string;
                /** @description Id of the exchange. */
                exchange: string;
                /** @description The quote. */
                quoteId: string;
                /** @description Our id of the withdrawal; null: the quote was not executed. */
                withdrawalId: string | null;
                /** @description Our id of the transaction of the withdrawal; null: the quote was not executed. */
                transactionId: string | null;
                /** @description The exchange’s id of the withdrawal; null until it is known. */
                exchangeTransactionId: string | null;
                /**
                 * @description The state of the withdrawal.
                 * @enum {string}
                 */
                status: "submitted" | "verification_required" | "completed" | "failed" | "canceled" | "rejected" | "unknown";
                /** @description The asset. */
                asset: string;
                /** @description Id of the network. */
                network: string;
                /** @description The destination address. */
                destinationAddress: string;
                /** @description Address tag or memo; null: none. */
                tag: string | null;
                /** @description The amount that arrives, as a decimal string. */
                amountNoFee: string;
                /** @description The fee, as a decimal string. */
                fee: string;
                /** @description The amount that is debited, as a decimal string. */
                amountWithFee: string;
                /** @description The error of a refusal or of the required verification; null: none. */
                error: {
                    /** @description What is wrong, for people. */
                    error: string | null;
                    /** @description The error code. */
                    type: string;
                    /** @description Details of the error; null: none. */
                    result: Record<string, never> | null;
                } | null;
            } | {
                /**
                 * @description Always true: the data are larger than 256 KiB.
                 * @enum {boolean}
                 */
                omitted: true;
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is alive. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LivenessResponse"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process can serve requests. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadinessResponse"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the object that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyResponse"];
                };
            };
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the object that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateApiKeyRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedApiKeyResponse"];
                };
            };
        };
    };
    listOrganizations: {
        parameters: {
            query?: {
                /** @description Page number, counted from 0. */
                page?: number;
                /** @description Entries on a page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationListResponse"];
                };
            };
        };
    };
    createOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOrganizationRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationResponse"];
                };
            };
        };
    };
    listProjects: {
        parameters: {
            query?: {
                /** @description Page number, counted from 0. */
                page?: number;
                /** @description Entries on a page. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the object that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectListResponse"];
                };
            };
        };
    };
    createProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the object that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateProjectRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectResponse"];
                };
            };
        };
    };
    deleteProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the object that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectResponse"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Page number, counted from 0. */
                page?: number;
                /** @description Entries on a page. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the object that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyListResponse"];
                };
            };
        };
    };
    issueApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the object that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IssueApiKeyRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedApiKeyResponse"];
                };
            };
        };
    };
    getConnectSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectProjectSettings"];
                };
            };
        };
    };
    setConnectSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectProjectSettings"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectProjectSettings"];
                };
            };
        };
    };
    suspendProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the object that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectResponse"];
                };
            };
        };
    };
    resumeProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the object that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectResponse"];
                };
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /** @description Page number, counted from 0. */
                page?: number;
                /** @description Entries on a page. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the object that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointListResponse"];
                };
            };
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the object that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookEndpointRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhookEndpointResponse"];
                };
            };
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the object that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryDetailResponse"];
                };
            };
        };
    };
    resendWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the object that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryResponse"];
                };
            };
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the object that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointResponse"];
                };
            };
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the object that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookEndpointRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointResponse"];
                };
            };
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the object that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointResponse"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Page number, counted from 0. */
                page?: number;
                /** @description Entries on a page. */
                limit?: number;
                /** @description Only deliveries in this state. `pending`: an attempt is due or will be; `delivered`: the endpoint has responded with a status from 200 to 299; `failed`: the last retry has failed. */
                state?: "pending" | "delivered" | "failed";
            };
            header?: never;
            path: {
                /** @description Id of the object that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryListResponse"];
                };
            };
        };
    };
    resendWebhookDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the object that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResendWebhooksRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResentWebhooksResponse"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the object that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateWebhookSecretRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedWebhookSecretResponse"];
                };
            };
        };
    };
    getTickers: {
        parameters: {
            query?: {
                /** @description Asset symbols, separated by commas, in any case. Limits `prices` to these assets. Unknown symbols are ignored. */
                coins?: string;
            };
            header?: never;
            path: {
                /** @description Exchange identifier. */
                exchange: ("kraken" | "coinbase" | "bitstamp" | "gemini") | (string & {});
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Prices by asset symbol. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TickersResponse"];
                };
            };
        };
    };
    listExchanges: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectExchangesResponse"];
                };
            };
        };
    };
    getOutcome: {
        parameters: {
            query: {
                /** @description The `idem` of the request for the connect url, or the id of a withdrawal quote. */
                idem: string;
                /** @description Organization of the topic, for clients that cannot send the header `x-svc-org-id`. */
                orgId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current outcome. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutcomeResponse"];
                };
            };
        };
    };
    createConnectUrlWithoutExchange: {
        parameters: {
            query: {
                /** @description Your id of this connect session, which is also the topic of its messages. Make it unguessable: any client that knows it and the organization may listen. A repeat of the same request returns the same link while the session is open. An `idem` that is in use, or is the id of a withdrawal quote of the organization, is refused with 409. */
                idem: string;
                /** @description The access that you need, separated by commas: `read`, `deposit`, `trade`, `withdrawal`; `read` is always included. Default: the setting `connectAccess` of the project, without access that its API keys cannot use at this exchange. The person is asked for exactly this access. */
                access?: string;
                /** @description The connect method to offer first, if the exchange has several. The person can still choose another one. */
                way?: "oauth" | "qr" | "key";
                /** @description Country of the person, ISO 3166-1 alpha-2. Needed where the exchange is not offered everywhere. */
                country?: string;
                /** @description Address to which the page sends the person at the end, with `idem`, `success`, `walletId`, `exchange` and, after a failure, `error` (the error code) in the query. It must be exactly one of the project’s return addresses. */
                returnUrl?: string;
                /** @description Origin of your page that opens the link as a popup. The page receives the outcome by `postMessage`. It must be one of the project’s origins. Without an API key, the `Origin` of the request is used. */
                origin?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectUrlResponse"];
                };
            };
        };
    };
    createConnectUrl: {
        parameters: {
            query: {
                /** @description Your id of this connect session, which is also the topic of its messages. Make it unguessable: any client that knows it and the organization may listen. A repeat of the same request returns the same link while the session is open. An `idem` that is in use, or is the id of a withdrawal quote of the organization, is refused with 409. */
                idem: string;
                /** @description The access that you need, separated by commas: `read`, `deposit`, `trade`, `withdrawal`; `read` is always included. Default: the setting `connectAccess` of the project, without access that its API keys cannot use at this exchange. The person is asked for exactly this access. */
                access?: string;
                /** @description The connect method to offer first, if the exchange has several. The person can still choose another one. */
                way?: "oauth" | "qr" | "key";
                /** @description Country of the person, ISO 3166-1 alpha-2. Needed where the exchange is not offered everywhere. */
                country?: string;
                /** @description Address to which the page sends the person at the end, with `idem`, `success`, `walletId`, `exchange` and, after a failure, `error` (the error code) in the query. It must be exactly one of the project’s return addresses. */
                returnUrl?: string;
                /** @description Origin of your page that opens the link as a popup. The page receives the outcome by `postMessage`. It must be one of the project’s origins. Without an API key, the `Origin` of the request is used. */
                origin?: string;
            };
            header?: never;
            path: {
                /** @description Id of the exchange, as `GET /v0/oauth2/exchanges` lists it. */
                exchange: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectUrlResponse"];
                };
            };
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrentApiKeyResponse"];
                };
            };
        };
    };
    getWallet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The wallet as of its last sync. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletResponse"];
                };
            };
        };
    };
    deleteWallet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The wallet is deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteWalletResponse"];
                };
            };
        };
    };
    getDepositAddress: {
        parameters: {
            query: {
                /** @description Asset symbol, as in quotes. Missing or empty gives DEPOSIT_ASSET_REQUIRED. */
                asset: string;
                /** @description Network id, as in quotes; common names (ERC20, TRC20) are understood, case does not matter. Missing or empty gives DEPOSIT_NETWORK_REQUIRED. */
                network: string;
                /** @description `reuse_or_create`: an existing address that stays valid long enough, otherwise a new one. `reuse_only`: an existing address. `create_new`: a new address from the exchange; earlier addresses stay valid as long as the exchange supports them. */
                reusePolicy?: "reuse_or_create" | "reuse_only" | "create_new";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The address, and the facts that the exchange reports about its method. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DepositAddressResponse"];
                };
            };
        };
    };
    getWithdrawalFees: {
        parameters: {
            query: {
                /** @description Asset symbol, as in quotes. Missing or empty gives INFO_ASSET_REQUIRED. */
                asset: string;
                /** @description Network id; common names (ERC20, TRC20) are understood, case does not matter. Left out: all networks of the asset. */
                network?: string;
                /** @description Amount that should arrive, in the asset, as a plain decimal greater than zero. Where the fee depends on the amount, the exchange estimates it for this amount. `amountProblem` shows the networks on which it cannot be withdrawn. */
                amount?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Fees by network. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeeInfoResponse"];
                };
            };
        };
    };
    getIdentity: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The identity as the exchange supplied it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityResponse"];
                };
            };
        };
    };
    listWallets: {
        parameters: {
            query?: {
                /** @description Page number, counted from 0. */
                page?: number;
                /** @description Entries on a page. */
                limit?: number;
                /** @description Only wallets of this exchange; `null` = wallets of all exchanges. */
                exchange?: ("kraken" | "coinbase" | "bitstamp" | "gemini" | "binance" | "okx" | "bybit" | "kucoin" | "gate" | "bitget" | "sandbox" | "null") | (string & {});
                /** @description Only wallets connected at this time or later. ISO 8601; without an offset it is UTC. */
                createdSince?: string;
                /** @description Only wallets connected before this time. ISO 8601; without an offset it is UTC. */
                createdBefore?: string;
                /** @description Only wallets last synced at this time or later. ISO 8601; without an offset it is UTC. */
                lastSyncSince?: string;
                /** @description Only wallets last synced before this time; wallets that were never synced are left out. ISO 8601; without an offset it is UTC. */
                lastSyncBefore?: string;
                /** @description `true`: only wallets whose credentials are known to be invalid. `false`: only the other wallets. `null`: all. */
                invalidApi?: "true" | "false" | "null";
                /** @description Comma-separated fields of the response, from id, walletId, exchange, projectId, balances, ipPool, invalidApi, createdAt, updatedAt, lastSyncAt, exact; `id` and `walletId` are always included. Default: all. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the listing. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWalletsResponse"];
                };
            };
        };
    };
    pingWallet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result of the test. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PingWalletResponse"];
                };
            };
        };
    };
    placeOrder: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlaceOrderRequest"];
            };
        };
        responses: {
            /** @description The exchange has accepted the order, or may have. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlacedOrderResponse"];
                };
            };
        };
    };
    getOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The order id from the response of placing the order. */
                orderId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderResponse"];
                };
            };
        };
    };
    getTradableAssets: {
        parameters: {
            query?: {
                /** @description Exchange identifier. It is ignored when the wallet header is present: the exchange of that wallet is used. */
                exchange?: string;
                /** @description Only routes from these assets (`baseAsset`), separated by commas; case does not matter, unknown assets are ignored. Empty = all routes. */
                source?: string;
                /** @description Another name of `source`. If both are sent, routes from the assets of both are returned. */
                sources?: string;
                /** @description Only routes to these assets (`quoteAsset`), separated by commas; case does not matter, unknown assets are ignored. Empty = all routes. */
                destination?: string;
                /** @description Another name of `destination`. If both are sent, routes to the assets of both are returned. */
                destinations?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The catalogue. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TradableAssetsResponse"];
                };
            };
        };
    };
    getTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Transaction id. */
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionResponse"];
                };
            };
        };
    };
    enrichTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Transaction id. */
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transaction with all facts that are known now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionResponse"];
                };
            };
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                /** @description Page number, counted from 0. */
                page?: number;
                /** @description Entries on a page. */
                limit?: number;
                /** @description Only transactions of this wallet, even if it was deleted; the wallet header has the same effect. Without both: transactions of all wallets of the project. */
                walletId?: string;
                /** @description Only transactions that happened (`timestamp`) at this time or later. ISO 8601; without an offset it is UTC. */
                sinceDate?: string;
                /** @description Only transactions that happened (`timestamp`) before this time. ISO 8601; without an offset it is UTC. */
                beforeDate?: string;
                /** @description Only transactions of this asset (symbol), also those from before the exchange renamed it. The exchange’s own id, or another spelling, is understood when it names one asset only. */
                asset?: string;
                /** @description Only transactions of this type. */
                type?: "deposit" | "withdrawal" | "transaction";
                /** @description Only transactions with this status. */
                status?: "pending" | "ok" | "failed" | "canceled";
                /** @description Only transactions in this direction, seen from the wallet. */
                direction?: "in" | "out";
                /** @description Only transactions on this network, as transactions show it (`bitcoin`, `kraken:polygon (usdc.e)`, `unknown`); common names (ERC20, TRC20) are understood, case does not matter. */
                network?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the listing. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTransactionsResponse"];
                };
            };
        };
    };
    getWithdrawalBalance: {
        parameters: {
            query?: {
                /** @description Whether to delete the wallet when the exchange refuses its credentials in two signed calls. In a test project, and when the exchange reports that the key or grant was revoked, the wallet is deleted at once; in all other cases it is deleted when the refusals have lasted WALLET_DELETE_AFTER (default 1 hour), at `result.deletionAt`. A wallet is never deleted while a withdrawal or an order is unresolved. With `false`, the wallet is only marked as `invalidApi`. */
                autoDeleteIfInvalid?: boolean;
                /** @description Accepted age of stored balances, in whole minutes. Older balances are read from the exchange again. 0 always calls the exchange. If `Cache-Control` has `max-age`, too, the smaller of the two ages applies. */
                balanceRefreshThreshold?: number;
                /** @description Another name of `balanceRefreshThreshold`, which takes precedence. */
                refreshThresholdMinutes?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Assets with a free balance. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawableBalanceResponse"];
                };
            };
        };
    };
    createQuote: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateQuoteRequest"];
            };
        };
        responses: {
            /** @description The quote; execute it by its id before `expiresAt`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuoteResponse"];
                };
            };
        };
    };
    getWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a withdrawal quote of this wallet. */
                quoteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The quote and the state of its execution. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalStatusResponse"];
                };
            };
        };
    };
    executeQuote: {
        parameters: {
            query?: {
                /** @description Whether to delete the wallet when the exchange refuses its credentials in two signed calls. In a test project, and when the exchange reports that the key or grant was revoked, the wallet is deleted at once; in all other cases it is deleted when the refusals have lasted WALLET_DELETE_AFTER (default 1 hour), at `result.deletionAt`. A wallet is never deleted while a withdrawal or an order is unresolved. With `false`, the wallet is only marked as `invalidApi`. */
                autoDeleteIfInvalid?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of a withdrawal quote of this wallet. */
                quoteId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ExecuteRequest"];
            };
        };
        responses: {
            /** @description The exchange has accepted the withdrawal, or may have. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecutionResponse"];
                };
            };
        };
    };
    connectWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Exchange identifier. */
                exchange: ("kraken" | "coinbase" | "bitstamp" | "gemini" | "binance" | "okx" | "bybit" | "kucoin" | "gate" | "bitget" | "sandbox") | (string & {});
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectWalletRequest"];
            };
        };
        responses: {
            /** @description The wallet was connected before; its credentials were replaced. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletResponse"];
                };
            };
            /** @description The wallet is new. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletResponse"];
                };
            };
        };
    };
}

/** The body of an error response, by its code. */
export interface ErrorBodies {
  APIKEY_INSUFFICIENT_PERMISSIONS: components['schemas']['ApikeyInsufficientPermissionsError'];
  CACHE_EXPIRED: components['schemas']['CacheExpiredError'];
  CACHE_INVALID_PATH: components['schemas']['CacheInvalidPathError'];
  CACHE_MISS: components['schemas']['CacheMissError'];
  DEPOSIT_ADDRESS_UNAVAILABLE: components['schemas']['DepositAddressUnavailableError'];
  DEPOSIT_ASSET_REQUIRED: components['schemas']['DepositAssetRequiredError'];
  DEPOSIT_EXCHANGE_NOT_SUPPORTED: components['schemas']['DepositExchangeNotSupportedError'];
  DEPOSIT_METHOD_NOT_RESOLVED: components['schemas']['DepositMethodNotResolvedError'];
  DEPOSIT_METHODS_UNAVAILABLE: components['schemas']['DepositMethodsUnavailableError'];
  DEPOSIT_NETWORK_REQUIRED: components['schemas']['DepositNetworkRequiredError'];
  DEPOSIT_NOT_IMPLEMENTED: components['schemas']['DepositNotImplementedError'];
  ENRICHMENT_API_ERROR: components['schemas']['EnrichmentApiError'];
  ENRICHMENT_NETWORK_NOT_SUPPORTED: components['schemas']['EnrichmentNetworkNotSupportedError'];
  ENRICHMENT_TIMEOUT: components['schemas']['EnrichmentTimeoutError'];
  GENERIC_INTERNAL_SERVER_ERROR: components['schemas']['GenericInternalServerError'];
  GENERIC_INVALID_REQUEST: components['schemas']['GenericInvalidRequestError'];
  GENERIC_NOT_FOUND: components['schemas']['GenericNotFoundError'];
  GENERIC_RATE_LIMIT_EXCEEDED: components['schemas']['GenericRateLimitExceededError'];
  GENERIC_UNAUTHORIZED: components['schemas']['GenericUnauthorizedError'];
  GENERIC_VALIDATION_ERROR: components['schemas']['GenericValidationError'];
  INFO_ASSET_REQUIRED: components['schemas']['InfoAssetRequiredError'];
  INFO_FEE_EXCHANGE_NOT_SUPPORTED: components['schemas']['InfoFeeExchangeNotSupportedError'];
  OAUTH_AUTHORIZATION_FAILED: components['schemas']['OauthAuthorizationFailedError'];
  OAUTH_COUNTRY_CODE_INVALID: components['schemas']['OauthCountryCodeInvalidError'];
  OAUTH_COUNTRY_NOT_DETECTED: components['schemas']['OauthCountryNotDetectedError'];
  OAUTH_COUNTRY_NOT_SUPPORTED: components['schemas']['OauthCountryNotSupportedError'];
  OAUTH_INSUFFICIENT_SCOPE: components['schemas']['OauthInsufficientScopeError'];
  OAUTH_INVALID_STATE: components['schemas']['OauthInvalidStateError'];
  OAUTH_TOKEN_EXCHANGE_FAILED: components['schemas']['OauthTokenExchangeFailedError'];
  QUOTE_EXPIRED: components['schemas']['QuoteExpiredError'];
  QUOTE_NOT_FOUND: components['schemas']['QuoteNotFoundError'];
  TRADING_DATA_UNAVAILABLE: components['schemas']['TradingDataUnavailableError'];
  TRADING_EXCHANGE_NOT_SUPPORTED: components['schemas']['TradingExchangeNotSupportedError'];
  TRADING_ORDER_NOT_FOUND: components['schemas']['TradingOrderNotFoundError'];
  TRADING_ORDER_TYPE_NOT_SUPPORTED: components['schemas']['TradingOrderTypeNotSupportedError'];
  TRADING_PROVIDER_ERROR: components['schemas']['TradingProviderError'];
  TRADING_ROUTE_NOT_FOUND: components['schemas']['TradingRouteNotFoundError'];
  TRADING_ROUTE_UNAVAILABLE: components['schemas']['TradingRouteUnavailableError'];
  WALLET_IDENTITY_NOT_FOUND: components['schemas']['WalletIdentityNotFoundError'];
  WALLET_INVALID_CREDENTIALS: components['schemas']['WalletInvalidCredentialsError'];
  WALLET_NOT_FOUND: components['schemas']['WalletNotFoundError'];
  WEBHOOK_INVALID_TIMESTAMP: components['schemas']['WebhookInvalidTimestampError'];
  WEBHOOK_MISSING_HEADERS: components['schemas']['WebhookMissingHeadersError'];
  WEBHOOK_SIGNATURE_INVALID: components['schemas']['WebhookSignatureInvalidError'];
  WITHDRAWAL_2FA_INCOMPLETE: components['schemas']['Withdrawal2faIncompleteError'];
  WITHDRAWAL_2FA_INVALID: components['schemas']['Withdrawal2faInvalidError'];
  WITHDRAWAL_2FA_METHOD_NOT_SUPPORTED: components['schemas']['Withdrawal2faMethodNotSupportedError'];
  WITHDRAWAL_2FA_REQUIRED_EMAIL: components['schemas']['Withdrawal2faRequiredEmailError'];
  WITHDRAWAL_2FA_REQUIRED_FACE_RECOGNITION: components['schemas']['Withdrawal2faRequiredFaceRecognitionError'];
  WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS: components['schemas']['Withdrawal2faRequiredMultiStepsError'];
  WITHDRAWAL_2FA_REQUIRED_PASSPHRASE: components['schemas']['Withdrawal2faRequiredPassphraseError'];
  WITHDRAWAL_2FA_REQUIRED_SMS: components['schemas']['Withdrawal2faRequiredSmsError'];
  WITHDRAWAL_2FA_REQUIRED_TOTP: components['schemas']['Withdrawal2faRequiredTotpError'];
  WITHDRAWAL_2FA_REQUIRED_YUBIKEY: components['schemas']['Withdrawal2faRequiredYubikeyError'];
  WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM: components['schemas']['WithdrawalAmountAboveMaximumError'];
  WITHDRAWAL_AMOUNT_BELOW_MINIMUM: components['schemas']['WithdrawalAmountBelowMinimumError'];
  WITHDRAWAL_ASSET_NOT_SUPPORTED: components['schemas']['WithdrawalAssetNotSupportedError'];
  WITHDRAWAL_DRY_RUN_COMPLETE: components['schemas']['WithdrawalDryRunCompleteError'];
  WITHDRAWAL_EMAIL_UNVERIFIED: components['schemas']['WithdrawalEmailUnverifiedError'];
  WITHDRAWAL_FUNDING_ADDRESS_CONFLICT: components['schemas']['WithdrawalFundingAddressConflictError'];
  WITHDRAWAL_INSUFFICIENT_BALANCE: components['schemas']['WithdrawalInsufficientBalanceError'];
  WITHDRAWAL_INSUFFICIENT_BALANCE_FOR_FEE: components['schemas']['WithdrawalInsufficientBalanceForFeeError'];
  WITHDRAWAL_INVALID_ADDRESS: components['schemas']['WithdrawalInvalidAddressError'];
  WITHDRAWAL_KYC_REQUIRED: components['schemas']['WithdrawalKycRequiredError'];
  WITHDRAWAL_NETWORK_NOT_SUPPORTED: components['schemas']['WithdrawalNetworkNotSupportedError'];
  WITHDRAWAL_PROVIDER_ERROR: components['schemas']['WithdrawalProviderError'];
  WITHDRAWAL_RATE_LIMIT_EXCEEDED: components['schemas']['WithdrawalRateLimitExceededError'];
  WITHDRAWAL_TOO_MANY_ADDRESSES: components['schemas']['WithdrawalTooManyAddressesError'];
}

/** The body of a webhook, by its type. */
export interface WebhookEvents {
  'wallet.created': components['schemas']['WalletCreatedEvent'];
  'wallet.deleted': components['schemas']['WalletDeletedEvent'];
  'wallet.balance.updated': components['schemas']['WalletBalanceUpdatedEvent'];
  'wallet.credentials.invalid': components['schemas']['WalletCredentialsInvalidEvent'];
  'wallet.credentials.valid': components['schemas']['WalletCredentialsValidEvent'];
  'quote.created': components['schemas']['QuoteCreatedEvent'];
  'withdrawal.submitted': components['schemas']['WithdrawalSubmittedEvent'];
  'withdrawal.verification_required': components['schemas']['WithdrawalVerificationRequiredEvent'];
  'withdrawal.completed': components['schemas']['WithdrawalCompletedEvent'];
  'withdrawal.failed': components['schemas']['WithdrawalFailedEvent'];
  'withdrawal.unknown': components['schemas']['WithdrawalUnknownEvent'];
  'withdrawal.reopened': components['schemas']['WithdrawalReopenedEvent'];
  'transaction.created': components['schemas']['TransactionCreatedEvent'];
  'transaction.updated': components['schemas']['TransactionUpdatedEvent'];
  'order.updated': components['schemas']['OrderUpdatedEvent'];
  'webhook_endpoint.disabled': components['schemas']['WebhookEndpointDisabledEvent'];
}
