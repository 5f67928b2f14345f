import { ExchangeError, type ExchangeSession } from '#exchange';
import { Amount } from '#money';
import type { Order } from '../orders/order.entity.js';

/**
 * What the account holds of the asset that an order spends: the base asset of a sale, the quote asset of a purchase.
 */
export interface OrderFunds {
  free: Amount;
  used: Amount;
  /** What the owner owes of the asset: an exchange may pay an order by a debt. */
  owed: Amount;
}

type Spending = Pick<Order, 'side' | 'baseAsset' | 'quoteAsset'>;

/**
 * Reads what the account holds of the asset that the order spends.
 * @returns null when the exchange does not return the balances, or when an amount of the asset could not be read
 * @throws ExchangeError when the exchange calls the API key invalid
 */
export async function readFunds(
  session: Pick<ExchangeSession, 'balances'>,
  { side, baseAsset, quoteAsset }: Spending,
): Promise<OrderFunds | null> {
  const balances = await session.balances().catch(nullUnlessKeyInvalid);
  if (balances === null) return null;
  const held = balances.find(({ asset }) => asset === (side === 'sell' ? baseAsset : quoteAsset));
  if (held?.isPartial === true) return null;
  const owed = Amount.sum((held?.elsewhere ?? []).filter(({ kind }) => kind === 'owed').map(({ amount }) => amount));
  return { free: held?.free ?? Amount.zero, used: held?.used ?? Amount.zero, owed };
}

/** Whether the account shows that an order may have been executed. */
export function showLess(before: OrderFunds, now: OrderFunds): boolean {
  return now.free.lessThan(before.free) || before.used.lessThan(now.used) || before.owed.lessThan(now.owed);
}

/**
 * Whether the free balance of the account is smaller than the order needs, without fees. The cost of a market order to
 * buy is not known, so it needs any amount of the quote asset.
 */
export function isTooLittle(
  { free }: OrderFunds,
  { side, volume, price }: Pick<Order, 'side' | 'volume' | 'price'>,
): boolean {
  if (!free.isPositive()) return true;
  if (side === 'sell') return free.lessThan(volume);
  return price !== null && free.lessThan(volume.times(price));
}

function nullUnlessKeyInvalid(error: unknown): null {
  if (error instanceof ExchangeError && error.kind !== 'credentials_invalid') return null;
  throw error;
}
