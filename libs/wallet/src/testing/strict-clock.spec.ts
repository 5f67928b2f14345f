import { StrictClock } from './wallet-harness.js';

describe('the strict clock', () => {
  it('advances by the whole requested time, even after more readings than milliseconds have passed', () => {
    const clock = new StrictClock();
    let before = clock.now().getTime();
    for (let readings = 0; readings < 1_000; readings++) before = clock.now().getTime();
    clock.advance(30_000);
    expect(clock.now().getTime() - before).toBeGreaterThanOrEqual(30_000);
  });
});
