import type { Call } from '../kraken/handler.js';
import { otherHoldings, otherNames, subHoldings, subNames } from '../rest/other-accounts.js';

/** Sources: www.okx.com/docs-v5/en (June 2026) */

/** Docs: #financial-product-simple-earn-flexible-get-saving-balance */
export const savings = (call: Call): unknown =>
  otherHoldings(call, 'savings').map(([ccy, amt]) => ({ ccy, amt, earnings: '0', pendingAmt: '0' }));

/** Docs: #financial-product-on-chain-earn-get-active-orders */
export const staking = (call: Call): unknown =>
  otherHoldings(call, 'staking').map(([ccy, amt]) => ({ ccy, state: '1', investData: [{ ccy, amt }] }));

/** Docs: #funding-account-rest-api-get-account-asset-valuation. An account with anything has 1. */
export const valuation = (call: Call): unknown => [
  {
    details: Object.fromEntries(['funding', 'trading', ...otherNames(call)].map((name) => [name, '1'])),
    totalBal: '1',
  },
];

/** Docs: #sub-account-rest-api-get-sub-account-list */
export const subAccounts = (call: Call): unknown =>
  subNames(call).map((subAcct) => ({ type: '1', enable: true, subAcct, label: '', subAcctLv: '1', frozenFunc: [] }));

/** Docs: #sub-account-rest-api-get-sub-account-funding-balance. All money of a sub-account is here. */
export const subFunding = (call: Call): unknown =>
  subHoldings(call, call.params['subAcct'] ?? '').map(([ccy, availBal]) => ({
    ccy,
    availBal,
    bal: availBal,
    frozenBal: '0',
  }));

/** Docs: #sub-account-rest-api-get-sub-account-trading-balance */
export const subTrading = (): unknown => [{ details: [], totalEq: '0' }];
