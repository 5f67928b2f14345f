import type { OAuthProvider } from '../ledger/oauth-records.js';
import type { Permission } from '../ledger/records.js';

/** An authorization server as its exchange documents it. Undocumented behaviour follows RFC 6749, 7636 and 7009. */
export interface Provider {
  id: OAuthProvider;
  /** The name on the pages. */
  name: string;
  /** Path below the base URL of the sandbox exchange. */
  authorizePath: string;
  /** For each scope, its description on the consent page. */
  scopes: Readonly<Record<string, string>>;
  /** Separator between the scopes of an authorization request; a space is always accepted, too. */
  scopeSeparator: ' ' | ',';
  /** A grant without this scope has no refresh token; null means that every grant has one. */
  refreshScope: string | null;
  /** Whether a person can allow only some of the requested scopes. */
  allowsParts: boolean;
  /** Whether an authorization request must contain a PKCE challenge (S256). */
  needsChallenge: boolean;
  /** Whether an authorization request may omit `redirect_uri`; the client's first registered one then applies. */
  redirectIsOptional: boolean;
  stateLengthMin: number;
  /** Whether a grant opens only one wallet, of one asset, unless the authorization request contains `account=all`. */
  picksWallet: boolean;
  /** How a client authenticates; `basic_raw` omits the form-encoding of RFC 6749 2.3.1. */
  clientAuthentication: readonly ('basic' | 'basic_raw' | 'body')[];
  accessSeconds: number;
  refreshSeconds: number;
  /** Whether a refresh also revokes the previous access token. */
  endsAccessAtRefresh: boolean;
  tokenType: 'bearer' | 'Bearer';
  /** Whether the token response contains the scopes. */
  returnsScope: boolean;
  /** Path of the issuer, below the base URL, when the authorization response names it (RFC 9207); else null. */
  issuerPath: string | null;
  /** Status of the response to a refresh token that has expired. */
  expiredRefreshStatus: 400 | 401;
  /** The accounts that can log in: those of the partner API, or those of the exchanges' protocols (`ledger`). */
  accounts: 'partner' | 'ledger';
}

const DAY_SECONDS = 86_400;

/**
 * For each scope, the permission of a fast API key. The two other documented scopes, `funds-earn` and `export-data`,
 * have no effect here.
 */
export const fastApiKeyScopes: Readonly<Record<string, Permission>> = {
  'account.fast-api-key:funds-query': 'query-funds',
  'account.fast-api-key:funds-add': 'add-funds',
  'account.fast-api-key:funds-withdraw': 'withdraw-funds',
  'account.fast-api-key:trades-query-open': 'query-open-trades',
  'account.fast-api-key:trades-query-closed': 'query-closed-trades',
  'account.fast-api-key:trades-modify': 'modify-trades',
  'account.fast-api-key:trades-close': 'close-trades',
  'account.fast-api-key:ledger-query': 'query-ledger',
};

/**
 * Sources: https://docs.kraken.com/openapi/oauth-rest.yaml and https://docs.kraken.com/api/docs/oauth/kraken-connect.
 * Not documented: PKCE (checked when it is sent), the format of errors, revocation, and partial consent.
 */
const kraken: Provider = {
  id: 'kraken',
  name: 'Kraken',
  authorizePath: '/oauth/authorize',
  scopes: {
    'account.info:basic': 'See your account information',
    'account.fast-api-key:write': 'Make an API key for your account',
    'account.fast-api-key:funds-query': 'See your account balance',
    'account.fast-api-key:funds-add': 'Deposit funds to your account',
    'account.fast-api-key:funds-withdraw': 'Withdraw funds from your account',
    'account.fast-api-key:funds-earn': 'Transfer funds to earn rewards',
    'account.fast-api-key:trades-query-open': 'View open orders and trades',
    'account.fast-api-key:trades-query-closed': 'View closed orders and trades',
    'account.fast-api-key:trades-modify': 'Create and change orders',
    'account.fast-api-key:trades-close': 'Cancel and close orders',
    'account.fast-api-key:ledger-query': 'View your ledger history',
    'account.fast-api-key:export-data': 'Export your account data',
  },
  scopeSeparator: ' ',
  refreshScope: null,
  allowsParts: false,
  needsChallenge: false,
  redirectIsOptional: false,
  stateLengthMin: 0,
  picksWallet: false,
  clientAuthentication: ['basic_raw'],
  accessSeconds: DAY_SECONDS,
  refreshSeconds: 30 * DAY_SECONDS,
  endsAccessAtRefresh: true,
  tokenType: 'bearer',
  returnsScope: false,
  issuerPath: null,
  expiredRefreshStatus: 400,
  accounts: 'ledger',
};

/**
 * Source: https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration: reference, scopes, access-and-refresh-tokens.
 * Not documented: whether an access token stays valid after a refresh (here it does), and the format of errors.
 * The page `scopes` documents two values of `account`: `select`, the default (here the first wallet), and `all`.
 */
const coinbase: Provider = {
  id: 'coinbase',
  name: 'Coinbase',
  authorizePath: '/oauth2/auth',
  scopes: {
    'wallet:user:read': 'See your name, country and settings',
    'wallet:user:email': 'See your email address',
    'wallet:accounts:read': 'List your accounts and their balances',
    'wallet:accounts:create': 'Create accounts',
    'wallet:accounts:update': 'Change your accounts',
    'wallet:accounts:delete': 'Delete accounts',
    'wallet:addresses:read': 'List the addresses of your accounts',
    'wallet:addresses:create': 'Create addresses for your accounts',
    'wallet:buys:read': 'List what you bought',
    'wallet:buys:create': 'Buy with your money',
    'wallet:deposits:read': 'List your deposits',
    'wallet:deposits:create': 'Make deposits',
    'wallet:notifications:read': 'List your notifications',
    'wallet:payment-methods:read': 'List your payment methods',
    'wallet:payment-methods:limits': 'See the limits of your payment methods',
    'wallet:sells:read': 'List what you sold',
    'wallet:sells:create': 'Sell what you have',
    'wallet:trades:read': 'List your trades',
    'wallet:trades:create': 'Trade',
    'wallet:transactions:read': 'List your transactions',
    'wallet:transactions:request': 'Request money from others',
    'wallet:transactions:send': 'Send money from your accounts',
    'wallet:transactions:transfer': 'Transfer between your accounts',
    'wallet:withdrawals:read': 'List your withdrawals',
    'wallet:withdrawals:create': 'Make withdrawals',
    offline_access: 'Keep the access until you end it',
  },
  scopeSeparator: ',',
  refreshScope: 'offline_access',
  allowsParts: true,
  needsChallenge: false,
  redirectIsOptional: true,
  stateLengthMin: 8,
  picksWallet: true,
  clientAuthentication: ['body'],
  accessSeconds: 3_600,
  refreshSeconds: 1.5 * 365 * DAY_SECONDS,
  endsAccessAtRefresh: false,
  tokenType: 'bearer',
  returnsScope: true,
  issuerPath: null,
  expiredRefreshStatus: 401,
  accounts: 'ledger',
};

/** The authorization server of the partner API follows the recommendations of the RFCs. */
const partner: Provider = {
  id: 'partner',
  name: 'Sandbox exchange',
  authorizePath: '/partner/oauth/authorize',
  scopes: {
    read: 'See your balances, deposits and withdrawals',
    withdraw: 'Withdraw from your account',
    identity: 'See your name, email address, IBAN and country',
  },
  scopeSeparator: ' ',
  refreshScope: null,
  allowsParts: true,
  needsChallenge: true,
  redirectIsOptional: false,
  stateLengthMin: 0,
  picksWallet: false,
  clientAuthentication: ['basic', 'body'],
  accessSeconds: 3_600,
  refreshSeconds: 30 * DAY_SECONDS,
  endsAccessAtRefresh: true,
  tokenType: 'Bearer',
  returnsScope: true,
  issuerPath: '/partner',
  expiredRefreshStatus: 400,
  accounts: 'partner',
};

export const providers: Readonly<Record<OAuthProvider, Provider>> = { kraken, coinbase, partner };
