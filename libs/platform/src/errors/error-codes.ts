/** The HTTP status of an error code and the condition that raises it. */
export interface ErrorCodeInfo {
  status: number;
  /** Further statuses of special cases, which `when` explains. */
  otherStatuses?: readonly number[];
  when: string;
  /** The general message of an error with this code; absent = `when`, which then must not explain `result`. */
  message?: string;
}

const generic = {
  GENERIC_NOT_FOUND: {
    status: 404,
    when: 'The path or a requested object does not exist, for example a transaction, a webhook endpoint or the prices of an exchange.',
  },
  GENERIC_UNAUTHORIZED: {
    status: 401,
    when: 'The API key, organization or project header is missing or wrong; or the key is expired, revoked, of another organization or project, or not allowed from this IP address; or the token of an administration route is wrong.',
  },
  GENERIC_INTERNAL_SERVER_ERROR: {
    status: 500,
    otherStatuses: [503],
    when: 'An unexpected fault; the log line with this `requestId` has the cause. With 503 and `Retry-After`: the service is busy, is stopping, or cannot reach its database or its queue; send the request again.',
  },
  GENERIC_VALIDATION_ERROR: {
    status: 400,
    when: 'A parameter, header or body field has the wrong form; `result.fields` lists each.',
  },
  GENERIC_INVALID_REQUEST: {
    status: 400,
    otherStatuses: [403, 409, 422],
    when: 'The request is well formed but cannot be served: for example, an unsupported exchange (400), a suspended project (403; `result.reason` is `suspended`), a conflict with an operation in progress or with the present state (409), or the same quote or idempotency key with another payload (422).',
  },
  GENERIC_RATE_LIMIT_EXCEEDED: {
    status: 429,
    when: 'There were too many requests with this API key, from this address or for this wallet; too many failed attempts of this project to connect wallets of one exchange; or too many calls to the exchange under `/trade`. `Retry-After` has the seconds to wait.',
  },
} as const satisfies Record<string, ErrorCodeInfo>;

const accessAndWallet = {
  APIKEY_INSUFFICIENT_PERMISSIONS: {
    status: 403,
    when: 'The API key lacks scopes that the endpoint requires; `missing` lists them.',
  },
  WALLET_NOT_FOUND: { status: 404, when: 'The project has no wallet with this id.' },
  WALLET_INVALID_CREDENTIALS: {
    status: 400,
    when: 'The exchange has refused two signed calls (one at a connect) because the credentials are invalid, revoked or expired. `result.walletDeleted` states whether the wallet was deleted for this reason. `result.deletionAt` is the earliest time at which the wallet may be deleted (ISO 8601; null = no deletion is planned). When a connect is refused, `result.reason` is `unknown_key`, `invalid_signature` (the secret is wrong), `invalid_passphrase`, `revoked` or `expired` where the exchange states the cause.',
  },
  WALLET_IDENTITY_NOT_FOUND: { status: 404, when: 'The wallet has no linked identity.' },
} as const satisfies Record<string, ErrorCodeInfo>;

const withdrawal = {
  QUOTE_NOT_FOUND: { status: 404, when: 'The wallet has no quote with this id.' },
  QUOTE_EXPIRED: {
    status: 410,
    when: 'The quote was not executed before its `expiresAt`; create a new quote.',
    message: 'The quote has expired; request a new quote',
  },
  WITHDRAWAL_INSUFFICIENT_BALANCE: { status: 400, when: 'The free balance is smaller than the amount.' },
  WITHDRAWAL_INSUFFICIENT_BALANCE_FOR_FEE: {
    status: 400,
    when: 'The free balance covers the amount but not the fee on top of it.',
  },
  WITHDRAWAL_INVALID_ADDRESS: {
    status: 400,
    when: 'The address is not valid on the network, or the exchange account does not allow withdrawals to it (`result.reason`).',
    message:
      'The address is not valid on the network, or the exchange account does not allow withdrawals to it: check the address, its tag, and the address book of the account.',
  },
  WITHDRAWAL_NETWORK_NOT_SUPPORTED: { status: 400, when: 'The asset cannot be withdrawn on this network.' },
  WITHDRAWAL_TOO_MANY_ADDRESSES: {
    status: 409,
    when: 'The address book of the exchange account is full, or the exchange creates no further deposit addresses for now.',
  },
  WITHDRAWAL_FUNDING_ADDRESS_CONFLICT: {
    status: 409,
    when: 'The address book of the exchange account already has another entry for this address or name.',
  },
  WITHDRAWAL_AMOUNT_BELOW_MINIMUM: {
    status: 400,
    when: 'The debited amount, which includes the fee, is below the minimum of the network; or the amount is not above the fee.',
  },
  WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM: {
    status: 400,
    when: 'The debited amount, which includes the fee, is above the maximum of the network or the account.',
  },
  WITHDRAWAL_ASSET_NOT_SUPPORTED: {
    status: 400,
    when: 'The exchange does not list the asset, or does not allow its withdrawal.',
  },
  WITHDRAWAL_PROVIDER_ERROR: {
    status: 502,
    otherStatuses: [422],
    when: 'With 422, the exchange refuses the request for a lasting reason: repeating it does not help until the owner of the account or the operator has changed what `result.reason` and `error` name, such as `ip_not_allowed`, `permission_missing`, `location_blocked`, `country_not_served`. With 502: the exchange could not be reached, refused the request for a reason that has no error code of its own, or returned a response that cannot be used safely (`result.reason` is `unusable_answer`); or Causeway did not send the request, because its clock differs from the database’s (`host_clock_differs`) or the database was restored (`database_restored`). When the rate limit of the exchange is reached (`result.reason` is `rate_limited` or `own_limit`), or the exchange has banned this installation for a time (`banned`), `Retry-After` has the seconds to wait. During its maintenance, `result.reason` is `maintenance`. This call moved no money.',
  },
  WITHDRAWAL_KYC_REQUIRED: { status: 400, when: 'The exchange requires that the account holder is verified first.' },
  WITHDRAWAL_EMAIL_UNVERIFIED: {
    status: 400,
    when: 'The exchange requires that the email address of the account is confirmed first.',
  },
  WITHDRAWAL_RATE_LIMIT_EXCEEDED: {
    status: 429,
    when: 'Too many executions for this wallet, or the rate limit of the exchange is reached. `Retry-After` has the seconds to wait.',
  },
  WITHDRAWAL_DRY_RUN_COMPLETE: { status: 400, when: 'The dry run found nothing missing; no money was moved.' },
  WITHDRAWAL_2FA_REQUIRED_TOTP: { status: 400, when: 'The exchange requires an authenticator code (`twofa`).' },
  WITHDRAWAL_2FA_REQUIRED_SMS: { status: 400, when: 'The exchange requires a code sent by SMS (`smsCode`).' },
  WITHDRAWAL_2FA_REQUIRED_FACE_RECOGNITION: { status: 400, when: 'The exchange requires a face check in its own app.' },
  WITHDRAWAL_2FA_REQUIRED_EMAIL: { status: 400, when: 'The exchange requires a code sent by email (`emailCode`).' },
  WITHDRAWAL_2FA_REQUIRED_YUBIKEY: { status: 400, when: 'The exchange requires a hardware key.' },
  WITHDRAWAL_2FA_REQUIRED_PASSPHRASE: { status: 400, when: 'The exchange requires a withdrawal passphrase.' },
  WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS: {
    status: 400,
    when: 'The exchange requires several verifications; `result` is the verification report.',
  },
  WITHDRAWAL_2FA_INCOMPLETE: {
    status: 400,
    when: 'Some verifications of the challenge are still open; `result` is the verification report.',
  },
  WITHDRAWAL_2FA_INVALID: {
    status: 400,
    when: 'The code was wrong, or the challenge is locked (`result.locked`).',
    message: 'The code was wrong, or the exchange accepts no more codes for this withdrawal; request a new quote.',
  },
  WITHDRAWAL_2FA_METHOD_NOT_SUPPORTED: {
    status: 400,
    when: 'The request has a code for a step that the challenge does not have; `result.valid2FAMethods` lists the steps of the challenge.',
    message: 'The request has a code of a kind that the exchange does not ask for; leave this code out.',
  },
} as const satisfies Record<string, ErrorCodeInfo>;

const connect = {
  OAUTH_AUTHORIZATION_FAILED: {
    status: 400,
    when: 'The owner of the account cancelled or denied the authorization, did not finish it in time, or used up all attempts; or the exchange denied it.',
  },
  OAUTH_TOKEN_EXCHANGE_FAILED: {
    status: 502,
    when: 'The owner of the account allowed the access, but the exchange returned no tokens or no API key for it, or did not respond.',
  },
  OAUTH_INVALID_STATE: {
    status: 400,
    when: 'The `state` of the callback is unknown, already used, expired or from another browser.',
  },
  OAUTH_INSUFFICIENT_SCOPE: { status: 403, when: 'The authorization grants less access than was requested.' },
  OAUTH_QR_CODE_UNAVAILABLE: { status: 503, when: 'The exchange provides no QR code for its login now.' },
  OAUTH_COUNTRY_NOT_DETECTED: {
    status: 400,
    when: 'The exchange is not offered in every country, and the country of the owner is not known; send `country`.',
  },
  OAUTH_COUNTRY_NOT_SUPPORTED: { status: 403, when: 'The exchange is not offered in this country.' },
  OAUTH_COUNTRY_CODE_INVALID: { status: 400, when: 'The country is not an ISO 3166-1 alpha-2 code.' },
  WEBHOOK_SIGNATURE_INVALID: { status: 401, when: 'The signature of an incoming webhook is wrong.' },
  WEBHOOK_MISSING_HEADERS: { status: 400, when: 'An incoming webhook lacks its id, time or signature header.' },
  WEBHOOK_INVALID_TIMESTAMP: {
    status: 400,
    when: 'The time of an incoming webhook differs from our clock by more than five minutes.',
  },
} as const satisfies Record<string, ErrorCodeInfo>;

const depositTradingInfo = {
  CACHE_MISS: { status: 504, when: 'The request has `only-if-cached`, and no data for its response are stored.' },
  CACHE_EXPIRED: {
    status: 504,
    when: 'The request has `only-if-cached`, and the stored data are older than the request or the setting of the endpoint allows.',
  },
  CACHE_INVALID_PATH: { status: 400, when: 'The request has `only-if-cached`, and the endpoint keeps no cache.' },
  DEPOSIT_NOT_IMPLEMENTED: {
    status: 501,
    when: 'The request has `create_new`, and the exchange creates no address of this asset and network on request.',
  },
  DEPOSIT_ASSET_REQUIRED: { status: 400, when: 'The query lacks `asset`.' },
  DEPOSIT_NETWORK_REQUIRED: { status: 400, when: 'The query lacks `network`.' },
  DEPOSIT_METHODS_UNAVAILABLE: {
    status: 503,
    when: 'The exchange has no deposit method for the asset now, or does not list the asset; try again after `Retry-After`.',
  },
  DEPOSIT_ADDRESS_UNAVAILABLE: {
    status: 404,
    when: 'The exchange has no usable address, and the request or the exchange does not allow creating one. `result.reason` is `tag_missing` where the exchange returns an address without the tag that it needs, `unsafe_address` where it returns an address that is not valid on the network, and `address_pending` while it generates the address: try again in a minute.',
  },
  DEPOSIT_EXCHANGE_NOT_SUPPORTED: { status: 400, when: 'Deposits to this exchange are not supported.' },
  DEPOSIT_METHOD_NOT_RESOLVED: {
    status: 400,
    when: 'The network matches none or several of the exchange’s deposit methods; `result.networks` lists the networks that match exactly one method.',
    message: 'The network matches none or several of the exchange’s deposit methods of the asset; use another network.',
  },
  TRADING_DATA_UNAVAILABLE: {
    status: 503,
    when: 'No catalogue of the exchange is stored, and it cannot be read now; try again later.',
  },
  TRADING_EXCHANGE_NOT_SUPPORTED: { status: 400, when: 'Trading on this exchange is not supported.' },
  TRADING_ROUTE_NOT_FOUND: { status: 404, when: 'The exchange has no route with this id.' },
  TRADING_ROUTE_UNAVAILABLE: { status: 409, when: 'The route accepts no orders now.' },
  TRADING_ORDER_TYPE_NOT_SUPPORTED: { status: 400, when: 'The route does not support this type of order.' },
  TRADING_ORDER_NOT_FOUND: { status: 404, when: 'The wallet has no order with this id.' },
  TRADING_PROVIDER_ERROR: {
    status: 502,
    otherStatuses: [422],
    when: 'With 422, the exchange refuses the request for a lasting reason, as with WITHDRAWAL_PROVIDER_ERROR. With 502: the exchange could not be reached, refused the order, or returned a response that cannot be used safely (`result.reason` is `unusable_answer`); or Causeway did not send the request, because its clock differs from the database’s (`host_clock_differs`) or the database was restored (`database_restored`).',
  },
  INFO_ASSET_REQUIRED: { status: 400, when: 'The query lacks `asset`.' },
  INFO_FEE_EXCHANGE_NOT_SUPPORTED: { status: 400, when: 'The exchange publishes no withdrawal fees.' },
  ENRICHMENT_NETWORK_NOT_SUPPORTED: { status: 400, when: 'No chain API is configured for the network.' },
  ENRICHMENT_TIMEOUT: { status: 504, when: 'The chain API did not respond in time.' },
  ENRICHMENT_API_ERROR: { status: 502, when: 'The chain API returned an error, or a response that cannot be used.' },
} as const satisfies Record<string, ErrorCodeInfo>;

/** Every error code of the interface. `docs/errors.md` is generated from it. */
export const errorCodes = { ...generic, ...accessAndWallet, ...withdrawal, ...connect, ...depositTradingInfo } as const;

export type ErrorCode = keyof typeof errorCodes;

/** Returns the message for an error with this code whose cause is not known more exactly. */
export function generalMessageOf(code: ErrorCode): string {
  const { message, when }: ErrorCodeInfo = errorCodes[code];
  return message ?? when;
}

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorCodes, text);
}
