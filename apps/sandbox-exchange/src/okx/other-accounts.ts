import type { Call } from '../kraken/handler.js';
import { otherHoldings, otherNames } from '../rest/other-accounts.js';

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
