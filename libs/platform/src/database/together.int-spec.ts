import { randomUUID } from 'node:crypto';
import { createTestModule, type TestModule } from '#platform/testing';
import { InsideTransaction } from './database.js';
import type { NamedStatement } from './statements/named-select.js';
import { inOrder } from './statements/in-order.js';

const INSERT: NamedStatement = {
  name: 'insert for a test',
  text: `insert into organizations (id, name, created_at) values ($1, $2, now())`,
};
const NAME: NamedStatement = { name: 'name for a test', text: 'select name from organizations where id = $1' };
const DIVIDE: NamedStatement = { name: 'division for a test', text: 'select 7 / $1::int4 as result' };
const TIMES: NamedStatement = {
  name: 'times for a test',
  text: 'select transaction_timestamp()::text as began, txid_current()::text as id',
};

describe('statements that are sent together', () => {
  let db: TestModule['db'];
  let close: TestModule['close'];

  beforeAll(async () => {
    ({ db, close } = await createTestModule());
  });
  afterAll(() => close());

  const nameOf = (id: string): Promise<unknown[]> => db.read(NAME, [id]);

  it('run in the order of their calls, and each sees the rows of the statements before it', async () => {
    for (const _ of [1, 2, 3]) {
      const [id, other] = [randomUUID(), randomUUID()];
      const results = await db.transaction((tx) =>
        db.together(tx, () =>
          inOrder([
            db.read(NAME, [id], tx),
            db.read(INSERT, [id, 'first'], tx),
            db.read(NAME, [id], tx),
            db.read(INSERT, [other, 'second'], tx),
            db.read(NAME, [other], tx),
          ]),
        ),
      );
      expect(results).toEqual([[], [], [{ name: 'first' }], [], [{ name: 'second' }]]);
      expect(await nameOf(id)).toEqual([{ name: 'first' }]);
    }
  });

  it('do not run after a statement that failed, and the transaction is rolled back', async () => {
    for (const _ of [1, 2]) {
      const [id, later] = [randomUUID(), randomUUID()];
      let outcomes: PromiseSettledResult<unknown>[] = [];
      const failed = db.transaction(async (tx) => {
        outcomes = await db.together(tx, () =>
          Promise.allSettled([
            db.read(INSERT, [id, 'before'], tx),
            db.read(DIVIDE, [0], tx),
            db.read(INSERT, [later, 'after'], tx),
          ]),
        );
      });
      await expect(failed).rejects.toThrow('a statement of the transaction failed');
      expect(outcomes).toMatchObject([
        { status: 'fulfilled' },
        { reason: { code: '22012' } },
        { reason: { code: '22012' } },
      ]);
      expect([await nameOf(id), await nameOf(later)]).toEqual([[], []]);
    }
    expect(await db.read(DIVIDE, [7])).toEqual([{ result: 1 }]);
  });

  it('return one result for each statement outside of a transaction, also when they were prepared before', async () => {
    for (const _ of [1, 2]) {
      const results = await db.together(null, () =>
        inOrder([db.read(DIVIDE, [1]), db.read(DIVIDE, [7]), db.read(NAME, [randomUUID()])]),
      );
      expect(results).toEqual([[{ result: 7 }], [{ result: 1 }], []]);
    }
  });

  it('are refused when one of them does not belong to their transaction', async () => {
    await db.transaction(async (tx) => {
      await expect(db.together(null, () => db.read(DIVIDE, [1], tx))).rejects.toThrow(
        'do not belong to one transaction',
      );
      await expect(db.together(tx, () => db.read(DIVIDE, [1]))).rejects.toThrow(InsideTransaction);
    });
    expect(await db.read(DIVIDE, [1])).toEqual([{ result: 7 }]);
  });

  describe('a transaction', () => {
    it.each(['prepared', 'plain', 'of TypeORM'])('begins with its first statement, when that is %s', async (kind) => {
      const ids = await db.transaction(async (tx) => {
        if (kind === 'prepared') await db.read(DIVIDE, [1], tx);
        if (kind === 'plain') await db.query('select 1', [], tx);
        if (kind === 'of TypeORM') await tx.query('select 1');
        const before = await db.read(TIMES, [], tx);
        return [...before, ...(await db.read(TIMES, [], tx)), ...(await tx.query<object[]>(TIMES.text))];
      });
      expect(ids).toEqual([ids[0], ids[0], ids[0]]);
    });

    it('without statements resolves or rejects as its function does', async () => {
      await db.transaction(async () => undefined);
      await expect(db.transaction(async () => Promise.reject(new Error('of the work')))).rejects.toThrow('of the work');
    });

    it('cannot be committed after its code has ignored the failure of a statement', async () => {
      const id = randomUUID();
      const ignored = db.transaction(async (tx) => {
        await db.read(INSERT, [id, 'never'], tx);
        await db.read(DIVIDE, [0], tx).catch(() => undefined);
      });
      await expect(ignored).rejects.toThrow('a statement of the transaction failed');
      expect(await nameOf(id)).toEqual([]);
    });

    it('keeps a row that is inserted after the rollback of a savepoint', async () => {
      const [kept, undone] = [randomUUID(), randomUUID()];
      await db.transaction(async (tx) => {
        await tx
          .transaction(async (inner) => {
            await db.read(INSERT, [undone, 'undone'], inner);
            await db.read(DIVIDE, [0], inner);
          })
          .catch(() => undefined);
        await db.read(INSERT, [kept, 'kept'], tx);
      });
      expect([await nameOf(kept), await nameOf(undone)]).toEqual([[{ name: 'kept' }], []]);
    });
  });
});

describe('inOrder', () => {
  it('fails with the first failure in the list, after all promises have settled', async () => {
    const ended: string[] = [];
    const failing = async (name: string, after: Promise<unknown> = Promise.resolve()): Promise<never> => {
      await after.catch(() => undefined);
      ended.push(name);
      throw new Error(name);
    };
    const second = failing('second');
    await expect(inOrder([failing('first', second), second])).rejects.toThrow('first');
    expect(ended).toEqual(['second', 'first']);
    expect(await inOrder([Promise.resolve(1), 'two'])).toEqual([1, 'two']);
  });
});
