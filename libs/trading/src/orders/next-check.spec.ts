import { testConfig } from '#platform/testing';
import { NextCheck } from './next-check.js';
import type { OrderStore } from './order-store.js';

const config = testConfig({ appUrl: 'postgres://localhost/unused' });
const { ORDER_CHECK_SECONDS, ORDER_CHECK_MAX_SECONDS, ORDER_SPACING_SECONDS } = config.constants;
const NOW = new Date('2026-01-02T00:00:00Z');

/** Returns the pause in seconds before the next check of an order, which has `alike` orders in its group. */
async function pauseOf(ageSeconds: number, { alike = 1, isFailed = false } = {}): Promise<number> {
  const store: Pick<OrderStore, 'countLike'> = { countLike: () => Promise.resolve(alike) };
  const createdAt = new Date(NOW.getTime() - ageSeconds * 1_000);
  const ids = { projectId: 'p', walletId: 'w', externalWalletId: 'e' };
  const next = new NextCheck(store as OrderStore, config);
  const at = await next.after({ state: 'open', createdAt, ...ids }, NOW, { isFailed });
  return (at.getTime() - NOW.getTime()) / 1_000;
}

describe('the pause before the next check of an order', () => {
  it('is a tenth of the age of the order, between the shortest and the longest pause', async () => {
    expect(await pauseOf(0)).toBe(ORDER_CHECK_SECONDS);
    expect(await pauseOf(ORDER_CHECK_SECONDS * 20)).toBe(ORDER_CHECK_SECONDS * 2);
    expect(await pauseOf(ORDER_CHECK_MAX_SECONDS * 20)).toBe(ORDER_CHECK_MAX_SECONDS);
  });

  it('is doubled after a failed check, up to the longest pause', async () => {
    expect(await pauseOf(0, { isFailed: true })).toBe(ORDER_CHECK_SECONDS * 2);
    expect(await pauseOf(ORDER_CHECK_MAX_SECONDS * 10, { isFailed: true })).toBe(ORDER_CHECK_MAX_SECONDS);
  });

  it('grows with the number of other orders of the same group', async () => {
    const many = Math.ceil(ORDER_CHECK_MAX_SECONDS / ORDER_SPACING_SECONDS) + 5;
    expect(await pauseOf(0, { alike: many + 1 })).toBe(many * ORDER_SPACING_SECONDS);
    expect(await pauseOf(0, { alike: 0 })).toBe(ORDER_CHECK_SECONDS);
  });
});
