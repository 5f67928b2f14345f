import { Amount } from '#money';
import { assets, type SandboxAsset } from './assets.js';
import type { PairStatus } from '../ledger/records.js';
import { bases, unusualRules, quotes, type Base, type Quote } from './markets.js';

/** A tier of a fee schedule: the 30-day volume in US dollars from which it applies, and its fee in percent. */
export type FeeTier = readonly [volume: number, percent: number];

/**
 * Names and types follow docs.kraken.com/api-reference/market-data/get-tradable-asset-pairs, where some numbers are
 * JSON numbers and others are texts.
 */
export interface AssetPair {
  readonly altname: string;
  readonly wsname: string;
  readonly aclass_base: 'currency';
  readonly base: string;
  readonly aclass_quote: 'currency';
  readonly quote: string;
  readonly lot: 'unit';
  readonly cost_decimals: number;
  readonly pair_decimals: number;
  readonly lot_decimals: number;
  readonly lot_multiplier: number;
  readonly leverage_buy: readonly number[];
  readonly leverage_sell: readonly number[];
  readonly fees: readonly FeeTier[];
  readonly fees_maker: readonly FeeTier[];
  readonly fee_volume_currency: string;
  readonly margin_call: number;
  readonly margin_stop: number;
  readonly ordermin: string;
  readonly costmin: string;
  readonly tick_size: string;
  readonly status: PairStatus;
}

export interface SandboxPair {
  /** Key of the pair in Kraken's responses, e.g. `XXBTZUSD`. */
  readonly id: string;
  readonly info: AssetPair;
  /** Initial price; a whole number of ticks. */
  readonly startPrice: string;
  /** Value of one unit of the base asset in dollars, for the 30-day volume. */
  readonly dollars: string;
}

const taker: readonly FeeTier[] = [
  [0, 0.4],
  [10000, 0.35],
  [50000, 0.24],
  [100000, 0.22],
  [250000, 0.2],
  [500000, 0.18],
  [1000000, 0.16],
  [2500000, 0.14],
  [5000000, 0.12],
  [10000000, 0.1],
];
const maker: readonly FeeTier[] = [
  [0, 0.25],
  [10000, 0.2],
  [50000, 0.14],
  [100000, 0.12],
  [250000, 0.08],
  [500000, 0.06],
  [1000000, 0.04],
  [2500000, 0.02],
  [5000000, 0],
  [10000000, 0],
];
/** Fee tiers of the pairs whose assets are both currencies or stablecoins. */
const stable: readonly FeeTier[] = [
  [0, 0.2],
  [50000, 0.16],
  [100000, 0.12],
  [250000, 0.08],
  [500000, 0.04],
  [1000000, 0],
];
const pegged = new Set(['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'CHF', 'JPY', 'USDT', 'USDC', 'DAI', 'PYUSD']);

/**
 * When both assets of a pair have ids with Kraken's old prefix X or Z, the id of the pair joins these ids: `XXBTZUSD`.
 * The pairs in this list are exceptions: their id is the short name (Kraken's field `altname`), such as `XDGUSD`.
 */
const modernNames = new Set(['XDGUSD', 'XDGEUR', 'XDGGBP', 'LTCGBP', 'XRPGBP', 'XLMGBP', 'EURGBP', 'EURCAD', 'EURJPY']);
const oldNames: Readonly<Record<string, string>> = { USDTUSD: 'USDTZUSD' };

const statuses: Readonly<Record<string, PairStatus>> = {
  'KSM/USD': 'cancel_only',
  'KSM/EUR': 'cancel_only',
  'XMR/XBT': 'post_only',
  'DASH/USD': 'limit_only',
};

const leveraged = new Set(['BTC', 'ETH', 'SOL', 'XRP', 'ADA', 'LTC']);

function assetOf(code: string): SandboxAsset {
  const asset = assets.find((candidate) => candidate.code === code);
  if (asset === undefined) throw new Error(`there is no asset ${code}`);
  return asset;
}

function pairId(base: SandboxAsset, quote: SandboxAsset): string {
  const altname = base.altname + quote.altname;
  const bothOld = base.id !== base.altname && quote.id !== quote.altname;
  const modern = modernNames.has(altname) || ['AUD', 'CHF'].includes(quote.altname) || base.altname === 'AUD';
  return bothOld && !modern ? base.id + quote.id : (oldNames[altname] ?? altname);
}

/** The largest multiple of the tick size that is not above the price. */
export function floorToTick(price: Amount, { pair_decimals: digits, tick_size: tick }: AssetPair): Amount {
  const scale = Amount.of(`1e${digits}`);
  const units = (amount: Amount) => BigInt(amount.times(scale).truncate(0).toString());
  const step = units(Amount.of(tick));
  return Amount.of(String((units(price) / step) * step)).times(Amount.of(`1e-${digits}`));
}

function pairOf(base: Base, quoteCode: string, quote: Quote): SandboxPair {
  const baseAsset = assetOf(base.code);
  const quoteAsset = assetOf(quoteCode);
  const wsname = `${baseAsset.altname}/${quoteAsset.altname}`;
  const unusual = unusualRules[`${base.code}/${quoteCode}`] ?? {};
  const digits = unusual.priceDigits ?? Math.min(10, Math.max(1, base.priceDigits + quote.priceDigits));
  const leverage = leveraged.has(base.code) && ['USD', 'EUR', 'USDT'].includes(quoteCode) ? [2, 3, 4, 5] : [];
  const isStable = pegged.has(base.code) && pegged.has(quoteCode);
  const info: AssetPair = {
    altname: baseAsset.altname + quoteAsset.altname,
    wsname,
    aclass_base: 'currency',
    base: baseAsset.id,
    aclass_quote: 'currency',
    quote: quoteAsset.id,
    lot: 'unit',
    cost_decimals: quote.costDecimals,
    pair_decimals: digits,
    lot_decimals: unusual.volumeDigits ?? Math.min(8, baseAsset.decimals),
    lot_multiplier: 1,
    leverage_buy: leverage,
    leverage_sell: leverage,
    fees: isStable ? stable : taker,
    fees_maker: isStable ? stable : maker,
    fee_volume_currency: 'ZUSD',
    margin_call: 80,
    margin_stop: 40,
    ordermin: unusual.orderMin ?? base.orderMin,
    costmin: unusual.costMin ?? quote.costMin,
    tick_size: Amount.of(`${unusual.tick ?? base.tick}e-${digits}`).toString(),
    status: statuses[wsname] ?? 'online',
  };
  const price = Amount.of(base.price).times(Amount.of(quote.perDollar));
  return {
    id: pairId(baseAsset, quoteAsset),
    info,
    startPrice: floorToTick(price, info).toString(),
    dollars: base.price,
  };
}

export const pairs: readonly SandboxPair[] = bases.flatMap((base) =>
  base.quotes.map((code) => {
    const quote = quotes[code];
    if (quote === undefined) throw new Error(`there is no quote asset ${code}`);
    return pairOf(base, code, quote);
  }),
);

const byName = new Map(
  pairs.flatMap((pair) => [pair.info.wsname, pair.info.altname, pair.id].map((name) => [name, pair])),
);

/** Finds a pair by its id, its altname, or its name with a slash. */
export function findPair(name: string): SandboxPair | null {
  return byName.get(name) ?? null;
}
