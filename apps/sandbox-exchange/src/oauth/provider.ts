import type { OAuthProvider } from '../ledger/oauth-records.js';
import type { Permission } from '../ledger/records.js';

/** An authorization server as its owner documents it. What is not documented is as RFC 6749, 7636 and 7009 have it. */
export interface Provider {
  id: OAuthProvider;
  /** What the pages call it. */
  name: string;
  /** Below the address of the sandbox exchange. */
  authorizePath: string;
  /** In words, for the consent page. */
  scopes: Readonly<Record<string, string>>;
  /** Between the scopes of an authorization request; a space always is one. */
  scopeSeparator: ' ' | ',';
  /** A grant without it brings no refresh token; null = every grant brings one. */
  refreshScope: string | null;
  /** Whether a person can allow a part of what is asked for. */
  allowsParts: boolean;
  /** Whether an authorization request has to bring a challenge (S256). */
  needsChallenge: boolean;
  /** Whether the authorization request may leave out `redirect_uri`, which then is the client's first. */
  redirectIsOptional: boolean;
  stateLengthMin: number;
  /** Whether an account is a wallet of one asset, of which the person picks one unless the request says `account=all`. */
  picksWallet: boolean;
  /** How a client says who it is; `basic_raw` without the form-encoding that RFC 6749 2.3.1 asks for. */
  clientAuthentication: readonly ('basic' | 'basic_raw' | 'body')[];
  accessSeconds: number;
  refreshSeconds: number;
  /** Whether a refresh ends the access token before it, too. */
  endsAccessAtRefresh: boolean;
  tokenType: 'bearer' | 'Bearer';
  /** Whether the token answer tells the scopes. */
  tellsScope: boolean;
  /** Whether the authorization answer names the issuer (RFC 9207), which is this path below the address; null = no. */
  issuerPath: string | null;
  /** Of a token request with a refresh token that has expired. */
  expiredRefreshStatus: 400 | 401;
  /** Whose accounts log in here: those of the partner API, or those of the ledger. */
  accounts: 'partner' | 'ledger';
}

const DAY_SECONDS = 86_400;

/** By scope: what it lets a fast API key do. The other two that are documented, `funds-earn` and `export-data`, are not played. */
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
 * https://docs.kraken.com/openapi/oauth-rest.yaml and https://docs.kraken.com/api/docs/oauth/kraken-connect. Not
 * documented: PKCE (checked where it is sent), the form of errors, revocation, and partial consent.
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
  ...{ scopeSeparator: ' ', refreshScope: null, allowsParts: false, needsChallenge: false, redirectIsOptional: false },
  ...{ stateLengthMin: 0, picksWallet: false, clientAuthentication: ['basic_raw'] },
  ...{ accessSeconds: DAY_SECONDS, refreshSeconds: 30 * DAY_SECONDS, endsAccessAtRefresh: true },
  ...{ tokenType: 'bearer', tellsScope: false, issuerPath: null, expiredRefreshStatus: 400, accounts: 'ledger' },
};

/**
 * https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration: reference, scopes, access-and-refresh-tokens. Not
 * documented: whether an access token outlives a refresh (here it does), and the form of errors. Of `account` the page
 * `scopes` has `select`, which is the default (here the first wallet is picked), and `all`.
 */
const coinbase: Provider = {
  id: 'coinbase',
  name: 'Coinbase',
  authorizePath: '/oauth2/auth',
  scopes: {
    'wallet:user:read': 'See your name, country and settings',
    'wallet:user:email': 'See your e-mail address',
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
  ...{ scopeSeparator: ',', refreshScope: 'offline_access', allowsParts: true, needsChallenge: false },
  ...{ redirectIsOptional: true, stateLengthMin: 8, picksWallet: true, clientAuthentication: ['body'] },
  ...{ accessSeconds: 3_600, refreshSeconds: 1.5 * 365 * DAY_SECONDS, endsAccessAtRefresh: false },
  ...{ tokenType: 'bearer', tellsScope: true, issuerPath: null, expiredRefreshStatus: 401, accounts: 'ledger' },
};

/** Our own: what the RFCs recommend. */
const partner: Provider = {
  id: 'partner',
  name: 'Sandbox exchange',
  authorizePath: '/partner/oauth/authorize',
  scopes: {
    read: 'See your balances, deposits and withdrawals',
    withdraw: 'Withdraw from your account',
    identity: 'See your name, e-mail address, IBAN and country',
  },
  ...{ scopeSeparator: ' ', refreshScope: null, allowsParts: true, needsChallenge: true, redirectIsOptional: false },
  ...{ stateLengthMin: 0, picksWallet: false, clientAuthentication: ['basic', 'body'] },
  ...{ accessSeconds: 3_600, refreshSeconds: 30 * DAY_SECONDS, endsAccessAtRefresh: true },
  ...{ tokenType: 'Bearer', tellsScope: true, issuerPath: '/partner', expiredRefreshStatus: 400, accounts: 'partner' },
};

export const providers: Readonly<Record<OAuthProvider, Provider>> = { kraken, coinbase, partner };
