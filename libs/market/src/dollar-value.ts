import type { Amount } from '#money';

/** Digits after the point that values in US dollars have: enough for the fee of the smallest amount to show. */
const DECIMALS = 8;

/** What an amount is worth at a price for one unit; null = the price is not known. */
export function dollarValue(amount: Amount, price: Amount | null): Amount | null {
  return price?.times(amount).truncate(DECIMALS) ?? null;
}
