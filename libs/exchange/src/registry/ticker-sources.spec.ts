import { assert, property, string } from 'fast-check';
import { pricesIn } from '../testing/contract/public-list-rules.js';
import { documentedLists } from '../testing/ticker-documentation.js';
import { dollarPrices } from './dollar-prices.js';
import { isTickerExchange, tickerExchanges, tickerSourceOf } from './ticker-sources.js';

type Lists = Readonly<Record<string, unknown>>;

/** The documented lists of an exchange. @throws when there are none */
function listsOf(id: string): Lists {
  if (!Object.hasOwn(documentedLists, id)) throw new Error(`no documented price list of ${id}`);
  return documentedLists[id as keyof typeof documentedLists];
}

/** The prices that a source reads from its lists. */
const read = (id: string, lists: Lists): Record<string, string> => pricesIn(tickerSourceOf(id), lists);

describe('a pair of Gemini', () => {
  const symbols = async (...pairs: string[]): Promise<string[]> =>
    Object.keys(read('gemini', { '/v1/pricefeed': pairs.map((pair) => ({ pair, price: '1' })) }));

  it.each([
    ['BTCGUSD', 'BTCEUR'],
    ['BTCGUSD', 'BTCRLUSD'],
    ['SOLGUSD', 'SOLBTC'],
    ['XRPRLUSD', 'XRPUSD'],
    ['ABCPYUSD', 'ABCUSDC'],
    ['EURGUSD', 'ETHUSD'],
    ['GUSDRLUSD', 'ETHUSD'],
    ['BTCGUSDPERP', 'BTCUSDPERP'],
    ['GEMI-BTCUSD', 'btc/usd'],
  ])('%s, listed beside %s, has no price in dollars', async (pair, other) => {
    const found = await symbols(pair, other);
    expect(found).not.toContain(pair.slice(0, -3));
    expect(found.every((symbol) => `${symbol}USD` === other)).toBe(true);
  });

  it('that ends in GUSD is priced in US dollars if no other pair has the asset before GUSD', async () => {
    expect(await symbols('PAXGUSD', 'MOODENGUSD', 'MOGUSD', 'BTCUSD')).toEqual(['BTC', 'MOG', 'MOODENG', 'PAXG']);
  });

  it('is recognised in lower case', async () => expect(await symbols('btcusd')).toEqual(['BTC']));
});

const broken: unknown[] = [null, 1, 'text', [], {}, { pair: null }, { product_id: 'X-USD' }, ['a', 'b'], { c: [] }];

/** The documented lists with a change to each entry. */
function damaged(lists: Lists, damage: (entry: object) => unknown): Lists {
  const each = (list: unknown): unknown => {
    if (Array.isArray(list)) return list.map((entry: object) => damage(entry));
    return Object.fromEntries(Object.entries(list as object).map(([key, entry]) => [key, damage(entry as object)]));
  };
  return Object.fromEntries(
    Object.entries(lists).map(([path, list]) => {
      if (path.endsWith('AssetPairs')) return [path, list];
      if (Array.isArray(list)) return [path, each(list)];
      const body = list as { result?: unknown; products?: unknown };
      return [path, { ...body, result: each(body.result ?? {}), products: each(body.products ?? []) }];
    }),
  );
}

describe.each(tickerExchanges.map((id) => [id, listsOf(id)] as const))('the price list of %s', (id, lists) => {
  const source = tickerSourceOf(id);

  it('is declared under its own id, with a real address', () => {
    expect(source.id).toBe(id);
    expect(isTickerExchange(id)).toBe(true);
    expect(new URL(source.liveUrl).href).toBe(`${source.liveUrl}/`);
    expect(new URL(source.liveUrl).protocol).toBe('https:');
  });

  it('leaves out broken entries and keeps the others', async () => {
    const whole = read(id, lists);
    for (const piece of broken) {
      let count = 0;
      const some = damaged(lists, (entry) => (count++ === 0 ? piece : entry));
      const prices = read(id, some);
      const missing = Object.keys(whole).filter((symbol) => !(symbol in prices));
      expect(missing.length).toBeLessThanOrEqual(1);
      expect({ ...whole, ...prices }).toEqual(whole);
    }
  });

  it('gives no price for zeros and for entries without their fields', async () => {
    const zeros = (entry: object) =>
      Object.fromEntries(
        Object.entries(entry).map(([key, value]) => [
          key,
          ['price', 'last'].includes(key) ? '0' : key === 'c' ? ['0', '0'] : value,
        ]),
      );
    expect(read(id, damaged(lists, zeros))).toEqual({});
    expect(
      read(
        id,
        damaged(lists, () => ({})),
      ),
    ).toEqual({});
  });

  it.each([undefined, null, 'text', 1, {}, { error: ['EService:Unavailable'] }])(
    'is refused when the response is %j',
    (body) => {
      expect(() => source.read(body, new Map())).toThrow();
    },
  );

  it('is read without an error, whatever text stands in place of a price', () => {
    assert(
      property(string(), (text) => {
        const entries = source.read(
          Object.values(damaged(lists, (entry) => ({ ...entry, price: text, last: text, c: [text] })))[0],
          new Map([['XXBTZUSD', 'XXBT']]),
        );
        expect(dollarPrices(entries, (code) => code).size).toBeLessThanOrEqual(entries.length);
      }),
    );
  });
});

it('isTickerExchange is false for texts that are not exactly the id of an exchange with a price list', () => {
  for (const id of ['binance', 'KRAKEN', '', 'constructor', '__proto__']) expect(isTickerExchange(id)).toBe(false);
});
