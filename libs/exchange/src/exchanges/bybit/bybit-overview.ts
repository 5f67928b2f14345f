import { z } from 'zod';
import { Amount } from '#money';
import { readHoldings, type AccountBalance } from '../../capabilities/account-balances.js';
import { fieldOf } from '../../capabilities/entry-fields.js';
import { envelope } from '../../capabilities/envelope.js';
import { amount, heldEntries, listOf, name } from '../../capabilities/response-fields.js';
import type { ExchangeClient, Endpoint } from '../../client/exchange-client.js';

/** Bybit's page asset/balance/asset-overview ("50 req/s"), compared with bybit-exchange/docs of 24 July 2026. */

const OVERVIEW: Endpoint = { method: 'GET', path: '/v5/asset/asset-overview' };

const coinDetail = listOf(z.looseObject({ coin: name, extMap: z.unknown().optional() }));
/** Whether a holding is a liquidity position (`farm`), whose equity is in the unit of its `extMap`: USD. */
const isFarm = ({ extMap }: { extMap?: unknown }): boolean => (extMap ?? null) !== null;
const account = z.object({
  accountType: name,
  coinDetail,
  categories: listOf(z.object({ category: name, coinDetail })),
});
const overviewOf = envelope({ code: 'retCode', success: '0', data: 'result' })(
  fieldOf('list', heldEntries.pipe(z.array(account))),
);
const equity = fieldOf('equity', amount);

export type Held = AccountBalance & { readonly account: string };

/** The equity of each coin in each account, and the accounts with liquidity positions. */
export interface Overview {
  readonly held: Held[];
  readonly farms: ReadonlySet<string>;
}

/**
 * One call for all accounts. It does not say which part of an equity the owner can move at once, so everything is
 * locked. A negative equity is a debt. Of a farm, only its account is named, because its equity is a sum in USD.
 * @param params.memberId the id of a sub-account; absent = the account of the key
 * @param without the accounts that are left out
 */
export function readOverview(
  client: ExchangeClient,
  params: { memberId?: string },
  without: readonly string[] = [],
): Promise<Overview> {
  return client.call(OVERVIEW, params, (body, codeOf) => {
    const listed = overviewOf.parse(body).filter(({ accountType }) => !without.includes(accountType));
    const coins = listed.flatMap(coinsOf);
    const held: Held[] = readHoldings(
      client.lists,
      coins.filter((one) => !isFarm(one)),
      {
        keyOf: ({ account: of, coin }) => ({ account: of, asset: codeOf(coin) }),
        amountsOf: (one) => ({ free: equity.parse(one), used: Amount.zero, kind: 'locked' as const }),
      },
    );
    return { held, farms: new Set(coins.filter(isFarm).map((one) => one.account)) };
  });
}

function coinsOf({ accountType, coinDetail: coins, categories }: z.infer<typeof account>) {
  return [...coins, ...categories.flatMap((one) => one.coinDetail)].map((coin) => ({ ...coin, account: accountType }));
}
