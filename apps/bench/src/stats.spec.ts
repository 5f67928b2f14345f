import { median, quantile } from './stats.js';

describe('the figures of a benchmark', () => {
  it('take as the median the middle value, or the mean of the two middle values', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });

  it('take as a quantile the value at the position of the given share in the sorted values', () => {
    const values = Array.from({ length: 100 }, (_, n) => 100 - n);
    expect([quantile(values, 0.5), quantile(values, 0.99), quantile([7], 0.99)]).toEqual([51, 100, 7]);
  });
});
