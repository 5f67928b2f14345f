import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { isOutage } from '#platform/errors';
import { Client, runWithLoad } from '#platform/load';
import { createTestDatabase, type TestDatabase } from '#platform/testing';
import { SharedPool } from './shared-pool.js';

/** A message of PostgreSQL's protocol from the server: its type, its length, its contents. */
function message(type: string, contents: string | Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(length.length + contents.length);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(contents)]);
}

/** A server that accepts and ends a session in one packet, as PostgreSQL can do while it stops. */
async function endingServer(): Promise<{ port: number; close: () => void }> {
  const server = createServer((socket) => {
    const authenticated = message('R', Buffer.alloc(4));
    const ready = message('Z', 'I');
    const ended = message('E', 'SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0');
    socket.once('data', () => socket.end(Buffer.concat([authenticated, ready, ended])));
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}

describe('a shared pool', () => {
  it('survives a connection that the server ends while the pool hands it out', async () => {
    const server = await endingServer();
    const ended = new SharedPool({ host: '127.0.0.1', port: server.port, max: 2 });
    const client = await ended.connect();
    const error: unknown = await client.query('select 1').catch((failure: unknown) => failure);
    expect(isOutage(error)).toBe(true);
    client.release(true);
    await ended.end();
    server.close();
  });

  let database: TestDatabase;
  let pool: SharedPool;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new SharedPool({ connectionString: database.appUrl, max: 2 });
    // `end` does not wait until the connections are closed, so dropping the database can end one of them first.
    pool.on('error', () => undefined);
  });

  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('runs no statement of a request for a list when its client disconnected before a connection was free', async () => {
    const client = new Client();
    const list = { loadClass: 'list', client } as const;
    // Lists have one connection of this pool, and this call holds it.
    const holder = await runWithLoad({ loadClass: 'list' }, () => pool.connect());
    const waiting = runWithLoad(list, () => pool.query('select 1'));
    client.leave();
    holder.release();
    await expect(waiting).rejects.toMatchObject({ status: 503 });
    const other = await runWithLoad({ loadClass: 'list' }, () => pool.query<{ one: number }>('select 1 as one'));
    expect(other.rows).toEqual([{ one: 1 }]);
    expect([pool.totalCount - pool.idleCount, pool.waitingForShare]).toEqual([0, 0]);
  });
});
