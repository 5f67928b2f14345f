import type { Amount } from '#money';

/** Digits after the point of values in US dollars: enough to show the fee of the smallest amount. */
const DECIMALS = 8;

/** Returns the value of an amount in US dollars. `price` is the price of one unit; null = the price is not known. */
export function dollarValue(amount: Amount, price: Amount | null): Amount | null {
  return price?.times(amount).truncate(DECIMALS) ?? null;
}
