import { z } from 'zod';
import type { ListedAccount } from '../../capabilities/account-balances.js';
import { fieldOf } from '../../capabilities/entry-fields.js';
import type { DeclaredAccount } from '../../capabilities/other-accounts.js';
import { codeText, heldEntries, name } from '../../capabilities/response-fields.js';
import { furtherIf, inSubAccount, namesOf, notServedIn, SUB_ACCOUNTS } from '../../capabilities/sub-accounts.js';
import type { Endpoint } from '../../client/exchange-client.js';
import { readResponse } from '../../transport/failed-read.js';
import * as classic from './bitget-responses.js';
import * as unified from './unified/bitget-unified-responses.js';

/** The sub-accounts of a main account. Their contracts say which pages the calls were compared with. */

/** "Default value is 10, maximum is 50." Further pages are not read: v3 allows one call in a second. */
const PAGE_SIZE = 50;

/** One call for the assets of all sub-accounts, and one for their names if there is a sub-account. */
interface Calls {
  readonly assets: Endpoint;
  /** The fields of a sub-account in the list of assets. */
  readonly fields: { readonly id: string; readonly assets: string };
  /** Reads the assets of one sub-account. */
  readonly read: ListedAccount['read'];
  readonly names: Endpoint;
  readonly namesMax: string;
  readonly named: { readonly list: string; readonly id: string; readonly name: string };
  readonly notServed: string;
}

function subAccountsBy({ assets, fields, read, names, namesMax, named, notServed }: Calls): DeclaredAccount {
  const [idOf, assetsOf] = [fieldOf(fields.id, codeText), fieldOf(fields.assets, heldEntries)];
  const one = z.unknown().transform((entry) => ({ id: idOf.parse(entry), assets: assetsOf.parse(entry) }));
  const listOf = z.array(one);
  const [nameOf, namedIdOf] = [fieldOf(named.name, name), fieldOf(named.id, codeText)];
  const namedOne = z.unknown().transform((entry) => ({ id: namedIdOf.parse(entry), name: nameOf.parse(entry) }));
  const namedList = classic.success(fieldOf(named.list, heldEntries.pipe(z.array(namedOne))));
  return {
    name: SUB_ACCOUNTS,
    read: async (client) => {
      const params = { limit: String(PAGE_SIZE) };
      const listed = await client.call(assets, params, (body) => listOf.parse(classic.heldIn(body)));
      if (listed.length === 0) return { balances: [] };
      const nameOfId = await namesOf(client.call(names, { limit: namesMax }, (body) => namedList.parse(body)));
      const codeOf = await client.codes();
      const unread = [...furtherIf(listed.length >= PAGE_SIZE), ...notServedIn(listed, notServed)];
      return readResponse(client.exchange, 'assets of sub-accounts', listed, () => ({
        balances: listed.flatMap((each) => inSubAccount(nameOfId(each.id), read(each.assets, codeOf, client.lists))),
        unread,
      }));
    },
  };
}

/** "only return the sub-accounts which assets > 0" ("10 times/1s"); the names ("1 req/sec/UID"). */
export const bitgetSubAccounts = subAccountsBy({
  assets: { method: 'GET', path: '/api/v2/spot/account/subaccount-assets' },
  fields: { id: 'userId', assets: 'assetsList' },
  read: classic.readSubAccountAssets,
  names: { method: 'GET', path: '/api/v2/user/virtual-subaccount-list' },
  namesMax: '500',
  named: { list: 'subAccountList', id: 'subAccountUid', name: 'subAccountName' },
  // The call for futures is allowed once in 10 seconds for each product type.
  notServed: 'margin, futures and earn of sub-accounts',
});

/** "1/sec/UID"; the names ("10/sec/UID"). */
export const bitgetUnifiedSubAccounts = subAccountsBy({
  assets: { method: 'GET', path: '/api/v3/account/sub-unified-assets' },
  fields: { id: 'subUid', assets: 'assets' },
  read: unified.readSubAccountAssets,
  names: { method: 'GET', path: '/api/v3/user/sub-list' },
  namesMax: '100',
  named: { list: 'list', id: 'subUid', name: 'username' },
  notServed: 'funding and earn of sub-accounts',
});
