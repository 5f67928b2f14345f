import pg from 'pg';

/**
 * Copies all tables to the schema `backup`. The returned function restores the copy and gives the database another
 * epoch, as a recovery to a point in time does.
 */
export async function backUp(ownerUrl: string): Promise<() => Promise<void>> {
  const tables = await asOwner(ownerUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
    );
    await client.query(`drop schema if exists backup cascade; create schema backup`);
    for (const { name } of rows) await client.query(`create table backup.${name} as table public.${name}`);
    return rows.map(({ name }) => name);
  });
  return () =>
    asOwner(ownerUrl, async (client) => {
      // A restore must write old rows, so triggers and foreign keys are off.
      await client.query(`begin; set local session_replication_role = replica`);
      for (const name of tables) {
        await client.query(`delete from public.${name}`);
        await client.query(`insert into public.${name} table backup.${name}`);
      }
      await client.query(`update database_epochs set epoch = 'an epoch before ' || gen_random_uuid()
        where epoch = current_database_epoch()`);
      await client.query(`commit`);
    });
}

async function asOwner<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
