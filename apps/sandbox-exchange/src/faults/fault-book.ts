import { knowsFault, type Dialect } from './dialect.js';
import type { FaultName } from './faults.js';

const ARMED_MAX = 1000;

interface FaultOrder {
  /** Name of an endpoint, or `*`. */
  endpoint: string;
  fault: FaultName;
  /** How many calls it meets; null = all until it is deleted. */
  count: number | null;
  delayMs: number;
  /** It meets calls for so long after it was armed, by the exchange's clock; null = until it is deleted. */
  forMs: number | null;
  /** Only calls with this key or token. */
  apiKey?: string | undefined;
  error?: string | undefined;
}

interface ArmedFault extends FaultOrder {
  id: string;
  fired: number;
  /** Epoch milliseconds: from then on it meets no call; null = never. */
  endsAt: number | null;
}

interface FaultedEndpoint {
  endpoint: string;
  credential: string | undefined;
  dialect: Dialect;
}

export class TooManyFaults extends Error {}

/** The faults that wait for their calls. The oldest that fits a call meets it, and no other does. */
export class FaultBook {
  private armed: ArmedFault[] = [];
  private gate = closedGate();
  private readonly timers = new Map<NodeJS.Timeout, () => void>();
  private nextId = 1;

  constructor(private readonly now: () => Date) {}

  /** @throws TooManyFaults */
  arm(order: FaultOrder): ArmedFault {
    if (this.armed.length >= ARMED_MAX) throw new TooManyFaults(`at most ${ARMED_MAX} faults at once`);
    const endsAt = order.forMs === null ? null : this.now().getTime() + order.forMs;
    const fault = { ...order, id: `fault-${this.nextId++}`, fired: 0, endsAt };
    this.armed.push(fault);
    return fault;
  }

  /** With what is spent: the counts tell what fired. */
  list(): readonly ArmedFault[] {
    return this.armed;
  }

  take({ endpoint, credential, dialect }: FaultedEndpoint): ArmedFault | null {
    const now = this.now().getTime();
    const fault = this.armed.find(
      (one) =>
        (one.endpoint === '*' ? knowsFault(dialect, one.fault, endpoint) : one.endpoint === endpoint) &&
        (one.apiKey === undefined || one.apiKey === credential) &&
        (one.endsAt === null || now < one.endsAt) &&
        (one.count === null || one.fired < one.count),
    );
    if (fault === undefined) return null;
    fault.fired += 1;
    return fault;
  }

  /** Forgets all faults and lets go of every call that hangs. What is to happen later still does. */
  clear(): void {
    this.armed = [];
    this.gate.open();
    this.gate = closedGate();
  }

  /** Also gives up what is to happen later. */
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

  /** Runs `work` in `delayMs`, or `giveUp` when the exchange ends before. */
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
