import type { Call } from '../kraken/handler.js';
import { otherHoldings, otherNames, subHoldings, subNames } from '../rest/other-accounts.js';
import { Refusal } from '../rest/refusal.js';

/** Sources: developers.binance.com/docs (January 2026) */

/** Docs: margin account. -3003 = "Margin account does not exist." */
export function crossMargin(call: Call): unknown {
  const held = otherHoldings(call, 'Cross Margin');
  if (held.length === 0) throw new Refusal('not_opened');
  return { userAssets: held.map(([asset, free]) => ({ asset, free, locked: '0', borrowed: '0', interest: '0' })) };
}

/** Docs: isolated margin account. */
export const isolatedMargin = (): unknown => ({ assets: [] });

/** Docs: Simple Earn, flexible product position. */
export function flexible(call: Call): unknown {
  const rows = otherHoldings(call, 'Earn').map(([asset, totalAmount]) => ({ asset, totalAmount, canRedeem: true }));
  return { rows, total: rows.length };
}

/** Docs: Simple Earn, locked product position. */
export const locked = (): unknown => ({ rows: [], total: 0 });

/** Docs: wallet, "Query User Wallet Balance". The sandbox has no prices, so a wallet with anything has 1. */
export const wallets = (call: Call): unknown =>
  ['Spot', ...otherNames(call)].map((walletName) => ({ activate: true, balance: '1', walletName }));

/** Docs: sub_account, "Query Sub-account Spot Assets Summary". A sub-account with anything has 1. */
export function subSummary(call: Call): unknown {
  const [page, size] = [Number(call.params['page'] ?? 1), Number(call.params['size'] ?? 10)];
  const names = subNames(call);
  return {
    totalCount: names.length,
    masterAccountTotalAsset: '1',
    spotSubUserAssetBtcVoList: names
      .slice((page - 1) * size, page * size)
      .map((email) => ({ email, totalAsset: subHoldings(call, email).length === 0 ? '0' : '1' })),
  };
}

/** Docs: sub_account, "Query Sub-account Assets V4" */
export const subAssets = (call: Call): unknown => ({
  balances: subHoldings(call, call.params['email'] ?? '').map(([asset, free]) => ({
    asset,
    free,
    locked: '0',
    freeze: '0',
    withdrawing: '0',
  })),
});
