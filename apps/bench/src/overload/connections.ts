import { Agent } from 'node:http';
import { send, type Call, type Outcome } from './send.js';

/** How long the client waits for a response. */
export const TIMEOUT_MS = 15_000;
const probe: Call = { method: 'GET', path: '/livez', headers: {} };

/** The status of a request that finds no free connection of the client. */
export const NOT_SENT = 'not sent';

/** Open connections, each for one request at a time. */
export class Connections {
  private readonly free: Agent[] = [];
  private inUse = 0;
  mostInUse = 0;

  private constructor(
    private readonly address: string,
    readonly count: number,
  ) {}

  /** Opens the connections sequentially: a server accepts one connection per event loop iteration. */
  static async open(address: string, count: number): Promise<Connections> {
    const connections = new Connections(address, count);
    while (connections.free.length < count) {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const { status } = await send(address, probe, { agent, timeoutMs: TIMEOUT_MS });
      if (status !== '200') throw new Error(`connection ${connections.free.length + 1} could not be opened: ${status}`);
      connections.free.push(agent);
    }
    return connections;
  }

  /** Sends only when a connection is free; otherwise the outcome is NOT_SENT. */
  async send(call: Call): Promise<Outcome> {
    const agent = this.free.pop();
    if (agent === undefined) return { status: NOT_SENT, ms: 0 };
    this.inUse += 1;
    this.mostInUse = Math.max(this.mostInUse, this.inUse);
    const outcome = await send(this.address, call, { agent, timeoutMs: TIMEOUT_MS });
    this.inUse -= 1;
    this.free.push(agent);
    return outcome;
  }

  close(): void {
    for (const agent of this.free) agent.destroy();
  }
}
