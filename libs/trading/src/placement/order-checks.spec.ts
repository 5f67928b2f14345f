import fc from 'fast-check';
import type { TradedPair } from '#exchange';
import { Amount } from '#money';
import { BTC_USD } from '../testing/pairs.js';
import { checkOrder, rulesBroken } from './order-checks.js';

const route = (pair: Partial<TradedPair> = {}) => ({
  routeId: 'kraken:spot:BTC-USD',
  exchange: 'kraken',
  pair: { ...BTC_USD, ...pair },
});
const terms = (volume: string, price: string | null, type: 'market' | 'limit' | null = null) => ({
  type,
  volume: Amount.parseInput(volume),
  price: price === null ? null : Amount.parseInput(price),
});
const caught = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe('the checks of an order by its route', () => {
  it('return the type limit for an order with a price, and market without one, whether or not the request names the type', () => {
    expect(checkOrder(route(), terms('0.5', '20000'))).toBe('limit');
    expect(checkOrder(route(), terms('0.5', null))).toBe('market');
    expect(checkOrder(route(), terms('0.5', '20000', 'limit'))).toBe('limit');
    expect(checkOrder(route(), terms('0.5', null, 'market'))).toBe('market');
  });

  it.each([
    ['limit', null, 'price is required for a limit order'],
    ['market', '20000', 'price must be absent for a market order'],
  ] as const)('refuse a %s order with the price %s, and name the field', (type, price, message) => {
    expect(caught(() => checkOrder(route(), terms('0.5', price, type)))).toMatchObject({
      code: 'GENERIC_VALIDATION_ERROR',
      details: { result: { fields: [{ field: 'price', message }] } },
    });
  });

  it('test first whether the route takes orders, then the type, then the rules', () => {
    const off = route({ isTradingEnabled: false, status: 'cancel_only', orderTypes: ['limit'] });
    expect(caught(() => checkOrder(off, terms('0.00000001', null)))).toMatchObject({
      code: 'TRADING_ROUTE_UNAVAILABLE',
      details: { result: { status: 'cancel_only' } },
    });
    const limitOnly = route({ orderTypes: ['limit'] });
    expect(caught(() => checkOrder(limitOnly, terms('0.00000001', null)))).toMatchObject({
      code: 'TRADING_ORDER_TYPE_NOT_SUPPORTED',
      details: { result: { orderTypes: ['limit'] } },
    });
    expect(caught(() => checkOrder(limitOnly, terms('0.00000001', '1')))).toMatchObject({
      code: 'GENERIC_VALIDATION_ERROR',
    });
  });

  it('report every broken rule with its field, and list all rules of the route', () => {
    const { pair } = route({
      stepSize: '0.25',
      tickSize: '5',
      priceDecimals: 0,
      quantityDecimals: 2,
      minBaseQty: '0.5',
    });
    expect(rulesBroken(pair, terms('0.301', '7.5'))).toEqual([
      { field: 'volume', message: 'volume must be at least the minimum of 0.5 BTC' },
      { field: 'volume', message: 'volume must be a multiple of 0.25' },
      { field: 'volume', message: 'volume must have at most 2 decimals' },
      { field: 'price', message: 'price must be a multiple of 5' },
      { field: 'price', message: 'price must have at most 0 decimals' },
    ]);
    expect(rulesBroken(route().pair, terms('0.0001', '0.1'))).toEqual([
      { field: 'volume', message: 'volume times price must be at least the minimum of 0.5 USD' },
    ]);
    expect(caught(() => checkOrder(route(), terms('0.00000001', '20000')))).toMatchObject({
      details: { result: { tradingRules: { quantity: { minBaseQty: '0.0001' }, cost: { minCost: '0.5' } } } },
    });
  });

  it('apply no minimum cost to a market order, which has no price', () => {
    expect(rulesBroken(route({ minCost: '1000000' }).pair, terms('0.0001', null))).toEqual([]);
  });

  it('accept volumes with 20 digits before the decimal point and 18 after it', () => {
    const { pair } = route({
      minBaseQty: '0.000000000000000001',
      stepSize: '0.000000000000000001',
      quantityDecimals: 18,
    });
    expect(rulesBroken({ ...pair, minCost: null }, terms('0.000000000000000001', '0.1'))).toEqual([]);
    expect(rulesBroken({ ...pair, minCost: null }, terms('99999999999999999999.999999999999999999', '0.1'))).toEqual(
      [],
    );
    expect(rulesBroken({ ...BTC_USD, minBaseQty: '0.0000001', stepSize: '0.0000001', quantityDecimals: 7 }, terms('0.0000001', '5000000'))).toEqual([]); // prettier-ignore
  });
});

describe('the rules of volumes and prices', () => {
  const SCALE = 10n ** 18n;
  const units = (text: string): bigint => {
    const [whole = '0', fraction = ''] = text.split('.');
    return BigInt(whole) * SCALE + BigInt(fraction.padEnd(18, '0'));
  };
  const textOf = (value: bigint): string => {
    const fraction = (value % SCALE).toString().padStart(18, '0').replace(/0+$/, '');
    return fraction === '' ? `${value / SCALE}` : `${value / SCALE}.${fraction}`;
  };
  const decimals = (value: bigint): number => (textOf(value).split('.')[1] ?? '').length;
  const increment = fc.constantFrom(
    '0.25',
    '5',
    '0.05',
    '0.5',
    '2.5',
    '0.0003',
    '1',
    '0.01',
    '0.0000001',
    '0.000000000000000001',
  );
  /** Makes exact multiples of a step and their neighbours. */
  const amount = (step: string) =>
    fc
      .tuple(fc.bigInt(1n, 10n ** 7n), fc.constantFrom(0n, 0n, 0n, 1n, -1n, units('0.0000001')))
      .map(([count, off]) => count * units(step) + off)
      .filter((value) => value > 0n);
  const order = fc.record({ stepSize: increment, tickSize: increment }).chain(({ stepSize, tickSize }) =>
    fc.record({
      stepSize: fc.constant(stepSize),
      tickSize: fc.constant(tickSize),
      quantityDecimals: fc.constantFrom(0, 1, 2, 4, 8, 18),
      priceDecimals: fc.constantFrom(0, 1, 2, 4, 8, 18),
      minBaseQty: fc.constantFrom('0.0000001', '0.25', '10', '1000'),
      minCost: fc.constantFrom(null, '0.5', '10', '0.0000000001'),
      volume: amount(stepSize),
      price: fc.option(amount(tickSize)),
    }),
  );

  it('accept exactly the multiples of the steps within the bounds, and round nothing', () => {
    let taken = 0;
    fc.assert(
      fc.property(order, ({ volume, price, ...rules }) => {
        const isRight =
          volume >= units(rules.minBaseQty) &&
          volume % units(rules.stepSize) === 0n &&
          decimals(volume) <= rules.quantityDecimals &&
          (price === null ||
            (price % units(rules.tickSize) === 0n &&
              decimals(price) <= rules.priceDecimals &&
              (rules.minCost === null || volume * price >= units(rules.minCost) * SCALE)));
        const asked = terms(textOf(volume), price === null ? null : textOf(price));
        expect(rulesBroken({ ...BTC_USD, ...rules }, asked).length === 0).toBe(isRight);
        expect([asked.volume.toString(), asked.price?.toString() ?? null]).toEqual([
          textOf(volume),
          price === null ? null : textOf(price),
        ]);
        taken += isRight ? 1 : 0;
      }),
      { numRuns: 1_000 },
    );
    expect(taken).toBeGreaterThan(50);
  });
});
