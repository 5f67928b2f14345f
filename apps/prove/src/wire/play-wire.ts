import {
  ExchangeError,
  holdingsOf,
  lagOf,
  type ExchangeSession,
  type PreparedWithdrawal,
  type SubmitOutcome,
} from '#exchange';
import { Amount } from '#money';
import { confirmRefusal } from '#withdrawal/testing';
import { Random } from '../processes/random.js';
import { ExchangeModel, type Lags } from './exchange-model.js';
import { currentSubmission, SimulatedNetwork } from './simulated-network.js';
import { judge, newSubmission, type Submission } from './submissions.js';
import type { VirtualTime } from './virtual-time.js';
import { cellOf, executedRefusals, faultyPlan, honestPlan } from './wire-plan.js';
import { PROCESSES, wireConfig, type WireProcess, type WireStage, type WireWallet } from './wire-stage.js';

const HOUR_MS = 3_600_000;
/** Longest time from the start of a run until a call begins. */
const BEGIN_WITHIN_MS = 8_000;
/** Many calls begin in one of BURSTS bursts of BURST_MS each, so that they overtake each other on their way. */
const BURSTS = 3;
const BURST_MS = 60;
/** Longest virtual time of a run; it is longer than any call waits. */
const RUN_LIMIT_MS = 300_000;
/** Longest time until the account shows a withdrawal that the exchange has executed and refused: the default lag. */
const LAG_MAX_MS = 5_000;
/** The longest pause that the Kraken connector makes after a refusal (`limits` of its declaration). */
const PAUSE_MAX_MS = 900_000;

export interface PlayedWire {
  seed: number;
  violations: string[];
  /** Number of events of each kind. */
  counts: Record<string, number>;
  /** The results of the run as text. It is the same for every play of one seed. */
  fingerprint: string;
}

/** Plays one seed. @param trace is called with each step. */
export async function playWire(
  stage: WireStage,
  seed: number,
  trace: (line: string) => void = () => undefined,
): Promise<PlayedWire> {
  stage.time.nextRun(HOUR_MS);
  return new WireRun(stage, seed, trace).play();
}

class WireRun {
  private readonly random: Random;
  private readonly isHonest: boolean;
  private readonly submissions = new Map<string, Submission>();
  private readonly violations: string[] = [];
  private readonly counts: Record<string, number> = {};
  private readonly model: ExchangeModel;
  private readonly network: SimulatedNetwork;
  private readonly processes: readonly WireProcess[];
  private readonly wallets: readonly WireWallet[];
  private readonly bursts: readonly number[];
  private readonly exchangeClockMs: number;
  private running = 0;

  constructor(
    private readonly stage: WireStage,
    private readonly seed: number,
    private readonly log: (line: string) => void,
  ) {
    const { time, nonceClock } = stage;
    const random = (this.random = new Random(seed));
    this.isHonest = random.chance(0.35);
    this.processes = stage.processes.slice(0, random.between(2, PROCESSES));
    for (const { clock } of this.processes) clock.errorMs = this.clockError();
    this.wallets = this.planWallets();
    this.bursts = Array.from({ length: BURSTS }, () => random.between(1, BEGIN_WITHIN_MS));
    this.model = new ExchangeModel(new Map(this.wallets.map(({ apiKey, apiSecret }) => [apiKey, apiSecret])));
    const { submissions, model } = this;
    const trace = (line: string): void => this.trace(line);
    this.exchangeClockMs = this.clockError();
    const { exchangeClockMs } = this;
    const parts = { time, random, model, submissions, exchangeClockMs, isFaulty: !this.isHonest };
    this.network = stage.network = new SimulatedNetwork({ ...parts, trace });
    // The clock from which nonces are made may be six hours ahead, and may be set right during the run.
    nonceClock.errorMs = random.chance(0.5) ? 6 * HOUR_MS : 0;
    if (random.chance(0.5)) time.after(random.between(500, BEGIN_WITHIN_MS), () => (nonceClock.errorMs = 0));
  }

  async play(): Promise<PlayedWire> {
    await this.load();
    for (let calls = this.random.between(3, 7); calls > 0; calls--) this.planSubmission(calls);
    for (let calls = this.random.between(6, 14); calls > 0; calls--) this.planRead();
    if (!(await this.rest())) this.violations.push('a call has not ended');
    for (const submission of this.submissions.values()) this.judge(submission);
    await this.readInPeace();
    for (const path of this.network.writtenAgain) this.violations.push(`the read request for ${path} was sent twice`);
    this.network.close();
    await this.rest();
    const { seed, violations, counts } = this;
    const bookings = this.model.bookings.map(({ id, marker }) => ({ id, marker }));
    const ends = [...this.submissions.values()].map(({ marker, outcome, writes }) => [marker, outcome?.kind, writes]);
    return { seed, violations, counts, fingerprint: JSON.stringify([ends, bookings, counts]) };
  }

  /** Loads the connectors from their files, which takes real time. */
  private async load(): Promise<void> {
    for (const process of this.processes) for (const wallet of this.wallets) await process.open(wallet);
  }

  /**
   * Several wallets may have the same key. No other run uses these keys, because connectors keep state for each key.
   */
  private planWallets(): WireWallet[] {
    const { random, stage } = this;
    const keys = Array.from({ length: random.between(1, 2) }, (_, index) => `key-${stage.time.now}-${index}`);
    return Array.from({ length: random.between(keys.length, 3) }, (_, index) => {
      const apiKey = keys[index % keys.length] ?? '';
      const apiSecret = Buffer.from(`the secret of ${apiKey}`).toString('base64');
      return { credentialId: `${apiKey} wallet-${index}`, apiKey, apiSecret };
    });
  }

  private planSubmission(number: number): void {
    const { random } = this;
    const kind = random.chance(0.5) ? 'withdrawal' : 'order';
    const submission = newSubmission({
      kind,
      marker: kind === 'withdrawal' ? `address-${number}` : orderId(number),
      plan: this.isHonest ? honestPlan(random) : faultyPlan(random, kind === 'withdrawal'),
      isRefused: random.chance(0.1),
      isTooLate: random.chance(0.05),
    });
    this.submissions.set(submission.marker, submission);
    if (submission.isRefused) this.model.refuse(submission.marker);
    if (submission.plan.answer in executedRefusals) this.model.showLate(submission.marker, this.drawLags());
    this.begin(submission, async (session) => {
      try {
        submission.outcome = await submit(session, submission, this.stage.time);
      } catch (error) {
        submission.error = error;
      }
    });
  }

  /**
   * Draws how late the account shows a withdrawal: within the lag that the product expects. An equal deposit may hide
   * the withdrawal in the balance for ever, or the history may never show it, but not both. When clocks are hours
   * wrong, the history is not searched at the time of the record, so the balance shows the withdrawal.
   */
  private drawLags(): Lags {
    const { random } = this;
    const late = (): number => random.between(0, LAG_MAX_MS);
    const lags = { historyMs: late(), balanceMs: late() };
    const hidden = random.pick(['nothing', 'history', 'balance'] as const);
    if (hidden === 'history') return { ...lags, historyMs: Infinity };
    return hidden === 'balance' && this.areClocksRight ? { ...lags, balanceMs: Infinity } : lags;
  }

  private get areClocksRight(): boolean {
    const errors = [this.exchangeClockMs, ...this.processes.map(({ clock }) => clock.errorMs)];
    return errors.every((error) => Math.abs(error) < HOUR_MS);
  }

  private planRead(): void {
    const isOfOrders = this.random.chance(0.5);
    this.begin(null, async (session) => {
      try {
        await read(session, isOfOrders);
        this.count('read ok');
      } catch (error) {
        this.count(`read ${error instanceof ExchangeError ? error.kind : 'threw'}`);
        if (!(error instanceof ExchangeError)) this.violations.push(`a read threw ${String(error)}`);
        // Calls with the same key may overtake each other, so every try of a read may have a nonce that is too low.
        // This refusal is therefore allowed, even in a run whose only faults are slow responses (`isHonest`).
        else if (this.isHonest && ![undefined, 'EAPI:Invalid nonce'].includes(error.rawCode))
          this.violations.push(`a read was refused with ${error.rawCode}`);
      }
    });
  }

  /** Plans a call of a process with a wallet, both picked at random, at a random moment. */
  private begin(submission: Submission | null, work: (session: ExchangeSession) => Promise<void>): void {
    const { random, processes, wallets } = this;
    const { time } = this.stage;
    const process = processes[random.between(0, processes.length - 1)];
    const wallet = wallets[random.between(0, wallets.length - 1)];
    if (process === undefined || wallet === undefined) throw new Error('the run has no process or no wallet');
    this.running += 1;
    const [burst = random.between(1, BEGIN_WITHIN_MS)] = random.chance(0.6) ? random.some(this.bursts) : [];
    time.after(burst + random.between(0, BURST_MS), () => {
      currentSubmission.run(submission, () => {
        this.trace(`${submission === null ? 'reads' : `submits ${submission.marker}`} with ${wallet.credentialId}`);
        void process
          .open(wallet)
          .then(work)
          .catch((error: unknown) => this.violations.push(`a call threw ${String(error)}`))
          .finally(() => {
            this.running -= 1;
            time.touch();
          });
      });
    });
  }

  private rest(): Promise<boolean> {
    return this.stage.time.run(() => this.running === 0 && this.network.isQuiet, RUN_LIMIT_MS);
  }

  /**
   * Checks that, after the faults and the pauses that they cause, every process can read with every key at the second
   * try at the latest.
   */
  private async readInPeace(): Promise<void> {
    this.network.calm();
    await this.wait(PAUSE_MAX_MS);
    for (const process of this.processes) {
      for (const wallet of this.wallets) {
        this.running += 1;
        const once = async (): Promise<unknown> => (await process.open(wallet)).keyInfo();
        void once()
          .catch(once)
          .catch((error: unknown) => this.violations.push(`a read after the faults failed: ${String(error)}`))
          .finally(() => (this.running -= 1));
        if (!(await this.rest())) this.violations.push('a read after the faults has not ended');
      }
    }
  }

  private async wait(ms: number): Promise<void> {
    let isOver = false;
    this.stage.time.after(ms, () => (isOver = true));
    await this.stage.time.run(() => isOver, ms);
  }

  private judge(submission: Submission): void {
    const { outcome, plan, writes } = submission;
    this.violations.push(...judge(submission, this.model.bookings, this.isHonest));
    this.count(`outcome ${outcome?.kind ?? 'none'}`);
    this.count(`connect ${plan.connect}`);
    if (writes > 0) this.count(`cell ${cellOf(plan)}`);
  }

  /**
   * Draws the error of a clock, in milliseconds. In a run whose only faults are slow responses (`isHonest`), two clocks
   * differ by at most 4 s. This is less than the 30 s until the deadline of an order.
   */
  private clockError(): number {
    const { random } = this;
    return this.isHonest || random.chance(0.7) ? random.between(-2_000, 2_000) : random.between(-5, 5) * HOUR_MS;
  }

  private count(name: string): void {
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }

  private trace(line: string): void {
    this.log(`${this.stage.time.now % HOUR_MS} ${line}`);
  }
}

const orderId = (number: number): string => `6d1b345e-2821-40e2-ad83-${String(number).padStart(12, '0')}`;

async function submit(
  session: ExchangeSession,
  submission: Submission,
  time: VirtualTime,
): Promise<Submission['outcome']> {
  const { withdrawals, trading } = session;
  if (withdrawals === undefined || trading === undefined)
    throw new Error('the Kraken connector has no withdrawals or no trading');
  const beforeSend = (): void => {
    if (submission.isTooLate) throw new Error('too late');
    submission.sends += 1;
  };
  if (submission.kind === 'withdrawal') {
    const { marker } = submission;
    const request = { asset: 'XXBT', key: marker, amount: '0.1', address: marker, max_fee: '0.0001' };
    const prepared = { request, clientRef: null, submissionDeadline: null };
    const send = (): Promise<SubmitOutcome> => withdrawals.submit(prepared, { beforeSend });
    return submission.plan.answer in executedRefusals ? submitConfirmed(session, prepared, send, time) : send();
  }
  const prepared = trading.prepare({
    exchangeSymbol: 'XBTUSD',
    side: 'sell',
    type: 'limit',
    volume: Amount.of('0.1'),
    price: Amount.of('20000'),
    clientOrderId: submission.marker,
    submissionDeadline: new Date(time.now + 30_000),
  });
  return trading.place(prepared, { beforeSend });
}

function nullIfRefused(error: unknown): null {
  if (error instanceof ExchangeError) return null;
  throw error;
}

/** Reads the account, submits, and confirms a refusal at the account, as the product does. */
async function submitConfirmed(
  session: ExchangeSession,
  prepared: PreparedWithdrawal,
  send: () => Promise<SubmitOutcome>,
  time: VirtualTime,
): Promise<SubmitOutcome> {
  const asset = 'BTC';
  const before = await currentSubmission.run(null, () => session.balances()).catch(nullIfRefused);
  if (before === null) return { kind: 'not_sent', reason: 'the account could not be read' };
  const { total: totalBefore, free: freeBefore } = holdingsOf(session.exchange, before, asset);
  const startedAt = new Date(time.now);
  const outcome = await send();
  if (outcome.kind !== 'rejected' && outcome.kind !== 'verification_required') return outcome;
  const refused = { asset, network: 'bitcoin', prepared, totalBefore, freeBefore, knownIds: [], startedAt };
  const lagMs = lagOf(session, wireConfig);
  const wait = (): Promise<boolean> => new Promise((resolve) => time.after(lagMs, () => resolve(true)));
  return currentSubmission.run(null, () => confirmRefusal(session, outcome, refused, wait));
}

function read(session: ExchangeSession, isOfOrders: boolean): Promise<unknown> {
  if (!isOfOrders || session.trading === undefined) return session.keyInfo();
  return session.trading.find({ clientOrderId: orderId(1), request: {}, notBefore: new Date(0), isProofNeeded: false });
}
