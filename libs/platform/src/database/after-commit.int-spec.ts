import { randomUUID } from 'node:crypto';
import { createTestModule, type TestModule } from '#platform/testing';
import { afterCommit } from './database.js';

describe('work that is given to `afterCommit`', () => {
  let db: TestModule['db'];
  let close: TestModule['close'];

  beforeAll(async () => {
    ({ db, close } = await createTestModule());
  });

  afterAll(() => close());

  it('runs in the order of the calls, when other connections already see the committed rows', async () => {
    const id = randomUUID();
    const happened: string[] = [];
    const seen: Promise<unknown[]>[] = [];
    await db.transaction(async (tx) => {
      afterCommit(() => {
        happened.push('first');
        // Runs at once on another connection, which sees the row only if the transaction is committed by now.
        seen.push(db.query(`select name from organizations where id = $1`, [id]));
      });
      afterCommit(() => happened.push('second'));
      await db.query(`insert into organizations (id, name, created_at) values ($1, 'seen', now())`, [id], tx);
      happened.push('inside');
    });
    expect(happened).toEqual(['inside', 'first', 'second']);
    expect(await Promise.all(seen)).toEqual([[{ name: 'seen' }]]);
  });

  it('does not run when the transaction is rolled back', async () => {
    const happened: string[] = [];
    const work = db.transaction(async (tx) => {
      afterCommit(() => happened.push('after'));
      await db.query('select 1 / 0', [], tx);
    });
    await expect(work).rejects.toThrow('division by zero');
    expect(happened).toEqual([]);
  });

  it('runs at once outside of a transaction', () => {
    const happened: string[] = [];
    afterCommit(() => happened.push('now'));
    expect(happened).toEqual(['now']);
  });
});
