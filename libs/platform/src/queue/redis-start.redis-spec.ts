import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { createTestDatabase, RedisServer, type TestDatabase } from '#platform/testing';
import { QueueHarness } from './testing/queue-harness.js';

/** The command by which a connection checks Redis, once in its library and once in BullMQ. */
const INFO = /^\$4\r\ninfo\r\n/im;

describe('a worker at its start', () => {
  let database: TestDatabase;
  let redis: RedisServer;
  let relay: Server;

  beforeAll(async () => {
    [database, redis] = await Promise.all([createTestDatabase(), RedisServer.start()]);
    relay = await relayWithoutSecondInfo(Number(new URL(redis.url).port));
  });
  afterAll(async () => {
    relay.close();
    await redis.kill();
    await database.drop();
  });

  it('names Redis when Redis stops responding after the check of the start', async () => {
    const { port } = relay.address() as AddressInfo;
    const settings = {
      DATABASE_URL: database.appUrl,
      REDIS_URL: `redis://127.0.0.1:${port}/0`,
      DATABASE_STATEMENT_TIMEOUT_MS: '500',
    };
    await expect(QueueHarness.start(settings)).rejects.toThrow(
      `Redis (REDIS_URL) at 127.0.0.1:${port} cannot be used: Command timed out`,
    );
  });
});

/** Relays to Redis, but does not pass the second INFO of any connection after the first one. */
async function relayWithoutSecondInfo(port: number): Promise<Server> {
  let connections = 0;
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    const isFirst = ++connections === 1;
    let infos = 0;
    client.on('data', (bytes) => {
      if (INFO.test(bytes.toString())) infos += 1;
      if (isFirst || infos < 2) upstream.write(bytes);
    });
    upstream.pipe(client);
    for (const socket of [client, upstream]) {
      socket.on('error', () => undefined);
      socket.on('close', () => [client, upstream].forEach((each) => each.destroy()));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
