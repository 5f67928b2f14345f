import type { Call } from '../kraken/handler.js';
import { otherHoldings, subHoldings, subNames } from '../rest/other-accounts.js';
import { Refusal } from '../rest/refusal.js';

/** Sources: the pages of www.kucoin.com/docs-new/rest (November 2025). */

const assets = (accountType: string, held: [string, string][]) => ({
  accountType,
  ts: 1764731696945,
  accounts: [
    {
      currencies: held.map(([currency, balance]) => ({
        currency,
        equity: balance,
        hold: '0',
        balance,
        available: balance,
        liability: '0',
      })),
    },
  ],
});

/** Docs: ua/get-account-currency-assets-uta. The error for classic accounts is the sandbox's own. */
export function unified(call: Call): unknown {
  if (call.account.isUnified !== true) throw new Refusal('parameter_invalid');
  return assets('UNIFIED', otherHoldings(call, 'unified'));
}

/** Docs: ua/get-account-mode */
export const mode = ({ account }: Call): unknown => ({
  selfAccountMode: account.isUnified === true ? 'UNIFIED' : 'CLASSIC',
  unifiedSubAccount: [],
  classicSubAccount: [],
});

/** Docs: ua/get-account-currency-assets-classic */
export function classic(call: Call): unknown {
  const { accountType = '' } = call.params;
  return assets(accountType, otherHoldings(call, accountType.toLowerCase()));
}

const page = (items: unknown[]) => ({ currentPage: 1, pageSize: 100, totalNum: items.length, totalPage: 1, items });

/** Docs: earn/get-account-holding */
export const earn = (call: Call): unknown =>
  page(otherHoldings(call, 'earn').map(([currency, holdAmount]) => ({ currency, holdAmount, productType: 'DEMAND' })));

/** Docs: account-info/sub-account/get-subaccount-list-spot-balance-v2 */
export const subAccounts = (call: Call): unknown =>
  page(
    subNames(call).map((subName) => ({
      subUserId: subName,
      subName,
      tradeAccounts: [],
      marginAccounts: [],
      tradeHFAccounts: [],
      mainAccounts: subHoldings(call, subName).map(([currency, available]) => ({
        currency,
        balance: available,
        available,
        holds: '0',
      })),
    })),
  );
