import type { ProjectContext } from '#access';
import { Amount } from '#money';
import type { Config } from '#platform/config';
import type { Vault } from '#platform/crypto';
import { Quote, type WithdrawalAttempt } from '#withdrawal';
import { ASSET } from '../exchange/account.js';
import { Challenges } from '../exchange/challenges.js';
import { Exchange } from '../exchange/exchange.js';
import { isAtRest } from '../oracle/invariants.js';
import type { DeclaredTraits } from '../scenario/declared.js';
import { drawFeatures, type Feature } from '../scenario/features.js';
import { drawScenario, type PaymentPlan, type Scenario } from '../scenario/scenario.js';
import { timing } from '../scenario/timing.js';
import type { SimulatedStore } from '../store/simulated-store.js';
import { Dangers } from './dangers.js';
import { Operator } from './operator.js';
import { ADDRESS, FEE, Owner } from './owner.js';
import { Process, SimulatedClock, SimulatedDatabaseClock, timeOfDay } from './process.js';
import { Random } from './random.js';
import { Records } from './records.js';
import type { ProcessParts } from './process-parts.js';
import { ApiReplica, WorkerReplica, type ExecuteInput } from './replicas.js';
import { textOf, type Reply } from './replies.js';
import { Scheduler, type Actor } from './scheduler.js';
import { stepwise, type DatabaseFault } from './stepwise.js';
import { Trace } from './trace.js';

const OTHER_FEE = '0.0002';
/** Longest time by which a sleep lasts longer than requested. */
const OVERSLEEP_MAX_MS = 3_000;
/** The probability and the length of delays of the database's responses, during which other steps happen. */
const ANSWER_DELAY_RATE = 0.2;
const ANSWER_DELAYS_MS = [0, 0, 0, 20, 500] as const;
const RESTORED_QUOTE_LIFE_MS = 3_600_000;
/** Share of the processes whose clock is far off, in runs with the feature `host_clock`. */
const HOST_RATE = 0.3;
/** Changes the seed, so that features are drawn by a separate sequence of random numbers. */
const FEATURE_SEEDS = 0x2f6e2b1;
const POOR_BALANCE = Amount.of('3.5');

export interface StageParts {
  seed: number;
  store: SimulatedStore;
  config: Config;
  vault: Vault;
  isTraced: boolean;
  /** Features that every run has, in addition to those that the seed draws. */
  features: readonly Feature[];
  /** The exchange of the run; null = the seed draws one. */
  declared: DeclaredTraits | null;
}

/** All participants of one run: the processes, the exchange, and the network between them. */
export class Stage {
  readonly random: Random;
  readonly scheduler: Scheduler;
  readonly trace: Trace;
  readonly scenario: Scenario;
  readonly exchange: Exchange;
  readonly dangers: Dangers;
  readonly records = new Records();
  /** The projects; the second one, if there is one, owns the second wallet. */
  readonly projects: readonly ProjectContext[];
  readonly owner: Owner;
  operator: Operator | null = null;
  readonly processes: Process[] = [];
  private readonly apis: ApiReplica[] = [];
  private ids = 0;
  private rowIds = 0;

  constructor(readonly parts: StageParts) {
    const random = (this.random = new Random(parts.seed));
    const scheduler = (this.scheduler = new Scheduler(random));
    const trace = (this.trace = new Trace(parts.isTraced, () => scheduler.now));
    const more = new Random(parts.seed ^ FEATURE_SEEDS);
    const drawn = { wanted: parts.features, isReal: parts.store.real !== null };
    const features = drawFeatures((rate) => more.chance(rate), drawn);
    const scenario = (this.scenario = drawScenario({ random, more }, features, parts.declared));
    const { violations, counts, faults } = this.records;
    const onEvent = (event: string): void => trace.add(event);
    this.exchange = new Exchange(scenario.exchange, {
      seed: parts.seed,
      scheduler,
      random,
      onEvent,
      challenges: new Challenges(scenario.verification, (what) => violations.push(what)),
      onFault: (fault) => void faults.add(fault),
    });
    this.exchange.offset = this.drawOffset();
    if (scenario.isPoor) this.exchange.accountOf('A1').empty(POOR_BALANCE);
    const restart = ({ role }: Process): void => this.startProcess(role);
    const ambush = (isDeciding: boolean): Promise<void> => this.owner.ambush(isDeciding);
    this.dangers = new Dangers({ scheduler, random, counts, onEvent, restart, ambush }, scenario);
    this.projects = scenario.hasTwoProjects ? [this.newProject(), this.newProject()] : [this.newProject()];
    this.owner = this.makeOwner(onEvent);
  }

  /** Ends all faults. */
  calm(): void {
    this.exchange.isCalm = true;
    this.dangers.end();
    this.owner.end();
    if (this.scenario.hostSkew > 0) for (const process of this.processes) process.offset = this.drawOffset();
    this.trace.add('from now on there are no faults');
  }

  drawOffset(): number {
    const { skew } = this.scenario;
    return this.random.between(-skew, skew);
  }

  /** Draws the error of a new process's clock. In some runs, host clocks are hours off until all faults have ended. */
  private drawHostOffset(): number {
    const { random, exchange, scenario } = this;
    const isFarOff = scenario.hostSkew > 0 && !exchange.isCalm && random.chance(HOST_RATE);
    if (!isFarOff) return this.drawOffset();
    const size = random.between(scenario.hostSkew / 10, scenario.hostSkew);
    return random.chance(0.5) ? size : -size;
  }

  startProcess(role: Process['role']): void {
    const process = new Process(`${role}${this.processes.length + 1}`, role, this.drawHostOffset());
    this.processes.push(process);
    const parts = this.partsOf(process);
    if (role === 'api') this.apis.push(new ApiReplica(parts));
    else if (role === 'worker') void new WorkerReplica(parts, () => this.untilDue(parts.clock.now().getTime())).work();
    else this.hire(parts);
  }

  /** Restores the database from its backup, and kills about half of the processes. */
  async restore(): Promise<void> {
    await this.parts.store.real?.restore();
    this.records.restoredInStep = this.records.steps;
    for (const process of this.processes) if (process.isAlive && this.random.chance(0.5)) this.dangers.kill(process);
    this.onRestored();
  }

  onRestored: () => void = () => undefined;

  private hire(parts: ProcessParts): void {
    const { random, exchange, records, trace } = this;
    this.operator = new Operator(parts, {
      random,
      exchange,
      rows: () => this.parts.store.rows,
      onEvent: (event) => trace.add(event),
      onViolation: (what) => records.violations.push(what),
    });
    void this.operator.work();
  }

  sleep(actor: Actor, ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.scheduler.add({ owner: actor, label: 'waits', kind: 'event', in: ms, run: resolve });
    });
  }

  /** Makes one call of a client, to an API process that the seed draws. */
  async execute(client: Actor, input: ExecuteInput): Promise<Reply> {
    await this.sleep(client, 0);
    const { random, records, trace } = this;
    const startedAt = records.steps;
    const api = random.any(this.apis.filter(({ isAlive }) => isAlive));
    const { quoteId, dryRun: isDryRun, tag = undefined } = input;
    trace.add(`${client.name} calls ${api?.name ?? 'nobody'} ${isDryRun ? 'dry ' : ''}for ${quoteId}`);
    const reply: Reply =
      api === null ? { kind: 'lost' } : await api.call(this.projectOf(input.externalWalletId), input);
    trace.add(`${client.name} gets ${textOf(reply)}`);
    const endedAt = records.steps;
    records.answers.push({ client: client.name, quoteId, startedAt, endedAt, isDryRun, tag: tag ?? undefined, reply });
    records.counts.add(`answer ${reply.kind === 'ok' ? 'ok' : textOf(reply)}`);
    return reply;
  }

  /** Lets a client read the state of its quote, and records the response if `ApiReplica.look` returns one. */
  async look(client: Actor, externalWalletId: string, quoteId: string): Promise<void> {
    await this.sleep(client, 0);
    const { random, records, trace } = this;
    const startedAt = records.steps;
    const api = random.any(this.apis.filter(({ isAlive }) => isAlive));
    trace.add(`${client.name} asks ${api?.name ?? 'nobody'} about ${quoteId}`);
    const reply = await api?.look(this.projectOf(externalWalletId), externalWalletId, quoteId);
    if (reply === undefined) return;
    trace.add(`${client.name} sees ${textOf(reply)}`);
    const call = { client: client.name, quoteId, startedAt, endedAt: records.steps };
    records.answers.push({ ...call, isDryRun: false, tag: undefined, reply });
  }

  /** Makes a quote of a wallet; null while the wallet is deleted. */
  async newQuote(externalWalletId: string, { amount, isTagged }: PaymentPlan): Promise<string | null> {
    const createdAt = timeOfDay(this.scheduler.now, 0);
    const amountNoFee = Amount.of(amount);
    const fee = Amount.of(this.random.pick([FEE, FEE, FEE, OTHER_FEE]));
    const id = this.newId();
    return new Promise((resolve) => {
      const run = async (): Promise<void> => {
        const wallet = this.owner.find(externalWalletId);
        if (wallet === null) return resolve(null);
        const quote = Object.assign(new Quote(), {
          id,
          projectId: wallet.row.projectId,
          walletId: wallet.row.id,
          exchange: wallet.row.exchange,
          asset: ASSET,
          credentialVersion: wallet.version,
          network: isTagged ? 'ripple' : 'bitcoin',
          address: ADDRESS,
          tag: null,
          includeFee: false,
          amountNoFee,
          fee,
          amountWithFee: amountNoFee.plus(fee),
          feeDetails: [],
          requirements: [],
          minWithdrawal: null,
          maxWithdrawal: null,
          priceUsd: null,
          createdAt,
          expiresAt: new Date(createdAt.getTime() + this.quoteLifeMs),
        });
        this.records.quotes.push({ quote, externalWalletId, account: this.exchange.accountOf(wallet.key).name });
        await this.parts.store.addQuote(quote);
        resolve(id);
      };
      this.scheduler.add({ owner: null, label: 'new quote', kind: 'event', run });
    });
  }

  /**
   * Lifetime of new quotes. It is longer in runs with a restore, because the service then stops all withdrawals for
   * longer than a quote usually lives.
   */
  get quoteLifeMs(): number {
    const isRestored = this.scenario.features.includes('restored_database');
    return isRestored ? RESTORED_QUOTE_LIFE_MS : this.parts.config.values.QUOTE_TTL_SECONDS * 1_000;
  }

  private projectOf(externalWalletId: string): ProjectContext {
    const [first, second] = this.projects;
    const project = externalWalletId === 'wallet2' ? (second ?? first) : first;
    if (project === undefined) throw new Error('the run has no project');
    return project;
  }

  private newProject(): ProjectContext {
    const ids = { id: this.newId(), organizationId: this.newId(), apiKeyId: this.newId() };
    return { ...ids, mode: 'test', scopes: ['read', 'quote', 'withdrawal'] };
  }

  private newId(): string {
    this.ids += 1;
    return idOf(this.parts.seed, '8000', this.ids);
  }

  /**
   * Returns an id that is made inside a call of the database. These ids are counted separately, because PostgreSQL and
   * the database in memory need different numbers of them.
   */
  private newRowId(): string {
    this.rowIds += 1;
    return idOf(this.parts.seed, '9000', this.rowIds);
  }

  private makeOwner(onEvent: (event: string) => void): Owner {
    const { scheduler, random, exchange, projects } = this;
    const process = new Process('owner', 'api', 0);
    const clock = new SimulatedClock(
      process,
      scheduler,
      () => this.newRowId(),
      (ms) => ms,
    );
    const store = this.parts.store.ownerOf(clock, projects);
    const newId = (): string => this.newId();
    const { real } = this.parts.store;
    const onRestore = (): Promise<void> => this.restore();
    const parts = {
      scheduler,
      random,
      exchange,
      store,
      real,
      onRestore,
      process,
      newId,
      projectOf: (externalWalletId: string) => this.projectOf(externalWalletId).id,
      onEvent,
    };
    return new Owner(parts, this.scenario.owner);
  }

  private partsOf(process: Process): ProcessParts {
    const { scheduler, random, exchange, records, trace, parts, scenario } = this;
    const longest = scenario.oversleep;
    const oversleep = (ms: number): number => Math.min(ms + OVERSLEEP_MAX_MS, ms * (1 + random.next() * longest));
    const clock = new SimulatedClock(process, scheduler, () => this.newId(), oversleep);
    const { readingErrorMax } = timing;
    const errorOf = (): number => (random.chance(0.7) ? 0 : random.between(-readingErrorMax, readingErrorMax));
    const time = new SimulatedDatabaseClock(clock, scheduler, parts.config, errorOf);
    const databaseClock = new SimulatedClock(process, scheduler, () => this.newRowId(), oversleep);
    const { real } = parts.store;
    return {
      process,
      clock,
      config: parts.config,
      vault: parts.vault,
      logger: records.logger(),
      ports: this.inSteps(parts.store.portsOf(databaseClock, time), process),
      features: scenario.features,
      more: real && {
        ports: this.inSteps(real.portsOf(databaseClock, time, records.logger()), process),
        real: real.db,
      },
      session: {
        exchange,
        scheduler,
        random,
        process,
        clock,
        onWritten: (quoteId, key) => this.noteWritten(quoteId, key, timeOfDay(scheduler.now, -timing.readingErrorMax)),
        onEvent: (event) => trace.add(event),
      },
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
        onDone: (label, fault) => this.noteDatabaseFault(process, label, fault),
      }),
    ]);
    return Object.fromEntries(wrapped) as Ports;
  }

  /** Milliseconds until a row is due, by the later of the host's clock and the database's clock. */
  private untilDue(hostMs: number): number {
    const { withdrawals } = this.parts.store.rows;
    const due = withdrawals
      .filter((each) => !isAtRest(each))
      .map(({ nextCheckAt }) => nextCheckAt?.getTime() ?? Infinity);
    return Math.min(...due) - Math.max(hostMs, timeOfDay(this.scheduler.now, 0).getTime());
  }

  private noteDatabaseFault(process: Process, label: string, fault: DatabaseFault | null): void {
    if (fault === null) return;
    this.records.isDatabaseWell = false;
    this.trace.add(`${process.name} ${label}: ${fault}`);
  }

  /** Whether an equal attempt was disputed before this attempt began, and no operator has decided about it. */
  private isStopped(attempt: WithdrawalAttempt, attempts: readonly WithdrawalAttempt[]): boolean {
    const { begun, disputed } = this.records;
    const stops = ({ id, outcome, debitKey, receiptKey }: WithdrawalAttempt): boolean =>
      outcome === 'disputed' &&
      (debitKey === attempt.debitKey || receiptKey === attempt.receiptKey) &&
      (disputed.get(id) ?? Infinity) < (begun.get(attempt.id) ?? 0);
    return attempts.some(stops);
  }

  /**
   * Called when a submission is sent. The intent must be in the database, and neither lease nor quote may have expired.
   */
  private noteWritten(quoteId: string, key: string, now: Date): number {
    const { records, parts } = this;
    const { withdrawals, attempts } = parts.store.rows;
    const withdrawal = withdrawals.find((each) => each.quoteId === quoteId);
    const attempt = attempts.find(
      ({ withdrawalId, outcome }) => withdrawalId === withdrawal?.id && ['in_flight', 'unknown'].includes(outcome),
    );
    if (attempt !== undefined && this.isStopped(attempt, attempts))
      records.violations.push(`quote ${quoteId} was sent, although an equal withdrawal was disputed before`);
    const made = records.quotes.find(({ quote }) => quote.id === quoteId);
    const late = [attempt?.leaseUntil, made?.quote.expiresAt].some((end) => end === undefined || now >= end);
    // After a restore, a process may still send an intent that the restored database does not contain. This breaks no
    // rule, because the service then stops all withdrawals until it has compared the wallets with their exchanges.
    const isForgotten = records.restoredInStep !== null;
    if (attempt === undefined && !isForgotten)
      records.violations.push(`quote ${quoteId} was sent, but the database has no attempt that shows this`);
    else if (late && !isForgotten)
      records.violations.push(`quote ${quoteId} was sent after it had expired or after the lease of its attempt`);
    const { name } = this.exchange.accountOf(key);
    if (made?.account !== name)
      records.violations.push(`quote ${quoteId} of account ${made?.account} was sent with a key of account ${name}`);
    return records.steps;
  }
}

function idOf(seed: number, kind: '8000' | '9000', count: number): string {
  const [run, number] = [seed, count].map((each) => each.toString(16).padStart(12, '0'));
  return `${run?.slice(0, 8)}-${run?.slice(8)}-7000-${kind}-${number}`;
}
