import { z } from 'zod';
import { Amount } from '#money';
import type { TradedPair } from '../port/pair-list.js';
import type { CodeOf } from './asset-names.js';

type OrderTypes = TradedPair['orderTypes'];
export type FeeTiers = TradedPair['feeTiers'];

/** A pair in an exchange's list, before it becomes a `TradedPair`. */
export interface PairEntry {
  readonly base: string;
  readonly quote: string;
  /**
   * The exchange's id of the base asset, by which we look up our code; absent = `base` is this id. `quoteAsset` is the
   * id of the quote asset; absent = `quote` is this id.
   */
  readonly baseAsset?: string;
  readonly quoteAsset?: string;
  readonly symbol: string;
  readonly status: string;
  /** Empty = the exchange takes no market or limit orders now. */
  readonly orderTypes: OrderTypes;
  readonly margin: boolean;
  readonly tickSize: string;
  readonly stepSize: string;
  /** null or zero = the minimum is one step. */
  readonly minBaseQty: string | null;
  /** null or zero = no minimum. */
  readonly minCost: string | null;
  /** Fee tiers, made by `feeTier`, from the lowest volume upwards. */
  readonly feeTiers: FeeTiers;
}

/** An exchange's pair list and the functions that read it, without state. */
export interface PairListing {
  /** Path of the one call that returns all pairs. Numbers in the response are strings: see `parseExactly`. */
  readonly path: string;
  /** Returns the entries in the response. @throws when the response is not a list of pairs. */
  readonly list: (response: unknown) => unknown[];
  /** Parses one entry; null = it is not a spot pair. */
  readonly pair: z.ZodType<PairEntry | null>;
}

/** A pair list with its address. */
export interface PairSource extends PairListing {
  readonly id: string;
  readonly codeOf: CodeOf;
  /** Real base address, which `EXCHANGE_<ID>_URL` overrides; null = the exchange exists only in the sandbox. */
  readonly liveUrl: string | null;
  /** Whether the sandbox exchange provides this list. */
  readonly hasSandbox: boolean;
}

export const BOTH: OrderTypes = ['market', 'limit'];
export const LIMIT_ONLY: OrderTypes = ['limit'];
export const NONE: OrderTypes = [];

/** Maximum number of decimal places; no exchange's list has more. */
const DIGITS_MAX = 30;

/** A decimal as text, with or without an exponent. `toTradedPair` checks its range. */
export const decimal = z.string().regex(/^-?\d{1,60}(\.\d{1,60})?([eE][+-]?\d{1,2})?$/);

/** A number of decimal places, converted to a step: 2 becomes 0.01. */
export const digits = z
  .string()
  .regex(/^\d{1,2}$/)
  .refine((text) => Number(text) <= DIGITS_MAX)
  .transform((text) => Amount.of(`1e-${text}`).toString());

/** The exchange's name of an asset or a pair. */
export const name = z.string().min(1).max(60);

/** Converts a fraction to a percentage: `0.002` → `0.2`. */
export function percent(share: string): string {
  return Amount.of(share).times(Amount.of('100')).toString();
}

/** The fees from a volume upwards, in percent. A fee is negative where the exchange pays makers. */
export function feeTier(volume: string, maker: string, taker: string): FeeTiers[number] {
  return { volume: bounded(volume).toString(), maker: Amount.of(maker).toString(), taker: Amount.of(taker).toString() };
}

/** Fees that do not depend on the volume, in percent. */
export function flatFees(maker: string, taker: string): FeeTiers {
  return [feeTier('0', maker, taker)];
}

/** The codes that pairs may have. The excluded signs separate codes in route ids and in lists of a query. */
const CODE = /^(?!\s)[^,:/\p{C}-]{1,40}(?<!\s)$/u;
/** Largest amount that an entry may contain. */
const LARGEST = Amount.of('1e30');

/**
 * Converts an entry into a pair with plain decimals.
 * @throws when the entry contradicts itself or cannot be used for orders.
 */
export function toTradedPair(entry: PairEntry, codeOf: CodeOf): TradedPair {
  const tick = positive(entry.tickSize);
  const step = positive(entry.stepSize);
  const minimum = bounded(entry.minBaseQty ?? '0');
  const cost = bounded(entry.minCost ?? '0');
  const base = codeOf(entry.baseAsset ?? entry.base);
  const quote = codeOf(entry.quoteAsset ?? entry.quote);
  if (!CODE.test(base) || !CODE.test(quote) || base === quote)
    throw new Error('a pair must have two different assets with valid codes');
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
  if (!amount.isPositive()) throw new Error('a tick size or step size must be above zero');
  return amount;
}

function bounded(text: string): Amount {
  const amount = Amount.of(text);
  if (amount.isNegative() || amount.greaterThan(LARGEST) || amount.decimalPlaces() > DIGITS_MAX) {
    throw new Error('a number of the pair is out of bounds');
  }
  return amount;
}
