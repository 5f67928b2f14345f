import type { Actor } from './scheduler.js';
import { isDenied } from '../exchange/account.js';
import { Client, type Payment } from './clients.js';
import { brokenInvariants, isAtRest } from '../oracle/invariants.js';
import { judge } from '../oracle/oracle.js';
import type { MadeQuote } from './records.js';
import { isTruthful } from '../scenario/scenario.js';
import { isFinalRefusal, isPointless } from './replies.js';
import { quiet } from './scheduler.js';
import type { Rows } from '../store/simulated-store.js';
import { Stage, type StageParts } from './stage.js';
import { timing } from '../scenario/timing.js';

/**
 * Lengths of the jumps of virtual time, which stand for a slow network or a busy or suspended machine. The seed decides
 * when they happen.
 */
const JUMPS_MS = [50, 50, 500, 500, 2_000, 8_000, 20_000] as const;
const QUOTES_PER_PAYMENT = 3;
/** Clocks jump and the owner withdraws only during this time after the start of a run. */
const EVENTS_UNTIL_MS = 90_000;
const LAST_CALLS_MAX = 10;
const INSISTING_CALLS_MAX = 20;
const INSISTING_PAUSE_MS = 180_000;
const LAST_WORDS_MS = 5_000;

export interface SeedResult {
  seed: number;
  features: readonly string[];
  violations: string[];
  /** A fingerprint that is equal for equal runs. */
  fingerprint: string;
  steps: number;
  counts: Record<string, number>;
  trace: string[];
}

/** Plays one seed: first a time with faults, then hours without faults. At the end it judges the run. */
export class Simulation {
  private readonly stage: Stage;
  private clientsAtWork = 0;

  constructor(parts: StageParts) {
    this.stage = new Stage(parts);
  }

  async run(): Promise<SeedResult> {
    const { stage } = this;
    stage.trace.add(JSON.stringify(stage.scenario));
    await stage.owner.begin(stage.scenario.wallets);
    this.begin();
    await this.until(() => this.clientsAtWork === 0, timing.faultsMax);
    stage.calm();
    await this.until(() => this.isQuiet(), stage.scheduler.now + timing.restMax);
    await this.askAgain();
    // Waits for the responses that are still on their way.
    await this.until(() => false, stage.scheduler.now + LAST_WORDS_MS);
    return this.conclude();
  }

  private begin(): void {
    const { stage } = this;
    const { scenario, random } = stage;
    const { skew, clockJumps, foreign, alike, older } = scenario;
    for (let index = 0; index < scenario.apis; index++) stage.startProcess('api');
    for (let index = 0; index < scenario.workers; index++) stage.startProcess('worker');
    if (scenario.features.includes('operator')) stage.startProcess('operator');
    stage.onRestored = () => this.hurryClients();
    for (let left = clockJumps; left > 0; left--) this.plan('clock jump', () => this.jumpClock(skew));
    for (let left = foreign; left > 0; left--)
      this.plan('owner', () => stage.owner.bookForeign(random.pick(['7', '8'])));
    for (let left = alike; left > 0; left--) this.plan('owner', () => stage.owner.bookForeign('1', 'possible'));
    for (const status of older) stage.owner.bookOlder(status);
    const payments = scenario.payments.map((plan): Payment & typeof plan => ({
      ...plan,
      quoteId: null,
      quotesLeft: QUOTES_PER_PAYMENT,
    }));
    scenario.clients.forEach((index, number) => {
      const payment = payments[index];
      if (payment === undefined) throw new Error(`client ${number + 1} has no payment`);
      void this.play({ name: `client${number + 1}`, isAlive: true }, payment);
    });
  }

  private async play(actor: Actor, payment: Payment & Stage['scenario']['payments'][number]): Promise<void> {
    const { stage } = this;
    const externalWalletId = `wallet${payment.wallet + 1}`;
    this.clientsAtWork += 1;
    await new Client(payment, {
      random: stage.random,
      externalWalletId,
      sleep: (ms) => stage.sleep(actor, ms),
      newQuote: () => stage.newQuote(externalWalletId, payment),
      execute: (input) => stage.execute(actor, input),
      look: (quoteId) => stage.look(actor, externalWalletId, quoteId),
      isLate: stage.scenario.isLate,
      confirmFaces: () => stage.exchange.challenges.confirmFaces(),
    }).run();
    this.clientsAtWork -= 1;
  }

  /** Makes clients execute every quote again after a restore, until there is a final response. */
  private hurryClients(): void {
    const { stage } = this;
    stage.records.quotes.forEach((made, index) => {
      const actor = { name: `client of quote ${index + 1}`, isAlive: true };
      this.clientsAtWork += 1;
      void this.insist(actor, made).then(() => (this.clientsAtWork -= 1));
    });
  }

  private async insist(actor: Actor, { quote, externalWalletId }: MadeQuote): Promise<void> {
    const { stage } = this;
    for (let calls = 0; calls < INSISTING_CALLS_MAX; calls++) {
      await stage.sleep(actor, stage.random.between(0, INSISTING_PAUSE_MS));
      const input = { quoteId: quote.id, externalWalletId, dryRun: false, codes: {}, autoDeleteIfInvalid: false };
      const reply = await stage.execute(actor, input);
      if (reply.kind === 'ok' || isFinalRefusal(reply) || isPointless(reply)) return;
    }
  }

  private plan(label: string, run: () => void): void {
    const { scheduler, random } = this.stage;
    scheduler.add({ owner: null, label, kind: 'event', in: random.between(0, EVENTS_UNTIL_MS), run });
  }

  private jumpClock(skew: number): void {
    const { stage } = this;
    if (stage.exchange.isCalm) return;
    const whose = stage.random.any([stage.exchange, ...stage.processes.filter(({ isAlive }) => isAlive)]);
    if (whose === null) return;
    whose.offset = stage.random.between(-skew, skew);
    stage.records.faults.add('clock_jump');
    stage.trace.add(`a clock jumps to ${whose.offset}`);
  }

  /** Runs steps until `isOver` returns true, no step is left, a rule is broken, or the time is up. */
  private async until(isOver: () => boolean, limit: number): Promise<void> {
    const { scheduler, records } = this.stage;
    while (!isOver() && records.violations.length === 0 && scheduler.now <= limit) {
      if (!(await this.step())) return;
    }
  }

  private async step(): Promise<boolean> {
    const { scheduler, random, dangers, records, scenario, exchange, parts } = this.stage;
    if (!exchange.isCalm && random.chance(scenario.jumpRate)) scheduler.jump(random.pick(JUMPS_MS));
    const step = scheduler.next();
    if (step === null) return false;
    records.steps += 1;
    await dangers.meet(step);
    await quiet();
    if (await parts.store.look(step.label)) this.examine(parts.store.rows);
    return true;
  }

  private examine(rows: Rows): void {
    const { violations, unknown, steps, begun, disputed } = this.stage.records;
    violations.push(...brokenInvariants(rows, this.stage.records.restoredInStep !== null));
    for (const { id, state } of rows.withdrawals) if (state === 'unknown') unknown.add(id);
    for (const { id, outcome } of rows.attempts) {
      if (!begun.has(id)) begun.set(id, steps);
      if (outcome === 'disputed' && !disputed.has(id)) disputed.set(id, steps);
    }
  }

  private isQuiet(): boolean {
    const { exchange, parts, operator } = this.stage;
    const { withdrawals, openChecks } = parts.store.rows;
    const isDecided = operator === null || operator.isIdle;
    const isIdle = this.clientsAtWork === 0 && exchange.openMatters === 0 && openChecks === 0;
    return isIdle && isDecided && withdrawals.every(isAtRest) && this.isSynced();
  }

  /** Whether the history sync has read every withdrawal that the exchange has denied. */
  private isSynced(): boolean {
    const { exchange, parts } = this.stage;
    const { transactions } = parts.store.rows;
    return exchange.records
      .filter(isDenied)
      .every(({ exchangeId }) => transactions.some((row) => row.exchangeTransactionId === exchangeId));
  }

  /** Executes every quote once more, long after its expiry. */
  private async askAgain(): Promise<void> {
    const { stage } = this;
    const { scheduler, records } = stage;
    if (records.violations.length > 0) return;
    scheduler.jump(stage.quoteLifeMs + 2 * timing.skewMax);
    const actor = { name: 'auditor', isAlive: true };
    const ask = async ({ quote, externalWalletId }: MadeQuote): Promise<void> => {
      const quoteId = quote.id;
      for (let calls = 0; calls < LAST_CALLS_MAX; calls++) {
        const input = { quoteId, externalWalletId, dryRun: false, codes: {}, autoDeleteIfInvalid: false };
        const reply = await stage.execute(actor, input);
        if (reply.kind === 'ok' || isFinalRefusal(reply) || isPointless(reply)) return;
        await stage.sleep(actor, 1_000);
      }
      records.violations.push(`no final response for quote ${quoteId}`);
    };
    this.clientsAtWork += 1;
    void Promise.all(records.quotes.map(ask)).then(() => (this.clientsAtWork -= 1));
    await this.until(() => this.isQuiet(), scheduler.now + timing.restMax);
  }

  private conclude(): SeedResult {
    const { records, parts, exchange, trace, dangers, scenario } = this.stage;
    const { violations, counts, quotes, answers, reviews, faults, isDatabaseWell, restoredInStep } = records;
    const isLogComplete = isDatabaseWell && dangers.deaths.size === 0;
    if (violations.length === 0) {
      const { rows } = parts.store;
      const facts = { rows, quotes, answers, reviews, isDatabaseWell, isLogComplete, scenario, restoredInStep };
      violations.push(...judge({ ...facts, ledger: exchange.records }));
    }
    for (const feature of scenario.features) counts.add(`feature ${feature}`);
    for (const fault of faults) {
      counts.add(`fault ${fault}`);
      for (const death of dangers.deaths) counts.add(`cell ${death} × ${fault}`);
    }
    const truth = isTruthful(scenario) ? 'a truthful exchange' : 'another one';
    for (const { state, id } of parts.store.rows.withdrawals) {
      counts.add(`end ${state}`);
      if (records.unknown.has(id)) counts.add(`unknown at ${truth}, then ${state}`);
      if (state === 'review') counts.add(`review ${reviews.get(id) ?? 'no process logged the reason'}`);
    }
    trace.add(`${records.steps} steps, ${violations.join('; ') || 'good'}`);
    return {
      seed: parts.seed,
      features: scenario.features,
      violations,
      fingerprint: trace.fingerprint,
      steps: records.steps,
      counts: counts.toJSON(),
      trace: trace.lines,
    };
  }
}
