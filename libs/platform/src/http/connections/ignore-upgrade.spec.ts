import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { IgnoreUpgrade } from './ignore-upgrade.js';

const REQUEST_TIMEOUT_MS = 300;

describe('a request that offers another protocol', () => {
  let server: Server;
  let client: Socket;

  beforeEach(async () => {
    server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS });
    const ignored = new IgnoreUpgrade(server);
    server.on('upgrade', (request, socket: Socket, head) => ignored.serve(request, socket, head));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined);
    const head = ['POST / HTTP/1.1', 'host: api', 'connection: upgrade', 'upgrade: h2c', 'content-length: 5', '', ''];
    client.write(head.join('\r\n'));
  });

  afterEach(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });

  it('has the same time limit for its body as every other request', async () => {
    server.on('request', (body) => body.resume());
    const [error, socket] = (await once(server, 'clientError')) as [NodeJS.ErrnoException, Socket];
    expect(error.code).toBe('ERR_HTTP_REQUEST_TIMEOUT');
    socket.destroy();
  });

  it('may wait for its response for longer than the time limit for its body', async () => {
    const errors: unknown[] = [];
    server.on('clientError', (error) => errors.push(error));
    server.on('request', (body, response) => {
      body.resume();
      setTimeout(() => response.end('done'), REQUEST_TIMEOUT_MS * 2);
    });
    client.write('12345');
    let answer = '';
    client.on('data', (part: Buffer) => (answer += part.toString()));
    await once(client, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK[^]*done/);
    expect(errors).toEqual([]);
  });
});
