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

/** An account's holdings of one asset. */
export interface Holdings {
  /** `WithdrawalCapability.movements` lists the changes of this sum. */
  total: Amount;
  /** A withdrawal lowers this sum at once. Some exchanges keep it in `total` until they have sent it. */
  free: Amount;
}

export function holdingsOf(balances: readonly AssetBalance[], asset: string): Holdings {
  const held = balances.filter((balance) => isHoldingOf(balance.asset, asset));
  return { total: Amount.sum(held.map(({ total }) => total)), free: Amount.sum(held.map(({ free }) => free)) };
}
