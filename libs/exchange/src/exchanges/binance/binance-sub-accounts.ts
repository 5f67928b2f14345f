import { z } from 'zod';
import { balanceReader, sumOf } from '../../capabilities/account-balances.js';
import { fieldOf } from '../../capabilities/entry-fields.js';
import type { DeclaredAccount } from '../../capabilities/other-accounts.js';
import { amount, heldEntries, name, optionalAmount } from '../../capabilities/response-fields.js';
import { readSubAccounts, SUB_ACCOUNTS } from '../../capabilities/sub-accounts.js';
import type { ExchangeClient, Endpoint } from '../../client/exchange-client.js';

/** Binance lists sub-accounts to the keys of a master account only. */

/** Query-Sub-account-Spot-Assets-Summary: the sum of each sub-account in bitcoin (weight 1). */
const SUMMARY: Endpoint = { method: 'GET', path: '/sapi/v1/sub-account/spotSummary' };
/** Query-Sub-account-Assets-V4 (weight 60 for the user). Binance allows one user 180,000 in a minute. */
const ASSETS: Endpoint = { method: 'GET', path: '/sapi/v4/sub-account/assets' };
/** "default 10, max 20" */
const PAGE_SIZE = 20;
const PAGES_MAX = 5;

const summary = z.object({
  totalCount: z.number().int(),
  spotSubUserAssetBtcVoList: z.array(z.object({ email: name, totalAsset: optionalAmount })),
});
type Listed = z.infer<typeof summary>['spotSubUserAssetBtcVoList'][number];

/** The first 100 sub-accounts, those with a sum first: a sum of zero can be assets without a price in bitcoin. */
async function listed(client: ExchangeClient): Promise<Listed[]> {
  const found: Listed[] = [];
  for (let page = 1; page <= PAGES_MAX; page++) {
    const params = { page: String(page), size: String(PAGE_SIZE) };
    const { totalCount, spotSubUserAssetBtcVoList } = await client.call(SUMMARY, params, (body) => summary.parse(body));
    found.push(...spotSubUserAssetBtcVoList);
    if (totalCount <= page * PAGE_SIZE || spotSubUserAssetBtcVoList.length === 0) break;
  }
  const isZero = ({ totalAsset }: Listed): boolean => totalAsset?.isZero() === true;
  return [...found.filter((one) => !isZero(one)), ...found.filter(isZero)];
}

const readAssets = balanceReader((body) => fieldOf('balances', heldEntries).parse(body), {
  asset: 'asset',
  free: 'free',
  used: sumOf(amount, 'locked', 'freeze', 'withdrawing'),
});

export const binanceSubAccounts: DeclaredAccount = {
  name: SUB_ACCOUNTS,
  read: async (client) => {
    const found = await listed(client);
    return readSubAccounts(
      found.map(({ email }) => ({ name: email })),
      async ({ name: email }) => ({
        balances: await client.call(ASSETS, { email }, (body, codeOf) => readAssets(body, codeOf, client.lists)),
      }),
      'margin and futures of sub-accounts',
    );
  },
  // "Sub-account function is not enabled." No page has the codes. Users quote the text, such as in
  // binance/binance-connector-python#237 (June 2023), and -9000 and -8012 were recorded in August 2026.
  notOpened: ['-9000', '-8012'],
};
