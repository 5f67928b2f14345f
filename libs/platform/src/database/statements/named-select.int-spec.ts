import { createTestDatabase, type TestDatabase } from '#platform/testing';
import { selectAllOn, selectOn, SharedPool } from './shared-pool.js';
import { NamedSelect, type Batched, type NamedStatement, type RowReader } from './named-select.js';

const rows: RowReader<object> = { create: () => ({}), convert: new Map() };

describe('a named SELECT', () => {
  let database: TestDatabase;
  let pool: SharedPool;

  beforeAll(async () => {
    database = await createTestDatabase();
    // Each connection prepares its own statements. With one connection, the second use finds the statement prepared.
    pool = new SharedPool({ connectionString: database.appUrl, max: 1, query_timeout: 60_000 });
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  const select = async (statement: NamedStatement, ...values: unknown[]): Promise<object[]> =>
    selectOn(pool, new NamedSelect(statement, values, rows));

  it('returns the same rows as `pg` for every type of column, also when it is used again', async () => {
    const text = `select $1::text as text, $2::int4 as number, 12345678901::int8 as long, 1.50::numeric as amount,
      $3::boolean as flag, $4::timestamptz as moment, $5::text[] as list, '{"a": [1]}'::jsonb as json, null::text as nothing,
      $6::bytea as bytes, n from generate_series(1, 2) as n`;
    const values = [
      'ä"\\',
      7,
      true,
      new Date('2026-01-02T03:04:05.678Z'),
      ['a', 'b,"c\\', null],
      Buffer.from([1, 0, 255]),
    ];
    const expected = await pool.query<object>(text, values);
    const statement = { name: 'all kinds', text };
    for (const _ of [1, 2, 3]) expect(await select(statement, ...values)).toEqual(expected.rows);
    expect(await select({ name: 'none', text: 'select 1 as one where false' })).toEqual([]);
    expect(await select({ name: 'null', text: 'select $1::text as x' }, undefined)).toEqual([{ x: null }]);
  });

  it('with `isRare` leaves no prepared statement on the connection, neither alone nor in a batch', async () => {
    const rare = (text: string): NamedStatement => ({ name: 'rare', text, isRare: true });
    for (const one of [1, 2]) expect(await select(rare(`select ${one}::int4 as one`))).toEqual([{ one }]);
    const kept = { name: 'kept', text: 'select $1::int4 as two' };
    const batch = [
      new NamedSelect<object>(rare('select 3::int4 as three'), [], rows),
      new NamedSelect<object>(kept, [4], rows),
      new NamedSelect<object>(rare('select 5::int4 as five'), [], rows),
    ];
    const ended = batch.map((each) => each.ended());
    selectAllOn(pool, batch as object as Batched[]);
    expect(await Promise.all(ended)).toEqual([[{ three: 3 }], [{ two: 4 }], [{ five: 5 }]]);
    const { rows: prepared } = await pool.query(
      `select name from pg_prepared_statements where name in ('rare', 'kept', '')`,
    );
    expect(prepared).toEqual([{ name: 'kept' }]);
  });

  it('creates each row and converts its values with the functions of its reader', async () => {
    class Row {
      amount: string;
    }
    const reader: RowReader<Row> = {
      create: () => new Row(),
      convert: new Map([['amount', (value: unknown) => `amount ${String(value)}`]]),
    };
    const statement = { name: 'converted', text: 'select $1::numeric as amount' };
    for (const value of ['1.50', null]) {
      const [row] = await selectOn(pool, new NamedSelect(statement, [value], reader));
      expect(row).toBeInstanceOf(Row);
      expect(row).toEqual({ amount: `amount ${String(value)}` });
    }
  });

  it('rejects with the error of the database, and leaves the connection usable', async () => {
    const statement = { name: 'division', text: 'select 1 / $1::int4 as result' };
    for (const _ of [1, 2]) {
      await expect(select(statement, 0)).rejects.toMatchObject({ code: '22012' });
      expect(await select(statement, 1)).toEqual([{ result: 1 }]);
    }
    await expect(select({ name: 'wrong', text: 'select nothing' })).rejects.toMatchObject({ code: '42703' });
    await expect(select({ name: 'wrong', text: 'select nothing' })).rejects.toMatchObject({ code: '42703' });
    expect(pool.totalCount).toBe(1);
  });

  it('rejects when a row cannot be converted', async () => {
    const convert = new Map([
      [
        'x',
        (): never => {
          throw new Error('not an amount');
        },
      ],
    ]);
    const failing = selectOn(
      pool,
      new NamedSelect({ name: 'x', text: 'select 1 as x' }, [], { create: () => ({}), convert }),
    );
    await expect(failing).rejects.toThrow('not an amount');
    expect(await select({ name: 'after', text: 'select 2 as x' })).toEqual([{ x: 2 }]);
  });

  it('refuses another text under a known name, and a parameter of an unsupported type', async () => {
    await select({ name: 'known', text: 'select 1 as x' });
    await expect(select({ name: 'known', text: 'select 2 as x' })).rejects.toThrow(
      'two statements have the name known',
    );
    expect(await select({ name: 'known', text: 'select 1 as x' })).toEqual([{ x: 1 }]);
    await expect(select({ name: 'object', text: 'select $1::jsonb as x' }, { a: 1 })).rejects.toThrow(TypeError);
  });
});
