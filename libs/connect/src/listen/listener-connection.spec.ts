import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { StreamConnection } from './listener-connection.js';

/** More bytes than the buffers of both sockets can take. */
const UNREAD_BYTES = 32 * 1_048_576;

describe('an event stream that has ended', () => {
  let server: Server;

  beforeEach(async () => {
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('writes nothing more, and returns false at the next heartbeat', async () => {
    const answer = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
    const errors: unknown[] = [];
    response.on('error', (error) => errors.push(error));
    const stream = new StreamConnection(response);
    expect(stream.beat()).toBe(true);
    stream.end();
    stream.send({ messageId: '1' } as Parameters<StreamConnection['send']>[0]);
    expect(stream.beat()).toBe(false);
    expect(await (await answer).text()).toBe('retry: 2000\n\n:\n\n');
    expect(errors).toEqual([]);
  });

  it('is closed by `cutOff` although the client does not read the rest of the stream', async () => {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.write('GET / HTTP/1.1\r\nhost: api\r\nconnection: close\r\n\r\n');
    const [{ socket }, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
    const stream = new StreamConnection(response);
    const body = { type: 'oauth2', walletId: 'x'.repeat(UNREAD_BYTES), exchange: 'kraken' } as const;
    stream.send({ messageId: '1', idem: 'topic', timestamp: 0, body });
    stream.end();
    expect([stream.beat(), socket.destroyed]).toEqual([false, false]);
    const closed = once(socket, 'close');
    stream.cutOff();
    expect(socket.destroyed).toBe(true);
    await closed;
    client.destroy();
  });
});
