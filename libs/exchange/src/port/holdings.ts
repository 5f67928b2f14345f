import { Amount } from '#money';
import type { AssetBalance } from './exchange.port.js';

/**
 * Whether `code` means a holding of `asset`: the asset itself, or a form of the asset that earns interest. The code of
 * such a form has a dot (`USDC.F`). An exchange can debit these forms for a withdrawal of the asset.
 */
export function isHoldingOf(code: string, asset: string): boolean {
  return code === asset || code.startsWith(`${asset}.`);
}

/** The amount that a withdrawal can draw on now. */
export function withdrawableOf({ free, withdrawable }: Pick<AssetBalance, 'free' | 'withdrawable'>): Amount {
  return withdrawable ?? free;
}

/** The sum of an account's holdings of one asset. `WithdrawalCapability.movements` lists the changes of this sum. */
export function totalHeld(balances: readonly AssetBalance[], asset: string): Amount {
  return Amount.sum(balances.filter((balance) => isHoldingOf(balance.asset, asset)).map(({ total }) => total));
}
