import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchProcess } from '../environment/bench-process.js';
import type { Outcomes } from './outcomes.js';
import { send, type Call } from './send.js';

const EACH_MS = 250;
const TIMEOUT_MS = 2_000;
const livez: Call = { method: 'GET', path: '/livez', headers: {} };

/** Calls the liveness probe on both ports, over new connections. */
export class Probes {
  private isOver = false;

  constructor(
    private readonly api: BenchProcess,
    private readonly outcomes: Outcomes,
  ) {}

  /** Resolves when all probes have finished. */
  async run(): Promise<void> {
    const sent: Promise<void>[] = [];
    for (; !this.isOver; await sleep(EACH_MS)) {
      sent.push(this.ask('livez, API port', this.api.baseUrl));
      sent.push(this.ask('livez, metrics port', this.api.metricsUrl));
    }
    await Promise.all(sent);
  }

  stop(): void {
    this.isOver = true;
  }

  private async ask(kind: string, address: string): Promise<void> {
    this.outcomes.add(kind, await send(address, livez, { agent: false, timeoutMs: TIMEOUT_MS }));
  }
}
