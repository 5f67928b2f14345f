import { createTestModule, type TestModule } from '#platform/testing';
import { IN_REVIEW, IS_UNLISTED, isInReview, isUnlisted } from './order-review.js';
import { orderStates } from './order-state.js';

const SINCE = new Date('2026-01-02T00:00:00Z');
const times = [-1, 0, 1].map((ms) => new Date(SINCE.getTime() + ms));
const statuses = ['open', 'unknown', 'canceled'] as const;
const rawStatuses = ['not_listed', 'not_visible', 'open'];

/** Every combination of the columns that the conditions read. */
const rows = orderStates.flatMap((state) =>
  times.flatMap((createdAt) =>
    [null, SINCE].flatMap((nextCheckAt) =>
      statuses.flatMap((status) =>
        rawStatuses.map((rawStatus) => ({ state, createdAt, nextCheckAt, status, rawStatus })),
      ),
    ),
  ),
);

describe('the conditions of orders that need an operator', () => {
  let module: TestModule;
  beforeAll(async () => (module = await createTestModule()));
  afterAll(() => module.close());

  it('are the same in SQL and in the code for every row', async () => {
    const inSql = await module.db.query<{ review: boolean; unlisted: boolean }>(
      `select ${IN_REVIEW('$1::timestamptz')} as review, ${IS_UNLISTED} as unlisted
       from jsonb_to_recordset($2) as o(state text, created_at timestamptz, next_check_at timestamptz, status text, raw_status text)`,
      [
        SINCE,
        JSON.stringify(
          rows.map(({ state, createdAt, nextCheckAt, status, rawStatus }) => ({
            state,
            created_at: createdAt,
            next_check_at: nextCheckAt,
            status,
            raw_status: rawStatus,
          })),
        ),
      ],
    );
    expect(inSql).toEqual(rows.map((row) => ({ review: isInReview(row, SINCE), unlisted: isUnlisted(row) })));
  });

  it('hold for orders in doubt that are old or no longer checked, and for open orders that are not listed', () => {
    const reviewed = rows.filter((row) => isInReview(row, SINCE));
    expect(new Set(reviewed.map(({ state }) => state))).toEqual(new Set(['unknown']));
    expect(reviewed.filter(({ nextCheckAt }) => nextCheckAt !== null).every(({ createdAt }) => createdAt < SINCE)).toBe(
      true,
    );
    expect(reviewed.filter(({ nextCheckAt }) => nextCheckAt === null).length).toBe(times.length * 9);
    const unlisted = rows.filter(isUnlisted);
    expect(unlisted.length).toBe(times.length * 2);
    expect(unlisted[0]).toMatchObject({ state: 'open', status: 'unknown', rawStatus: 'not_listed' });
  });
});
