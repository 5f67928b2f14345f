import { z } from 'zod';
import { Amount } from '#money';
import { balanceReader } from '../../capabilities/account-balances.js';
import { fieldOf } from '../../capabilities/entry-fields.js';
import { envelope } from '../../capabilities/envelope.js';
import {
  listedAccount,
  type DeclaredAccount,
  type OtherAccountsDeclaration,
} from '../../capabilities/other-accounts.js';
import { heldEntries, optionalAmount } from '../../capabilities/response-fields.js';
import type { Endpoint } from '../../client/exchange-client.js';
import { heldIn } from './okx-responses.js';
import { okxSubAccounts } from './okx-sub-accounts.js';

/** The accounts beside the funding and the trading account, compared with www.okx.com/docs-v5/en (27 June 2026). */

const get = (path: string): Endpoint => ({ method: 'GET', path: `/api/v5/${path}` });
const none = { used: z.unknown().transform(() => Amount.zero) };

/** #financial-product-simple-earn-flexible-get-saving-balance ("6 requests per second"). */
const savings = balanceReader(heldIn, { asset: 'ccy', free: 'amt', ...none, kind: 'earning' });

/** #financial-product-on-chain-earn-get-active-orders ("3 requests per second"). */
const invested = z.array(fieldOf('investData', heldEntries));
const staking = balanceReader((body) => invested.parse(heldIn(body)).flat(), {
  asset: 'ccy',
  free: 'amt',
  ...none,
  kind: 'locked',
});

const details = envelope({ code: 'code', success: '0', data: 'data' })(
  z.tuple([fieldOf('details', z.record(z.string(), optionalAmount))]),
);
/** The accounts of #funding-account-rest-api-get-account-asset-valuation that other calls read wholly. */
const READ = ['funding', 'trading'];
/**
 * The sum of each account ("1 request per second"). `earn` contains the savings and the staking, which are read, and
 * other products, which no call lists by asset. `classic` is the account of earlier versions of the API.
 */
const overview: DeclaredAccount = {
  name: 'other accounts',
  read: async (client) => {
    const [held] = await client.call(get('asset/asset-valuation'), {}, (body) => details.parse(body));
    const unread = Object.entries(held).filter(([account, sum]) => sum?.isZero() !== true && !READ.includes(account));
    return { balances: [], unread: unread.map(([account]) => ({ account, reason: 'not_served' as const })) };
  },
};

export const okxAccounts: OtherAccountsDeclaration = {
  read: [
    listedAccount('savings', get('finance/savings/balance'), savings),
    listedAccount('staking', get('finance/staking-defi/orders-active'), staking),
    overview,
    okxSubAccounts,
  ],
};
