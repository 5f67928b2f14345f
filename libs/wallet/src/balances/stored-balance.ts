import type { AccountAmount, AssetBalance } from '#exchange';
import { Amount } from '#money';

/** A stored balance. Amounts are texts, because JSON numbers may lose digits. */
export interface BalanceRow {
  asset: string;
  free: string;
  used: string;
  total: string;
  withdrawable: string | null;
  /** Rows of earlier versions have no kinds, and their amounts are free. */
  elsewhere: { account: string; kind?: AccountAmount['kind']; amount: string }[];
  isPartial?: boolean;
}

export function toBalance(row: BalanceRow): AssetBalance {
  const { asset, free, used, total, withdrawable, elsewhere, isPartial } = row;
  return {
    asset,
    free: Amount.of(free),
    used: Amount.of(used),
    total: Amount.of(total),
    ...(withdrawable !== null && { withdrawable: Amount.of(withdrawable) }),
    ...(elsewhere.length > 0 && {
      elsewhere: elsewhere.map(({ account, kind = 'free', amount }) => ({ account, kind, amount: Amount.of(amount) })),
    }),
    ...(isPartial === true && { isPartial }),
  };
}
