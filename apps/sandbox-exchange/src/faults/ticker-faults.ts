import type { TickerForm } from './dialect.js';

export type TickerChange = (ticker: object, index: number) => object;

export function withZeroPrices({ priceFields }: TickerForm): TickerChange {
  return (ticker) => {
    const fields = Object.entries(ticker).map(([name, value]: [string, unknown]) => [
      name,
      priceFields.includes(name) ? zeroOf(value) : value,
    ]);
    return Object.fromEntries(fields) as object;
  };
}

function zeroOf(value: unknown): unknown {
  return Array.isArray(value) ? value.map(() => '0') : '0';
}

export function withMissingFields({ priceFields }: TickerForm): TickerChange {
  return (ticker, index) => {
    if (index % 2 === 1) return ticker;
    return Object.fromEntries(Object.entries(ticker).filter(([name]) => !priceFields.includes(name)));
  };
}
