import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { FrontendMessages } from './postgres-wire.js';
import type { CommitFate } from '../points.js';

export interface CommitToCut {
  /** Matches a statement of the transaction at whose COMMIT the connection ends. */
  of: RegExp;
  fate: CommitFate;
  /** The number of the COMMIT at which the connection ends, counted from 1. */
  visit: number;
}

/** The CommandComplete message of a COMMIT, which proves that the server has committed. */
const COMMITTED = Buffer.from('COMMIT\0');

/**
 * Relays connections to PostgreSQL. At an armed COMMIT it ends the connection, before or after the server gets the
 * COMMIT.
 */
export class DatabaseRelay {
  private commits: (CommitToCut & { onDone: () => void })[] = [];

  private constructor(
    private readonly server: Server,
    private readonly target: () => number,
  ) {}

  /** @param target the server's port, looked up for each connection */
  static async start(target: () => number): Promise<DatabaseRelay> {
    const server = createServer();
    const relay = new DatabaseRelay(server, target);
    server.on('connection', (client) => relay.connect(client));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return relay;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Plans to end the connection that sends the COMMIT that fits `commit`. Calls `onDone` when this COMMIT arrives. */
  arm(commit: CommitToCut, onDone: () => void): void {
    this.commits.push({ ...commit, onDone });
  }

  disarm(): void {
    this.commits = [];
  }

  close(): void {
    this.server.close();
  }

  private connect(client: Socket): void {
    const server = connect(this.target(), '127.0.0.1');
    const messages = new FrontendMessages();
    let transaction: string[] = [];
    let isCut = false;
    const end = (): void => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      socket.setNoDelay();
      socket.on('error', end);
      socket.on('close', end);
    }
    client.on('data', (bytes) => {
      for (const statement of messages.read(bytes)) {
        if (statement === 'START TRANSACTION') transaction = [];
        else if (statement !== 'COMMIT') transaction.push(statement);
        else {
          const fate = this.fateOf(transaction);
          if (fate === 'refused') return end();
          isCut = fate === 'lost';
        }
      }
      server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (!isCut) client.write(bytes);
      else if (bytes.includes(COMMITTED)) end();
    });
  }

  private fateOf(transaction: string[]): CommitFate | null {
    const meant = this.commits.filter(({ of }) => transaction.some((statement) => of.test(statement)));
    for (const commit of meant) commit.visit -= 1;
    const due = meant.find(({ visit }) => visit === 0);
    if (due === undefined) return null;
    due.onDone();
    return due.fate;
  }
}
