import type { Call } from '../kraken/handler.js';
import { otherHoldings, otherNames, subHoldings, subNames } from '../rest/other-accounts.js';

/** Sources: the pages of bybit-exchange.github.io/docs/v5 (July 2026). */

/** Docs: user/subuid-list */
export const subMembers = (call: Call): unknown => ({
  subMembers: subNames(call).map((username) => ({ uid: username, username, memberType: 1, status: 1, remark: '' })),
});

/** A sub-account has a funding account only. */
const ofMember = (call: Call, memberId: string): unknown => ({
  totalEquity: '1',
  list: [
    {
      accountType: 'FundingAccount',
      totalEquity: '1',
      valuationCurrency: 'USD',
      categories: [],
      coinDetail: subHoldings(call, memberId).map(([coin, equity]) => ({ coin, equity })),
    },
  ],
});

/** Docs: asset/balance/asset-overview. Accounts without a balance are left out, except these two. */
export function overview(call: Call): unknown {
  const { memberId } = call.params;
  if (memberId !== undefined) return ofMember(call, memberId);
  const list = ['FundingAccount', 'UnifiedTradingAccount', ...otherNames(call)].map((accountType) => ({
    accountType,
    totalEquity: '1',
    valuationCurrency: 'USD',
    categories: [],
    coinDetail: otherHoldings(call, accountType).map(([coin, equity]) => ({ coin, equity })),
  }));
  return { totalEquity: '1', list };
}

/** Docs: earn/position. All positions of the sandbox are flexible. */
export function positions(call: Call): unknown {
  const isFlexible = call.params['category'] === 'FlexibleSaving';
  return { list: isFlexible ? otherHoldings(call, 'Earn').map(([coin, amount]) => ({ coin, amount })) : [] };
}
