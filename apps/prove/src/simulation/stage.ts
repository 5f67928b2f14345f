import type { ProjectContext } from '#access';
import { Amount } from '#money';
import type { Config } from '#platform/config';
import type { Vault } from '#platform/crypto';
import { Wallet } from '#wallet';
import { Quote } from '#withdrawal';
import type { WithdrawalPorts } from '#withdrawal/testing';
import { FIRST_CREDENTIALS } from './credentials.js';
import { Dangers } from './dangers.js';
import { Challenges } from './exchange/challenges.js';
import { Exchange, type Foreign } from './exchange/exchange.js';
import type { RecordForm } from './exchange/ledger.js';
import { isAtRest } from './invariants.js';
import { Process, SimulatedClock, SimulatedDatabaseClock, timeOfDay } from './process.js';
import { Random } from './random.js';
import { Records } from './records.js';
import { ApiReplica, WorkerReplica, type ExecuteInput, type ProcessParts } from './replicas.js';
import { textOf, type Reply } from './replies.js';
import { drawScenario, type PaymentPlan, type Scenario } from './scenario.js';
import { Scheduler, type Actor } from './scheduler.js';
import { stepwise, type DatabaseFault } from './stepwise.js';
import type { SimulatedStore } from './store/simulated-store.js';
import { timing } from './timing.js';
import { Trace } from './trace.js';

const ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const ASSET = 'BTC';
const FEE = '0.0001';
const OTHER_FEE = '0.0002';
/** Somebody sleeps at most so much longer than asked. */
const OVERSLEEP_MAX_MS = 3_000;
/** Sweeps are at most this far apart. */
const SWEEP_MAX_MS = 30_000;
/** How often answers of the database are on their way while something else happens, and how long. */
const ANSWER_DELAY_RATE = 0.2;
const ANSWER_DELAYS_MS = [0, 0, 0, 20, 500] as const;
/** The wallet was connected so long before. */
const CONNECTED_BEFORE_MS = 86_400_000;
const POOR_BALANCE = Amount.of('3.5');

export interface StageParts {
  seed: number;
  store: SimulatedStore;
  config: Config;
  vault: Vault;
  isTraced: boolean;
}

/** Everybody who takes part in one run: processes of ours, the exchange, and what lies between them. */
export class Stage {
  readonly random: Random;
  readonly scheduler: Scheduler;
  readonly trace: Trace;
  readonly scenario: Scenario;
  readonly exchange: Exchange;
  readonly dangers: Dangers;
  readonly records = new Records();
  readonly project: ProjectContext;
  readonly wallet: Wallet;
  readonly processes: Process[] = [];
  private readonly apis: ApiReplica[] = [];
  private ids = 0;

  constructor(readonly parts: StageParts) {
    const random = (this.random = new Random(parts.seed));
    const scheduler = (this.scheduler = new Scheduler(random));
    const trace = (this.trace = new Trace(parts.isTraced, () => scheduler.now));
    const scenario = (this.scenario = drawScenario(random));
    const { violations, counts, faults } = this.records;
    const onEvent = (event: string): void => trace.add(event);
    this.exchange = new Exchange(scenario.exchange, {
      ...{ scheduler, random, onEvent },
      challenges: new Challenges(scenario.verification, (what) => violations.push(what)),
      onFault: (fault) => void faults.add(fault),
    });
    this.exchange.offset = this.drawOffset();
    if (scenario.isPoor) this.exchange.ledger.balance = POOR_BALANCE;
    const restart = ({ role }: Process): void => this.startProcess(role);
    this.dangers = new Dangers({ scheduler, random, counts, onEvent, restart }, scenario);
    this.project = {
      ...{ id: this.newId(), organizationId: this.newId(), mode: 'test', apiKeyId: this.newId() },
      scopes: ['read', 'quote', 'withdrawal'],
    };
    this.wallet = this.makeWallet();
  }

  /** Ends everything that goes wrong. */
  calm(): void {
    this.exchange.isCalm = true;
    this.dangers.end();
    this.trace.add('from now on nothing goes wrong any more');
  }

  drawOffset(): number {
    const { skew } = this.scenario;
    return this.random.between(-skew, skew);
  }

  startProcess(role: Process['role']): void {
    const process = new Process(`${role}${this.processes.length + 1}`, role, this.drawOffset());
    this.processes.push(process);
    const parts = this.partsOf(process);
    if (role === 'api') this.apis.push(new ApiReplica(parts));
    else void new WorkerReplica(parts, () => this.sweepPause(parts.clock.now())).work();
  }

  sleep(actor: Actor, ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.scheduler.add({ owner: actor, label: 'waits', kind: 'event', in: ms, run: resolve });
    });
  }

  /** One call of a client, to whichever process takes it. */
  async execute(client: Actor, input: ExecuteInput): Promise<Reply> {
    await this.sleep(client, 0);
    const { random, records, trace } = this;
    const startedAt = records.steps;
    const api = random.any(this.apis.filter(({ isAlive }) => isAlive));
    const { quoteId, dryRun: isDryRun, tag = undefined } = input;
    trace.add(`${client.name} calls ${api?.name ?? 'nobody'} ${isDryRun ? 'dry ' : ''}for ${quoteId}`);
    const reply: Reply = api === null ? { kind: 'lost' } : await api.call(this.project, input);
    trace.add(`${client.name} is told ${textOf(reply)}`);
    const endedAt = records.steps;
    records.answers.push({ client: client.name, quoteId, startedAt, endedAt, isDryRun, tag: tag ?? undefined, reply });
    records.counts.add(`answer ${reply.kind === 'ok' ? 'ok' : textOf(reply)}`);
    return reply;
  }

  /** A client looks where its quote stands. Only that it has ended unexecuted is an answer that anybody relies on. */
  async look(client: Actor, quoteId: string): Promise<void> {
    await this.sleep(client, 0);
    const { random, records, trace } = this;
    const startedAt = records.steps;
    const api = random.any(this.apis.filter(({ isAlive }) => isAlive));
    trace.add(`${client.name} asks ${api?.name ?? 'nobody'} about ${quoteId}`);
    const reply = await api?.look(this.project, this.wallet.walletId, quoteId);
    if (reply === undefined) return;
    trace.add(`${client.name} sees ${textOf(reply)}`);
    const call = { client: client.name, quoteId, startedAt, endedAt: records.steps };
    records.answers.push({ ...call, isDryRun: false, tag: undefined, reply });
  }

  async newQuote({ amount, isTagged }: PaymentPlan): Promise<string> {
    const createdAt = timeOfDay(this.scheduler.now, 0);
    const amountNoFee = Amount.of(amount);
    const fee = Amount.of(this.random.pick([FEE, FEE, FEE, OTHER_FEE]));
    const quote = Object.assign(new Quote(), {
      id: this.newId(),
      projectId: this.project.id,
      walletId: this.wallet.id,
      credentialVersion: FIRST_CREDENTIALS,
      exchange: this.wallet.exchange,
      asset: ASSET,
      network: isTagged ? 'ripple' : 'bitcoin',
      address: ADDRESS,
      tag: null,
      includeFee: false,
      ...{ amountNoFee, fee, amountWithFee: amountNoFee.plus(fee), feeDetails: [], requirements: [] },
      ...{ minWithdrawal: null, maxWithdrawal: null, priceUsd: null, createdAt },
      expiresAt: new Date(createdAt.getTime() + this.parts.config.values.QUOTE_TTL_SECONDS * 1_000),
    });
    this.records.quotes.push(quote);
    await new Promise<void>((resolve) => {
      const run = async (): Promise<void> => {
        await this.parts.store.addQuote(quote);
        resolve();
      };
      this.scheduler.add({ owner: null, label: 'new quote', kind: 'event', run });
    });
    return quote.id;
  }

  /** What its owner does at the exchange itself. */
  bookForeign(amount: string, form: RecordForm = 'certain'): void {
    this.exchange.settleLater(this.exchange.bookForeign(foreign(amount, form)));
  }

  /** What its owner has done before, and looks like what clients pay now. */
  bookOlder(status: 'failed' | 'pending'): void {
    const { exchange, random } = this;
    const isFailed = status === 'failed';
    // One that is under way is in the history by now; of one that has failed it may only be seen late.
    const record = exchange.bookForeign(
      foreign('1', 'certain'),
      isFailed ? random.between(0, 30_000) : timing.historyLagMax,
    );
    if (isFailed) exchange.ledger.settle(record, 'failed', record.bookedAt);
    else exchange.settleLater(record);
  }

  private newId(): string {
    this.ids += 1;
    const [run, count] = [this.parts.seed, this.ids].map((number) => number.toString(16).padStart(12, '0'));
    return `${run?.slice(0, 8)}-${run?.slice(8)}-7000-8000-${count}`;
  }

  private makeWallet(): Wallet {
    const createdAt = timeOfDay(-CONNECTED_BEFORE_MS, 0);
    return Object.assign(new Wallet(), {
      id: this.newId(),
      projectId: this.project.id,
      walletId: 'wallet',
      exchange: 'kraken',
      invalidApi: false,
      createdAt,
      updatedAt: createdAt,
      lastSyncAt: null,
      deletedAt: null,
    });
  }

  private partsOf(process: Process): ProcessParts {
    const { scheduler, random, exchange, records, trace, parts, scenario } = this;
    const longest = scenario.oversleep;
    const oversleep = (ms: number): number => Math.min(ms + OVERSLEEP_MAX_MS, ms * (1 + random.next() * longest));
    const clock = new SimulatedClock(process, scheduler, () => this.newId(), oversleep);
    const time = new SimulatedDatabaseClock(clock, scheduler, parts.config);
    const ports = Object.entries(parts.store.portsOf(clock, time)).map(([name, port]) => [
      name,
      stepwise(port as object, name, {
        ...{ scheduler, process },
        faultOf: (label) => (exchange.isCalm ? null : this.dangers.databaseFault(label)),
        delayOf: () => (random.chance(ANSWER_DELAY_RATE) ? random.pick(ANSWER_DELAYS_MS) : null),
        onDone: (label, fault) => this.noteDatabaseFault(process, label, fault),
      }),
    ]);
    return {
      ...{ process, clock, config: parts.config, vault: parts.vault, logger: records.logger() },
      ports: Object.fromEntries(ports) as WithdrawalPorts,
      session: {
        ...{ exchange, scheduler, random, process, clock },
        onWritten: (quoteId) => this.noteWritten(quoteId, timeOfDay(scheduler.now, 0)),
        onEvent: (event) => trace.add(event),
      },
    };
  }

  /** Until the next sweep: no sooner than something is due, so that long waits cost few steps. */
  private sweepPause(now: Date): number {
    const { withdrawals } = this.parts.store.rows;
    const due = withdrawals.filter((w) => !isAtRest(w)).map(({ nextCheckAt }) => nextCheckAt?.getTime() ?? Infinity);
    const wait = Math.min(...due) - now.getTime();
    return Math.min(SWEEP_MAX_MS, Math.max(this.parts.config.values.WITHDRAWAL_SWEEP_MS, wait));
  }

  private noteDatabaseFault(process: Process, label: string, fault: DatabaseFault | null): void {
    if (fault === null) return;
    this.records.isDatabaseWell = false;
    this.trace.add(`${process.name} ${label}: ${fault}`);
  }

  /** The bytes of a submission go out: that it is meant must be in the database by then, and it must not be too late. */
  private noteWritten(quoteId: string, now: Date): number {
    const { records, parts } = this;
    const { withdrawals, attempts } = parts.store.rows;
    const withdrawal = withdrawals.find((w) => w.quoteId === quoteId);
    const attempt = attempts.find(
      ({ withdrawalId, outcome }) => withdrawalId === withdrawal?.id && ['in_flight', 'unknown'].includes(outcome),
    );
    const quote = records.quotes.find(({ id }) => id === quoteId);
    const late = [attempt?.leaseUntil, quote?.expiresAt].some((end) => end === undefined || now >= end);
    if (attempt === undefined) records.violations.push(`quote ${quoteId} was sent, but the database does not say so`);
    else if (late) records.violations.push(`quote ${quoteId} was sent after its end or after its lease`);
    return records.steps;
  }
}

function foreign(amount: string, form: RecordForm): Foreign {
  const debit = Amount.of(amount).plus(Amount.of(FEE));
  return {
    asset: ASSET,
    debit,
    form,
    request: { asset: ASSET, address: ADDRESS, amount: debit.toString(), max_fee: FEE },
  };
}
