import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { configGroups } from '#platform/config';
import { createTestDatabase, projectRoot } from '#platform/testing';
import { listTypeScript } from './migrated-tables.js';

interface KeptData {
  tables: string[];
  settings: string[];
}

const namesIn = (cell: string): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name ?? '');

/** Returns the rows of the table of docs/data.md. */
function readKeptData(): KeptData[] {
  const [, chapter = ''] = readFileSync(join(projectRoot, 'docs/data.md'), 'utf8').split('## What is kept how long');
  const cells = chapter
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').slice(1, -1));
  return cells.map((row) => ({ tables: namesIn(row[0] ?? ''), settings: namesIn(row[4] ?? '') }));
}

const keptData = readKeptData();

/** Each deletion of rows by their age, with the settings that its file names. */
const retentions = ['libs']
  .flatMap(listTypeScript)
  .map((path) => readFileSync(join(projectRoot, path), 'utf8'))
  .flatMap((text) => text.split('@Injectable()'))
  .flatMap((text) => {
    const table = /extends ExpiredRows[\s\S]*table: '(\w+)'/.exec(text)?.[1];
    const setting = /keptMs:[\s\S]*?\b([A-Z]+(?:_[A-Z]+)+)\b(?<!DAY_MS)/.exec(text)?.[1];
    return table === undefined ? [] : [{ table, setting }];
  });

const settings: readonly string[] = Object.values(configGroups).flatMap((group) => Object.keys(group));

describe('the table of docs/data.md about kept data', () => {
  it('names each table of the database once', async () => {
    const database = await createTestDatabase();
    const owner = new pg.Client(database.ownerUrl);
    await owner.connect();
    const { rows } = await owner.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
    );
    await owner.end();
    await database.drop();
    const named = keptData.flatMap(({ tables }) => tables);
    expect(named.sort()).toEqual(rows.map(({ name }) => name).sort());
  });

  it('names only settings that exist', () => {
    expect(keptData.flatMap(({ settings: named }) => named).filter((name) => !settings.includes(name))).toEqual([]);
  });

  it('names every setting whose name says how long data is kept', () => {
    const keeping = settings.filter((name) => /_KEEP_(?:DAYS|SECONDS)$/.test(name));
    expect(keeping.length).toBeGreaterThan(2);
    const named = keptData.flatMap(({ settings: of }) => of);
    expect(keeping.filter((name) => !named.includes(name))).toEqual([]);
  });

  it.each(retentions)('names for $table the setting by which the worker deletes its rows', ({ table, setting }) => {
    const row = keptData.find(({ tables }) => tables.includes(table));
    // The expiry of a stored response was calculated from its setting when it was stored.
    const own = setting ?? 'IDEMPOTENCY_TTL_SECONDS';
    // The table states the value of a constant, and the name of a setting.
    expect(row?.settings).toEqual(settings.filter((name) => name === own));
  });

  it('is compared with every deletion by age', () => {
    expect(retentions.map(({ table }) => table)).toEqual(expect.arrayContaining(['events', 'orders', 'price_points']));
    expect(retentions).toHaveLength(8);
  });
});
