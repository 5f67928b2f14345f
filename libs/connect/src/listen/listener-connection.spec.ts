import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StreamConnection } from './listener-connection.js';

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

  it('writes nothing more, and reports a failure at the next heartbeat', async () => {
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
});
