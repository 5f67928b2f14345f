import type { ProjectContext } from '#access';
import { Amount } from '#money';
import type { Config } from '#platform/config';
import { BTC_USD, MemoryOrders, memoryOrderPorts, type HoldPort } from '#trading/testing';
import { CredentialsReplaced, Wallet, WalletNotFound } from '#wallet';
import { MemoryCredentials, MemoryTables, MemoryWallets, MemoryWalletWrites } from '#withdrawal/testing';
import { Dangers } from '../world/dangers.js';
import { Process, SimulatedClock, SimulatedDatabaseClock, timeOfDay } from '../world/process.js';
import { walletSessions } from '../world/process-parts.js';
import { Random } from '../world/random.js';
import { Scheduler, type Actor } from '../world/scheduler.js';
import { stepwise } from '../world/stepwise.js';
import { Trace } from '../world/trace.js';
import { OrderExchange } from './order-exchange.js';
import { OrderRecords, silentLogger, textOfReply, type OrderCall, type OrderReply } from './order-records.js';
import { OrderApi, OrderOperator, OrderWorker, type OrderProcessParts } from './order-replicas.js';
import { drawOrderScenario, type OrderDeed, type OrderPlan, type OrderScenario } from './order-scenario.js';
import { OrderSession } from './order-session.js';

const OVERSLEEP_MAX_MS = 3_000;
const ANSWER_DELAY_RATE = 0.2;
const ANSWER_DELAYS_MS = [0, 0, 0, 20, 500] as const;
/** Largest error with which a process reads the database's clock. */
const READING_ERROR_MAX_MS = 1_000;
export const WALLET = 'wallet1';
const ROUTE = 'kraken:spot:BTC-USD';

export interface OrderStageParts {
  seed: number;
  config: Config;
  isTraced: boolean;
}

/** All participants of one run: the processes, the exchange, and the network between them. */
export class OrderStage {
  readonly random: Random;
  readonly scheduler: Scheduler;
  readonly trace: Trace;
  readonly scenario: OrderScenario;
  readonly exchange: OrderExchange;
  readonly dangers: Dangers;
  readonly records = new OrderRecords();
  readonly orders = new MemoryOrders();
  readonly processes: Process[] = [];
  private readonly tables = new MemoryTables();
  private readonly wallet: Wallet;
  private readonly project: ProjectContext;
  private readonly apis: OrderApi[] = [];
  private restoreRows: (now: Date) => void = () => undefined;
  private ids = 0;

  constructor(readonly parts: OrderStageParts) {
    const random = (this.random = new Random(parts.seed));
    const scheduler = (this.scheduler = new Scheduler(random));
    const trace = (this.trace = new Trace(parts.isTraced, () => scheduler.now));
    const scenario = (this.scenario = drawOrderScenario(random));
    const { counts, faults } = this.records;
    const onEvent = (event: string): void => trace.add(event);
    this.exchange = new OrderExchange(scenario.exchange, {
      scheduler,
      random,
      onEvent,
      onFault: (fault) => void faults.add(fault),
    });
    this.exchange.offset = this.drawOffset();
    const restart = ({ role }: Process): void => this.startProcess(role);
    const ambush = (): Promise<void> => Promise.resolve();
    this.dangers = new Dangers({ scheduler, random, counts, onEvent, restart, ambush }, scenario);
    this.project = {
      id: this.newId(),
      organizationId: this.newId(),
      mode: 'test',
      apiKeyId: this.newId(),
      scopes: ['read', 'trade'],
    };
    this.wallet = this.newWallet();
    this.tables.wallets.insert(this.wallet.id, this.wallet);
    this.connect('A1');
  }

  /** Ends all faults. */
  calm(): void {
    this.exchange.isCalm = true;
    this.dangers.end();
    this.trace.add('from now on there are no faults');
  }

  startProcess(role: Process['role']): void {
    const process = new Process(`${role}${this.processes.length + 1}`, role, this.drawOffset());
    this.processes.push(process);
    const parts = this.partsOf(process);
    if (role === 'api') this.apis.push(new OrderApi(parts));
    else if (role === 'operator') void this.operatorOf(parts).work();
    else void new OrderWorker(parts, () => this.untilDue(parts.clock.now().getTime())).work();
  }

  sleep(actor: Actor, ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.scheduler.add({ owner: actor, label: 'waits', kind: 'event', in: ms, run: resolve });
    });
  }

  /** Makes one call of a client, to an API process that the seed draws. */
  async place(client: Actor, plan: OrderPlan): Promise<OrderReply> {
    await this.sleep(client, 0);
    const { random, records, trace } = this;
    const api = random.any(this.apis.filter(({ isAlive }) => isAlive));
    const call: OrderCall = {
      client: client.name,
      plan,
      startedAt: records.steps,
      endedAt: Infinity,
      clientOrderIds: new Set(),
      reply: { kind: 'lost' },
    };
    records.calls.push(call);
    trace.add(`${client.name} calls ${api?.name ?? 'nobody'} with ${plan.key ?? 'no key'}`);
    const { side, volume, price, key: idempotencyKey } = plan;
    const input = {
      externalWalletId: WALLET,
      routeId: ROUTE,
      side,
      type: null,
      volume: Amount.of(volume),
      idempotencyKey,
      price: price === null ? null : Amount.of(price),
    };
    const reply: OrderReply = api === null ? { kind: 'lost' } : await api.place(this.project, input, call);
    Object.assign(call, { reply, endedAt: records.steps });
    trace.add(`${client.name} gets ${textOfReply(reply)}`);
    records.counts.add(`answer ${textOfReply(reply)}`);
    return reply;
  }

  async read(client: Actor, orderId: string): Promise<OrderReply> {
    await this.sleep(client, 0);
    const { records } = this;
    const api = this.random.any(this.apis.filter(({ isAlive }) => isAlive));
    const startedInStep = records.steps;
    const reply: OrderReply = api === null ? { kind: 'lost' } : await api.read(this.project, WALLET, orderId);
    this.trace.add(`${client.name} reads ${orderId} and sees ${textOfReply(reply)}`);
    const isRestored = records.restoredInStep !== null && records.restoredInStep >= startedInStep;
    if (reply.kind === 'broken' && records.isDatabaseWell && !isRestored)
      records.violations.push(`a read of the order ${orderId} got a 500: ${reply.message}`);
    return reply;
  }

  act({ does, key }: OrderDeed): void {
    this.trace.add(`the owner: ${does} ${key}`);
    if (does === 'connect') return this.connect(key);
    if (does === 'back_up') {
      this.restoreRows = this.orders.backUp();
      return;
    }
    this.restoreRows(timeOfDay(this.scheduler.now, 0));
    this.records.restoredInStep = this.records.steps;
    for (const process of this.processes) if (process.isAlive && this.random.chance(0.5)) this.dangers.kill(process);
  }

  private connect(key: string): void {
    const clock = this.clockOf(new Process('owner', 'api', 0), (ms) => ms);
    new MemoryWalletWrites(this.tables, clock, this.parts.config).store(this.wallet.id, key);
  }

  private operatorOf(parts: OrderProcessParts): OrderOperator {
    const { random, exchange, orders, trace } = this;
    const next = (): ReturnType<ConstructorParameters<typeof OrderOperator>[1]['next']> => {
      const row = random.any(orders.filter(({ state }) => state === 'unknown'));
      if (row === null) return null;
      const booked = exchange.book.orders.find(({ clientOrderId }) => clientOrderId === row.clientOrderId);
      if (booked !== undefined) return { id: row.id, outcome: 'placed', exchangeId: booked.exchangeId };
      // A request that is on its way may still be accepted.
      return exchange.openMatters > 0 ? null : { id: row.id, outcome: 'not_placed', exchangeId: null };
    };
    return new OrderOperator(parts, { random, next, onEvent: (event) => trace.add(event) });
  }

  private newWallet(): Wallet {
    const createdAt = timeOfDay(0, -86_400_000);
    return Object.assign(new Wallet(), {
      id: this.newId(),
      projectId: this.project.id,
      externalId: WALLET,
      exchange: 'kraken',
      invalidApi: false,
      createdAt,
      updatedAt: createdAt,
      lastSyncAt: null,
      deletedAt: null,
      nextSyncAt: createdAt,
      syncFailures: 0,
      historyTracked: false,
      syncProgress: null,
    });
  }

  private newId(): string {
    this.ids += 1;
    return `${this.parts.seed.toString(16).padStart(8, '0')}-0000-7000-8000-${this.ids.toString(16).padStart(12, '0')}`;
  }

  private drawOffset(): number {
    const { skew } = this.scenario;
    return this.random.between(-skew, skew);
  }

  private clockOf(process: Process, oversleep: (ms: number) => number): SimulatedClock {
    return new SimulatedClock(process, this.scheduler, () => this.newId(), oversleep);
  }

  private partsOf(process: Process): OrderProcessParts {
    const { scheduler, random, exchange, trace, scenario, tables } = this;
    const { config } = this.parts;
    const oversleep = (ms: number): number =>
      Math.min(ms + OVERSLEEP_MAX_MS, ms * (1 + random.next() * scenario.oversleep));
    const clock = this.clockOf(process, oversleep);
    const errorOf = (): number =>
      random.chance(0.7) ? 0 : random.between(-READING_ERROR_MAX_MS, READING_ERROR_MAX_MS);
    const time = new SimulatedDatabaseClock(clock, scheduler, config, errorOf);
    const ports = {
      ...memoryOrderPorts(this.orders, { holds: this.holds(), clock, config }),
      wallets: new MemoryWallets(tables),
      time,
      credentials: new MemoryCredentials(tables),
    };
    const stepped = this.inSteps(ports, process);
    const session = {
      exchange,
      scheduler,
      random,
      process,
      clock,
      newClientOrderId: () => this.newId(),
      onWritten: (clientOrderId: string) => this.noteWritten(clientOrderId),
      onEvent: (event: string) => trace.add(event),
    };
    const sessionsOf: OrderProcessParts['sessionsOf'] = (onNamed) =>
      walletSessions(stepped.credentials, (key) => new OrderSession({ ...session, key, onNamed }), silentLogger());
    return {
      process,
      clock,
      time: stepped.time,
      ports: stepped,
      config,
      sessionsOf,
      routes: { find: (exchangeId) => Promise.resolve({ routeId: ROUTE, exchange: exchangeId, pair: BTC_USD }) },
    };
  }

  /** Wraps ports of the database: every call is a step of `process`. */
  private inSteps<Ports extends object>(ports: Ports, process: Process): Ports {
    const { scheduler, random, exchange } = this;
    const wrapped = Object.entries(ports).map(([name, port]) => [
      name,
      stepwise(port as object, name, {
        scheduler,
        process,
        faultOf: (label) => (exchange.isCalm ? null : this.dangers.databaseFault(label)),
        delayOf: () => (random.chance(ANSWER_DELAY_RATE) ? random.pick(ANSWER_DELAYS_MS) : null),
        onDone: (label, fault) => {
          if (fault === null) return;
          this.records.isDatabaseWell = false;
          this.trace.add(`${process.name} ${label}: ${fault}`);
        },
      }),
    ]);
    return Object.fromEntries(wrapped) as Ports;
  }

  private holds(): HoldPort {
    const { tables } = this;
    return {
      hold: (walletId, holder, version) => {
        const credentials = tables.credentials.get(walletId);
        if (credentials === null) throw new WalletNotFound();
        if (credentials.version !== version) throw new CredentialsReplaced();
        tables.holds.insert(`${walletId} ${holder}`, { walletId, holder, version });
      },
      release: (walletId, holder) => tables.release(walletId, holder),
    };
  }

  /** Milliseconds until a row is due, by the later of the host's clock and the database's clock. */
  private untilDue(hostMs: number): number {
    const due = this.orders.all().map(({ nextCheckAt }) => nextCheckAt?.getTime() ?? Infinity);
    return Math.min(...due) - Math.max(hostMs, timeOfDay(this.scheduler.now, 0).getTime());
  }

  /** Called when an order is written to the exchange. Its intent must be in the database. */
  private noteWritten(clientOrderId: string): number {
    const { violations, written, steps, restoredInStep } = this.records;
    const [row] = this.orders.filter((order) => order.clientOrderId === clientOrderId && order.state === 'placing');
    if (row === undefined && restoredInStep === null)
      violations.push(`${clientOrderId} was sent, and no row is being placed`);
    written.push({ clientOrderId, orderId: row?.id ?? '', inStep: steps });
    return steps;
  }
}
