import { ExchangeError, ProviderError, retryAfterSecondsOf, TradingProviderError, UnusableResponse } from '#exchange';
import { RateLimitExceeded, type ErrorCode } from '#platform/errors';
import { RefusedByExchange } from '../wallets/wallet.errors.js';

/**
 * Error codes about the account that any call to an exchange may cause. Spread them into `@ApiErrors` of every route
 * that calls an exchange.
 */
export const accountErrors: readonly ErrorCode[] = [
  'WITHDRAWAL_KYC_REQUIRED',
  'WITHDRAWAL_EMAIL_UNVERIFIED',
  'WITHDRAWAL_2FA_REQUIRED_TOTP',
  'WITHDRAWAL_PROVIDER_ERROR',
];

/** The part of the interface that the caller has called. It decides which error codes the caller gets. */
export type AskedFor = 'wallet' | 'deposit' | 'trade';

/** The codes of withdrawals that a request for a deposit address returns unchanged. */
const WITHDRAWAL_CODES_OF_DEPOSITS: readonly ErrorCode[] = [...accountErrors, 'WITHDRAWAL_TOO_MANY_ADDRESSES'];
/** In a request for a deposit address, these refusals mean that the asset cannot be deposited on the network. */
const MEANS_NO_METHOD: readonly ErrorCode[] = ['WITHDRAWAL_ASSET_NOT_SUPPORTED', 'WITHDRAWAL_NETWORK_NOT_SUPPORTED'];

/**
 * The message for a refusal that has several possible causes, one of which is a wrong key. The key of the map is the
 * reason of the error.
 */
const KEY_REFUSALS: ReadonlyMap<string, string> = new Map([
  [
    'key_ip_or_permission',
    'refused the API key, because the key is wrong, lacks a permission, or does not allow the IP addresses of ipPool: check the key, its permissions and its allow-list',
  ],
  [
    'not_authenticated',
    'did not accept the API key for this request: check the key, and try again later if the key is right',
  ],
  [
    'nonce_window',
    'could carry out a request of this API key twice, because the key has a nonce window: set the nonce window of the key to 0 at the exchange, or connect with another key',
  ],
]);

/** Only the execution of a withdrawal can send a code. Every other call to the exchange is made without a person. */
const NEEDS_CODE =
  'requires an authenticator code for this call, but Causeway can send codes only with a withdrawal: turn off two-factor authentication of the key at the exchange, or connect with another key';

/** The messages for refusals of a deposit address. The key of the map is the reason of the error. */
const ADDRESS_REFUSALS: ReadonlyMap<string | undefined, (exchange: string) => string> = new Map([
  [
    'address_exists',
    (exchange: string) =>
      `The account has a deposit address of this asset and network already, and ${exchange} creates no second one: use reusePolicy reuse_or_create or reuse_only`,
  ],
  [
    'address_pending',
    (exchange: string) => `${exchange} is generating the deposit address of this asset: repeat the request in a minute`,
  ],
  [
    'tag_missing',
    (exchange: string) =>
      `${exchange} returned the deposit address without the tag that its network requires, and a deposit without the tag could be lost: get address and tag on the site of ${exchange}`,
  ],
  [
    'unsafe_address',
    (exchange: string) =>
      `${exchange} returned an address that is not valid on the network, and a deposit to it could be lost: get the address on the site of ${exchange}`,
  ],
  [
    'kyc_required',
    (exchange: string) =>
      `${exchange} gives a deposit address only to verified account holders: complete the verification at ${exchange}, then repeat the request`,
  ],
  [
    'country_not_served',
    (exchange: string) =>
      `${exchange} gives no deposit address of this asset and network in the country of the account holder: use another asset or network`,
  ],
]);

function noAddress(exchange: string): string {
  return `${exchange} has no usable deposit address of this asset and network: use another reusePolicy, or create an address on the site of ${exchange}`;
}

/** The messages for failures that are no response of the exchange. The key of the map is the reason of the error. */
const LOCAL_FAILURES: ReadonlyMap<string | undefined, (exchange: string) => string> = new Map([
  [
    'credentials_renewed',
    (exchange: string) => `The access token of ${exchange} expired early and was renewed: try again`,
  ],
  [
    'credentials_not_renewed',
    (exchange: string) =>
      `The access token of ${exchange} is no longer valid and could not be renewed now: try again later`,
  ],
  [
    'sandbox_not_configured',
    () => 'The sandbox exchange of test projects is not set up here: the operator has to set SANDBOX_URL',
  ],
]);

/** The messages for failures that the exchange has reported. The key of the map is the reason of the error. */
const EXCHANGE_FAILURES: ReadonlyMap<string | undefined, (exchange: string) => string> = new Map([
  ['maintenance', (exchange: string) => `${exchange} is under maintenance: try again later`],
  [
    'firewall',
    (exchange: string) =>
      `A firewall before ${exchange} refused the call and did not say why: the exchange may not accept calls from the country or the IP address of this service; if this lasts, the operator has to ask ${exchange}`,
  ],
  [
    'unlisted_error',
    (exchange: string) =>
      `${exchange} responded with an error that Causeway does not know: try again later, and report the error if it lasts`,
  ],
]);

const BLOCKED =
  'accepts no calls from the IP address of this service: the operator has to use another address, or ask the exchange';
/** The ends of the messages for refusals of all calls of an installation. The key of the map is the reason. */
const ACCESS_BLOCKS: ReadonlyMap<string | undefined, string> = new Map([
  [
    'location_blocked',
    'does not serve the country from which this service calls: the operator has to run the service, or route its calls to the exchange, in a country that the exchange serves',
  ],
  ['address_blocked', BLOCKED],
]);

/** What to do about refusals that last and have no code of their own. The key of the map is the reason. */
const REFUSALS: ReadonlyMap<string, string> = new Map([
  [
    'country_not_served',
    'it does not offer this to owners in the country of the account; use another asset, or ask the exchange',
  ],
  ['kyc_required', 'the owner of the account has to complete the verification at the exchange first'],
  ['account_locked', 'it has locked the account, or a function of it; the owner has to ask the exchange'],
]);

/** The reasons of codes that a part of the interface does not use. */
const REASONS_OF_CODES: ReadonlyMap<ErrorCode, string> = new Map([
  ['WITHDRAWAL_KYC_REQUIRED', 'kyc_required'],
  ['WITHDRAWAL_EMAIL_UNVERIFIED', 'email_unverified'],
]);

/** Converts an error of an exchange into the domain error that the caller gets. Returns every other error unchanged. */
export function toDomainError(error: unknown, askedFor: AskedFor = 'wallet'): unknown {
  return error instanceof ExchangeError ? domainErrorOf(error, askedFor) : error;
}

const providerErrorFor = (askedFor: AskedFor): typeof ProviderError | typeof TradingProviderError =>
  askedFor === 'trade' ? TradingProviderError : ProviderError;

function domainErrorOf(error: ExchangeError, askedFor: AskedFor): Error {
  const { exchange, kind, reason = kind } = error;
  const Provider = providerErrorFor(askedFor);
  const ambiguous = KEY_REFUSALS.get(reason);
  if (ambiguous !== undefined) return new Provider(`${exchange} ${ambiguous}`, { reason, cause: error });
  switch (kind) {
    case 'refused':
      return refusedErrorOf(error, askedFor);
    case 'permission_missing':
      return new Provider(
        `The API key at ${exchange} lacks a permission that this request needs, or does not allow the IP addresses of ipPool: correct the key at the exchange, or connect with another key`,
        { reason, cause: error },
      );
    case 'ip_not_allowed':
      return new Provider(
        `The API key at ${exchange} does not allow the IP addresses of this service: add the addresses of ipPool to its allow-list`,
        { reason, cause: error },
      );
    case 'access_blocked':
      return new Provider(`${exchange} ${ACCESS_BLOCKS.get(reason) ?? BLOCKED}`, { reason, cause: error });
    case 'rate_limited':
      return limitedErrorOf(error, askedFor);
    case 'credentials_invalid':
      return new Provider(`${exchange} refused the API key, and a second call did not confirm the refusal: try again`, {
        reason: 'credentials_unconfirmed',
        cause: error,
      });
    case 'unavailable':
      return new Provider(unavailableText(error), { reason: error.reason, cause: error });
  }
}

/** Returns the error of a definite refusal: with its own code, or with a reason and the remedy. */
function refusedErrorOf(error: ExchangeError, askedFor: AskedFor): Error {
  const { exchange, code, reason } = error;
  const own = code === undefined ? null : codeFor(askedFor, code);
  if (own !== null) return refusalOf(own, error);
  const cause = reason ?? (code === undefined ? undefined : REASONS_OF_CODES.get(code));
  const why = cause === undefined ? '' : `: ${REFUSALS.get(cause) ?? cause.replaceAll('_', ' ')}`;
  const Provider = providerErrorFor(askedFor);
  return new Provider(`${exchange} refused the request${why}`, { reason: cause, cause: error });
}

function refusalOf(code: ErrorCode, error: ExchangeError): Error {
  const { reason } = error;
  return new RefusedByExchange(code, { reason, message: refusalText(code, error), cause: error });
}

/** Returns the message that names the cause of a refusal and the remedy; undefined = the code has a general one. */
function refusalText(code: ErrorCode, { exchange, reason }: ExchangeError): string | undefined {
  if (reason === 'fee_changed') return feeChanged(exchange);
  if (code === 'WITHDRAWAL_2FA_REQUIRED_TOTP') return `The API key at ${exchange} ${NEEDS_CODE}`;
  if (code !== 'DEPOSIT_ADDRESS_UNAVAILABLE') return undefined;
  return (ADDRESS_REFUSALS.get(reason) ?? noAddress)(exchange);
}

function feeChanged(exchange: string): string {
  return `The fee at ${exchange} has changed since the quote, and this call sent nothing: execute the same quote again, or request a new quote after it has expired`;
}

function limitedErrorOf(error: ExchangeError, askedFor: AskedFor): Error {
  const { exchange, kind, reason = kind, retryAfterMs } = error;
  const details = { reason, cause: error };
  if (!error.isPause) {
    const Provider = providerErrorFor(askedFor);
    return new Provider(
      `The call to ${exchange} would have to wait too long for earlier calls: it was not sent; try again later`,
      details,
    );
  }
  const retryAfterSeconds = retryAfterSecondsOf(retryAfterMs);
  if (askedFor === 'trade') return new RateLimitExceeded(retryAfterSeconds, error);
  const what =
    reason === 'banned'
      ? `${exchange} has banned the calls of this installation for a time`
      : `The rate limit of ${exchange} is reached`;
  return new ProviderError(`${what}: wait as many seconds as Retry-After states, then repeat the request`, {
    ...details,
    retryAfterSeconds,
  });
}

/** Describes an error without the exchange’s own text, which may contain anything. */
function unavailableText(error: ExchangeError): string {
  const { exchange, rawCode, reason } = error;
  if (error instanceof UnusableResponse)
    return `${exchange} sent a response that cannot be used safely: ${error.message}`;
  const known = LOCAL_FAILURES.get(reason) ?? EXCHANGE_FAILURES.get(reason);
  if (known !== undefined) return known(exchange);
  return rawCode === undefined
    ? `${exchange} could not be reached, or responded with an HTTP error: try again later`
    : `${exchange} responded that it cannot serve this request now: try again later`;
}

/**
 * Returns the code with which the called part of the interface reports a refusal; null = it has none. Codes about the
 * account, such as an unverified owner, begin with WITHDRAWAL_, and `/trade` does not use them.
 */
function codeFor(askedFor: AskedFor, code: ErrorCode): ErrorCode | null {
  if (askedFor === 'wallet' || !code.startsWith('WITHDRAWAL_')) return code;
  if (askedFor === 'trade') return null;
  if (MEANS_NO_METHOD.includes(code)) return 'DEPOSIT_METHODS_UNAVAILABLE';
  return WITHDRAWAL_CODES_OF_DEPOSITS.includes(code) ? code : null;
}

/** Whether the exchange has answered that the credentials are invalid, revoked or expired. */
export function isInvalidCredentials(error: unknown): error is ExchangeError {
  return error instanceof ExchangeError && error.kind === 'credentials_invalid';
}
