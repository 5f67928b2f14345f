import { StrictClock } from './wallet-harness.js';

describe('the strict clock', () => {
  it('passes all of the time that a test advances it, also after more readings than milliseconds', () => {
    const clock = new StrictClock();
    let before = clock.now().getTime();
    for (let readings = 0; readings < 1_000; readings++) before = clock.now().getTime();
    clock.advance(30_000);
    expect(clock.now().getTime() - before).toBeGreaterThanOrEqual(30_000);
  });
});
