import { z } from 'zod';
import { Amount } from '#money';
import { balanceReader, readHoldings } from '../../capabilities/account-balances.js';
import { allPages } from '../../capabilities/cursor-pages.js';
import { fieldOf } from '../../capabilities/entry-fields.js';
import { envelope } from '../../capabilities/envelope.js';
import type { AccountReading, DeclaredAccount, OtherAccountsDeclaration } from '../../capabilities/other-accounts.js';
import {
  amount,
  amountOrZero,
  entriesOf,
  heldEntries,
  listOf,
  name,
  statedList,
} from '../../capabilities/response-fields.js';
import { inSubAccount, notServedIn, SUB_ACCOUNTS } from '../../capabilities/sub-accounts.js';
import type { ExchangeClient, Endpoint } from '../../client/exchange-client.js';
import { ExchangeError } from '../../port/exchange-error.js';
import { readResponse } from '../../transport/failed-read.js';

/** The accounts beside the main and the trading account. Their contract says what they were compared with. */

const get = (path: string): Endpoint => ({ method: 'GET', path: `/api/${path}` });
const getUnified = (path: string): Endpoint => get(`ua/v1/${path}`);
const success = envelope({ code: 'code', success: '200000', data: 'data' });

const currencies = success(fieldOf('accounts', heldEntries.pipe(z.array(fieldOf('currencies', heldEntries)))));
/** ua/get-account-currency-assets-uta and …-classic have the same fields. `liability` is in `balance`. */
const readCurrencies = balanceReader((body) => currencies.parse(body).flat(), {
  asset: 'currency',
  free: 'available',
  used: fieldOf('hold', amountOrZero),
  owed: fieldOf('liability', amountOrZero),
});

const mode = success(fieldOf('selfAccountMode', name));

function readBalances(client: ExchangeClient, path: string, params: Record<string, string> = {}) {
  return client.call(getUnified(path), params, (body, codeOf) => readCurrencies(body, codeOf, client.lists));
}

/**
 * The unified account (weight 5). KuCoin documents no code with which this call refuses classic accounts, so after a
 * failure we ask for the mode of the account (ua/get-account-mode, weight 30).
 */
const unified: DeclaredAccount = {
  name: 'unified',
  read: async (client, own) => {
    const isListed = own.some(({ elsewhere = [] }) => elsewhere.some(({ account }) => account === 'unified'));
    if (isListed) return { balances: [] };
    return readBalances(client, 'unified/account/balance').then(
      (balances) => ({ balances }),
      (error: unknown) => noneIfClassic(client, error),
    );
  },
};

async function noneIfClassic(client: ExchangeClient, refusal: unknown): Promise<AccountReading> {
  if (!(refusal instanceof ExchangeError) || refusal.kind === 'rate_limited') throw refusal;
  const isClassic = await client
    .call(getUnified('account/mode'), {}, (body) => mode.parse(body) === 'CLASSIC')
    .catch(() => false);
  if (isClassic) return { balances: [] };
  throw refusal;
}

/** ua/get-account-currency-assets-classic: an account of a classic account, by its `accountType`. */
const classic = (accountType: string): DeclaredAccount => ({
  name: accountType.toLowerCase(),
  read: async (client) => ({ balances: await readBalances(client, 'account/balance', { accountType }) }),
});

const page = success(z.object({ items: statedList(z.unknown()), currentPage: z.number(), totalPage: z.number() }));

function pagesOf(client: ExchangeClient, endpoint: Endpoint): Promise<unknown[]> {
  return allPages(client.exchange, async (cursor) => {
    const params = { currentPage: cursor ?? '1', pageSize: '100' };
    const { items, currentPage, totalPage } = await client.call(endpoint, params, (body) => page.parse(body));
    return { entries: items, nextCursor: currentPage < totalPage ? String(currentPage + 1) : null };
  });
}

const currencyOf = fieldOf('currency', name);
const product = z.object({
  productType: name,
  status: z.string().nullish(),
  holdAmount: amount,
  redeemingAmount: amountOrZero,
  redeemPeriod: z.number().nullish(),
});

/**
 * Products of the type DEMAND can be redeemed at any time. `redeemPeriod` is the "Redemption waiting period (days)" and
 * `redeemingAmount` the part that already waits: in the documented sample, the whole `holdAmount` does.
 */
function holdingOf(entry: unknown): { free: Amount; kind: 'earning' | 'locked' } {
  const { productType, status, redeemPeriod, holdAmount: free, redeemingAmount } = product.parse(entry);
  const isAtOnce = productType === 'DEMAND' && (redeemPeriod ?? 0) === 0;
  const isWaiting = status === 'REDEEMING' || !redeemingAmount.isZero();
  return { free, kind: isAtOnce && !isWaiting ? 'earning' : 'locked' };
}

/** earn/get-account-holding (weight 5). */
const earn: DeclaredAccount = {
  name: 'earn',
  read: async (client) => {
    const codeOf = await client.codes();
    const listed = await pagesOf(client, get('v1/earn/hold-assets'));
    return readResponse(client.exchange, 'earn', listed, () => ({
      balances: readHoldings(client.lists, listed, {
        keyOf: (entry) => ({ asset: codeOf(currencyOf.parse(entry)) }),
        amountsOf: (entry) => ({ ...holdingOf(entry), used: Amount.zero }),
      }),
    }));
  },
};

const held = listOf(z.unknown());
const readHeld = balanceReader(entriesOf, { asset: 'currency', free: 'available', used: 'holds' });
const subAccount = z.object({ subName: name, mainAccounts: held, tradeAccounts: held, marginAccounts: held });

/** account-info/sub-account/get-subaccount-list-spot-balance-v2 (weight 20): only a master account has sub-accounts. */
const subAccounts: DeclaredAccount = {
  name: SUB_ACCOUNTS,
  read: async (client) => {
    const codeOf = await client.codes();
    const listed = await pagesOf(client, get('v2/sub-accounts'));
    return readResponse(client.exchange, 'sub-accounts', listed, () => ({
      balances: listed.flatMap((entry) => {
        const { subName, mainAccounts, tradeAccounts, marginAccounts } = subAccount.parse(entry);
        const held = [...mainAccounts, ...tradeAccounts, ...marginAccounts];
        return inSubAccount(subName, readHeld(held, codeOf, client.lists));
      }),
      unread: notServedIn(listed, 'futures, earn and unified accounts of sub-accounts'),
    }));
  },
};

export const kucoinAccounts: OtherAccountsDeclaration = {
  read: [unified, classic('CROSS'), classic('ISOLATED'), classic('FUTURES'), earn, subAccounts],
  // No documented call lists them.
  notServed: ['trading bots'],
};
