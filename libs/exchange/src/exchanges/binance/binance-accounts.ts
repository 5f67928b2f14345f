import { z } from 'zod';
import { Amount } from '#money';
import { balanceReader, readHoldings, sumOf } from '../../capabilities/account-balances.js';
import { allPages } from '../../capabilities/cursor-pages.js';
import { fieldOf } from '../../capabilities/entry-fields.js';
import {
  listedAccount,
  type DeclaredAccount,
  type OtherAccountsDeclaration,
} from '../../capabilities/other-accounts.js';
import { amount, entriesOf, heldEntries, name, optionalAmount } from '../../capabilities/response-fields.js';
import type { ExchangeClient, Endpoint } from '../../client/exchange-client.js';
import type { AssetBalance } from '../../port/balance.port.js';
import { readResponse } from '../../transport/failed-read.js';
import { binanceSubAccounts } from './binance-sub-accounts.js';

/**
 * The accounts beside the spot and the funding wallet, each with the weight of one call for the address. Their contract
 * says which pages they were compared with.
 */

const get = (path: string): Endpoint => ({ method: 'GET', path: `/sapi/v1/${path}` });
/** Simple Earn: "Currently querying the page. Start from 1", "Default:10, Max:100". */
const PAGE_SIZE = 100;

/** Margin: what the owner has borrowed is in `free` and `locked`. */
const margin = {
  asset: 'asset',
  free: 'free',
  used: fieldOf('locked', amount),
  owed: sumOf(amount, 'borrowed', 'interest'),
};
const crossMargin = balanceReader((body) => fieldOf('userAssets', heldEntries).parse(body), margin);
const pairs = fieldOf('assets', z.array(z.object({ baseAsset: z.unknown(), quoteAsset: z.unknown() })));
const isolatedMargin = balanceReader(
  (body) => pairs.parse(body).flatMap(({ baseAsset, quoteAsset }) => [baseAsset, quoteAsset]),
  margin,
);

const none = { used: z.unknown().transform(() => amount.parse('0')) };
const assetOf = fieldOf('asset', name);
const flexible = z.object({ totalAmount: amount, canRedeem: z.boolean().nullish() });
const locked = balanceReader(entriesOf, { asset: 'asset', free: 'amount', ...none, kind: 'locked' });

/** Simple Earn: pages with `rows`. The weight of a page is 150. */
function earnRows(client: ExchangeClient, path: string): Promise<unknown[]> {
  const rows = fieldOf('rows', heldEntries);
  return allPages(client.exchange, async (cursor) => {
    const current = cursor ?? '1';
    const found = await client.call(get(path), { current, size: String(PAGE_SIZE) }, (body) => rows.parse(body));
    return { entries: found, nextCursor: found.length < PAGE_SIZE ? null : String(Number(current) + 1) };
  });
}

/** Whether the list of the spot wallet has already shown the asset as earning. */
const isShown = (own: readonly AssetBalance[], asset: string): boolean =>
  own.some((one) => one.asset === asset && one.elsewhere?.some(({ kind }) => kind === 'earning') === true);

const earn: DeclaredAccount = {
  name: 'Earn',
  read: async (client, own) => {
    const codeOf = await client.codes();
    const onDemand = await earnRows(client, 'simple-earn/flexible/position');
    const fixed = await earnRows(client, 'simple-earn/locked/position');
    return readResponse(client.exchange, 'simple-earn', onDemand, () => ({
      balances: [
        ...readHoldings(client.lists, onDemand, {
          keyOf: (entry) => ({ asset: codeOf(assetOf.parse(entry)) }),
          amountsOf: (entry) => {
            const { totalAmount: free, canRedeem } = flexible.parse(entry);
            return { free, used: Amount.zero, kind: canRedeem === false ? 'locked' : 'earning' };
          },
        }).filter(({ asset }) => !isShown(own, asset)),
        ...locked(fixed, codeOf, client.lists),
      ],
    }));
  },
};

/** The wallets of asset/wallet/balance that are read by other calls. `Earn` may also have products that are not. */
const READ = ['Spot', 'Funding', 'Cross Margin', 'Cross Margin (PM)', 'Isolated Margin', 'Earn'];
const wallets = z.array(z.object({ walletName: name, balance: optionalAmount }));

/**
 * The wallets that have other hosts, such as those of futures and options, have a sum here (weight 60). A wallet with a
 * balance, or without a readable one, is named.
 */
const overview: DeclaredAccount = {
  name: 'other wallets',
  read: async (client) => {
    const held = await client.call(get('asset/wallet/balance'), {}, (body) => wallets.parse(body));
    const unread = held.filter(({ walletName, balance }) => balance?.isZero() !== true && !READ.includes(walletName));
    return {
      balances: [],
      unread: unread.map(({ walletName: account }) => ({ account, reason: 'not_served' as const })),
    };
  },
};

export const binanceAccounts: OtherAccountsDeclaration = {
  read: [
    // Weight 10. margin_trading/best-practice (undated copy): {"code":-3003, "msg":"Margin account does not exist."}
    listedAccount('Cross Margin', get('margin/account'), crossMargin, { notOpened: ['-3003'] }),
    // Weight 10. -11001, "Isolated margin account does not exist.", was found on no page. It is quoted by
    // sammchardy/python-binance#630 (2020) and JKorf/Binance.Net#1073 (2022).
    listedAccount('Isolated Margin', get('margin/isolated/account'), isolatedMargin, {
      notOpened: ['-11001', '-3003'],
    }),
    earn,
    overview,
    binanceSubAccounts,
  ],
};
