import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * A TCP relay to a server that a test can cut or freeze. Cut: all connections break and new ones are refused. Frozen:
 * connections stay open and new ones are accepted, but no bytes pass.
 */
export class TcpRelay {
  /** Number of refused connections. */
  refused = 0;
  private isCut = false;
  private isFrozen = false;
  private readonly sockets = new Set<Socket>();
  private readonly pairs = new Set<readonly [Socket, Socket]>();

  private constructor(private readonly server: Server) {}

  static async start(port: number, host: string): Promise<TcpRelay> {
    const server = createServer();
    const relay = new TcpRelay(server);
    server.on('connection', (client) => relay.pass(client, port, host));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return relay;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  mend(): void {
    this.isCut = false;
  }

  freeze(): void {
    this.isFrozen = true;
    for (const [client, server] of this.pairs) {
      client.unpipe(server).pause();
      server.unpipe(client).pause();
    }
  }

  thaw(): void {
    this.isFrozen = false;
    for (const pair of this.pairs) join(pair);
  }

  close(): void {
    this.cut();
    this.server.close();
  }

  private pass(client: Socket, port: number, host: string): void {
    if (this.isCut) {
      this.refused += 1;
      client.destroy();
      return;
    }
    const server = connect(port, host);
    const pair = [client, server] as const;
    this.pairs.add(pair);
    for (const socket of pair) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.sockets.delete(socket);
        this.pairs.delete(pair);
        client.destroy();
        server.destroy();
      });
    }
    if (!this.isFrozen) join(pair);
  }
}

function join([client, server]: readonly [Socket, Socket]): void {
  client.pipe(server);
  server.pipe(client);
}
