import { z } from 'zod';
import { Amount } from '#money';
import { balanceReader, sumOf } from '../../capabilities/account-balances.js';
import { fieldOf } from '../../capabilities/entry-fields.js';
import {
  listedAccount,
  type DeclaredAccount,
  type OtherAccountsDeclaration,
} from '../../capabilities/other-accounts.js';
import { amountOrZero, name, optionalAmount } from '../../capabilities/response-fields.js';
import type { ExchangeClient, Endpoint } from '../../client/exchange-client.js';
import { ExchangeError } from '../../port/exchange-error.js';
import { heldIn } from './bitget-responses.js';
import { bitgetSubAccounts, bitgetUnifiedSubAccounts } from './bitget-sub-accounts.js';

/** The accounts beside the spot and the funding account. Their contract says which pages they were compared with. */

const get = (path: string): Endpoint => ({ method: 'GET', path: `/api/v2/${path}` });

/** Pages margin/cross/account/Get-Cross-Assets and margin/isolated/account/Get-Isolated-Assets. */
const margin = balanceReader(heldIn, {
  asset: 'coin',
  free: 'available',
  used: 'frozen',
  owed: sumOf(amountOrZero, 'borrow', 'interest'),
});
/** Page contract/account/Get-Account-List */
const futures = balanceReader(heldIn, {
  asset: 'marginCoin',
  free: 'available',
  used: fieldOf('locked', amountOrZero),
});
/** Page earn/account/Earn-Assets: it does not say which of the products can be redeemed at any time. */
const earn = balanceReader(heldIn, {
  asset: 'coin',
  free: 'amount',
  used: z.unknown().transform(() => Amount.zero),
  kind: 'locked',
});

const futuresOf = (productType: string): DeclaredAccount =>
  listedAccount(productType, get('mix/account/accounts'), futures, { params: { productType } });

/** The accounts by the names of the overview, each with the calls that read it. */
const byName: Readonly<Record<string, readonly DeclaredAccount[]>> = {
  spot: [],
  funding: [],
  margin: [
    listedAccount('crossed margin', get('margin/crossed/account/assets'), margin),
    listedAccount('isolated margin', get('margin/isolated/account/assets'), margin),
  ],
  futures: [futuresOf('USDT-FUTURES'), futuresOf('COIN-FUTURES'), futuresOf('USDC-FUTURES')],
  earn: [listedAccount('earn', get('earn/account/assets'), earn)],
};

const overviewOf = z.array(z.object({ accountType: name, usdtBalance: optionalAmount }));

/**
 * The accounts of an owner, by page common/account/All-Account-Balance ("1 time/1s"), which has the sum of each. Bitget
 * documents no codes of accounts that are not opened, so only accounts with a balance are read.
 */
export async function bitgetAccounts(client: ExchangeClient): Promise<OtherAccountsDeclaration> {
  const endpoint = get('account/all-account-balance');
  const listed = await client.call(endpoint, {}, (body) => overviewOf.parse(heldIn(body))).catch(nullIfRefused);
  const held = listed
    ?.filter(({ usdtBalance }) => usdtBalance?.isZero() !== true)
    .map(({ accountType }) => accountType);
  const names = held ?? Object.keys(byName);
  const others = held === undefined ? ['other accounts'] : names.filter((one) => byName[one] === undefined);
  return { read: [...names.flatMap((one) => byName[one] ?? []), bitgetSubAccounts], notServed: others };
}

function nullIfRefused(error: unknown): null {
  if (error instanceof ExchangeError) return null;
  throw error;
}

export const bitgetUnifiedAccounts: OtherAccountsDeclaration = {
  read: [bitgetUnifiedSubAccounts],
  // The API v3 documents no list of these accounts.
  notServed: ['earn', 'trading bots'],
};
