import type { ExchangeAccount } from './installation/exchange-control.js';
import type { FaultKind } from './faults.js';
import type { ArmedPoint } from './hooks.js';
import type { Installation } from './installation/installation.js';
import { crashPoints, isOfOrders, type PointName } from './points.js';
import type { Schedule, Crash } from './schedule.js';
import type { ServiceProcess } from './installation/service-process.js';

/** Arms the crash points and faults of a schedule, and records which of them happened. */
export class Director {
  readonly crashed = new Set<PointName>();
  private readonly fired = new Set<FaultKind>();
  /** By the id of an armed point, the action that follows when a process reaches the point. */
  private readonly actions = new Map<string, () => Promise<void> | void>();
  private readonly points = new Map<ServiceProcess, ArmedPoint[]>();
  /**
   * Resolves when all actions so far are carried out. They run one after the other, because one action may kill the
   * database server, and another one needs the running server to end its connections.
   */
  private carriedOut = Promise.resolve();

  constructor(
    private readonly installation: Installation,
    private readonly schedule: Schedule,
    private readonly account: ExchangeAccount,
  ) {}

  async arm(): Promise<void> {
    const { services } = this.installation;
    for (const crash of this.schedule.crashes) this.planCrash(crash);
    for (const { kind, fault } of this.schedule.faults) {
      if (fault.kind === 'exchange') await this.installation.exchange.arm(fault.armed, this.account);
      if (fault.kind === 'refused') this.planRefusals(kind, fault.count);
    }
    for (const fault of this.schedule.orderFaults) {
      if (fault.kind === 'exchange') await this.installation.exchange.arm(fault.armed, this.account);
    }
    for (const process of services) process.onReached = (id) => this.onReached(process, id);
    await Promise.all(services.map((process) => process.arm(this.points.get(process) ?? [])));
  }

  /** The kinds of fault that have affected a call. */
  async firedFaults(): Promise<FaultKind[]> {
    const { exchange } = this.installation;
    for (const { kind, fault } of this.schedule.faults) {
      if (fault.kind === 'exchange' && (await exchange.hasFired(fault.armed))) this.fired.add(kind);
    }
    return [...this.fired];
  }

  get hasCrashed(): boolean {
    return this.crashed.size > 0;
  }

  /** Whether all planned points and faults have happened. */
  async isDone(): Promise<boolean> {
    const fired = await this.firedFaults();
    const { crashes, faults } = this.schedule;
    return crashes.every(({ point }) => this.crashed.has(point)) && faults.every(({ kind }) => fired.includes(kind));
  }

  async endFaults(): Promise<void> {
    await this.firedFaults();
    await this.installation.exchange.calm();
  }

  /** Disarms all crash points, so that no further process is killed. */
  async endCrashes(): Promise<void> {
    for (const relay of Object.values(this.installation.relays)) relay.disarm();
    await Promise.all(this.installation.services.map((process) => process.arm([])));
    // Waits for the actions of the crash points that processes have reached. Otherwise such an action could still kill
    // the database server or end connections during the next schedule.
    await this.carriedOut;
  }

  private planCrash({ point, visit }: Crash): void {
    const { relays, database } = this.installation;
    const disturbance = crashPoints[point];
    if (disturbance.kind === 'none') return;
    const where = this.processesIn(disturbance.in);
    switch (disturbance.kind) {
      case 'kill':
        return this.plan(
          where,
          { hook: disturbance.at, action: 'kill', visits: visit },
          () => void this.crashed.add(point),
        );
      case 'database':
        return this.plan(where, { hook: disturbance.at, action: 'hold', visits: visit }, async () => {
          this.crashed.add(point);
          await database[disturbance.what]();
        });
      case 'commit':
        return relays[disturbance.in].arm({ of: disturbance.of, fate: disturbance.fate, visit }, () => {
          this.crashed.add(point);
        });
    }
  }

  private planRefusals(kind: FaultKind, count: number): void {
    const hook = isOfOrders(this.schedule.cell.point) ? 'order.connect.before' : 'connect.before';
    for (let visits = 1; visits <= count; visits++) {
      const moment = { hook, action: 'refuse', visits } as const;
      this.plan(this.installation.apis, moment, () => void this.fired.add(kind));
    }
  }

  private processesIn(kind: 'api' | 'worker'): readonly ServiceProcess[] {
    const { apis, worker } = this.installation;
    if (kind === 'worker') return [worker];
    return this.schedule.isOneSided ? apis.slice(0, 1) : apis;
  }

  private plan(
    where: readonly ServiceProcess[],
    moment: Pick<ArmedPoint, 'hook' | 'action' | 'visits'>,
    then: () => Promise<void> | void,
  ): void {
    const id = String(this.actions.size);
    this.actions.set(id, then);
    const token = moment.action === 'refuse' ? null : this.installation.token(`${this.schedule.seed}-${id}`);
    const point = { id, token, ...moment };
    for (const process of where) this.points.set(process, [...(this.points.get(process) ?? []), point]);
  }

  private onReached(process: ServiceProcess, id: string): void {
    this.carriedOut = this.carriedOut.then(async () => {
      await this.actions.get(id)?.();
      process.go(id);
    });
    // `endCrashes` throws the error of a failed action. Without this handler, the error would end this process earlier,
    // as an unhandled rejection.
    this.carriedOut.catch(() => undefined);
  }
}
