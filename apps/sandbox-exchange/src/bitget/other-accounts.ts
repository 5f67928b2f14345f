import type { Call } from '../kraken/handler.js';
import { otherHoldings, otherNames, subHoldings, subNames } from '../rest/other-accounts.js';

/** Sources: the pages of www.bitget.com/api-doc (July 2026). */

/** Docs: common/account/All-Account-Balance. The sandbox has no prices, so an account with anything has 1. */
export const totals = (call: Call): unknown =>
  ['spot', ...otherNames(call)].map((accountType) => ({ accountType, usdtBalance: '1' }));

/** Docs: margin/cross/account/Get-Cross-Assets */
export const crossed = (call: Call): unknown =>
  otherHoldings(call, 'margin').map(([coin, available]) => ({
    coin,
    available,
    totalAmount: available,
    frozen: '0',
    borrow: '0',
    interest: '0',
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

/** Docs: spot/account/Get-Subaccount-Assets, "only return the sub-accounts which assets > 0" */
export const subAssets = (call: Call): unknown =>
  subNames(call).map((userId) => ({
    userId,
    assetsList: subHoldings(call, userId).map(([coin, available]) => ({ coin, available, frozen: '0', locked: '0' })),
  }));

/** Docs: common/vsubaccount/Get-Virtual-Subaccount-List. The name of a sub-account of the sandbox is its id, too. */
export const subAccounts = (call: Call): unknown => ({
  endId: 1,
  subAccountList: subNames(call).map((name) => ({ subAccountUid: name, subAccountName: name, status: 'normal' })),
});

/** Docs: uta/account/sub-account/Get-SubAccount-Unified-Assets */
export const subUnifiedAssets = (call: Call): unknown =>
  subNames(call).map((subUid) => ({
    subUid,
    cursor: subUid,
    assets: subHoldings(call, subUid).map(([coin, balance]) => ({
      coin,
      equity: balance,
      balance,
      available: balance,
      debt: '0',
      locked: '0',
    })),
  }));

/** Docs: uta/account/sub-account/SubAccount-Get */
export const subUnifiedAccounts = (call: Call): unknown => ({
  list: subNames(call).map((name) => ({ subUid: name, username: name, status: 'normal', accountMode: 'UNIFIED' })),
  hasNext: false,
});
