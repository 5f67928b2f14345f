import { z } from 'zod';
import { Amount } from '#money';
import { fieldOf } from '../../capabilities/entry-fields.js';
import { envelope } from '../../capabilities/envelope.js';
import { type DeclaredAccount, type OtherAccountsDeclaration } from '../../capabilities/other-accounts.js';
import { amount, heldEntries, name, optionalAmount } from '../../capabilities/response-fields.js';
import type { ExchangeClient, Endpoint } from '../../client/exchange-client.js';
import { ExchangeError } from '../../port/exchange-error.js';
import { readOverview, type Held } from './bybit-overview.js';
import { bybitSubAccounts } from './bybit-sub-accounts.js';

/** The accounts beside the funding and the unified account, compared with bybit-exchange/docs of 24 July 2026. */

const get = (path: string): Endpoint => ({ method: 'GET', path: `/v5/${path}` });
const success = envelope({ code: 'retCode', success: '0', data: 'result' });

const position = z.object({ coin: name, amount, availableAmount: optionalAmount });
const positionsOf = success(fieldOf('list', heldEntries));

/** The accounts of asset/balance/asset-overview (enum#assetaccounttype) that other calls read. */
const READ = ['FundingAccount', 'UnifiedTradingAccount'];
const EARN = 'Earn';

/**
 * The asset overview: everything is locked, except the positions of Easy Earn that the owner can redeem at any time
 * (page finance/earn/easy-onchain/position, category FlexibleSaving, "5 req/s").
 */
const overview: DeclaredAccount = {
  name: 'asset overview',
  read: async (client) => {
    const { held, farms } = await readOverview(client, {}, READ);
    const unread = [...farms].map((one) => ({ account: one, reason: 'not_served' as const }));
    if (!held.some((one) => one.account === EARN)) return { balances: held, unread };
    const flexible = await flexiblePositions(client).catch(noneIfRefused);
    return { balances: withFlexible(held, flexible), unread };
  },
};

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
  read: [overview, bybitSubAccounts],
  // Page user/fund-subuid-list: another list, for institutions.
  notServed: ['fund custodial sub-accounts'],
};
