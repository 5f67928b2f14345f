import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { Amount } from '#money';
import { fieldOf } from '../../capabilities/entry-fields.js';
import { pairForm } from '../../capabilities/pair-form.js';
import { entries } from '../../capabilities/response-fields.js';
import { krakenAssetId } from './kraken-assets.js';
import { noErrors } from './kraken-responses.js';
import {
  BOTH,
  LIMIT_ONLY,
  decimal,
  digits,
  feeTier,
  name,
  type FeeTiers,
  type PairListing,
} from '../../declaration/pair-source.js';

/** The envelope of every response: a list without errors, and the result by pair id. */
const response = z.object({ error: noErrors, result: z.record(z.string(), z.unknown()) });

/** Pairs of a 30-day volume and a fee in percent. The fee is negative where Kraken pays makers. */
const schedule = z.array(z.tuple([decimal, decimal]));

const CURRENCY = 'currency';

/** The name by which we look up our asset code. */
const assetOf = (field: string, part: 0 | 1) =>
  z
    .object({ [field]: name, wsname: z.string().optional() })
    .transform((one) => krakenAssetId(one[field] ?? '', one.wsname?.split('/')[part]));

/**
 * Kraken. Pairs of tokenized assets are left out, because orders for them need parameters that our orders do not have.
 * docs.kraken.com/api-reference/market-data/get-tradable-asset-pairs
 */
export const krakenPairs: PairListing = {
  path: '/0/public/AssetPairs',
  list: (body) => Object.values(response.parse(body).result),
  pair: pairForm({
    isSpot: z
      .object({ aclass_base: z.string(), aclass_quote: z.string() })
      .transform((one) => one.aclass_base === CURRENCY && one.aclass_quote === CURRENCY),
    base: 'base',
    quote: 'quote',
    baseAsset: assetOf('base', 0),
    quoteAsset: assetOf('quote', 1),
    symbol: 'altname',
    status: 'status',
    minBaseQty: fieldOf('ordermin', decimal),
    minCost: 'costmin',
    // Other states take no plain orders: `cancel_only`, `post_only` (orders that do not trade at once), `reduce_only`
    // (margin only).
    orderTypes: { online: BOTH, limit_only: LIMIT_ONLY },
    margin: fieldOf('leverage_buy', entries).transform((levels) => levels.length > 0),
    // A tick may be coarser than the decimals of a price. A finer tick contradicts them, so the pair is left out.
    tickSize: z
      .object({ tick_size: decimal, pair_decimals: digits })
      .refine((one) => Amount.of(one.tick_size).isMultipleOf(Amount.of(one.pair_decimals)))
      .transform((one) => one.tick_size),
    stepSize: z.object({ lot_decimals: digits, lot_multiplier: z.literal('1') }).transform((one) => one.lot_decimals),
    feeTiers: z.object({ fees: schedule, fees_maker: schedule }).transform((one) => tiersOf(one.fees, one.fees_maker)),
  }),
};

type Schedule = z.infer<typeof schedule>;

interface Step {
  readonly from: Amount;
  readonly rate: string;
}

/**
 * The merged fee tiers by their schedules. We keep them, because a thousand pairs share a handful of schedules, and
 * merging one takes as long as reading the rest of a pair.
 */
const merged = new LRUCache<string, FeeTiers>({ max: 100 });

function tiersOf(takers: Schedule, makers: Schedule): FeeTiers {
  const key = JSON.stringify([takers, makers]);
  const tiers = merged.get(key) ?? merge(takers, makers);
  merged.set(key, tiers);
  return tiers;
}

/**
 * Merges the fees of takers and makers: a tier begins where the fee of takers or of makers changes. Without a schedule
 * of their own, makers pay the fees of takers.
 */
function merge(takers: Schedule, makers: Schedule): FeeTiers {
  const taking = stepsOf(takers);
  const making = makers.length === 0 ? taking : stepsOf(makers);
  const starts = new Map([...taking, ...making].map(({ from }) => [from.toString(), from]));
  return [...starts]
    .sort(([, a], [, b]) => a.compare(b))
    .flatMap(([volume, from]) => {
      const [taker, maker] = [rateAt(taking, from), rateAt(making, from)];
      return taker === undefined || maker === undefined ? [] : [feeTier(volume, maker, taker)];
    });
}

function stepsOf(rates: Schedule): Step[] {
  return rates.map(([from, rate]) => ({ from: Amount.of(from), rate })).sort((a, b) => a.from.compare(b.from));
}

function rateAt(steps: readonly Step[], volume: Amount): string | undefined {
  return steps.findLast(({ from }) => !from.greaterThan(volume))?.rate;
}
