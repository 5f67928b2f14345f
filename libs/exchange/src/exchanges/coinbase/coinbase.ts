import { allPages, firstOfPages, pagesBy, type ListPage } from '../../capabilities/cursor-pages.js';
import { ListedDeposits } from '../../capabilities/listed-deposits.js';
import { ListedWithdrawals } from '../../capabilities/listed-withdrawals.js';
import { NetworkList, type ListedNetwork } from '../../capabilities/network-list.js';
import { readOtherAccounts } from '../../capabilities/other-accounts.js';
import { ReferenceOrders } from '../../capabilities/reference-orders.js';
import { UNREPORTED_KEY_INFO } from '../../capabilities/response-fields.js';
import { TransferHistory } from '../../capabilities/transfer-pages.js';
import { Unsuccessful } from '../../client/failed-call.js';
import type { ExchangeClient, Endpoint } from '../../client/exchange-client.js';
import { declareExchange } from '../../client/declared-connector.js';
import type { CredentialKind, SessionParts } from '../../client/declared-exchange.js';
import { networkById } from '../../networks/networks.js';
import { tokenContract } from '../../networks/token-contracts.js';
import { ExchangeError } from '../../port/exchange-error.js';
import type { WithdrawalRequirement } from '../../port/exchange.port.js';
import { readResponse, UnusableResponse } from '../../transport/failed-read.js';
import { coinbaseAuthorization } from './coinbase-authorization.js';
import { toSigningKeys } from './coinbase-credentials.js';
import { signCoinbase } from './coinbase-signature.js';
import { coinbaseErrors } from './coinbase-errors.js';
import { mergedPages } from './coinbase-transactions.js';
import * as responses from './coinbase-responses.js';

const v2 = (path: string, method: Endpoint['method'] = 'GET', sentAs: Endpoint['sentAs'] = {}): Endpoint => ({
  method,
  path: `/v2/${path}`,
  sentAs,
});
const v3 = (path: string): Endpoint => ({ method: 'GET', path: `/api/v3/brokerage/${path}` });
const TRANSACTIONS = 'accounts/{account_id}/transactions';
const TRANSACTION = v2(`${TRANSACTIONS}/{transaction_id}`);
const ORDERS = v3('orders/historical/batch');
const ADDRESSES = 'accounts/{account_id}/addresses';

/** The largest pages that Coinbase allows: 250 accounts of v3, or 100 entries of a v2 list or of the list of orders. */
const HELD_ACCOUNTS_PAGE = '250';
const PAGE = '100';
/** Maximum number of pages of a v2 list of accounts or addresses. */
const PAGES_MAX = 100;
const CODE_HEADER = 'CB-2FA-TOKEN';

/** Countries whose accounts must name the recipient of a send, which our requests cannot: transfer-apis/travel-rule. */
const TRAVEL_RULE = [
  ...'CA GB BM SG HK PH'.split(' '),
  ...'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' '),
];

/**
 * Coinbase. Balances and orders are in Advanced Trade (v3); sends, addresses, history and the identity in Coinbase App
 * (v2). A session uses the access token of an authorized account, or a key of the developer platform. Coinbase states
 * the fee of a send only afterwards, in the history. No list of fees or networks is documented ("We'll charge a fee
 * based on our estimate of the prevailing network fees", help.coinbase.com, pricing and fees), so operators estimate
 * the fees.
 */
export const coinbase = declareExchange({
  spec: {
    id: 'coinbase',
    name: 'Coinbase',
    docsUrl: 'https://docs.cdp.coinbase.com/coinbase-app/introduction/welcome',
    credentialFields: ['apiKey', 'apiSecret'],
    keyUrl: 'https://portal.cdp.coinbase.com/projects/api-keys',
    // The source of these names of permissions and fields:
    // https://docs.cdp.coinbase.com/coinbase-business/authentication-authorization/api-key-authentication
    keyGuide: {
      permissions: { read: ['View'], deposit: ['Receive'], trade: ['Trade'], withdrawal: ['Transfer'] },
      fieldNames: { apiKey: 'API key name', apiSecret: 'Private key' },
      // A private key in PEM, or a secret in one line: Ed25519 keys and the secrets of older API keys.
      fieldForms: {
        apiSecret: /^(?:-----BEGIN ([A-Z ]+)-----[A-Za-z0-9+/=\s]+-----END \1-----|[A-Za-z0-9+/]{32,}={0,2})$/,
      },
      pemField: 'apiSecret',
    },
    access: ['read', 'deposit', 'trade', 'withdrawal'],
    partlyOffered: {
      read: 'The amount of a withdrawal to a bank may include its fee, which Coinbase does not document.',
      deposit: 'Only networks whose names Coinbase documents: Bitcoin, Ethereum, Solana, Base, Polygon.',
      withdrawal:
        'Only the networks of deposits, and only with an estimate of the fee in `WITHDRAWAL_FEE_ESTIMATES`, because Coinbase states a fee only after a send. Not from countries with a travel rule, because the requests of this service do not contain the required data of the recipient.',
    },
    withdrawals: {
      // Coinbase: "If a previous transaction with the same idem parameter exists for this sender, that previous
      // transaction is returned and a new one is not created." The documentation names no time after which this ends.
      class: 'idempotent',
      // Coinbase does not document the `idem` of a transaction. In a recorded one, `send` follows the UUID.
      mayChangeReference: true,
      // Coinbase: "Amount to be sent". The fee of a recorded send is in addition to its `transaction_amount`.
      amountIs: 'net',
      evidence: 'https://docs.cdp.coinbase.com/coinbase-app/track-apis/transactions',
      fee: 'estimated',
    },
    // The source of these permissions of keys and scopes of tokens:
    // https://docs.cdp.coinbase.com/coinbase-app/authentication-authorization/authorization
    permissionAccess: {
      view: ['read'],
      trade: ['trade'],
      transfer: ['withdrawal', 'deposit'],
      receive: ['deposit'],
      'wallet:addresses:create': ['deposit'],
      'wallet:deposits:create': ['deposit'],
      'wallet:buys:create': ['trade'],
      'wallet:sells:create': ['trade'],
      'wallet:trades:create': ['trade'],
      'wallet:transactions:send': ['withdrawal'],
      'wallet:transactions:transfer': ['withdrawal'],
      'wallet:withdrawals:create': ['withdrawal'],
    },
    hasSandbox: true,
  },
  revision: 3,
  liveUrl: 'https://api.coinbase.com',
  hostEvidence: 'docs.cdp.coinbase.com/coinbase-app/advanced-trade-apis/rest-api (June 2026)',
  acceptsBearer: true,
  sign: signCoinbase,
  toKeys: toSigningKeys,
  networkNames: [responses.networks],
  errors: coinbaseErrors.calls,
  // docs.cdp.coinbase.com/coinbase-app/api-architecture/rate-limiting: "each API key or OAuth-authenticated Coinbase
  // user", "an HTTP 429 response with a rate_limit_exceeded error". Advanced Trade counts in seconds. Neither page
  // documents a ban.
  limits: [{ means: 'rate_limit', of: 'credential', status: 429, periodMs: 1_000 }],
  authorization: coinbaseAuthorization,
  pairs: responses.coinbasePairs,
  tickers: responses.coinbaseTickers,
  connect,
});

function connect(client: ExchangeClient, credentials: CredentialKind): SessionParts {
  const networks = new NetworkList(client, () => readNetworks(client));
  const history = historyOf(client);
  const isBearer = credentials === 'bearer';
  const accountIdOf = async (currency: string): Promise<string> => (await accountOf(client, currency)).id;
  return {
    assetNames: networks.assetNames,
    balances: async () => {
      const listed = await heldAccounts(client, isBearer);
      const codeOf = await client.codes();
      return readResponse(client.exchange, 'accounts', listed, () =>
        responses.balancesOf(listed, codeOf, client.lists),
      );
    },
    // An API key belongs to one portfolio. The accounts of other portfolios are not listed.
    otherAccounts: (own) => readOtherAccounts(client, { notServed: ['other portfolios'] }, own),
    keyInfo: async () => ({
      ...UNREPORTED_KEY_INFO,
      permissions: isBearer
        ? await client.call(v2('user/auth'), {}, responses.readScopes)
        : await client.call(v3('key_permissions'), {}, responses.readKeyPermissions),
    }),
    identity: { read: async () => ({ iban: null, ...(await client.call(v2('user'), {}, responses.readUser)) }) },
    history,
    withdrawals: withdrawalsOf(client, networks, history, isBearer),
    deposits: new ListedDeposits(client, networks, {
      addresses: async ({ assetId }) => listOf(client, ADDRESSES, responses.readAddresses, await accountIdOf(assetId)),
      create: async ({ assetId, exchangeNetworkId: network }) => {
        const params = { account_id: await accountIdOf(assetId), network };
        return client.call({ ...v2(ADDRESSES, 'POST'), creates: true }, params, responses.readNewAddress);
      },
    }),
    trading: ordersOf(client, isBearer),
  };
}

/**
 * Reads the accounts. When Advanced Trade (v3) refuses a token, it does not report the reason, so we then call Coinbase
 * App (v2), which reports whether the token has expired or was revoked.
 */
function heldAccounts(client: ExchangeClient, isBearer: boolean): Promise<unknown[]> {
  const list = { endpoint: v3('accounts'), params: { limit: HELD_ACCOUNTS_PAGE } };
  return allPages(client.exchange, pagesBy(client, list, responses.readHeldAccounts)).catch(async (error: unknown) => {
    const isUnexplained = error instanceof ExchangeError && error.kind === 'unavailable';
    if (isBearer && isUnexplained && error.cause instanceof Unsuccessful && error.cause.response.status === 401) {
      await client.call(v2('user/auth'), {}, responses.readScopes);
    }
    throw error;
  });
}

/** The entries of all pages of a list of v2. */
function listOf<T>(client: ExchangeClient, path: string, read: (body: unknown) => ListPage<T>, account_id?: string) {
  const params = { limit: PAGE, ...(account_id !== undefined && { account_id }) };
  const pages = pagesBy(client, { endpoint: v2(path), params, cursor: 'starting_after' }, read);
  return allPages(client.exchange, pages, PAGES_MAX);
}

/**
 * Coinbase: "To access the primary account for a given currency, a currency string can be used instead of the account
 * ID"
 */
function accountOf(client: ExchangeClient, currency: string): Promise<responses.WalletAccount> {
  return client.call(v2('accounts/{currency}'), { currency }, responses.readPrimaryAccount);
}

/**
 * Returns an entry for each asset of the owner's accounts on each network. Coinbase lists neither networks nor
 * contracts, so `NetworkList` keeps a coin only on its own network, and a token only where our table has its contract.
 * Coinbase refuses a network that it does not serve. It documents no bounds of amounts.
 */
async function readNetworks(client: ExchangeClient): Promise<ListedNetwork[]> {
  const accounts = await listOf(client, 'accounts', (body) => responses.readAccounts(body, client.lists));
  const wallets = accounts.filter(({ type }) => type === 'wallet').map(({ currency }) => currency);
  const codeOf = await client.codes();
  const decimalsOf = new Map(wallets.map(({ code, exponent }) => [code, exponent]));
  return [...decimalsOf].flatMap(([assetId, decimals]) =>
    Object.entries(responses.networks).map(([exchangeNetworkId, networkId]) => {
      const asset = codeOf(assetId);
      return {
        asset,
        assetId,
        networkId,
        exchangeNetworkId,
        contract: tokenContract(asset, networkId),
        displayName: networkById(networkId)?.name ?? networkId,
        canDeposit: true,
        minDeposit: null,
        canWithdraw: true,
        decimals,
        minWithdrawal: null,
        maxWithdrawal: null,
        needsTag: false,
        takesTag: true,
        fee: client.feeEstimate(asset, networkId),
      };
    }),
  );
}

/** The transactions of the accounts: by default, of all of them. */
function historyOf(client: ExchangeClient, accountIds = () => listOf(client, 'accounts', responses.readAccountIds)) {
  return new TransferHistory(client, {
    // Coinbase began in June 2012.
    begins: new Date(Date.UTC(2012, 5, 1)),
    page: mergedPages({
      exchange: client.exchange,
      accountIds,
      fetch: (account_id, since, cursor) => {
        const list = { endpoint: v2(TRANSACTIONS), params: { limit: PAGE, account_id }, cursor: 'starting_after' };
        return pagesBy(client, list, (body) => responses.readTransactions(body, since))(cursor);
      },
    }),
    dated: responses.dated,
    read: responses.readTransfer,
  });
}

/**
 * Coinbase's page transfer-apis/send-crypto. `spec.withdrawals` states the submission class and whether amounts include
 * the fee.
 */
function withdrawalsOf(client: ExchangeClient, networks: NetworkList, history: TransferHistory, isBearer: boolean) {
  const isUnderTravelRule = async (): Promise<boolean> =>
    TRAVEL_RULE.includes((await client.call(v2('user'), {}, responses.readUser)).country ?? '');
  const refuse = (message: string, options: ConstructorParameters<typeof ExchangeError>[3]): ExchangeError =>
    new ExchangeError('refused', client.exchange, message, options);
  return new ListedWithdrawals(client, networks, history, {
    methods: ['GOOGLE'],
    codeParameter: CODE_HEADER,
    endpoint: v2(TRANSACTIONS, 'POST', { [CODE_HEADER]: 'header' }),
    acceptance: { statuses: [201], readId: responses.readSendId },
    request: async ({ address, tag, amount, amountWithFee, clientRef }, { assetId: currency, exchangeNetworkId }) => {
      if (await isUnderTravelRule()) throw refuse(RECIPIENT.detail, { reason: 'travel_rule' });
      const { id, balance } = await accountOf(client, currency);
      if (balance.amount.lessThan(amountWithFee)) {
        throw refuse('the primary Coinbase account of the asset holds less than the amount with its fee', {
          code: 'WITHDRAWAL_INSUFFICIENT_BALANCE',
        });
      }
      return {
        account_id: id,
        type: 'send',
        to: address,
        network: exchangeNetworkId,
        ...(tag !== null && { destination_tag: tag }),
        amount: amount.toString(),
        currency,
        idem: responses.toIdem(clientRef),
      };
    },
    sent: { address: 'to', tag: 'destination_tag', amount: 'amount' },
    requirements: async () => [...(isBearer ? [CODE] : []), ...((await isUnderTravelRule()) ? [RECIPIENT] : [])],
    byId: async (transaction_id, _notBefore, { request: { account_id = '' } }) =>
      history.readWithdrawals([await client.call(TRANSACTION, { account_id, transaction_id }, responses.readOne)]),
    byReference: (_reference, { request: { account_id = '' }, notBefore }) =>
      historyOf(client, () => Promise.resolve([account_id])).list('withdrawal', notBefore),
  });
}

const CODE: WithdrawalRequirement = {
  type: 'totp',
  detail:
    'If the owner uses two-factor authentication: send the code from the SMS of Coinbase, or from Authy, in twofa. ' +
    'Coinbase sends the SMS after an execution without a code.',
};
const RECIPIENT: WithdrawalRequirement = {
  type: 'travel_rule',
  detail: 'Coinbase requires data about the recipient from accounts of this country, which this service does not send.',
};

/**
 * Spot orders. A repeated `client_order_id` creates nothing ("the order will not be created and the order corresponding
 * with that ID will be returned instead"). Coinbase has no submission deadline that every type of order can carry.
 * An order with an access token must name the portfolio of the accounts that the owner has granted
 * (advanced-trade-apis/guides/oauth-access). An API key belongs to one portfolio.
 */
function ordersOf(client: ExchangeClient, isBearer: boolean): ReferenceOrders {
  const find = (params: Record<string, string>, reference: string | null) =>
    firstOfPages(client.exchange, pagesBy(client, { endpoint: ORDERS, params }, responses.readOrdersWith(reference)));
  return new ReferenceOrders(client, {
    endpoint: { ...v3('orders'), method: 'POST', sentAs: { order_configuration: 'json' } },
    acceptance: { statuses: [200], readId: responses.readOrderId },
    errors: coinbaseErrors.orders,
    // Coinbase: "Your JWT expires after 2 minutes"; an access token of OAuth 2 signs nothing and "expires in one hour".
    signedForMs: isBearer ? 3_600_000 : 120_000,
    request: ({ exchangeSymbol: product_id, side, volume, price, clientOrderId: client_order_id }) => ({
      client_order_id,
      product_id,
      side: side.toUpperCase(),
      order_configuration: JSON.stringify(responses.configurationOf(volume.toString(), price?.toString())),
    }),
    ...(isBearer && { beforePlacing: () => portfolioOf(client) }),
    byReference: ({ clientOrderId, request: { product_id: product_ids = '' }, notBefore }) =>
      find({ product_ids, start_date: notBefore.toISOString(), limit: PAGE }, clientOrderId),
    // The endpoint for a single order is not used: its response for a missing order is not documented.
    byId: ({ exchangeId: order_ids }) => find({ order_ids }, null),
  });
}

/**
 * The portfolio of the owner's spot accounts. Accounts for derivatives can belong to another portfolio, which makes no
 * spot orders.
 */
async function portfolioOf(client: ExchangeClient): Promise<Record<string, string>> {
  const listed = await heldAccounts(client, true);
  const accounts = readResponse(client.exchange, 'accounts', listed, () => listed.map(responses.readHeldAccount));
  const spot = accounts.filter((account) => !responses.isForDerivatives(account));
  const [portfolio, ...others] = new Set(spot.map((account) => account.retail_portfolio_id));
  if (typeof portfolio === 'string' && others.length === 0) return { retail_portfolio_id: portfolio };
  throw new UnusableResponse(client.exchange, 'the accounts belong to several portfolios, or to none');
}
