import type { OrderStatus } from '#exchange';
import { countsAsNone, isFinalStatus, isInDoubt, isSettled, orderStates, orderTransitions } from './order-state.js';

const dueAt = new Date('2026-01-01T00:00:00Z');
const statesThat = (test: (state: (typeof orderStates)[number]) => boolean): string[] => orderStates.filter(test);

describe('the state of an order', () => {
  it('is in doubt until the exchange has decided, and counts as none when the exchange has no such order', () => {
    expect(statesThat(isInDoubt)).toEqual(['placing', 'unknown']);
    expect(statesThat(countsAsNone)).toEqual(['refused', 'not_placed']);
  });

  it('is settled when it is final, or counts as none and is no longer compared with the exchange', () => {
    expect(statesThat((state) => isSettled({ state, nextCheckAt: null }))).toEqual(['refused', 'not_placed', 'closed']);
    expect(statesThat((state) => isSettled({ state, nextCheckAt: dueAt }))).toEqual(['closed']);
  });

  it('never leads back to sending, ends with closed, and is left for each other state that it can become', () => {
    const targets = Object.values(orderTransitions).flat();
    expect(targets).not.toContain('placing');
    expect(statesThat((state) => orderTransitions[state].length === 0)).toEqual(['closed']);
    expect(orderStates.filter((state) => state !== 'placing' && !targets.includes(state))).toEqual([]);
  });
});

describe('the status of an order', () => {
  it('is final when the order was filled, canceled or has expired', () => {
    const statuses: OrderStatus[] = ['unknown', 'open', 'filled', 'canceled', 'expired'];
    expect(statuses.filter(isFinalStatus)).toEqual(['filled', 'canceled', 'expired']);
  });
});
