import { Amount } from '#money';
import type { AssetBalance } from './exchange.port.js';

/**
 * Whether `code` names a holding of `asset`: the asset itself, or a form in which the exchange lets it earn. An exchange
 * that keeps such forms apart names them with a dot (Kraken: `USDC.F`), and can debit them for a withdrawal of the asset.
 */
export function isHoldingOf(code: string, asset: string): boolean {
  return code === asset || code.startsWith(`${asset}.`);
}

/** What an account holds of one asset in all of its forms: what `WithdrawalCapability.movements` tells the changes of. */
export function totalHeld(balances: readonly AssetBalance[], asset: string): Amount {
  return balances
    .filter((balance) => isHoldingOf(balance.asset, asset))
    .reduce((sum, { total }) => sum.plus(total), Amount.zero);
}
