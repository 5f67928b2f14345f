import {
  ExchangeError,
  type AccountMovement,
  type ExchangeSession,
  type HistoryCapability,
  type PreparedWithdrawal,
  type SubmitOptions,
  type SubmitOutcome,
  type VerificationCapability,
  type WithdrawalCapability,
  type WithdrawalInstruction,
  UNREPORTED_KEY_INFO,
} from '#exchange';
import { assertOutsideTransaction } from '#platform/database';
import { Amount } from '#money';
import type { Process, SimulatedClock } from '../world/process.js';
import type { Random } from '../world/random.js';
import type { Scheduler } from '../world/scheduler.js';
import { timing } from '../scenario/timing.js';
import { deliveryOf, type Delivery } from './deliveries.js';
import { ASSET, type Account } from './account.js';
import { historyOf } from './history.js';
import type { Arrival, Exchange } from './exchange.js';

/** Longest time until the response to a read. For a share of SLOW_READ_RATE of the reads it is SLOW_READ_MAX_MS. */
const READ_MAX_MS = 2_000;
const SLOW_READ_MAX_MS = 8_000;
const SLOW_READ_RATE = 0.03;

export interface SessionParts {
  /** The API key that requests are signed with. */
  key: string;
  exchange: Exchange;
  scheduler: Scheduler;
  random: Random;
  process: Process;
  clock: SimulatedClock;
  /** Called when a submission is sent. @returns the current step of the run. */
  onWritten: (quoteId: string, key: string) => number;
  /** Called with a line for the trace. */
  onEvent: (event: string) => void;
}

/**
 * The quote, the debit and the fee of a prepared withdrawal. The session stores them, because the exchange's request
 * does not contain them.
 */
interface Meaning {
  quoteId: string;
  debit: Amount;
  fee: Amount;
}

/** The exchange session of one simulated process. It returns the same kinds of outcomes as a real connector. */
export class SimulatedSession implements ExchangeSession {
  readonly exchange = 'kraken';
  readonly connectorVersion = 'simulated 1';
  readonly asksInParallel = true;
  readonly withdrawals: WithdrawalCapability;
  readonly history: HistoryCapability;
  private readonly meanings = new WeakMap<PreparedWithdrawal, Meaning>();

  constructor(private readonly parts: SessionParts) {
    const { challenges, traits } = parts.exchange;
    const { scheduler } = parts;
    const hasChallenges = challenges.traits.kind === 'challenge';
    this.history = this.historyOfAccount();
    this.withdrawals = {
      class: traits.class,
      methods: ['GOOGLE', 'EMAIL', 'SMS', 'FACE'],
      ...(hasChallenges && { verification: this.verification() }),
      networks: notAsked,
      datedNetworks: notAsked,
      estimate: notAsked,
      list: (since) =>
        this.read('list', () => ({ records: this.account.list(since, this.moment()), isComplete: true })),
      prepare: (instruction) => this.read('prepare', () => this.prepare(instruction)),
      submit: (prepared, options) => this.submit(prepared, options),
      find: (sought) => this.read('find', () => this.account.find(sought, this.moment())),
      ...(traits.showsPayingAccount && {
        payingAccount: () =>
          this.read('payingAccount', () => this.account.asPaying(this.moment(), scheduler.now, traits.holdsPending)),
      }),
      ...(traits.movements !== 'absent' && {
        movements: (_asset: string, since: Date) => this.read('movements', () => this.movements(since)),
      }),
    };
  }

  private historyOfAccount(): HistoryCapability {
    const { page, ...rest } = historyOf(
      () => this.account,
      () => this.moment(),
    );
    return { ...rest, page: (...asked) => this.read('history', () => page(...asked)) };
  }

  readonly assetNames = notAsked;

  balances(): ReturnType<ExchangeSession['balances']> {
    return this.read('balances', () => {
      const { exchange, scheduler } = this.parts;
      const free = this.account.balanceAt(scheduler.now);
      const used = exchange.traits.holdsPending ? this.account.pendingAt(scheduler.now) : Amount.zero;
      return [{ asset: ASSET, free, used, total: free.plus(used) }];
    });
  }

  keyInfo(): ReturnType<ExchangeSession['keyInfo']> {
    return this.read('keyInfo', () => ({ ...UNREPORTED_KEY_INFO }));
  }

  private get account(): Account {
    return this.parts.exchange.accountOf(this.parts.key);
  }

  private prepare(instruction: WithdrawalInstruction): PreparedWithdrawal {
    const { asset, address, tag, amountNoFee, fee, amountWithFee, clientRef } = instruction;
    const { class: exchangeClass, deadlineMs } = this.parts.exchange.traits;
    const keepsReference = exchangeClass !== 'by_match';
    const submissionDeadline = deadlineMs === null ? null : new Date(this.parts.clock.now().getTime() + deadlineMs);
    const prepared: PreparedWithdrawal = {
      request: {
        asset,
        address,
        amount: amountWithFee.toString(),
        max_fee: fee.toString(),
        ...(tag !== null && { tag }),
        ...(keepsReference && { reference: clientRef }),
        ...(submissionDeadline !== null && { valid_until: submissionDeadline.toISOString() }),
      },
      clientRef: keepsReference ? clientRef : null,
      submissionDeadline,
    };
    this.meanings.set(prepared, { quoteId: quoteIdOf(clientRef), debit: amountNoFee.plus(fee), fee });
    return prepared;
  }

  /** Returns the moment up to which the history is shown now. @throws ExchangeError when the history cannot be read. */
  private moment(): number {
    const { exchange, scheduler, random } = this.parts;
    const fault = exchange.historyFault();
    if (fault === 'history_errors') throw unavailable('the history cannot be read');
    const lag =
      fault === 'history_lags' ? random.pick([timing.historyLagMax, random.between(0, timing.historyLagMax)]) : 0;
    return scheduler.now - lag;
  }

  private movements(since: Date): AccountMovement[] {
    if (this.parts.exchange.traits.movements === 'refused') {
      throw new ExchangeError('permission_missing', 'kraken', 'the key may not read the ledger');
    }
    return this.account.movements(since, this.moment());
  }

  private verification(): VerificationCapability {
    const { challenges } = this.parts.exchange;
    return {
      open: (prepared) => this.read('open', () => challenges.open(prepared)),
      read: (id) => this.read('read', () => challenges.read(id)),
      verify: (id, method, code) => {
        challenges.checkUnverified(id, method);
        return this.read('verify', () => challenges.verify(id, method, code));
      },
    };
  }

  /** Reads from the exchange. The read may fail before or after the exchange has acted on it. */
  private read<T>(name: string, act: () => T): Promise<T> {
    assertOutsideTransaction(`asking an exchange (${name})`);
    const { exchange, scheduler, random, process, key } = this.parts;
    const answer = (): T => {
      if (exchange.isRevoked(key)) throw new ExchangeError('credentials_invalid', 'kraken', 'the key is invalid');
      const isLost = exchange.failsRead();
      if (isLost && random.chance(0.5)) throw unavailable('no answer');
      const acted = act();
      if (isLost) throw unavailable('the answer was lost');
      return acted;
    };
    return new Promise((resolve) => {
      const run = (): void => {
        // An error must reject the promise of the calling process, and not be thrown in the scheduler's step.
        const answered = new Promise<T>((give) => give(answer()));
        answered.catch(() => undefined);
        if (process.isAlive) resolve(answered);
      };
      const longest = random.chance(SLOW_READ_RATE) ? SLOW_READ_MAX_MS : READ_MAX_MS;
      const wait = random.chance(0.5) ? 0 : random.between(0, longest);
      scheduler.add({ owner: process, label: `exchange.${name}`, kind: 'exchange', in: wait, run });
    });
  }

  private submit(prepared: PreparedWithdrawal, options: SubmitOptions): Promise<SubmitOutcome> {
    assertOutsideTransaction('a submission to an exchange');
    const { scheduler, process } = this.parts;
    return new Promise((resolve) => {
      const answered = (outcome: SubmitOutcome): void => {
        if (process.isAlive) resolve(outcome);
      };
      const run = (): void => this.write(prepared, options, answered);
      scheduler.add({ owner: process, label: 'exchange.submit', kind: 'exchange', run });
    });
  }

  private write(
    prepared: PreparedWithdrawal,
    options: SubmitOptions,
    answered: (outcome: SubmitOutcome) => void,
  ): void {
    const { exchange, random, onWritten, onEvent, key } = this.parts;
    const meaning = this.meanings.get(prepared);
    if (meaning === undefined) throw new Error('a withdrawal was submitted that this session has not prepared');
    const fault = exchange.submissionFault();
    if (fault === 'refused_connection') return answered({ kind: 'not_sent', reason: 'connection refused' });
    try {
      options.beforeSend();
    } catch (error) {
      return answered({ kind: 'not_sent', reason: String(error) });
    }
    const sentInStep = onWritten(meaning.quoteId, key);
    const { submissionDeadline } = prepared;
    const windowMs = submissionDeadline === null ? null : submissionDeadline.getTime() - exchange.now().getTime();
    const delivery = deliveryOf(fault, random, windowMs);
    onEvent(`submission of ${meaning.quoteId} meets ${fault ?? 'no fault'}`);
    this.deliver({ key, prepared, sentInStep, ...meaning, proof: options.proof, delays: null }, delivery, answered);
  }

  private deliver(
    arrival: Arrival,
    { actAfter, isRefused, delays, again, answerAfter, answer }: Delivery,
    answered: (outcome: SubmitOutcome) => void,
  ): void {
    const { exchange } = this.parts;
    if (typeof answer !== 'string') this.answerIn(answerAfter, answer, answered);
    if (actAfter === null) return;
    exchange.later(actAfter, 'acts', () => {
      const outcome = this.act({ ...arrival, delays }, isRefused);
      if (answer === 'acted') this.answerIn(answerAfter, outcome, answered);
      if (again === null) return;
      exchange.later(again.actAfter, 'acts again', () => {
        const second = this.act(arrival, again.isRefused);
        if (answer === 'again') this.answerIn(answerAfter, second, answered);
      });
    });
  }

  private act(arrival: Arrival, isRefused: boolean): SubmitOutcome {
    const outcome = this.parts.exchange.act(arrival, isRefused);
    this.parts.onEvent(`exchange acts: ${outcome.kind}`);
    return outcome;
  }

  private answerIn(ms: number, outcome: SubmitOutcome, answered: (outcome: SubmitOutcome) => void): void {
    const run = (): void => answered(outcome);
    const { scheduler, process } = this.parts;
    scheduler.add({ owner: process, label: 'exchange.answer', kind: 'exchange', in: ms, run });
  }
}

/** Returns the id of the quote from which a reference was derived. */
function quoteIdOf(clientRef: string): string {
  return clientRef.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function unavailable(message: string): ExchangeError {
  return new ExchangeError('unavailable', 'kraken', message);
}

function notAsked(): Promise<never> {
  return Promise.reject(new Error('the simulated exchange does not have this call'));
}
