import type { Socket } from 'node:net';
import { Client, type buildConnector } from 'undici';

/** Opens a connection to an address. */
export type Connect = buildConnector.connector;

/**
 * A connection that one request has for itself. It stands before the request is signed, so that a slow handshake cannot
 * make the request's nonce old.
 */
export class DedicatedConnection {
  private socket: Socket | null = null;
  private client: Client | null = null;
  private isSound = true;
  private isDestroyed = false;

  constructor(
    private readonly origin: URL,
    private readonly connect: Connect,
  ) {}

  /** @throws when there is no connection, with the code of the network. */
  async open(): Promise<void> {
    const { hostname, host, protocol, port } = this.origin;
    // Without the brackets of an IPv6 address, as the library itself asks for a connection.
    const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
    const socket = await new Promise<Socket>((resolve, reject) => {
      this.connect({ hostname: bare, host, protocol, port }, (error, connected) => {
        if (error === null) resolve(connected);
        else reject(error);
      });
    });
    this.socket = socket;
    // The exchange has nothing to say before the request: what comes now is an end, or no response to the request.
    for (const event of ['readable', 'end', 'error', 'close']) socket.on(event, () => (this.isSound = false));
    if (!this.isDestroyed) return;
    socket.destroy();
    throw new Error('given up while the connection was made');
  }

  /**
   * Sends a request on the connection. When the library wants a further connection, it gets a new one.
   * @throws when the request was given up meanwhile; as `assertSound`.
   */
  dispatcher(options: Client.Options): Client {
    if (this.isDestroyed) throw new Error('given up while the request was signed');
    this.assertSound();
    let ready = this.socket;
    const connect: Connect = (target, callback) => {
      if (ready === null) return this.connect(target, callback);
      const socket = ready;
      ready = null;
      // The library expects its callback later than its call.
      queueMicrotask(() => callback(null, socket));
    };
    this.client = new Client(this.origin, { ...options, connect });
    return this.client;
  }

  /** @throws when the exchange has ended the connection or said something before the request was written. */
  assertSound(): void {
    if (!this.isSound) throw new Error('the connection ended before the request was written');
  }

  destroy(): void {
    this.isDestroyed = true;
    void this.client?.destroy();
    this.socket?.destroy();
  }
}
