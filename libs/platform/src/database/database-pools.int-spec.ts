import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { isOutage } from '#platform/errors';
import { Client, runWithLoad } from '#platform/load';
import { createTestDatabase, type TestDatabase } from '#platform/testing';
import { DatabasePools } from './database-pools.js';

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

describe('the two pools of a process', () => {
  it('survive a connection that the server ends while the pool hands it out', async () => {
    const server = await endingServer();
    const ended = new DatabasePools({ host: '127.0.0.1', port: server.port, max: 2 });
    const client = await ended.connect();
    const error: unknown = await client.query('select 1').catch((failure: unknown) => failure);
    expect(isOutage(error)).toBe(true);
    client.release(true);
    await ended.end();
    server.close();
  });

  let database: TestDatabase;
  let pools: DatabasePools;

  beforeAll(async () => {
    database = await createTestDatabase();
    pools = new DatabasePools({ connectionString: database.appUrl, max: 2 });
    // `end` does not wait until the connections are closed, so dropping the database can end one of them first.
    pools.on('error', () => undefined);
  });

  afterAll(async () => {
    await pools.end();
    await database.drop();
  });

  it('report it to the caller when they are ended a second time', async () => {
    const ended = new DatabasePools({ connectionString: database.appUrl, max: 2 });
    await ended.end();
    const again = new Promise((resolve) => ended.end(resolve));
    expect(await again).toMatchObject({ message: 'Called end on pool more than once' });
    await expect(ended.end()).rejects.toThrow('Called end on pool more than once');
  });

  it('keep connections for executions and orders when reads have all the others', async () => {
    const reading = await Promise.all([pools.connect(), pools.connect()]);
    const waiting = pools.connect();
    const money = await runWithLoad({ loadClass: 'money' }, () => pools.query<{ one: number }>('select 1 as one'));
    expect(money.rows).toEqual([{ one: 1 }]);
    expect(pools.usage).toEqual({ total: 3, idle: 1, waiting: 1 });
    for (const client of reading) client.release();
    (await waiting).release();
  });

  it('run no statement of a request for a list when its client disconnected before a connection was free', async () => {
    const client = new Client();
    const holders = await Promise.all([pools.connect(), pools.connect()]);
    const waiting = runWithLoad({ loadClass: 'list', client }, () => pools.query('select 1'));
    client.leave();
    for (const holder of holders) holder.release();
    await expect(waiting).rejects.toMatchObject({ status: 503 });
    const other = await runWithLoad({ loadClass: 'list' }, () => pools.query<{ one: number }>('select 1 as one'));
    expect(other.rows).toEqual([{ one: 1 }]);
    expect([pools.totalCount - pools.idleCount, pools.waitingCount]).toEqual([0, 0]);
  });
});
