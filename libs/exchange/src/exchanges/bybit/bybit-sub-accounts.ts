import { z } from 'zod';
import { fieldOf } from '../../capabilities/entry-fields.js';
import { envelope } from '../../capabilities/envelope.js';
import type { DeclaredAccount } from '../../capabilities/other-accounts.js';
import { codeText, heldEntries, name } from '../../capabilities/response-fields.js';
import { accountOf, readSubAccounts, SUB_ACCOUNTS } from '../../capabilities/sub-accounts.js';
import type { Endpoint } from '../../client/exchange-client.js';
import { readOverview } from './bybit-overview.js';

/**
 * Bybit's page user/subuid-list ("10 req/s"): at most 1,000 sub-accounts, for the keys of a master account with a
 * permission to transfer or to withdraw.
 */
const LIST: Endpoint = { method: 'GET', path: '/v5/user/query-sub-members' };

const success = envelope({ code: 'retCode', success: '0', data: 'result' });
const members = success(fieldOf('subMembers', heldEntries.pipe(z.array(z.object({ uid: codeText, username: name })))));

/** All accounts of a sub-account are in its asset overview. */
export const bybitSubAccounts: DeclaredAccount = {
  name: SUB_ACCOUNTS,
  read: async (client) => {
    const listed = await client.call(LIST, {}, (body) => members.parse(body));
    return readSubAccounts(
      listed.map(({ uid, username }) => ({ uid, name: username })),
      async ({ uid, name: username }) => {
        const { held, farms } = await readOverview(client, { memberId: uid });
        const unread = [...farms].map((one) => ({
          account: `${one} of ${accountOf(username)}`,
          reason: 'not_served' as const,
        }));
        return { balances: held, unread };
      },
    );
  },
};
