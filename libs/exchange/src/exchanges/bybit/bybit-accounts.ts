import { z } from 'zod';
import { Amount } from '#money';
import { readHoldings, type AccountBalance } from '../../capabilities/account-balances.js';
import { fieldOf } from '../../capabilities/entry-fields.js';
import { envelope } from '../../capabilities/envelope.js';
import { type DeclaredAccount, type OtherAccountsDeclaration } from '../../capabilities/other-accounts.js';
import { amount, heldEntries, listOf, name, optionalAmount } from '../../capabilities/response-fields.js';
import type { ExchangeClient, Endpoint } from '../../client/exchange-client.js';
import { ExchangeError } from '../../port/exchange-error.js';

/** The accounts beside the funding and the unified account, compared with bybit-exchange/docs of 24 July 2026. */

const get = (path: string): Endpoint => ({ method: 'GET', path: `/v5/${path}` });
const success = envelope({ code: 'retCode', success: '0', data: 'result' });

const coinDetail = listOf(z.looseObject({ coin: name, extMap: z.unknown().optional() }));
/** Whether a holding is a liquidity position (`farm`), whose equity is in the unit of its `extMap`: USD. */
const isFarm = ({ extMap }: { extMap?: unknown }): boolean => (extMap ?? null) !== null;
const account = z.object({
  accountType: name,
  coinDetail,
  categories: listOf(z.object({ category: name, coinDetail })),
});
const overviewOf = success(fieldOf('list', heldEntries.pipe(z.array(account))));
const equity = fieldOf('equity', amount);
const position = z.object({ coin: name, amount, availableAmount: optionalAmount });
const positionsOf = success(fieldOf('list', heldEntries));

/** The accounts of asset/balance/asset-overview (enum#assetaccounttype) that other calls read. */
const READ = ['FundingAccount', 'UnifiedTradingAccount'];
const EARN = 'Earn';

type Held = AccountBalance & { readonly account: string };

/**
 * Bybit's page asset/balance/asset-overview: one call for all accounts, with the equity of each coin. What it does not
 * say is which part of it the owner can move at once, so everything is locked, except the positions of Easy Earn that
 * the owner can redeem at any time (page finance/earn/easy-onchain/position, category FlexibleSaving). A negative
 * equity is a debt. Of a farm, only its account is named, because its equity is a sum in USD.
 */
const overview: DeclaredAccount = {
  name: 'asset overview',
  read: async (client) => {
    const { held, farms } = await client.call(get('asset/asset-overview'), {}, (body, codeOf) => {
      const listed = overviewOf.parse(body).filter(({ accountType }) => !READ.includes(accountType));
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
    const unread = [...farms].map((one) => ({ account: one, reason: 'not_served' as const }));
    if (!held.some((one) => one.account === EARN)) return { balances: held, unread };
    const flexible = await flexiblePositions(client).catch(noneIfRefused);
    return { balances: withFlexible(held, flexible), unread };
  },
};

function coinsOf({ accountType, coinDetail: coins, categories }: z.infer<typeof account>) {
  return [...coins, ...categories.flatMap((one) => one.coinDetail)].map((coin) => ({ ...coin, account: accountType }));
}

/** Without the permission for Earn, all of the Earn account counts as locked. */
function noneIfRefused(error: unknown): ReadonlyMap<string, Amount> {
  if (error instanceof ExchangeError) return new Map();
  throw error;
}

/** `availableAmount` is the "Redeemable amount": a part of a position can be frozen, for example as collateral. */
async function flexiblePositions(client: ExchangeClient): Promise<ReadonlyMap<string, Amount>> {
  const codeOf = await client.codes();
  const params = { category: 'FlexibleSaving' };
  const listed = await client.call(get('earn/position'), params, (body) =>
    client.lists.read('balances', positionsOf.parse(body), (entry) => position.parse(entry)),
  );
  const sums = new Map<string, Amount>();
  for (const { coin, amount: whole, availableAmount } of listed) {
    const asset = codeOf(coin);
    const more = availableAmount?.lessThan(whole) === true ? availableAmount : whole;
    sums.set(asset, more.plus(sums.get(asset) ?? Amount.zero));
  }
  return sums;
}

/** Splits the holdings of the Earn account into what the owner can redeem at any time and the rest. */
function withFlexible(held: readonly Held[], flexible: ReadonlyMap<string, Amount>): Held[] {
  const left = new Map(flexible);
  return held.flatMap((one): Held[] => {
    const rest = left.get(one.asset) ?? Amount.zero;
    if (one.account !== EARN || !rest.isPositive()) return [one];
    const part = rest.lessThan(one.free) ? rest : one.free;
    left.set(one.asset, rest.minus(part));
    return [
      { ...one, free: part, kind: 'earning' },
      { ...one, free: one.free.minus(part) },
    ];
  });
}

export const bybitAccounts: OtherAccountsDeclaration = {
  // "5 req/s" for both calls.
  read: [overview],
  // Bybit lists the assets of a sub-account to the master account, one call for each.
  notServed: ['sub-accounts'],
};
