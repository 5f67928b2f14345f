import pg from 'pg';
import type { ProcessRole } from '#platform/database';
import type { TestDatabase } from '#platform/testing';
import type { TenantRows } from './tenant-rows.js';

/** Runs statements as a role, and rolls them back. @returns the code of the first error; undefined = all succeed. */
export async function codeAs(
  { database, rows }: { database: TestDatabase; rows: TenantRows },
  role: ProcessRole,
  ...statements: string[]
): Promise<string | undefined> {
  const client = new pg.Client(database.roleUrl(role));
  await client.connect();
  try {
    await client.query(`begin; select set_config('causeway.project_id', '${rows.projectId}', true)`);
    for (const each of statements) await client.query(each);
    return undefined;
  } catch (error) {
    return error instanceof pg.DatabaseError ? error.code : String(error);
  } finally {
    await client.end();
  }
}
