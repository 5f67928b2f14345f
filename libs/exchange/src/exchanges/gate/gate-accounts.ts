import { z } from 'zod';
import { Amount } from '#money';
import { balanceReader, sumOf, type AccountBalance } from '../../capabilities/account-balances.js';
import { allPages } from '../../capabilities/cursor-pages.js';
import { fieldOf } from '../../capabilities/entry-fields.js';
import {
  listedAccount,
  type DeclaredAccount,
  type OtherAccountsDeclaration,
} from '../../capabilities/other-accounts.js';
import { amount, amountOrZero, entriesOf, name } from '../../capabilities/response-fields.js';
import type { CodeOf } from '../../declaration/asset-names.js';
import type { Endpoint } from '../../ccxt/ccxt-client.js';
import { readResponse } from '../../transport/failed-read.js';

/** The accounts beside the spot account, by www.gate.com/docs/developers/apiv4 (June 2026). */

const get = (api: string, path: string): Endpoint => ({ api: ['private', api], method: 'GET', path });
const PAGE_SIZE = 100;
const zero = z.unknown().transform(() => Amount.zero);

/**
 * unified, "Get unified account information": "available + freeze - borrowed" is a part of `equity`, so what the owner
 * has borrowed is in `available`. `total_freeze` also has the margins of futures; clients report it as 0 in some modes.
 */
const unifiedBalances = fieldOf('balances', z.record(z.string(), z.unknown()));
const [freeze, totalFreeze] = [fieldOf('freeze', amountOrZero), fieldOf('total_freeze', amountOrZero)];
export const readUnified = balanceReader(
  (body) =>
    Object.entries(unifiedBalances.parse(body)).map(
      ([currency, balance]) => ({ ...Object(balance), currency }) as unknown,
    ),
  {
    ...{ asset: 'currency', free: 'available', owed: fieldOf('borrowed', amountOrZero) },
    used: z.unknown().transform((entry) => {
      const [own, all] = [freeze.parse(entry), totalFreeze.parse(entry)];
      return own.lessThan(all) ? all : own;
    }),
  },
);

/** margin, "Margin account list": what the owner has borrowed is in `available` and `locked`. */
const pairs = z.array(z.object({ base: z.unknown(), quote: z.unknown() }));
const readMargin = balanceReader((body) => pairs.parse(body).flatMap(({ base, quote }) => [base, quote]), {
  ...{ asset: 'currency', free: 'available', used: 'locked', owed: sumOf(amountOrZero, 'borrowed', 'interest') },
});

/** futures, "Get futures account": `total` has the margins of positions and orders. */
const readFutures = balanceReader((body) => [body], { asset: 'currency', free: 'available', total: 'total' });
/** Label list: USER_NOT_FOUND = "User has no futures account". */
const futures = (settle: string): DeclaredAccount =>
  listedAccount(`futures ${settle}`, get('futures', '{settle}/accounts'), readFutures, {
    ...{ params: { settle }, notOpened: ['USER_NOT_FOUND'] },
  });

const readLends = balanceReader(entriesOf, { asset: 'currency', free: 'amount', used: zero, kind: 'earning' });
/** earnuni, "Query user's lending order list": the owner can redeem at any hour. */
const lends: DeclaredAccount = {
  name: 'earn',
  read: async (client) => {
    const codeOf = await client.codes();
    const listed = await allPages(client.exchange, async (cursor) => {
      const page = cursor ?? '1';
      const found = await client.call(get('earn', 'uni/lends'), { page, limit: String(PAGE_SIZE) }, entriesOf);
      return { entries: found, nextCursor: found.length < PAGE_SIZE ? null : String(Number(page) + 1) };
    });
    return readResponse(client.exchange, 'uni/lends', listed, () => ({
      balances: readLends(listed, codeOf, client.lists),
    }));
  },
};

const subAccounts = z.array(z.object({ uid: name, available: z.record(z.string(), amount) }));
/** wallet, "Query sub-account balance information": only the available amounts of the spot accounts. */
const ofSubAccounts: DeclaredAccount = {
  name: 'sub-accounts',
  read: async (client) => {
    const codeOf = await client.codes();
    const listed = await client.call(get('wallet', 'sub_account_balances'), {}, (body) => subAccounts.parse(body));
    return { balances: listed.flatMap(({ uid, available }) => heldBy(codeOf, uid, available)) };
  },
};

function heldBy(codeOf: CodeOf, uid: string, available: Readonly<Record<string, Amount>>) {
  return Object.entries(available).map(([currency, free]): AccountBalance & { account: string } => ({
    ...{ account: `sub-account ${uid}`, asset: codeOf(currency), free, used: Amount.zero },
  }));
}

/** The accounts of the overview that other calls read wholly. */
const READ = ['spot', 'margin', 'futures', 'cross_margin_unified', 'unified'];
const details = fieldOf('details', z.record(z.string(), z.object({ amount })));
/**
 * wallet, "Query personal account totals": the sum of each account. An account with a balance that no other call reads
 * wholly is named. `finance` contains lending, which is read, and other products.
 */
const overview: DeclaredAccount = {
  name: 'other accounts',
  read: async (client) => {
    const held = await client.call(get('wallet', 'total_balance'), {}, (body) => details.parse(body));
    const unread = Object.entries(held).filter(([account, sum]) => !sum.amount.isZero() && !READ.includes(account));
    return { balances: [], unread: unread.map(([account]) => ({ account, reason: 'not_served' as const })) };
  },
};

/** Most calls may be sent 200 times, and those under `wallet` 80 times, in 10 seconds. */
export const gateAccounts: OtherAccountsDeclaration = {
  read: [
    listedAccount('margin', get('margin', 'accounts'), readMargin),
    ...[futures('usdt'), futures('btc'), lends, ofSubAccounts, overview],
  ],
};

/** The accounts of a unified account, which contains the futures. */
export const gateUnifiedAccounts: OtherAccountsDeclaration = {
  read: [listedAccount('margin', get('margin', 'accounts'), readMargin), lends, ofSubAccounts, overview],
};
