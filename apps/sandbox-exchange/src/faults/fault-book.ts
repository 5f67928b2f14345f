import { knowsFault, type Protocol } from './protocol.js';
import type { FaultName } from './faults.js';

/** Maximum number of faults that can be armed at once. */
const ARMED_MAX = 1000;

interface FaultOrder {
  /** Name of an endpoint, or `*` for all of them. */
  endpoint: string;
  fault: FaultName;
  /** Number of calls that the fault applies to; null applies it until it is deleted. */
  count: number | null;
  delayMs: number;
  /**
   * Lifetime of the fault in milliseconds, by the exchange's clock, from the moment when it is armed; null applies it
   * until it is deleted.
   */
  forMs: number | null;
  /** Limits the fault to calls with this API key or token. */
  apiKey?: string | undefined;
  error?: string | undefined;
}

interface ArmedFault extends FaultOrder {
  id: string;
  fired: number;
  /** Epoch milliseconds at which the fault stops applying; null means never. */
  endsAt: number | null;
}

interface FaultedEndpoint {
  endpoint: string;
  credential: string | undefined;
  protocol: Protocol;
}

export class TooManyFaults extends Error {}

/** The armed faults. Each call gets at most one: the oldest that matches it. */
export class FaultBook {
  private armed: ArmedFault[] = [];
  private gate = closedGate();
  private readonly timers = new Map<NodeJS.Timeout, () => void>();
  private nextId = 1;

  constructor(private readonly now: () => Date) {}

  /** @throws TooManyFaults */
  arm(order: FaultOrder): ArmedFault {
    if (this.armed.length >= ARMED_MAX) throw new TooManyFaults(`at most ${ARMED_MAX} faults can be armed at once`);
    const endsAt = order.forMs === null ? null : this.now().getTime() + order.forMs;
    const fault = { ...order, id: `fault-${this.nextId++}`, fired: 0, endsAt };
    this.armed.push(fault);
    return fault;
  }

  /** Lists all faults, also those that are used up, because their counts show how often they fired. */
  list(): readonly ArmedFault[] {
    return this.armed;
  }

  take({ endpoint, credential, protocol }: FaultedEndpoint): ArmedFault | null {
    const now = this.now().getTime();
    const fault = this.armed.find(
      (one) =>
        (one.endpoint === '*' ? knowsFault(protocol, one.fault, endpoint) : one.endpoint === endpoint) &&
        (one.apiKey === undefined || one.apiKey === credential) &&
        (one.endsAt === null || now < one.endsAt) &&
        (one.count === null || one.fired < one.count),
    );
    if (fault === undefined) return null;
    fault.fired += 1;
    return fault;
  }

  /** Deletes all faults and releases every call that hangs. Work that faults have delayed still runs. */
  clear(): void {
    this.armed = [];
    this.gate.open();
    this.gate = closedGate();
  }

  /** Deletes all faults and cancels the work that they have delayed. */
  stop(): void {
    for (const [timer, giveUp] of this.timers) {
      clearTimeout(timer);
      giveUp();
    }
    this.timers.clear();
    this.clear();
  }

  get released(): Promise<void> {
    return this.gate.passed;
  }

  /** Runs `work` after `delayMs`, or `giveUp` when the exchange stops before. */
  later(delayMs: number, work: () => void, giveUp: () => void = () => undefined): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      work();
    }, delayMs);
    this.timers.set(timer, giveUp);
  }

  delay(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.later(delayMs, resolve, resolve));
  }
}

function closedGate(): { passed: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}
