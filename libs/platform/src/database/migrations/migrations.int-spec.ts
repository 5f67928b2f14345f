import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '#platform/testing';
import { migrations } from './index.js';

/** Lists everything that a migration can create, in PostgreSQL's own notation. */
const SCHEMA = `
  select 'column' as kind, table_name || '.' || column_name as name, data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '') as what
    from information_schema.columns where table_schema = 'public'
  union all select 'index', indexname, indexdef from pg_indexes where schemaname = 'public'
  union all select 'constraint', conrelid::regclass::text || ' ' || conname, replace(pg_get_constraintdef(oid), ' NOT VALID', '')
    from pg_constraint where connamespace = 'public'::regnamespace
  union all select 'function', proname, pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
  union all select 'trigger', tgrelid::regclass::text || ' ' || tgname, pg_get_triggerdef(oid)
    from pg_trigger where not tgisinternal
  order by kind, name, what`;

describe('the migrations', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await new DataSource({
      type: 'postgres',
      url: database.ownerUrl,
      migrations,
      migrationsTransactionMode: 'each',
    }).initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const schema = (): Promise<{ kind: string; name: string; what: string }[]> => dataSource.query(SCHEMA);

  it('can be undone down to the first migration, and then produce the same schema again', async () => {
    const before = await schema();
    for (let last = migrations.length; last > 1; last--) {
      await dataSource.undoLastMigration({ transaction: 'each' });
      expect(await schema()).not.toEqual(before);
    }
    await dataSource.runMigrations();
    expect(await schema()).toEqual(before);
  });

  it('refuse to undo the first migration, because nothing would be left', async () => {
    for (let last = migrations.length; last > 1; last--) await dataSource.undoLastMigration({ transaction: 'each' });
    const before = await schema();
    await expect(dataSource.undoLastMigration({ transaction: 'each' })).rejects.toThrow('drop the database instead');
    expect(await schema()).toEqual(before);
  });
});
