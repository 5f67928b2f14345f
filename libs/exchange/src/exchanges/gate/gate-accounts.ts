import { z } from 'zod';
import { Amount } from '#money';
import { balanceReader } from '../../capabilities/account-balances.js';
import { fieldOf, readerOrNull } from '../../capabilities/entry-fields.js';
import {
  listedAccount,
  type DeclaredAccount,
  type OtherAccountsDeclaration,
} from '../../capabilities/other-accounts.js';
import { amount, amountOrZero, entriesOf } from '../../capabilities/response-fields.js';
import type { Endpoint } from '../../client/exchange-client.js';
import { readResponse } from '../../transport/failed-read.js';
import { pagesOf, readFutures, readMargin } from './gate-account-readers.js';
import { gateSubAccounts } from './gate-sub-accounts.js';

/** The accounts beside the spot account. The contract of these accounts names the pages they were compared with. */

const get = (path: string): Endpoint => ({ method: 'GET', path: `/api/v4/${path}` });
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
    asset: 'currency',
    free: 'available',
    owed: fieldOf('borrowed', amountOrZero),
    used: z.unknown().transform((entry) => {
      const [own, all] = [freeze.parse(entry), totalFreeze.parse(entry)];
      return own.lessThan(all) ? all : own;
    }),
  },
);

/**
 * Label list (compared, June 2026): USER_NOT_FOUND = "User has no futures account". The FAQ: "each settle currency is
 * associated with an independent futures account".
 */
const futures = (settle: string): DeclaredAccount =>
  listedAccount(`futures ${settle}`, get('futures/{settle}/accounts'), readFutures, {
    params: { settle },
    notOpened: ['USER_NOT_FOUND'],
  });

const readLends = balanceReader(entriesOf, { asset: 'currency', free: 'amount', used: zero, kind: 'earning' });
/**
 * earnuni, "Query user's lending order list". By "Create lending or redemption", the redemption of what is lent is
 * "credited in the next hourly interval", and that of the rest "immediately".
 */
const lends: DeclaredAccount = {
  name: 'earn',
  read: async (client) => {
    const codeOf = await client.codes();
    const listed = await pagesOf(client, get('earn/uni/lends'), entriesOf);
    return readResponse(client.exchange, 'uni/lends', listed, () => ({
      balances: readLends(listed, codeOf, client.lists),
    }));
  },
};

/** The accounts of the overview that other calls read wholly. */
const READ = ['spot', 'margin', 'futures', 'cross_margin_unified', 'unified'];
const details = fieldOf('details', z.record(z.string(), z.unknown()));
const sumIn = readerOrNull(fieldOf('amount', amount));
/**
 * wallet, "Query personal account totals": the sum of each account. An account that no other call reads wholly is
 * named, unless its sum is zero. `finance` contains lending, which is read, and other products.
 */
const overview: DeclaredAccount = {
  name: 'other accounts',
  read: async (client) => {
    const held = await client.call(get('wallet/total_balance'), {}, (body) => details.parse(body));
    const unread = Object.entries(held).filter(
      ([account, sum]) => sumIn(sum)?.isZero() !== true && !READ.includes(account),
    );
    return { balances: [], unread: unread.map(([account]) => ({ account, reason: 'not_served' as const })) };
  },
};

/** Most calls may be sent 200 times, and those under `wallet` 80 times, in 10 seconds. */
export const gateAccounts: OtherAccountsDeclaration = {
  read: [
    listedAccount('margin', get('margin/accounts'), readMargin),
    ...[futures('usdt'), futures('btc'), lends, gateSubAccounts, overview],
  ],
};

/** The accounts of a unified account, which contains the futures. */
export const gateUnifiedAccounts: OtherAccountsDeclaration = {
  read: [listedAccount('margin', get('margin/accounts'), readMargin), lends, gateSubAccounts, overview],
};
