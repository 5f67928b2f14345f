import type pg from 'pg';

/** PostgreSQL's code for a write in a session that is read-only. */
export const READ_ONLY = '25006';

/**
 * Makes a pool close each connection on which PostgreSQL has refused a write as read-only. A session keeps the value of
 * `default_transaction_read_only` with which it began. It would refuse writes for as long as it is in use, even after
 * the database accepts writes again. A proxy may also keep a connection to a server that is no longer primary.
 */
export function closeReadOnlySessions(pool: pg.Pool): void {
  const refused = new WeakSet<pg.PoolClient>();
  pool.on('connect', (client) => {
    const { connection } = client as pg.Client & pg.PoolClient;
    // This listener must run first, because the driver's own listener may release the connection.
    connection.prependListener('errorMessage', ({ code }: pg.DatabaseError) => {
      if (code === READ_ONLY) refused.add(client);
    });
  });
  pool.on('release', (_, client) => {
    // The pool drops a released client that is ending.
    if (refused.has(client)) void (client as pg.Client & pg.PoolClient).end();
  });
}
