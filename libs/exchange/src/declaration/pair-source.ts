import { z } from 'zod';
import { Amount } from '#money';
import type { TradedPair } from '../port/pair-list.js';

type OrderTypes = TradedPair['orderTypes'];
export type FeeTiers = TradedPair['feeTiers'];

/** A pair as it stands in an exchange's list: everything that `TradedPair` is made of. */
export interface PairEntry {
  readonly base: string;
  readonly quote: string;
  /** The id that stands for the asset where codes are told; absent = that of the pair. */
  readonly baseAsset?: string;
  readonly quoteAsset?: string;
  readonly symbol: string;
  readonly status: string;
  /** None = it takes no plain orders now. */
  readonly orderTypes: OrderTypes;
  readonly margin: boolean;
  readonly tickSize: string;
  readonly stepSize: string;
  /** null, or zero = one step. */
  readonly minBaseQty: string | null;
  /** null, or zero = none. */
  readonly minCost: string | null;
  /** Of `feeTier`, from the lowest volume on. */
  readonly feeTiers: FeeTiers;
}

/** Where the pairs of one exchange are, and how its list is read: data, and functions without state. */
export interface PairSource {
  readonly id: string;
  /** Class of ccxt whose codes name the assets; null = the exchange uses ours. */
  readonly ccxtId: string | null;
  /** Real base address, which `EXCHANGE_<ID>_URL` overrides; null = the exchange exists in the sandbox alone. */
  readonly liveUrl: string | null;
  /** Whether the sandbox exchange has this list, too. */
  readonly hasSandbox: boolean;
  /** The one call that answers all pairs. Numbers of its response are texts: `parseExactly`. */
  readonly path: string;
  /** @throws when the response is no such list. */
  readonly list: (response: unknown) => unknown[];
  /** One entry; null = no spot pair, so none of ours. */
  readonly pair: z.ZodType<PairEntry | null>;
}

export const BOTH: OrderTypes = ['market', 'limit'];
export const LIMIT_ONLY: OrderTypes = ['limit'];
export const NONE: OrderTypes = [];

/** More digits after the point than any list has. */
const DIGITS_MAX = 30;

/** A decimal as text; exponents are understood. Whether it is one that can be used is seen when it is. */
export const decimal = z.string().regex(/^-?\d{1,60}(\.\d{1,60})?([eE][+-]?\d{1,2})?$/);

/** How many digits after the point: the smallest step that has them. */
export const digits = z
  .string()
  .regex(/^\d{1,2}$/)
  .refine((text) => Number(text) <= DIGITS_MAX)
  .transform((text) => Amount.of(`1e-${text}`).toString());

/** A name of the exchange's: of an asset or a pair. */
export const name = z.string().min(1).max(60);

/** A share as a percentage: `0.002` → `0.2`. */
export function percent(share: string): string {
  return Amount.of(share).times(Amount.of('100')).toString();
}

/** What is charged from a volume on, in percent; makers may be paid. */
export function feeTier(volume: string, maker: string, taker: string): FeeTiers[number] {
  return {
    volume: bounded(volume).toString(),
    maker: Amount.of(maker).toString(),
    taker: Amount.of(taker).toString(),
  };
}

/** The same fees for everybody. In percent. */
export function flatFees(maker: string, taker: string): FeeTiers {
  return [feeTier('0', maker, taker)];
}

/** What an asset code may be: it stands in route ids and in queries, between commas. */
const CODE = /^[^\s,:/\p{C}-]{1,40}$/u;
/** No list has more before the point. */
const LARGEST = Amount.of('1e30');

/**
 * What an order has to know, in plain decimals.
 * @throws when the entry contradicts itself or cannot be traded by.
 */
export function toTradedPair(entry: PairEntry, codeOf: (assetId: string) => string): TradedPair {
  const tick = positive(entry.tickSize);
  const step = positive(entry.stepSize);
  const minimum = bounded(entry.minBaseQty ?? '0');
  const cost = bounded(entry.minCost ?? '0');
  const base = codeOf(entry.baseAsset ?? entry.base);
  const quote = codeOf(entry.quoteAsset ?? entry.quote);
  if (!CODE.test(base) || !CODE.test(quote) || base === quote) throw new Error('no codes');
  return {
    base,
    quote,
    exchangeBase: entry.base,
    exchangeQuote: entry.quote,
    exchangeSymbol: entry.symbol,
    status: entry.status.toLowerCase(),
    isTradingEnabled: entry.orderTypes.length > 0,
    isMarginEnabled: entry.margin,
    orderTypes: [...entry.orderTypes],
    tickSize: tick.toString(),
    priceDecimals: tick.decimalPlaces(),
    minBaseQty: (minimum.isZero() ? step : minimum).toString(),
    stepSize: step.toString(),
    quantityDecimals: step.decimalPlaces(),
    minCost: cost.isZero() ? null : cost.toString(),
    feeTiers: entry.feeTiers,
  };
}

function positive(text: string): Amount {
  const amount = bounded(text);
  if (!amount.isPositive()) throw new Error('not above zero');
  return amount;
}

function bounded(text: string): Amount {
  const amount = Amount.of(text);
  if (amount.isNegative() || amount.greaterThan(LARGEST) || amount.decimalPlaces() > DIGITS_MAX) {
    throw new Error('out of bounds');
  }
  return amount;
}
