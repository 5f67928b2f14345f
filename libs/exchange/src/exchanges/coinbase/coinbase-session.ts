import type { Amount } from '#money';
import { mergeAccounts } from '../../capabilities/account-balances.js';
import { allPages } from '../../capabilities/cursor-pages.js';
import { ListedDeposits } from '../../capabilities/listed-deposits.js';
import { ListedWithdrawals } from '../../capabilities/listed-withdrawals.js';
import { NetworkList, type ListedNetwork } from '../../capabilities/network-list.js';
import { UNREPORTED } from '../../capabilities/response-fields.js';
import { TransferHistory, type Period } from '../../capabilities/transfer-pages.js';
import { responseBehind } from '../../ccxt/ccxt-class.js';
import type { CcxtClient, Endpoint } from '../../ccxt/ccxt-client.js';
import type { CredentialKind, SessionParts } from '../../ccxt/ccxt-exchange.js';
import { ExchangeError } from '../../port/exchange-error.js';
import type { HistoryKind, WithdrawalInstruction, WithdrawalRequirement } from '../../port/exchange.port.js';
import { readResponse, UnusableResponse } from '../../transport/failed-read.js';
import { networksOf, UNBOUNDED } from './coinbase-networks.js';
import { ordersOf } from './coinbase-orders.js';
import {
  readAccount,
  readAddress,
  readHeldAccount,
  readId,
  readKeyPermissions,
  readList,
  readOne,
  readPage,
  readScopes,
  readSendId,
  readTransaction,
  readUser,
  sortTransaction,
  toAccount,
  toIdem,
  type HeldAccount,
  type WalletAccount,
} from './coinbase-responses.js';

/** Sends are not signed by the library's way through `fetch`, which would add the version: api-architecture/versioning. */
const headers = { 'CB-VERSION': '2018-05-30' };
const v2 = (path: string, method: Endpoint['method'] = 'GET', sentAs?: Endpoint['sentAs']): Endpoint => ({
  ...{ api: ['v2', 'private'], method, path, headers },
  ...(sentAs !== undefined && { sentAs }),
});
const v3 = (path: string): Endpoint => ({ api: ['v3', 'private'], method: 'GET', path });
const TRANSACTIONS = 'accounts/{account_id}/transactions';
const ADDRESSES = 'accounts/{account_id}/addresses';

/** The maxima that Coinbase allows on a page of v3 and of v2. */
const HELD_ACCOUNTS_PAGE = '250';
const PAGE = '100';
/** Most pages of the transactions of one account. Trades are among them. */
const TRANSACTION_PAGES_MAX = 100;
const CODE_HEADER = 'CB-2FA-TOKEN';

/**
 * Countries whose accounts must name the recipient of a send: transfer-apis/travel-rule. Our requests do not have such
 * data.
 */
const TRAVEL_RULE = new Set(
  'CA GB BM SG HK PH AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(
    ' ',
  ),
);

/** The capabilities of one account. */
export function connect(client: CcxtClient, credentials: CredentialKind): SessionParts {
  const networks = new NetworkList(client, () => readNetworks(client));
  const history = historyOf(client);
  const isBearer = credentials === 'bearer';
  const held = (): Promise<HeldAccount[]> => heldAccounts(client, isBearer);
  return {
    balances: async () => mergeAccounts([toAccount(await held(), client.codeOf)]),
    keyInfo: async () => ({
      ...UNREPORTED,
      permissions: isBearer
        ? await client.call(v2('user/auth'), {}, readScopes)
        : await client.call(v3('brokerage/key_permissions'), {}, readKeyPermissions),
    }),
    identity: { read: async () => ({ iban: null, ...(await client.call(v2('user'), {}, readUser)) }) },
    history,
    withdrawals: withdrawalsOf(client, { networks, history, isBearer }),
    deposits: new ListedDeposits(client, networks, {
      addresses: async ({ assetId }) => {
        const { id } = await accountOf(client, assetId);
        return listOf(client, ADDRESSES, { account_id: id, read: readAddress });
      },
      create: async ({ assetId, exchangeNetworkId: network }) => {
        const { id } = await accountOf(client, assetId);
        return client.call(v2(ADDRESSES, 'POST'), { account_id: id, network }, (body) => readAddress(readOne(body)));
      },
    }),
    trading: ordersOf(client, isBearer ? held : null),
  };
}

/** Advanced Trade only refuses a token. Coinbase App also reports whether it has expired or was revoked. */
function heldAccounts(client: CcxtClient, isBearer: boolean): Promise<HeldAccount[]> {
  return allPages(client.exchange, (cursor) => {
    const params: Record<string, string> = { limit: HELD_ACCOUNTS_PAGE, ...(cursor !== null && { cursor }) };
    return client.call(v3('brokerage/accounts'), params, (body) => {
      const { entries, nextCursor } = readPage('accounts', body);
      return { entries: entries.map(readHeldAccount), nextCursor };
    });
  }).catch(async (error: unknown) => {
    if (isBearer && isUnexplained401(error)) await client.call(v2('user/auth'), {}, readScopes);
    throw error;
  });
}

function isUnexplained401(error: unknown): boolean {
  if (!(error instanceof ExchangeError) || error.kind !== 'unavailable') return false;
  return responseBehind(error.cause)?.status === 401;
}

function listOf<T>(
  client: CcxtClient,
  path: string,
  { read, ...params }: { read: (entry: unknown) => T; account_id?: string },
): Promise<T[]> {
  return allPages(client.exchange, (cursor) => {
    const page = { ...params, limit: PAGE, ...(cursor !== null && { starting_after: cursor }) };
    return client.call(v2(path), page, (body) => {
      const { entries, nextCursor } = readList(body);
      return { entries: entries.map(read), nextCursor };
    });
  });
}

/** "To access the primary account for a given currency, a currency string can be used instead of the account ID" */
function accountOf(client: CcxtClient, currency: string): Promise<WalletAccount> {
  return client.call(v2('accounts/{currency}'), { currency }, (body) => readAccount(readOne(body)));
}

/** Each asset that the owner has an account of, on the networks where it is certain. */
async function readNetworks(client: CcxtClient): Promise<ListedNetwork[]> {
  const entries = await listOf(client, 'accounts', { read: (entry) => entry });
  const accounts = readResponse(client.exchange, 'accounts', entries, () =>
    client.lists.read('accounts', entries, readAccount),
  );
  const wallets = accounts.filter(({ type }) => type === 'wallet').map(({ currency }) => currency);
  const currencies = [...new Map(wallets.map((currency) => [currency.code, currency])).values()];
  return currencies.flatMap(({ code: assetId, exponent: decimals }) => {
    const asset = client.codeOf(assetId);
    return networksOf(asset).map(({ id, name: displayName }) => {
      const fee = client.feeEstimate(asset, id);
      const can = { canWithdraw: fee !== null, canDeposit: true, needsTag: false };
      return { asset, assetId, networkId: id, exchangeNetworkId: id, displayName, decimals, fee, ...can, ...UNBOUNDED };
    });
  });
}

/** The transactions of one account since a moment, newest first. */
async function transactionsSince(client: CcxtClient, account_id: string, since: Date): Promise<unknown[]> {
  const found: unknown[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < TRANSACTION_PAGES_MAX; pages++) {
    const params: Record<string, string> = {
      account_id,
      limit: PAGE,
      ...(cursor !== null && { starting_after: cursor }),
    };
    const page: ReturnType<typeof readList> = await client.call(v2(TRANSACTIONS), params, readList);
    found.push(...page.entries);
    if (page.nextCursor === null || sortTransaction(page.entries.at(-1)).at < since.getTime()) return found;
    if (page.nextCursor === cursor) break;
    cursor = page.nextCursor;
  }
  throw new UnusableResponse(client.exchange, 'the list of transactions does not end');
}

/**
 * The transactions of an account, or of all. They are read as a whole, because Coinbase lists those of one account only.
 */
function historyOf(client: CcxtClient, account?: string): TransferHistory {
  return new TransferHistory(client, {
    // Coinbase began in June 2012.
    begins: new Date(Date.UTC(2012, 5, 1)),
    page: async (kind, period) => {
      const entries: unknown[] = [];
      for (const id of account === undefined ? await listOf(client, 'accounts', { read: readId }) : [account]) {
        const listed = await transactionsSince(client, id, period.since);
        entries.push(...listed.filter((entry) => belongsTo(kind, period, entry)));
      }
      return { entries: entries.sort((a, b) => sortTransaction(b).at - sortTransaction(a).at), nextCursor: null };
    },
    read: (_kind, entry, codeOf) => readTransaction(entry, codeOf),
  });
}

/** Coinbase counts in seconds. */
function belongsTo(kind: HistoryKind, { since, until }: Period, entry: unknown): boolean {
  const { at, kind: found } = sortTransaction(entry);
  if (found === 'unreadable') return true;
  return found === kind && at >= Math.floor(since.getTime() / 1000) * 1000 && at <= until.getTime();
}

/** transfer-apis/send-crypto. The class and the form of the amount are in the declaration. */
function withdrawalsOf(
  client: CcxtClient,
  { networks, history, isBearer }: { networks: NetworkList; history: TransferHistory; isBearer: boolean },
): ListedWithdrawals {
  return new ListedWithdrawals(client, networks, history, {
    methods: ['GOOGLE'],
    codeParameter: CODE_HEADER,
    endpoint: v2(TRANSACTIONS, 'POST', { [CODE_HEADER]: 'header' }),
    acceptance: { statuses: [201], readId: readSendId },
    request: (instruction, listed) => requestOf(client, instruction, listed),
    sent: { address: 'to', tag: 'destination_tag', amount: 'amount' },
    requirements: async () => [...(isBearer ? [CODE] : []), ...((await isUnderTravelRule(client)) ? [RECIPIENT] : [])],
    byId: async (transaction_id, _notBefore, { request: { account_id = '' } }) => {
      const endpoint = v2(`${TRANSACTIONS}/{transaction_id}`);
      return history.readWithdrawals([await client.call(endpoint, { account_id, transaction_id }, readOne)]);
    },
    byReference: (_reference, { request: { account_id = '' }, notBefore }) =>
      historyOf(client, account_id).all('withdrawal', notBefore),
  });
}

const CODE: WithdrawalRequirement = {
  type: 'totp',
  detail:
    'If the owner uses two-factor authentication: the code that Coinbase sends by SMS, or that Authy shows, as twofa.',
};
const RECIPIENT: WithdrawalRequirement = {
  type: 'travel_rule',
  detail: 'Coinbase requires data about the recipient from accounts of this country, which cannot be sent here.',
};

async function requestOf(
  client: CcxtClient,
  { address, tag, amount, amountWithFee, clientRef }: WithdrawalInstruction & { readonly amount: Amount },
  { assetId: currency, exchangeNetworkId: network }: ListedNetwork,
): Promise<Record<string, string>> {
  const refuse = (message: string, options: ConstructorParameters<typeof ExchangeError>[3]): ExchangeError =>
    new ExchangeError('refused', client.exchange, message, options);
  if (await isUnderTravelRule(client)) throw refuse(RECIPIENT.detail, { reason: 'travel_rule' });
  const { id, balance } = await accountOf(client, currency);
  if (balance.amount.lessThan(amountWithFee)) {
    throw refuse('the primary account does not hold the amount', { code: 'WITHDRAWAL_INSUFFICIENT_BALANCE' });
  }
  const destination = { to: address, network, ...(tag !== null && { destination_tag: tag }) };
  return { account_id: id, type: 'send', ...destination, amount: amount.toString(), currency, idem: toIdem(clientRef) };
}

async function isUnderTravelRule(client: CcxtClient): Promise<boolean> {
  const { country } = await client.call(v2('user'), {}, readUser);
  return country !== null && TRAVEL_RULE.has(country);
}
