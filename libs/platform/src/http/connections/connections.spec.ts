import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { loadConfig } from '#platform/config';
import { until } from '#platform/testing';
import { Connections } from './connections.js';

const LIMIT = 3;
/** A request without the rest of its body. */
const BEGINNING = 'POST / HTTP/1.1\r\nhost: api\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{';
/** Length of a response that the buffers of the operating system cannot hold. */
const LONG_BYTES = 50_000_000;

describe.each(['CONNECTIONS_PER_ADDRESS', 'CONNECTIONS_MAX'])('a connection beyond %s', (setting) => {
  let server: FastifyInstance;
  let clients: Socket[];
  /** The number of requests that the server does not answer. */
  let waiting: number;
  /** The number of requests whose headers have arrived. */
  let begun: number;
  let isLongSent: boolean;

  beforeEach(async () => {
    server = Fastify({ forceCloseConnections: true });
    [waiting, begun, isLongSent] = [0, 0, false];
    server.server.on('request', () => (begun += 1));
    server.post('/', () => 'done');
    server.get('/long', (_request, reply) => {
      void reply.send('x'.repeat(LONG_BYTES));
      isLongSent = true;
    });
    server.get('/', () => 'done');
    server.get('/wait', () => {
      waiting += 1;
      return new Promise(() => undefined);
    });
    // Every event has a time of its own.
    let time = 0;
    const config = loadConfig({ DATABASE_URL: 'postgres://none', [setting]: String(LIMIT) });
    new Connections(config, () => ++time).watch(server);
    await server.listen({ port: 0, host: '127.0.0.1' });
    clients = [];
    while (clients.length < LIMIT) await open();
  });
  afterEach(async () => {
    for (const client of clients) client.destroy();
    await server.close();
  });

  async function open(): Promise<void> {
    const client = connect((server.server.address() as AddressInfo).port, '127.0.0.1').resume();
    client.on('error', () => undefined);
    clients.push(client);
    await once(client, 'connect');
  }
  const request = (client: Socket | undefined, path: string) =>
    client?.write(`GET ${path} HTTP/1.1\r\nhost: api\r\n\r\n`);
  /** Waits until the server has closed a connection. Returns which ones are closed, in the order of their opening. */
  const whichAreClosed = async (): Promise<boolean[]> => {
    await until('one is closed', () => clients.some(({ closed }) => closed));
    return clients.map(({ closed }) => closed);
  };

  it('replaces the connection that has been idle longest', async () => {
    const [oldest] = clients;
    request(oldest, '/');
    await once(oldest ?? server.server, 'data');
    await open();
    expect(await whichAreClosed()).toEqual([false, true, false, false]);
  });

  it('replaces no connection that waits for a response', async () => {
    request(clients[0], '/wait');
    request(clients[1], '/wait');
    await until('both wait', () => waiting === 2);
    await open();
    expect(await whichAreClosed()).toEqual([false, false, true, false]);
  });

  it('replaces the connection whose client has been slowest to send the rest of its request', async () => {
    request(clients[0], '/wait');
    clients[2]?.write(BEGINNING);
    await until('two requests have begun', () => begun === 2);
    clients[1]?.write(BEGINNING);
    await until('three requests have begun', () => begun === 3);
    await open();
    expect(await whichAreClosed()).toEqual([false, false, true, false]);
  });

  it('replaces the connection whose client does not read its response', async () => {
    clients[1]?.pause();
    for (const client of [clients[0], clients[2]]) request(client, '/wait');
    request(clients[1], '/long');
    await until('three requests have begun', () => begun === 3);
    await until('the long response is sent', () => isLongSent);
    await open();
    clients[1]?.resume();
    expect(await whichAreClosed()).toEqual([false, true, false, false]);
  });

  it('is closed when all other connections wait for a response', async () => {
    for (const client of clients) request(client, '/wait');
    await until('all wait', () => waiting === LIMIT);
    await open();
    expect(await whichAreClosed()).toEqual([false, false, false, true]);
  });
});
