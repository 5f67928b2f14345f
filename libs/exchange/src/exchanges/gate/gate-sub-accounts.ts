import { z } from 'zod';
import { balanceReader, type AccountBalance, type ListedAccount } from '../../capabilities/account-balances.js';
import type { AccountReading, DeclaredAccount } from '../../capabilities/other-accounts.js';
import { codeText, entriesOf, name, type CodeOf } from '../../capabilities/response-fields.js';
import { inSubAccount, namesOf, notServedIn, refusedReading, SUB_ACCOUNTS } from '../../capabilities/sub-accounts.js';
import type { ExchangeClient, Endpoint } from '../../client/exchange-client.js';
import { readResponse } from '../../transport/failed-read.js';
import { pagesOf, readFutures, readMargin } from './gate-account-readers.js';

/** The sub-accounts of a main account, compared with www.gate.com/docs/developers/apiv4 (June 2026). */

const get = (path: string): Endpoint => ({ method: 'GET', path: `/api/v4/${path}` });

const byCurrency = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((sums) => sums ?? {});
const spotAccounts = z.array(z.object({ uid: codeText, available: byCurrency, locking: byCurrency }));
const readSpot = balanceReader(entriesOf, { asset: 'currency', free: 'free', used: 'used' });

const named = z.array(z.object({ user_id: codeText, login_name: name }));

/** subaccount, "List sub-accounts": "Enter `0` to list all types of sub-accounts". */
const names = (client: ExchangeClient) =>
  client.call(get('sub_accounts'), { type: '0' }, (body) =>
    named.parse(body).map(({ user_id: id, login_name }) => ({ id, name: login_name })),
  );

/** "Query sub-account isolated margin account balance information" and "… perpetual futures account …". */
const MORE = [
  { name: 'margin of sub-accounts', endpoint: get('wallet/sub_account_margin_balances'), read: readMargin },
  {
    name: 'futures of sub-accounts',
    endpoint: get('wallet/sub_account_futures_balances'),
    read: ((body, codeOf, lists) =>
      Object.values(byCurrency.parse(body)).flatMap((one) => readFutures(one, codeOf, lists))) as ListedAccount['read'],
  },
];
const moreAccounts = z.array(z.object({ uid: codeText, available: z.unknown() }));

/**
 * wallet, "Query sub-account balance information": the spot accounts. The page of June 2026 has `locking` and pages
 * ("Default 20, max 100"); the SDK of July 2025 has neither.
 */
export const gateSubAccounts: DeclaredAccount = {
  name: SUB_ACCOUNTS,
  read: async (client) => {
    const listed = await pagesOf(client, get('wallet/sub_account_balances'), (body) => spotAccounts.parse(body));
    if (listed.length === 0) return { balances: [] };
    const nameOf = await namesOf(names(client));
    const codeOf = await client.codes();
    const spot = readResponse(client.exchange, 'sub-accounts', listed, () =>
      listed.flatMap((one) => inSubAccount(nameOf(one.uid), readSpot(heldBy(one), codeOf, client.lists))),
    );
    const readings: AccountReading[] = [{ balances: spot }];
    for (const more of MORE) readings.push(await moreOf(client, nameOf, more));
    return {
      balances: readings.flatMap(({ balances }) => balances),
      unread: [
        ...readings.flatMap(({ unread = [] }) => unread),
        ...notServedIn(listed, 'earn and unified accounts of sub-accounts'),
      ],
    };
  },
};

function moreOf(
  client: ExchangeClient,
  nameOf: (id: string) => string,
  { name: account, endpoint, read }: (typeof MORE)[number],
): Promise<AccountReading> {
  const balancesIn = (body: unknown, codeOf: CodeOf): AccountBalance[] =>
    moreAccounts
      .parse(body)
      .flatMap(({ uid, available }) => inSubAccount(nameOf(uid), read(available, codeOf, client.lists)));
  return client.call(endpoint, {}, balancesIn).then(
    (balances) => ({ balances }),
    (error: unknown) => refusedReading(account, error),
  );
}

function heldBy({ available, locking }: z.infer<typeof spotAccounts>[number]) {
  const currencies = new Set([...Object.keys(available), ...Object.keys(locking)]);
  return [...currencies].map((currency) => ({
    currency,
    free: available[currency] ?? '0',
    used: locking[currency] ?? '0',
  }));
}
