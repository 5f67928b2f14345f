import { z } from 'zod';
import type { DeclaredAccount } from '../../capabilities/other-accounts.js';
import { name } from '../../capabilities/response-fields.js';
import { readSubAccounts, SUB_ACCOUNTS } from '../../capabilities/sub-accounts.js';
import type { Endpoint } from '../../client/exchange-client.js';
import { entriesOf, readFunding, readTrading } from './okx-responses.js';

/** OKX lists sub-accounts to the keys of a main account only, compared with www.okx.com/docs-v5/en (27 June 2026). */

/** #sub-account-rest-api-get-sub-account-list: "20 requests per 2 seconds", the first 100 sub-accounts. */
const LIST: Endpoint = { method: 'GET', path: '/api/v5/users/subaccount/list' };
/**
 * #sub-account-rest-api-get-sub-account-funding-balance and -trading-balance: "6 requests per 2 seconds" for each. With
 * our default limits, calls that count twice are sent at most 10 times in 2 seconds, in turns.
 */
const FUNDING: Endpoint = { method: 'GET', path: '/api/v5/asset/subaccount/balances', cost: 2 };
const TRADING: Endpoint = { method: 'GET', path: '/api/v5/account/subaccount/balances', cost: 2 };

const subAccounts = z.array(z.object({ subAcct: name }));

export const okxSubAccounts: DeclaredAccount = {
  name: SUB_ACCOUNTS,
  read: async (client) => {
    const listed = await client.call(LIST, {}, (body) => subAccounts.parse(entriesOf(body)));
    return readSubAccounts(
      listed.map(({ subAcct }) => ({ name: subAcct })),
      async ({ name: subAcct }) => ({
        balances: [
          ...(await client.call(FUNDING, { subAcct }, (body, codeOf) => readFunding(body, codeOf, client.lists))),
          ...(await client.call(TRADING, { subAcct }, (body, codeOf) => readTrading(body, codeOf, client.lists))),
        ],
      }),
      'savings and staking of sub-accounts',
    );
  },
};
