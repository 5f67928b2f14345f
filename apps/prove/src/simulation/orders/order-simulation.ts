import type { Order } from '#trading/testing';
import { quiet, type Actor } from '../world/scheduler.js';
import { OrderClient } from './order-clients.js';
import { judgeOrders } from './order-oracle.js';
import { isConflict, type OrderReply } from './order-records.js';
import type { OrderDeed, OrderPlan } from './order-scenario.js';
import { OrderStage, type OrderStageParts } from './order-stage.js';
import { orderTiming } from './order-timing.js';

/** Lengths of the jumps of virtual time, which stand for a slow network or a busy or suspended machine. */
const JUMPS_MS = [50, 50, 500, 500, 2_000, 8_000, 20_000] as const;
const LAST_WORDS_MS = 5_000;
const LAST_CALLS_MAX = 40;
/** An equal order waits for as long as another one is in doubt, at most until an operator has decided. */
const LAST_PAUSE_MS = 180_000;

export interface OrderSeedResult {
  seed: number;
  violations: string[];
  /** A fingerprint that is equal for equal runs. */
  fingerprint: string;
  steps: number;
  counts: Record<string, number>;
  trace: string[];
}

/** Plays one seed: first a time with faults, then hours without faults. At the end it judges the run. */
export class OrderSimulation {
  private readonly stage: OrderStage;
  private clientsAtWork = 0;

  constructor(parts: OrderStageParts) {
    this.stage = new OrderStage(parts);
  }

  async run(): Promise<OrderSeedResult> {
    const { stage } = this;
    stage.trace.add(JSON.stringify(stage.scenario));
    this.begin();
    await this.until(() => this.clientsAtWork === 0, orderTiming.faultsMax);
    stage.calm();
    await this.until(() => this.isQuiet(), stage.scheduler.now + orderTiming.restMax);
    if (this.isQuiet()) await this.audit();
    // Waits for the responses that are still on their way.
    await this.until(() => false, stage.scheduler.now + LAST_WORDS_MS);
    return this.conclude();
  }

  private begin(): void {
    const { stage } = this;
    const { apis, workers, hasOperator, plans, clients, deeds } = stage.scenario;
    for (let index = 0; index < apis; index++) stage.startProcess('api');
    for (let index = 0; index < workers; index++) stage.startProcess('worker');
    if (hasOperator) stage.startProcess('operator');
    for (const deed of deeds) this.plan(deed);
    clients.forEach((index, number) => {
      const plan = plans[index];
      if (plan === undefined) throw new Error(`client ${number + 1} has no plan`);
      this.play(actorOf(`client${number + 1}`), plan);
    });
  }

  private plan(deed: OrderDeed): void {
    const { stage } = this;
    this.clientsAtWork += 1;
    const run = (): void => {
      this.clientsAtWork -= 1;
      stage.act(deed);
      if (deed.does === 'restore') this.repeatAll();
    };
    stage.scheduler.add({ owner: null, label: 'owner', kind: 'event', in: deed.at, run });
  }

  /** Makes clients repeat every call with a key after a restore, until there is a result. */
  private repeatAll(): void {
    const { plans } = this.stage.scenario;
    const repeats = plans
      .filter(({ key }) => key !== null)
      .map((plan) => this.askAgain(plan, 'client after a restore'));
    this.clientsAtWork += 1;
    void Promise.all(repeats).then(() => (this.clientsAtWork -= 1));
  }

  private play(actor: Actor, plan: OrderPlan): void {
    const { stage } = this;
    this.clientsAtWork += 1;
    const client = new OrderClient(plan, {
      random: stage.random,
      sleep: (ms) => stage.sleep(actor, ms),
      place: (wanted) => stage.place(actor, wanted),
      read: (orderId) => stage.read(actor, orderId),
    });
    void client.run().then(() => (this.clientsAtWork -= 1));
  }

  /** Runs steps until `isOver` returns true, no step is left, a rule is broken, or the time is up. */
  private async until(isOver: () => boolean, limit: number): Promise<void> {
    const { scheduler, records } = this.stage;
    while (!isOver() && records.violations.length === 0 && scheduler.now <= limit) {
      if (!(await this.step())) return;
    }
  }

  private async step(): Promise<boolean> {
    const { scheduler, random, dangers, records, scenario, exchange, orders } = this.stage;
    if (!exchange.isCalm && random.chance(scenario.jumpRate)) scheduler.jump(random.pick(JUMPS_MS));
    const step = scheduler.next();
    if (step === null) return false;
    records.steps += 1;
    await dangers.meet(step);
    await quiet();
    for (const { id, state } of orders.all()) if (state === 'unknown') records.unknown.add(id);
    return true;
  }

  private isQuiet(): boolean {
    const { exchange, orders } = this.stage;
    return this.clientsAtWork === 0 && exchange.openMatters === 0 && orders.all().every((order) => isAtRest(order));
  }

  /**
   * Repeats every call with a key, and places one more order with the terms of each plan and a new key. After all
   * outcomes are known, nothing may refuse an equal order.
   */
  private async audit(): Promise<void> {
    const { stage } = this;
    if (stage.records.violations.length > 0) return;
    const { plans } = stage.scenario;
    const repeats = plans.filter(({ key }) => key !== null).map((plan) => this.askAgain(plan));
    const equals = plans.map((plan, index) => this.placeEqual({ ...plan, key: `auditor-${index + 1}` }));
    this.clientsAtWork += 1;
    void Promise.all([...repeats, ...equals]).then(() => (this.clientsAtWork -= 1));
    await this.until(() => this.isQuiet(), stage.scheduler.now + orderTiming.restMax);
  }

  private async askAgain(plan: OrderPlan, name = 'auditor'): Promise<void> {
    const { stage } = this;
    for (let calls = 0; calls < LAST_CALLS_MAX; calls++) {
      const reply = await stage.place(actorOf(name), plan);
      if (reply.kind === 'ok' || (reply.kind === 'refused' && !isTemporary(reply))) return;
      await stage.sleep(actorOf(name), LAST_PAUSE_MS);
    }
    stage.records.violations.push(`no result for the key ${plan.key}`);
  }

  private async placeEqual(plan: OrderPlan): Promise<void> {
    const { stage } = this;
    let last = '';
    for (let calls = 0; calls < LAST_CALLS_MAX; calls++) {
      const reply = await stage.place(actorOf('auditor'), plan);
      if (reply.kind === 'ok' || (reply.kind === 'refused' && reply.result['reason'] === 'insufficient_balance'))
        return;
      last = reply.kind === 'refused' ? `${reply.status} ${reply.code}` : reply.kind;
      await stage.sleep(actorOf('auditor'), LAST_PAUSE_MS);
    }
    stage.records.violations.push(`blocked: an equal order is refused with ${last}`);
  }

  private conclude(): OrderSeedResult {
    const { records, parts, exchange, trace, dangers, scenario, orders } = this.stage;
    const { violations, counts, calls, written, faults, isDatabaseWell, restoredInStep } = records;
    const rows = orders.all();
    if (violations.length === 0) {
      const seen = { scenario, rows, calls, written, isDatabaseWell, restoredInStep };
      violations.push(...judgeOrders({ ...seen, book: exchange.book.orders }));
    }
    for (const fault of faults) counts.add(`fault ${fault}`);
    for (const death of dangers.deaths) counts.add(`died ${death}`);
    for (const { state, id } of rows) {
      counts.add(`end ${state}`);
      if (records.unknown.has(id)) counts.add(`unknown, then ${state}`);
    }
    trace.add(`${records.steps} steps, ${violations.join('; ') || 'good'}`);
    return {
      seed: parts.seed,
      violations,
      fingerprint: trace.fingerprint,
      steps: records.steps,
      counts: counts.toJSON(),
      trace: trace.lines,
    };
  }
}

function actorOf(name: string): Actor {
  return { name, isAlive: true };
}

/** Whether the response only asks for a repeat of the call. */
function isTemporary(reply: Extract<OrderReply, { kind: 'refused' }>): boolean {
  return isConflict(reply) || reply.result['reason'] === 'database_restored';
}

/** Whether nothing more will happen to the order, or its present credentials do not show it. */
function isAtRest({ state, rawStatus }: Order): boolean {
  return ['refused', 'not_placed', 'closed'].includes(state) || rawStatus === 'not_visible';
}
