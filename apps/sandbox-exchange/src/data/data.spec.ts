import { networkById, resolveNetworkId, type Network } from '#exchange';
import { Amount } from '#money';
import { addressRule, addressRules } from './address-rules.js';
import { assets } from './assets.js';
import { methods } from './networks.js';
import { findPair, floorToTick, pairs } from './pairs.js';
import { bestPrices, tickerOf } from './tickers.js';

/** Networks that carry another token under the asset's code (USDC.e for USDC); Causeway must not support them. */
const variants = ['Ethereum (kBTC)', 'Polygon (USDC.e)', 'Optimism (USDC.e)', 'Sei - EVM'];

const ids = new Set(assets.map(({ id }) => id));
const codes = new Set(assets.map(({ code }) => code));

function known(name: string): Network | null {
  return networkById(resolveNetworkId(name) ?? '');
}

describe('assets', () => {
  it('have unique names', () => {
    expect(assets.length).toBeGreaterThanOrEqual(40);
    expect(ids.size).toBe(assets.length);
    expect(codes.size).toBe(assets.length);
    expect(new Set(assets.map(({ altname }) => altname)).size).toBe(assets.length);
  });

  it('have no more display digits than the ledger stores', () => {
    expect(assets.filter(({ decimals, displayDecimals }) => displayDecimals > decimals)).toEqual([]);
  });
});

describe('funding methods', () => {
  it('belong to a known asset, and have names that are unique for the asset', () => {
    expect(methods.filter(({ assetCode }) => !codes.has(assetCode))).toEqual([]);
    for (const name of ['method', 'depositMethod', 'network'] as const) {
      const names = methods.map((method) => `${method.assetCode} ${method[name]}`);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it('offer the large assets on many networks', () => {
    const count = (code: string) =>
      methods.filter(({ assetCode, network }) => assetCode === code && known(network)).length;
    expect(count('BTC')).toBe(2);
    expect(count('ETH')).toBeGreaterThanOrEqual(4);
    expect(count('USDT')).toBeGreaterThanOrEqual(6);
    expect(count('USDC')).toBeGreaterThanOrEqual(7);
  });

  it("are on networks that Causeway supports, except methods for another token under the asset's code, such as USDC.e", () => {
    const unknown = new Set(methods.map(({ network }) => network).filter((network) => known(network) === null));
    expect([...unknown].sort()).toEqual([...variants].sort());
  });

  it("have sample addresses that match Causeway's rule of their network", () => {
    for (const { network, sampleAddresses } of methods) {
      expect(sampleAddresses.length).toBeGreaterThanOrEqual(2);
      expect(new Set(sampleAddresses).size).toBe(sampleAddresses.length);
      const rule = known(network)?.addressRegex;
      if (rule === undefined) continue;
      for (const address of sampleAddresses) expect(address).toMatch(new RegExp(rule));
    }
  });

  it("have sample addresses that match the sandbox's rule of their network, but not with text before or after them", () => {
    for (const { network, sampleAddresses } of methods) {
      const rule = new RegExp(addressRule(network));
      for (const address of sampleAddresses) {
        expect(address).toMatch(rule);
        expect(`x${address}`).not.toMatch(rule);
        expect(`${address} x`).not.toMatch(rule);
      }
    }
    const networks = new Set(methods.map(({ network }) => network));
    expect(Object.keys(addressRules).filter((name) => !networks.has(name))).toEqual([]);
  });

  it("have a memo exactly where Causeway's network has a tag, except on Sei", () => {
    const wrong = methods.filter(({ network, memo }) => {
      const ours = known(network);
      return ours !== null && network !== 'Sei' && (ours.tagType === null) !== (memo === null);
    });
    expect(wrong).toEqual([]);
  });

  it('have limits that allow withdrawals, with digits that the asset supports', () => {
    for (const { assetCode, minimum, fee, maximum } of methods) {
      const decimals = assets.find(({ code }) => code === assetCode)?.decimals ?? 0;
      expect(Amount.of(maximum).greaterThan(Amount.of(minimum).plus(Amount.of(fee)))).toBe(true);
      for (const amount of [minimum, fee, maximum]) {
        expect(Amount.of(amount).decimalPlaces()).toBeLessThanOrEqual(decimals);
      }
    }
  });
});

describe('pairs', () => {
  it('are at least a hundred, with unique names', () => {
    expect(pairs.length).toBeGreaterThanOrEqual(100);
    const names = pairs.flatMap(({ id, info }) => [...new Set([id, info.altname, info.wsname])]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('consist of known assets', () => {
    expect(pairs.filter(({ info }) => !ids.has(info.base) || !ids.has(info.quote))).toEqual([]);
  });

  it.each([
    ['XBTUSD', 'XXBTZUSD', 'XBT/USD'],
    ['ETHXBT', 'XETHXXBT', 'ETH/XBT'],
    ['XDGUSD', 'XDGUSD', 'XDG/USD'],
    ['SOLUSD', 'SOLUSD', 'SOL/USD'],
    ['USDTUSD', 'USDTZUSD', 'USDT/USD'],
    ['EURUSD', 'ZEURZUSD', 'EUR/USD'],
    ['EURGBP', 'EURGBP', 'EUR/GBP'],
  ])("%s has Kraken's names", (altname, id, wsname) => {
    expect(findPair(altname)).toMatchObject({ id, info: { altname, wsname } });
    expect(findPair(wsname)).toBe(findPair(id));
  });

  it('have a start price on a tick, and ticks that fit the digits of the price', () => {
    for (const { info, startPrice } of pairs) {
      const price = Amount.of(startPrice);
      expect(price.greaterThan(Amount.of(info.tick_size))).toBe(true);
      expect(price.isMultipleOf(Amount.of(info.tick_size))).toBe(true);
      expect(Amount.of(info.tick_size).decimalPlaces()).toBeLessThanOrEqual(info.pair_decimals);
    }
  });

  it('include ticks that are not powers of ten, and pairs that refuse some orders', () => {
    expect(pairs.filter(({ info }) => !/^[01.]*$/.test(info.tick_size)).length).toBeGreaterThan(10);
    const statuses = new Set(pairs.map(({ info }) => info.status));
    expect([...statuses].sort()).toEqual(['cancel_only', 'limit_only', 'online', 'post_only']);
  });

  it.each([
    ['PEPE/XBT', { pair_decimals: 18, tick_size: '0.000000000000000001' }],
    ['SHIB/ETH', { pair_decimals: 18, tick_size: '0.000000000000000025' }],
    ['XRP/AUD', { tick_size: '0.00007' }],
    ['SHIB/EUR', { lot_decimals: 0 }],
    ['ETH/CHF', { lot_decimals: 4 }],
    ['XBT/AUD', { lot_decimals: 7, ordermin: '0.0000001' }],
    ['XBT/CHF', { lot_decimals: 10, ordermin: '0.0000001', costmin: '0.001' }],
  ])('%s has unusual rules: %j', (name, rules) => {
    expect(findPair(name)?.info).toMatchObject(rules);
  });

  it('have volumes and minima with no more digits than the ledger stores', () => {
    for (const { info } of pairs) {
      const base = assets.find(({ id }) => id === info.base);
      expect(info.lot_decimals).toBeLessThanOrEqual(base?.decimals ?? 0);
      expect(Amount.of(info.ordermin).decimalPlaces()).toBeLessThanOrEqual(info.lot_decimals);
    }
  });

  it('priced in bitcoin agree with the dollar price of the asset to within one tick', () => {
    const last = (name: string) => Amount.of(findPair(name)?.startPrice ?? '0');
    for (const { info } of pairs.filter(({ info }) => info.quote === 'XXBT')) {
      const base = info.wsname.split('/')[0] ?? '';
      const inDollars = last(info.wsname).times(last('XBTUSD'));
      const difference = inDollars.minus(last(`${base}/USD`)).abs();
      const tick = Amount.of(info.tick_size).times(last('XBTUSD'));
      expect(difference.greaterThan(tick)).toBe(false);
    }
  });
});

describe('tickers', () => {
  it('have bid below last below ask, and all prices on ticks', () => {
    for (const pair of pairs) {
      const last = Amount.of(pair.startPrice);
      const { bid, ask } = bestPrices(pair, last);
      expect(bid.isPositive() && bid.lessThan(last) && last.lessThan(ask)).toBe(true);
      const ticker = tickerOf(pair, last);
      for (const price of [ticker.a[0], ticker.b[0], ticker.c[0], ...ticker.l, ...ticker.h, ticker.o, ...ticker.p]) {
        expect(Amount.of(price).isMultipleOf(Amount.of(pair.info.tick_size))).toBe(true);
      }
      expect(tickerOf(pair, last)).toEqual(ticker);
    }
  });

  it('round a price down to a tick that is not a power of ten', () => {
    const pair = findPair('BCHUSD');
    if (pair === null) throw new Error('no pair');
    expect(floorToTick(Amount.of('500.49'), pair.info).toString()).toBe('500.25');
  });
});
