import { provenExchanges } from './exchanges.js';
import { faultKindNames } from './faults.js';
import { crashPoints, isOfOrders, pointNames } from './points.js';
import { cellCount, cellOf, pointsAt, scheduleOf, seedOf } from './schedule.js';

const seeds = Array.from({ length: cellCount }, (_, index) => index + 1);

describe('the schedule of a seed', () => {
  it('is the same every time', () => {
    expect(scheduleOf(217)).toEqual(scheduleOf(217));
    expect(scheduleOf(217)).not.toEqual(scheduleOf(218));
  });

  it('has another combination of a crash and a fault for each of the first seeds', () => {
    const cells = new Set(seeds.map((seed) => JSON.stringify(cellOf(seed))));
    expect(cells.size).toBe(pointNames.length * faultKindNames.length);
  });

  it('plans, over the first forty seeds, every crash point and every fault', () => {
    const first = seeds.slice(0, 40).map((seed) => cellOf(seed));
    expect(new Set(first.map(({ point }) => point)).size).toBe(pointNames.length);
    expect(new Set(first.map(({ fault }) => fault)).size).toBe(faultKindNames.length);
  });

  it('has a seed that can be computed from its combination of a crash and a fault', () => {
    for (const seed of seeds) expect(seedOf(cellOf(seed))).toBe(seed);
  });

  it('plans the crash and the fault of its combination, and nothing more when one of the two is "none"', () => {
    for (const seed of seeds) {
      const { cell, crashes, faults } = scheduleOf(seed);
      const points = crashes.map(({ point }) => point);
      const kinds = faults.map(({ kind }) => kind);
      expect(points[0] ?? 'none').toBe(cell.point);
      expect(kinds[0] ?? 'none').toBe(cell.fault);
      if (cell.point === 'none' || cell.fault === 'none') expect(points.length + kinds.length).toBeLessThanOrEqual(1);
    }
  });

  it('has one to four quotes, of which the last waits for the crash when the crash stops the others', () => {
    for (const seed of seeds) {
      const { cell, quotes } = scheduleOf(seed);
      expect(quotes.length).toBeGreaterThanOrEqual(1);
      expect(quotes.length).toBeLessThanOrEqual(4);
      if (cell.point === 'api_before_bytes') expect(quotes.at(-1)?.isLate).toBe(true);
      expect(quotes[0]?.isLate).toBe(false);
    }
  });

  it('has at least two quotes when its crash is in a worker that settles withdrawals', () => {
    for (const seed of seeds) {
      const { cell, quotes } = scheduleOf(seed);
      const disturbance = crashPoints[cell.point];
      const isInWorker = 'in' in disturbance && disturbance.in === 'worker';
      if (isInWorker && !isOfOrders(cell.point)) expect(quotes.length).toBeGreaterThanOrEqual(2);
    }
  });

  it('places two orders when its crash is in the work with orders, of which the second waits for a kill of the API', () => {
    for (const seed of seeds.filter((each) => isOfOrders(cellOf(each).point))) {
      const { cell, orders, faults, orderFaults } = scheduleOf(seed);
      expect(orders).toHaveLength(2);
      expect(new Set(orders.map(({ volume }) => volume)).size).toBe(2);
      expect(orders[1]?.isLate).toBe(!cell.point.startsWith('worker'));
      expect(faults.flatMap(({ fault }) => (fault.kind === 'exchange' ? [fault.armed.endpoint] : []))).not.toContain(
        'withdraw',
      );
      expect(orderFaults).toEqual([]);
    }
  });

  it('places orders in about a third of the other schedules, with the faults of its withdrawals', () => {
    const others = seeds.map((seed) => scheduleOf(seed)).filter(({ cell }) => !isOfOrders(cell.point));
    const trading = others.filter(({ orders }) => orders.length > 0);
    expect(trading.length / others.length).toBeGreaterThan(0.2);
    expect(trading.length / others.length).toBeLessThan(0.4);
    for (const { faults, orderFaults } of trading) expect(orderFaults).toHaveLength(faults.length);
    for (const { orders, orderFaults } of others) if (orders.length === 0) expect(orderFaults).toEqual([]);
  });

  it('places no orders, and has no crash in the work with orders, at an exchange for which the proof has no route', () => {
    for (const exchange of provenExchanges.filter(({ trading }) => trading === null)) {
      const planned = seeds.map((seed) => scheduleOf(seed, exchange));
      expect(planned.flatMap(({ orders }) => orders)).toEqual([]);
      expect(planned.filter(({ cell }) => isOfOrders(cell.point))).toEqual([]);
      const first = planned.slice(0, 23).map(({ cell }) => cell.point);
      expect(new Set(first).size).toBe(pointsAt(exchange).length);
    }
  });

  it('does not exist for a seed below one', () => {
    expect(() => cellOf(0)).toThrow('a seed is a whole number from 1 on, not 0');
  });
});
