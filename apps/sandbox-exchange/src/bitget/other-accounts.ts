import type { Call } from '../kraken/handler.js';
import { otherHoldings, otherNames } from '../rest/other-accounts.js';

/** Sources: the pages of www.bitget.com/api-doc (July 2026). */

/** Docs: common/account/All-Account-Balance. The sandbox has no prices, so an account with anything has 1. */
export const totals = (call: Call): unknown =>
  ['spot', ...otherNames(call)].map((accountType) => ({ accountType, usdtBalance: '1' }));

/** Docs: margin/cross/account/Get-Cross-Assets */
export const crossed = (call: Call): unknown =>
  otherHoldings(call, 'margin').map(([coin, available]) => ({
    ...{ coin, available, totalAmount: available, frozen: '0', borrow: '0', interest: '0' },
  }));

/** Docs: margin/isolated/account/Get-Isolated-Assets */
export const isolated = (): unknown => [];

/** Docs: contract/account/Get-Account-List. The sandbox has no other product type. */
export const futures = (call: Call): unknown =>
  call.params['productType'] === 'USDT-FUTURES'
    ? otherHoldings(call, 'futures').map(([marginCoin, available]) => ({ marginCoin, available, locked: '0' }))
    : [];

/** Docs: earn/account/Account-Assets */
export const earn = (call: Call): unknown => otherHoldings(call, 'earn').map(([coin, amount]) => ({ coin, amount }));
