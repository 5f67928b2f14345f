import type { Amount } from '#money';

/** Digits after the point of values in US dollars: enough to show the fee of the smallest amount. */
const DECIMALS = 8;

/** Value in US dollars of an amount. `price` is the price of one unit; null = the price is not known. */
export function dollarValue(amount: Amount, price: Amount | null): Amount | null {
  return price?.times(amount).truncate(DECIMALS) ?? null;
}
