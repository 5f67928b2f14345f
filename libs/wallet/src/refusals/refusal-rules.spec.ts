import fc from 'fast-check';
import { DAY_MS } from '#platform/clock';
import {
  afterCheck,
  deletionAt,
  hasLasted,
  isDeletedAtOnce,
  refusedInCall,
  refusedInCheck,
  type OtherKeys,
  type RefusalSeries,
} from './refusal-rules.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const begin = new Date('2026-11-22T12:00:00Z');
const at = (ms: number): Date => new Date(begin.getTime() + ms);

const deleteAfterMs = fc.integer({ min: 3_000, max: 30 * DAY_MS });
const longestPauseMs = fc.integer({ min: 5_000, max: 7 * DAY_MS });

/** Returns the series of refusals after a refused call, and after each of the checks; true = the check was refused. */
function play(answers: boolean[], limits: { deleteAfterMs: number; longestPauseMs: number }): RefusalSeries[] {
  const timesAt = (now: Date) => ({ now, ...limits });
  let series = refusedInCall(null, { proof: 'invalid', isDeletionWanted: true, at: begin }, timesAt(begin));
  const all = [series];
  for (const isRefused of answers) {
    const times = timesAt(series.nextCheckAt);
    series = isRefused ? refusedInCheck(series, 'invalid', times) : afterCheck(series, times);
    all.push(series);
  }
  return all;
}

describe('the checks of a refused key', () => {
  it('have pauses that never shrink, except before a check at a possible time of deletion', () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { maxLength: 40 }),
        deleteAfterMs,
        longestPauseMs,
        (answers, deleteAfter, longest) => {
          const times = play(answers, { deleteAfterMs: deleteAfter, longestPauseMs: longest }).map(({ nextCheckAt }) =>
            nextCheckAt.getTime(),
          );
          const deadlines = [deleteAfter, 24 * deleteAfter].map((ms) => begin.getTime() + ms);
          let before = 0;
          for (const [index, next] of times.entries()) {
            const pause = next - (times[index - 1] ?? begin.getTime());
            expect(pause).toBeGreaterThan(0);
            expect(pause).toBeLessThanOrEqual(longest);
            if (deadlines.includes(next)) continue;
            expect(pause).toBeGreaterThanOrEqual(before);
            before = pause;
          }
        },
      ),
    );
  });

  it.each([1, 24])('are at least a minute apart, even just before %i times the deletion time', (factor) => {
    const limits = { deleteAfterMs: HOUR_MS, longestPauseMs: DAY_MS };
    const called = refusedInCall(
      null,
      { proof: 'invalid', isDeletionWanted: true, at: begin },
      { now: begin, ...limits },
    );
    const late = at(factor * HOUR_MS - 5);
    const { nextCheckAt } = refusedInCheck(called, 'invalid', { now: late, ...limits });
    expect(nextCheckAt.getTime() - late.getTime()).toBeGreaterThanOrEqual(MINUTE_MS);
  });

  it('have counted at least three refusals at the first check after WALLET_DELETE_AFTER, however long this is', () => {
    fc.assert(
      fc.property(deleteAfterMs, (deleteAfter) => {
        const limits = { deleteAfterMs: deleteAfter, longestPauseMs: DAY_MS };
        const all = play(Array<boolean>(100).fill(true), limits);
        const due = all.find(({ lastRefusedAt }) => (lastRefusedAt ?? begin) >= at(deleteAfter));
        return due === undefined || due.refusals >= 3;
      }),
    );
  });
});

describe('the deletion of a wallet with a refused key', () => {
  const otherKeys = fc.constantFrom<OtherKeys>('accepted', 'refused', 'silent', 'none');

  it('is due only after enough time and refusals, and only while another key is accepted or there is no other key', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60 * DAY_MS }),
        fc.integer({ min: 0, max: 20 }),
        deleteAfterMs,
        otherKeys,
        (stoodMs, refusals, deleteAfter, other) => {
          const facts = { now: at(stoodMs), deleteAfterMs: deleteAfter, otherKeys: other };
          const isLong =
            stoodMs >= deleteAfter * (other === 'none' ? 24 : 1) && refusals >= (other === 'none' ? 10 : 3);
          const isSafe = other === 'accepted' || other === 'none';
          expect(hasLasted({ refusedSince: begin, refusals }, facts)).toBe(isLong && isSafe);
          expect(hasLasted({ refusedSince: null, refusals }, facts)).toBe(false);
        },
      ),
    );
  });

  it('comes at once for revoked keys, and in a test project also for invalid keys, but never for a doubtful refusal', () => {
    const table = (['revoked', 'invalid', 'doubtful'] as const).map((proof) => [
      proof,
      isDeletedAtOnce(proof, 'test'),
      isDeletedAtOnce(proof, 'live'),
    ]);
    expect(table).toEqual([
      ['revoked', true, true],
      ['invalid', true, false],
      ['doubtful', false, false],
    ]);
  });
});

describe('a series of refusals', () => {
  const limits = { deleteAfterMs: HOUR_MS, longestPauseMs: DAY_MS };
  const call = (
    series: RefusalSeries | null,
    proof: 'invalid' | 'doubtful',
    minutes: number,
    isDeletionWanted = true,
  ) =>
    refusedInCall(
      series,
      { proof, isDeletionWanted, at: at(minutes * MINUTE_MS) },
      { now: at(minutes * MINUTE_MS), ...limits },
    );
  const plannedMinutes = (series: RefusalSeries, isAtOnce = false): number | null => {
    const moment = deletionAt(series, { deleteAfterMs: HOUR_MS, isAtOnce });
    return moment && (moment.getTime() - begin.getTime()) / MINUTE_MS;
  };

  it('has a planned deletion an hour after its beginning, which further calls do not move', () => {
    const first = call(null, 'invalid', 0);
    expect(plannedMinutes(first)).toBe(60);
    expect(call(first, 'invalid', 30)).toEqual(first);
    expect(plannedMinutes(first, true)).toBe(1);
  });

  it('plans no deletion until a call requests one', () => {
    const first = call(null, 'invalid', 0, false);
    expect(plannedMinutes(first)).toBeNull();
    expect(plannedMinutes(call(first, 'invalid', 0))).toBe(60);
  });

  it('moves the planned deletion to the next check when its time has passed', () => {
    const late = refusedInCheck(call(null, 'invalid', 0), 'invalid', { now: at(90 * MINUTE_MS), ...limits });
    expect(plannedMinutes(late)).toBe(92);
  });

  it('ends with a doubtful refusal, and begins again with the next refusal that proves invalid credentials', () => {
    const first = call(null, 'invalid', 0);
    const doubtful = call(first, 'doubtful', 10);
    expect([doubtful.refusals, doubtful.refusedSince, plannedMinutes(doubtful)]).toEqual([0, null, null]);
    const again = refusedInCheck(doubtful, 'invalid', { now: at(20 * MINUTE_MS), ...limits });
    expect([again.refusals, plannedMinutes(again)]).toEqual([1, 80]);
  });

  it('does not begin with a call whose time is not known', () => {
    const times = { now: begin, ...limits };
    const unknown = refusedInCall(null, { proof: 'invalid', isDeletionWanted: true, at: null }, times);
    expect([unknown.refusals, plannedMinutes(unknown)]).toEqual([0, null]);
  });
});
