import type { EventEmitter } from 'node:events';

/** Maximum number of connections in the accept queue of the operating system: the default of Node's `listen`. */
const QUEUED_MAX = 511;

interface Waiter {
  begin: () => void;
  /** The number of accepted connections at which `begin` runs even if further connections wait. */
  latestAt: number;
}

/**
 * Lets work wait until the server has accepted all waiting connections. Node accepts only one connection in each turn
 * of the event loop. Work that takes much CPU time in each turn would delay all waiting connections, and the admission
 * does not know their requests yet.
 */
export class AcceptQueue {
  private accepted = 0;
  /** Whether the queue is assumed to be empty: the last whole turn of the event loop accepted no connection. */
  private isEmpty = true;
  private readonly waiters: Waiter[] = [];

  /** @param server emits `connection` for each accepted connection */
  constructor(server: EventEmitter) {
    server.on('connection', () => {
      const before = this.accepted;
      this.accepted += 1;
      if (!this.isEmpty) return;
      this.isEmpty = false;
      this.checkAfterTurn(before);
    });
  }

  /**
   * Calls `begin` at once if the queue is empty, else when it has become empty. Connections that arrive later cannot
   * delay `begin` further than QUEUED_MAX accepted connections.
   */
  whenEmpty(begin: () => void): void {
    if (this.isEmpty) begin();
    else this.waiters.push({ begin, latestAt: this.accepted + QUEUED_MAX });
  }

  private checkAfterTurn(before: number): void {
    setImmediate(() => {
      const { accepted } = this;
      this.isEmpty = accepted === before;
      if (!this.isEmpty) this.checkAfterTurn(accepted);
      while (this.waiters[0] !== undefined && (this.isEmpty || this.waiters[0].latestAt <= accepted))
        this.waiters.shift()?.begin();
    });
  }
}
