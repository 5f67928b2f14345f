import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '#platform/testing';

export const MIGRATIONS = 'libs/platform/src/database/migrations';

export const listTypeScript = (folder: string): string[] =>
  readdirSync(join(projectRoot, folder), { encoding: 'utf8', recursive: true })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(folder, path));

/** Returns the names of the tables in the SQL of the migrations, sorted. */
export function readMigratedTables(): string[] {
  const sql = listTypeScript(MIGRATIONS).map((path) => readFileSync(join(projectRoot, path), 'utf8'));
  const created = sql.flatMap((text) => [...text.matchAll(/create (?:unlogged )?table (\w+)/g)]);
  return [...new Set(created.flatMap(([, table]) => table ?? []))].sort();
}
