import { assert, constantFrom, nat, oneof, property, string } from 'fast-check';
import { Amount } from '#money';
import type { TradedPair } from '../port/pair-list.js';
import { recordedPairs } from '../testing/contract/public-list-rules.js';
import { pairSources } from './pair-sources.js';
import type { PairSource } from '../declaration/pair-source.js';
import { readPairs } from './read-pairs.js';

type Entry = Record<string, unknown>;

const kept = new Map<string, unknown>();
function answerOf(id: string): unknown {
  if (!kept.has(id)) kept.set(id, recordedPairs(id));
  return kept.get(id);
}
const entriesOf = (source: PairSource): Entry[] => source.list(answerOf(source.id)) as Entry[];

/** The source with these entries in place of the entries of the response. */
const withEntries = (source: PairSource, entries: unknown[]): PairSource => ({ ...source, list: () => entries });

/** Words with a space between two of them, without the signs that separate codes in route ids and lists. */
const CODE = /^[^\s,:/-]+(\s+[^\s,:/-]+)*$/;
const PLAIN = /^(0|[1-9]\d*)(\.\d*[1-9])?$/;

/** The names of the rules that a pair breaks. */
function problemsOf(pair: TradedPair): string[] {
  const { tickSize, stepSize, minBaseQty, minCost, feeTiers } = pair;
  const isStep = (text: string): boolean => PLAIN.test(text) && Amount.of(text).isPositive();
  const isRate = (text: string): boolean => PLAIN.test(text.replace(/^-/, ''));
  const isAscending = (texts: string[]): boolean =>
    texts.slice(1).every((text, index) => Amount.of(text).greaterThan(Amount.of(texts[index] ?? text)));
  const rules: Record<string, boolean> = {
    amounts: [tickSize, stepSize, minBaseQty, minCost ?? '1'].every(isStep),
    priceDecimals: pair.priceDecimals === Amount.of(tickSize).decimalPlaces(),
    quantityDecimals: pair.quantityDecimals === Amount.of(stepSize).decimalPlaces(),
    isTradingEnabled: pair.isTradingEnabled === pair.orderTypes.length > 0,
    orderTypes: pair.orderTypes.every((type) => ['market', 'limit'].includes(type)),
    status: pair.status !== '' && pair.status === pair.status.toLowerCase(),
    codes: pair.base !== pair.quote && [pair.base, pair.quote].every((code) => CODE.test(code) && code.length <= 40),
    names: [pair.exchangeBase, pair.exchangeQuote, pair.exchangeSymbol].every((text) => text !== ''),
    fees: feeTiers.every(({ volume, maker, taker }) => PLAIN.test(volume) && isRate(maker) && isRate(taker)),
    tiers: isAscending(feeTiers.map(({ volume }) => volume)),
  };
  return Object.keys(rules).filter((rule) => rules[rule] === false);
}

const broken: unknown[] = [undefined, null, 1, 'text', [], {}, { symbol: null }, { product_type: 'SPOT' }];

/** Values that a faulty exchange may send. */
const garbage = oneof(
  constantFrom(
    '0',
    '-1',
    '1e99',
    '1e-99',
    'NaN',
    '',
    ' 1',
    '0x1',
    null,
    true,
    [],
    {},
    '99',
    '1.5',
    'A-B',
    'a b',
    'USD',
  ),
  string(),
);

/** All exchanges except the sandbox. */
const real = pairSources.filter(({ liveUrl }) => liveUrl !== null);

describe.each(real.map((source) => [source.id, source] as const))('the pair list of %s', (id, source) => {
  it('gives a valid pair with unique codes for each of its spot pairs', () => {
    const { pairs } = readPairs(source, answerOf(id));
    expect(pairs.flatMap(problemsOf)).toEqual([]);
    const names = pairs.map(({ base, quote }) => `${base}-${quote}`);
    expect(names).toEqual([...new Set(names)].sort());
  });

  it('is declared with an https address without a path, and with the path of the call', () => {
    const url = new URL(source.liveUrl ?? '');
    expect([url.protocol, url.href]).toEqual(['https:', `${source.liveUrl}/`]);
    expect(source.path).toMatch(/^\/[\x21-\x7e]+$/);
  });

  it('leaves out and counts broken entries, and keeps the others', () => {
    const entries = entriesOf(source);
    const whole = readPairs(source, answerOf(id)).pairs;
    const some = readPairs(withEntries(source, [...broken, ...entries]), null);
    expect(some).toEqual({ pairs: whole, unreadable: broken.length });
  });

  it('never gives an invalid pair, whatever one field of an entry contains', () => {
    const entries = entriesOf(source).slice(0, 3);
    const fields = entries.flatMap((entry, at) => Object.keys(entry).map((field) => [at, field] as const));
    assert(
      property(nat(fields.length - 1), garbage, (index, value) => {
        const [at, field] = fields[index] ?? [0, ''];
        const lying = entries.map((entry, other) => (other === at ? { ...entry, [field]: value } : entry));
        const { pairs, unreadable } = readPairs(withEntries(source, lying), null);
        expect(pairs.flatMap(problemsOf)).toEqual([]);
        expect(pairs.length + unreadable).toBeLessThanOrEqual(entries.length);
      }),
      { numRuns: 200 },
    );
  });

  it.each([undefined, null, 'text', '1', {}, { error: ['EService:Unavailable'] }, { code: '1', data: [] }])(
    'is refused when the response is %j',
    (response) => expect(() => source.list(response)).toThrow(),
  );
});

describe('a pair', () => {
  const sourceOf = (id: string): PairSource => {
    const found = pairSources.find((source) => source.id === id);
    if (found === undefined) throw new Error(id);
    return found;
  };
  /** The first pair of a list after these changes to its entry. */
  function changed(id: string, changes: Entry): TradedPair | undefined {
    const source = sourceOf(id);
    const [first] = entriesOf(source);
    return readPairs(withEntries(source, [{ ...first, ...changes }]), null).pairs[0];
  }

  it('may have a tick size that is not a power of ten, but none that is finer than the price decimals', () => {
    expect(changed('kraken', { tick_size: '0.25', pair_decimals: '2' })).toMatchObject({
      tickSize: '0.25',
      priceDecimals: 2,
    });
    expect(changed('kraken', { tick_size: '5', pair_decimals: '2' })).toMatchObject({
      tickSize: '5',
      priceDecimals: 0,
    });
    expect(changed('kraken', { tick_size: '0.001', pair_decimals: '2' })).toBeUndefined();
    expect(changed('kraken', { tick_size: '5e-18', pair_decimals: '18', ordermin: '1e-7' })).toMatchObject({
      tickSize: '0.000000000000000005',
      priceDecimals: 18,
      minBaseQty: '0.0000001',
    });
    expect(changed('gemini', { quote_increment: '2.5e-7' })).toMatchObject({
      tickSize: '0.00000025',
      priceDecimals: 8,
    });
  });

  it('of Kraken has a fee tier for each volume at which the fee of makers or takers changes, and keeps negative fees', () => {
    const fees = [['0', '0.2'], ['50000', '0.16']]; // prettier-ignore
    const makers = [['0', '0.23'], ['10000', '-0.02']]; // prettier-ignore
    expect(changed('kraken', { fees, fees_maker: makers })?.feeTiers).toEqual([
      { volume: '0', maker: '0.23', taker: '0.2' },
      { volume: '10000', maker: '-0.02', taker: '0.2' },
      { volume: '50000', maker: '-0.02', taker: '0.16' },
    ]);
    expect(changed('kraken', { fees, fees_maker: [] })?.feeTiers.map(({ maker }) => maker)).toEqual(['0.2', '0.16']);
  });

  it('of Coinbase that is delisted and has no rules is left out', () => {
    const source = sourceOf('coinbase');
    const read = (entry: Entry) => readPairs(withEntries(source, [entry]), null);
    expect(read({ product_type: 'SPOT', status: 'delisted' }).unreadable).toBe(0);
    expect(read({ product_type: 'SPOT', status: 'online' }).unreadable).toBe(1);
  });

  it('of Bybit needs no smallest quantity', () => {
    const lotSizeFilter = { basePrecision: '0.01', minOrderAmt: '5' };
    expect(changed('bybit', { lotSizeFilter })).toMatchObject({ minBaseQty: '0.01', minCost: '5' });
  });

  it('that is listed twice is read from the only entry that trades, and is left out when both entries trade', () => {
    const source = sourceOf('okx');
    const [one = {}, other = {}] = entriesOf(source);
    const duplicate = { ...one, instId: 'DUPLICATE' };
    const read = (...entries: Entry[]) => {
      const { pairs, unreadable } = readPairs(withEntries(source, entries), null);
      return [pairs.map(({ exchangeSymbol }) => exchangeSymbol), unreadable];
    };
    expect(read({ ...one, state: 'suspend' }, other, duplicate)).toEqual([['DUPLICATE', other['instId']], 1]);
    expect(read(one, other, duplicate)).toEqual([[other['instId']], 2]);
  });
});
