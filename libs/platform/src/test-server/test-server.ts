import pg from 'pg';

/**
 * Environment variables of a Jest run: the server's URL for the owner, the folder of its data, the password of
 * the roles of the processes, and the prefix of the names of this run's databases.
 */
export const SERVER_URL = 'CAUSEWAY_TEST_SERVER_URL';
export const DATA_FOLDER = 'CAUSEWAY_TEST_DATA_FOLDER';
export const ROLE_PASSWORD = 'CAUSEWAY_TEST_ROLE_PASSWORD';
export const RUN_PREFIX = 'CAUSEWAY_TEST_RUN';

const DATABASE_NAME = /^causeway_test_(\d+)_/;

/** The names of a run's databases have its process id, so that concurrent runs are independent. */
export function prefixOf(pid: number): string {
  return `causeway_test_${pid}_`;
}

export function templateOf(prefix: string): string {
  return `${prefix}template`;
}

export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.toString();
}

/** Returns the URL of a database for another role. */
export function asRole(url: string, role: string, password: string): string {
  const changed = new URL(url);
  changed.username = role;
  changed.password = password;
  return changed.toString();
}

export async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(withDatabase(url, 'postgres'));
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Drops the databases of runs for which `isDone` is true. @returns the number of databases of other runs. */
export async function dropDatabases(url: string, isDone: (pid: number) => boolean): Promise<number> {
  return onServer(url, async (client) => {
    const { rows } = await client.query<{ datname: string }>(`select datname from pg_database`);
    let others = 0;
    for (const { datname } of rows) {
      const pid = DATABASE_NAME.exec(datname)?.[1];
      if (pid === undefined) continue;
      if (isDone(Number(pid)))
        await client.query(`drop database if exists ${client.escapeIdentifier(datname)} with (force)`);
      else others += 1;
    }
    return others;
  });
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // With EPERM, the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
