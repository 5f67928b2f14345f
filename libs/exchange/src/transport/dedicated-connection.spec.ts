import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { NoResponse, Transport, type HttpRequest } from './transport.js';

const BODY = '{"error":[]}';
const RESPONSE = `HTTP/1.1 200 OK\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`;

describe('a request', () => {
  let server: Server;
  let transport: Transport;
  let origin: string;
  /** The events in the order in which they happened. */
  let events: string[];
  let sockets: Socket[];
  /** Resolves when the server has a connection. */
  let connected: Promise<Socket>;

  beforeEach(async () => {
    [events, sockets] = [[], []];
    server = createServer((socket) => {
      sockets.push(socket.on('error', () => undefined));
      events.push('connected');
      socket.on('data', () => {
        events.push('request');
        socket.write(RESPONSE);
      });
    });
    connected = new Promise((resolve) => server.on('connection', resolve));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    transport = new Transport({ connectTimeoutMs: 5_000, responseMaxBytes: 1_000 });
  });
  afterEach(async () => {
    await transport.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  const request = (): HttpRequest => ({
    method: 'POST',
    url: `${origin}/0/private/Withdraw`,
    headers: {},
    body: 'a=1',
  });
  const send = (sign: () => Promise<HttpRequest>, timeoutMs = 5_000) =>
    transport.sendOnce(origin, sign, { timeoutMs, beforeWrite: () => void events.push('before bytes') });
  const failure = (sent: Promise<unknown>): Promise<NoResponse> =>
    sent.then(
      () => Promise.reject(new Error('it was answered')),
      (error: unknown) => error as NoResponse,
    );

  it('on a dedicated connection is signed after the connection is open', async () => {
    const response = await send(async () => {
      await connected;
      events.push('signed');
      return request();
    });
    expect(response).toMatchObject({ status: 200, body: BODY });
    expect(events).toEqual(['connected', 'signed', 'before bytes', 'request']);
  });

  it('on a dedicated connection shares the connection with no other request', async () => {
    await transport.send({ ...request(), method: 'GET', body: undefined }, { timeoutMs: 5_000 });
    await send(() => Promise.resolve(request()));
    await send(() => Promise.resolve(request()));
    await transport.send({ ...request(), method: 'GET', body: undefined }, { timeoutMs: 5_000 });
    expect(sockets).toHaveLength(3);
  });

  it.each<[string, (socket: Socket) => void]>([
    ['has ended the connection', (socket) => void socket.end()],
    ['has reset the connection', (socket) => void socket.resetAndDestroy()],
    ['sends data first', (socket) => void socket.write(RESPONSE)],
  ])('on a dedicated connection is not written when the exchange %s', async (_what, spoil) => {
    const error = await failure(
      send(async () => {
        const socket = await connected;
        await new Promise<void>((resolve) => {
          // The client gets time to notice the behaviour of the exchange before the request is signed.
          setTimeout(resolve, 50);
          spoil(socket);
        });
        return request();
      }),
    );
    expect(error).toBeInstanceOf(NoResponse);
    expect(error.written).toBe(false);
    expect(events).toEqual(['connected']);
  });

  it('on a dedicated connection is not written when signing fails', async () => {
    const error = await failure(send(() => Promise.reject(new Error('no nonce'))));
    expect([error.reason, error.written, events]).toEqual(['no nonce', false, ['connected']]);
  });

  it('on a dedicated connection is not written when signing times out, and leaves no connection open', async () => {
    let sign: () => void = () => undefined;
    const signed = new Promise<HttpRequest>((resolve) => {
      sign = () => resolve(request());
    });
    const error = await failure(send(() => signed, 50));
    expect([error.reason, error.written]).toEqual(['timeout', false]);
    sign();
    const socket = await connected;
    await new Promise<void>((resolve) => (socket.closed ? resolve() : socket.once('close', () => resolve())));
    expect(events).toEqual(['connected']);
    expect(sockets).toHaveLength(1);
  });

  it('is sent to the second host of an exchange whose usual host does not serve', async () => {
    // No program listens on the port 1.
    const usual = 'http://127.0.0.1:1';
    const used: string[] = [];
    const choosing = new Transport({
      connectTimeoutMs: 5_000,
      responseMaxBytes: 1_000,
      otherHosts: [{ usual, other: origin, probe: '/time' }],
      onOtherHost: ({ other }) => used.push(other),
    });
    const sent = { ...request(), url: `${usual}/0/private/Withdraw` };
    const once = { timeoutMs: 5_000, beforeWrite: () => void events.push('before bytes') };
    expect(await choosing.sendOnce(usual, () => Promise.resolve(sent), once)).toMatchObject({ body: BODY });
    expect(await choosing.send(sent, { timeoutMs: 5_000 })).toMatchObject({ body: BODY });
    expect(used).toEqual([origin]);
    expect(events.filter((event) => event !== 'connected')).toEqual(['request', 'before bytes', 'request', 'request']);
    await choosing.close();
  });

  it('is written once even when undici offers it to another connection', async () => {
    const { port } = server.address() as AddressInfo;
    // After this error, undici keeps the request and offers it to the next connection.
    const error = Object.assign(new Error('offer it again'), { code: 'UND_ERR_INFO' });
    const offering = new Transport({
      connectTimeoutMs: 5_000,
      responseMaxBytes: 1_000,
      connect: (_target, callback) => {
        const socket = connect(port, '127.0.0.1', () => callback(null, socket));
        if (sockets.length === 0) socket.once('readable', () => socket.destroy(error));
      },
    });
    expect(await failure(offering.send(request(), { timeoutMs: 5_000 }))).toMatchObject({ written: true });
    expect(events.filter((event) => event === 'request')).toHaveLength(1);
    await offering.close();
  });
});
