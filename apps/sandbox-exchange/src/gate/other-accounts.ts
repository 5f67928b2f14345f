import type { Call } from '../kraken/handler.js';
import { heldAssets } from '../rest/account.js';
import { otherHoldings, otherNames, subHoldings, subNames } from '../rest/other-accounts.js';
import { Refusal } from '../rest/refusal.js';

/** Sources: www.gate.com/docs/developers/apiv4 (June 2026) */

/** Docs: unified, "Get unified account information". All money of a unified account is here. */
export function unified(call: Call): unknown {
  if (call.account.isUnified !== true) throw new Refusal('permission_missing');
  const held = heldAssets(call).map(({ code, free: available, held: freeze }) => [
    code,
    { available, freeze, borrowed: '0', negative_liab: '0', equity: available, total_freeze: '0', total_liab: '0' },
  ]);
  return { user_id: 10001, locked: false, balances: Object.fromEntries(held) as unknown };
}

/** Docs: margin, "Margin account list". The sandbox has one pair for each asset. */
export const margin = (call: Call): unknown =>
  otherHoldings(call, 'margin').map(([currency, available]) => {
    const side = (code: string, amount: string) => ({
      currency: code,
      available: amount,
      locked: '0',
      borrowed: '0',
      interest: '0',
    });
    return {
      currency_pair: `${currency}_USDT`,
      locked: false,
      base: side(currency, available),
      quote: side('USDT', '0'),
    };
  });

/** Docs: futures, "Get futures account". Label list: USER_NOT_FOUND = "User has no futures account". */
export function futures(call: Call): unknown {
  const currency = (call.params['settle'] ?? '').toUpperCase();
  const found = otherHoldings(call, 'futures').find(([code]) => code === currency);
  if (found === undefined) throw new Refusal('not_opened');
  return { user: 1666, currency, total: found[1], available: found[1], position_margin: '0', order_margin: '0' };
}

/** Docs: earnuni, "Query user's lending order list" */
export const lends = (call: Call): unknown =>
  otherHoldings(call, 'finance').map(([currency, amount]) => ({ currency, amount, current_amount: amount }));

/** Docs: wallet, "Query sub-account balance information" */
export const subBalances = (call: Call): unknown =>
  subNames(call).map((uid) => ({ uid, available: Object.fromEntries(subHoldings(call, uid)) }));

/** Docs: subaccount, "List sub-accounts". The name of a sub-account of the sandbox is its id, too. */
export const subAccounts = (call: Call): unknown =>
  subNames(call).map((user_id) => ({ user_id, login_name: user_id, state: 1, type: 1 }));

/** Docs: wallet, the isolated margin and the futures accounts of sub-accounts. */
export const subOthers = (): unknown => [];

/** Docs: wallet, "Query personal account totals". The sandbox has no prices, so an account with anything has 1. */
export function totals(call: Call): unknown {
  const names = otherNames(call);
  const sum = { currency: 'USDT', amount: '1' };
  return { details: Object.fromEntries(['spot', ...names].map((name) => [name, sum])), total: sum };
}
