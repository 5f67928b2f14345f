import type { Socket } from 'node:net';
import { Client, type buildConnector } from 'undici';

/** Opens a connection to an address. */
export type Connect = buildConnector.connector;

/**
 * A connection for exactly one request. It is opened before the request is signed, so that a slow handshake cannot make
 * the request's nonce outdated.
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

  /** @throws the error of the socket, with a code such as `ECONNREFUSED`, when the connection fails. */
  async open(): Promise<void> {
    const { hostname, host, protocol, port } = this.origin;
    // Removes the brackets of an IPv6 address: undici, too, passes such an address to the connector without brackets.
    const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
    const socket = await new Promise<Socket>((resolve, reject) => {
      this.connect({ hostname: bare, host, protocol, port }, (error, connected) => {
        if (error === null) resolve(connected);
        else reject(error);
      });
    });
    this.socket = socket;
    // The exchange sends nothing before the request. An event now means that the connection has ended, or that the
    // exchange sent data that are no response to our request.
    for (const event of ['readable', 'end', 'error', 'close']) socket.on(event, () => (this.isSound = false));
    if (!this.isDestroyed) return;
    socket.destroy();
    throw new Error('the request was cancelled while its connection was opened');
  }

  /**
   * Returns a client that sends the request on this connection, and opens new connections for further requests.
   * @throws when the request was cancelled, and when `assertSound` throws.
   */
  dispatcher(options: Client.Options): Client {
    if (this.isDestroyed) throw new Error('the request was cancelled while it was signed');
    this.assertSound();
    let ready = this.socket;
    const connect: Connect = (target, callback) => {
      if (ready === null) return this.connect(target, callback);
      const socket = ready;
      ready = null;
      // undici requires that `connect` returns before the callback runs.
      queueMicrotask(() => callback(null, socket));
    };
    this.client = new Client(this.origin, { ...options, connect });
    return this.client;
  }

  /** @throws when the exchange closed the connection, or sent something, before the request was written. */
  assertSound(): void {
    if (!this.isSound) throw new Error('the connection ended before the request was written');
  }

  destroy(): void {
    this.isDestroyed = true;
    void this.client?.destroy();
    this.socket?.destroy();
  }
}
