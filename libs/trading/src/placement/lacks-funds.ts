import { ExchangeError, type ExchangeSession } from '#exchange';
import type { Order } from '../orders/order.entity.js';

/**
 * Whether the free balance of the account is smaller than the order needs, without fees. The cost of a market order to
 * buy is not known, so it needs any amount of the quote asset. Returns false when the exchange does not return the
 * balances: the exchange then decides.
 */
export async function lacksFunds(
  session: Pick<ExchangeSession, 'balances'>,
  { side, baseAsset, quoteAsset, volume, price }: Pick<Order, 'side' | 'baseAsset' | 'quoteAsset' | 'volume' | 'price'>,
): Promise<boolean> {
  const balances = await session.balances().catch(nullForExchangeErrors);
  if (balances === null) return false;
  const free = balances.find(({ asset }) => asset === (side === 'sell' ? baseAsset : quoteAsset))?.free;
  if (free === undefined || !free.isPositive()) return true;
  if (side === 'sell') return free.lessThan(volume);
  return price !== null && free.lessThan(volume.times(price));
}

function nullForExchangeErrors(error: unknown): null {
  if (error instanceof ExchangeError) return null;
  throw error;
}
