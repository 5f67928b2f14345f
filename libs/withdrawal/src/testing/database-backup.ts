import pg from 'pg';

/**
 * Keeps what the database holds now, in a schema of its own. The returned function restores it: everything that happened
 * since is forgotten, and the database comes to another life, as with a recovery to a point in time.
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
      // Rules and references hold for the application; a restore writes what was there.
      await client.query(`begin; set local session_replication_role = replica`);
      for (const name of tables) {
        await client.query(`delete from public.${name}`);
        await client.query(`insert into public.${name} table backup.${name}`);
      }
      await client.query(`update database_epochs set epoch = 'a life before ' || gen_random_uuid()
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
