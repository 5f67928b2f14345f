import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { closedLoop, type Responses } from './closed-loop.js';

const FOUND = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfour';

/**
 * Loads a server with one connection.
 * @param respond called for each request, with its text and the number of the request
 */
async function loaded(respond: (socket: Socket, request: string, count: number) => void): Promise<Responses> {
  let count = 0;
  const server = createServer((socket) => {
    socket.on('data', (request) => respond(socket, request.toString(), ++count)).on('error', () => socket.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const headers = [{ 'x-client': '1' }, { 'x-client': '2' }];
    return await closedLoop({ baseUrl, path: '/path', headers, connections: 1, seconds: 0.2 });
  } finally {
    server.close();
  }
}

describe('the load of a closed loop', () => {
  it('sends the next request after each response, with the headers in rotation', async () => {
    const requests: string[] = [];
    const { count, failures } = await loaded((socket, request) => {
      requests.push(request);
      socket.write(FOUND);
    });
    expect(count).toBe(requests.length);
    expect(count).toBeGreaterThan(2);
    expect(failures).toBe(0);
    expect(requests[0]).toMatch(/^GET \/path HTTP\/1\.1\r\nhost: 127\.0\.0\.1:\d+\r\nx-client: 1\r\n\r\n$/);
    expect(requests[1]).toContain('x-client: 2');
  });

  it('waits for all parts of a response whose head or body arrives in parts', async () => {
    const { count, failures } = await loaded((socket, _request, number) => {
      if (number > 1) return void socket.write(FOUND);
      const parts = ['HTTP/1.1 200 OK\r\nContent-', 'Length: 4\r\n\r\nfo', 'ur'];
      const send = (): void => {
        const part = parts.shift();
        if (part !== undefined) socket.write(part, () => setImmediate(send));
      };
      send();
    });
    expect(count).toBeGreaterThan(1);
    expect(failures).toBe(0);
  });

  it('counts error responses and ended connections as failures, and opens a new connection', async () => {
    const { count, failures } = await loaded((socket, _request, number) => {
      if (number === 1) socket.write('HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n');
      else if (number === 2) socket.destroy();
      else socket.write(FOUND);
    });
    expect(count).toBeGreaterThan(2);
    expect(failures).toBe(2);
  });
});
