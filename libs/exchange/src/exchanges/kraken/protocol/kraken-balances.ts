import { z } from 'zod';
import { Amount } from '#money';
import { mergeAccounts, partsOf, readHoldings, type AccountBalance } from '../../../capabilities/account-balances.js';
import { amount, amountOrZero } from '../../../capabilities/response-fields.js';
import type { ExchangeClient, Endpoint } from '../../../client/exchange-client.js';
import type { AssetBalance } from '../../../port/exchange.port.js';
import { holdingOf, type KrakenHolding } from './kraken-holdings.js';
import { resultOf } from './kraken-responses.js';

const BALANCE_EX: Endpoint = { method: 'POST', path: '/0/private/BalanceEx' };
/** Kraken's only account of spot assets; the name is ours. */
const ACCOUNT = 'spot';

/** Some libraries write an empty object as `[]`. */
const byId = z.union([z.record(z.string(), z.unknown()), z.tuple([]).transform(() => ({}))]);
const entriesById = resultOf(byId.transform((result) => Object.entries(result)));
const entryId = z.tuple([z.string().min(1), z.unknown()]).transform(([id]) => id);
const fields = z.object({ balance: amount, hold_trade: amountOrZero, credit: amountOrZero, credit_used: amountOrZero });
const entryFields = z.tuple([z.string(), fields]).transform(([, entry]) => entry);

type Holding = AccountBalance & KrakenHolding & { readonly balance?: Amount };

/**
 * The balances by our codes of assets. The forms of an asset that earn interest count as the asset. Kraken's page
 * get-extended-balance: "available balance = balance + credit - credit_used - hold_trade". Unused credit is not the
 * owner's, so it is in no amount. It still counts in the available balance: it can cover the amount on hold.
 */
export async function listBalances(client: ExchangeClient): Promise<AssetBalance[]> {
  const assets = await client.assets();
  const held: Holding[] = await client.call(BALANCE_EX, {}, (body) =>
    readHoldings(client.lists, entriesById(body), {
      keyOf: (entry) => holdingOf(entryId.parse(entry), assets),
      amountsOf: (entry) => {
        const { balance, hold_trade: held, credit, credit_used: owed } = entryFields.parse(entry);
        const available = balance.plus(credit).minus(owed).minus(held);
        return { ...partsOf(balance, available), owed, balance };
      },
    }),
  );
  return mergeAccounts([{ name: ACCOUNT, paysWithdrawals: true, balances: held }]).map((balance) => ({
    ...balance,
    holdings: totalsByCode(held.filter(({ asset }) => asset === balance.asset)),
  }));
}

function totalsByCode(held: readonly Holding[]): Map<string, Amount> {
  const totals = new Map<string, Amount>();
  for (const { code, balance = Amount.zero } of held) totals.set(code, balance.plus(totals.get(code) ?? Amount.zero));
  return totals;
}
