import type { Type } from '@nestjs/common';
import { Amount } from '#money';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { CurrentTickers } from '../current-tickers.js';
import { TickerStore } from '../ticker-store.js';

/**
 * Sets the present prices of an exchange, in the database and in the memory of the process.
 * @param db a connection that may write prices, as that of a worker; default: the connection of the process
 */
export async function publishPrices(
  get: <T>(type: Type<T>) => T,
  exchange: string,
  prices: Record<string, string>,
  db = get(Database),
): Promise<void> {
  const amounts = Object.entries(prices).map(([symbol, price]): [string, Amount] => [symbol, Amount.of(price)]);
  await new TickerStore(db).save(exchange, { prices: new Map(amounts), fetchedAt: get(Clock).now() });
  await get(CurrentTickers).reload();
}
