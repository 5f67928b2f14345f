import type { ProjectContext } from '#access';
import type { Config } from '#platform/config';
import type { DatabaseClock } from '#platform/database';
import { DomainError } from '#platform/errors';
import { orderUseCasesOver, type OrderPorts, type OrderUseCases } from '#trading/testing';
import type { WalletSessions } from '#wallet';
import type { Process, SimulatedClock } from '../world/process.js';
import type { Random } from '../world/random.js';
import { orderRefusalIn, silentLogger, type OrderCall, type OrderReply } from './order-records.js';

export type PlaceInput = Parameters<OrderUseCases['place']['execute']>[1];

/** Longest pause between two sweeps. */
const SWEEP_MAX_MS = 30_000;
const OPERATOR_PAUSE_MAX_MS = 600_000;
/** Maximum number of orders that one sweep takes. */
const TAKEN_MAX = 50;

export interface OrderProcessParts {
  process: Process;
  clock: SimulatedClock;
  time: Pick<DatabaseClock, 'read'>;
  ports: OrderPorts;
  /** Returns sessions with the exchange. @param onNamed is called with each new client order id */
  sessionsOf: (onNamed: (clientOrderId: string) => void) => WalletSessions;
  routes: Parameters<typeof orderUseCasesOver>[1]['routes'];
  config: Config;
}

function useCasesIn(
  { ports, sessionsOf, routes, clock, config }: OrderProcessParts,
  onNamed: (clientOrderId: string) => void = () => undefined,
): OrderUseCases {
  return orderUseCasesOver(ports, { sessions: sessionsOf(onNamed), routes, clock, config, logger: silentLogger() });
}

/** An API process, which answers calls until it dies. */
export class OrderApi {
  private readonly useCases: OrderUseCases;

  constructor(private readonly parts: OrderProcessParts) {
    this.useCases = useCasesIn(parts);
  }

  get isAlive(): boolean {
    return this.parts.process.isAlive;
  }

  get name(): string {
    return this.parts.process.name;
  }

  /** @param call gets the client order ids that are made for it */
  place(project: ProjectContext, input: PlaceInput, { clientOrderIds }: OrderCall): Promise<OrderReply> {
    const { place } = useCasesIn(this.parts, (clientOrderId) => void clientOrderIds.add(clientOrderId));
    return this.unlessDead(async () => {
      const { id, status } = await place.execute(project, input);
      return { kind: 'ok', id, status };
    });
  }

  read(project: ProjectContext, externalWalletId: string, orderId: string): Promise<OrderReply> {
    return this.unlessDead(async () => {
      const { id, status } = await this.useCases.get.execute(project, externalWalletId, orderId);
      return { kind: 'ok', id, status };
    });
  }

  private unlessDead(work: () => Promise<OrderReply>): Promise<OrderReply> {
    return new Promise((resolve) => {
      const forget = this.parts.process.onDeath(() => resolve({ kind: 'lost' }));
      const end = (reply: OrderReply): void => {
        forget();
        resolve(reply);
      };
      work().then(end, (error: unknown) => end(orderRefusalIn(error)));
    });
  }
}

/** A worker process, which checks the due orders until it dies. */
export class OrderWorker {
  private readonly useCases: OrderUseCases;

  constructor(
    private readonly parts: OrderProcessParts,
    /** Milliseconds until a row is due. The worker sleeps until then, because earlier sweeps would find nothing. */
    private readonly untilDue: () => number,
  ) {
    this.useCases = useCasesIn(parts);
  }

  async work(): Promise<void> {
    const { process, clock, config } = this.parts;
    const sweepMs = config.constants.ORDER_SWEEP_MS;
    while (process.isAlive) {
      await clock.sleep(Math.min(SWEEP_MAX_MS, Math.max(sweepMs, this.untilDue())));
      if (this.untilDue() > sweepMs) continue;
      // A failed sweep or check can be ignored, because its rows are due again later.
      const due = await this.takeDue().catch((): string[] => []);
      await Promise.allSettled(due.map((id) => this.useCases.settle.execute(id)));
    }
  }

  private async takeDue(): Promise<string[]> {
    const { time, ports } = this.parts;
    return ports.store.takeDue((await time.read()).now(), TAKEN_MAX);
  }
}

type Decision = Parameters<OrderUseCases['decide']['execute']>[0];

/** A person who decides about orders whose outcome no evidence settles, and who knows what the exchange has. */
export class OrderOperator {
  private readonly useCases: OrderUseCases;

  constructor(
    private readonly parts: OrderProcessParts,
    private readonly world: {
      random: Random;
      /** Draws an order with an unknown outcome, and what the exchange has; null = there is none. */
      next: () => Pick<Decision, 'id' | 'outcome' | 'exchangeId'> | null;
      onEvent: (event: string) => void;
    },
  ) {
    this.useCases = useCasesIn(parts);
  }

  async work(): Promise<void> {
    const { process, clock } = this.parts;
    const { random, next } = this.world;
    while (process.isAlive) {
      await clock.sleep(random.between(1_000, OPERATOR_PAUSE_MAX_MS));
      const decision = next();
      if (decision !== null) await this.decide(decision);
    }
  }

  private async decide(decision: Pick<Decision, 'id' | 'outcome' | 'exchangeId'>): Promise<void> {
    const { onEvent } = this.world;
    const said = { operator: 'operator', reason: 'looked at the exchange', isAbsenceConfirmed: true };
    try {
      await this.useCases.decide.execute({ ...decision, ...said });
      onEvent(`the operator has decided: ${decision.id} is ${decision.outcome}`);
    } catch (error) {
      // Most decisions come too early: only an order that is unknown for an hour waits for the operator.
      onEvent(
        `a decision of the operator was refused: ${error instanceof DomainError ? error.message : String(error)}`,
      );
    }
  }
}
