import { pino } from 'pino';
import type { ExchangeWithdrawal, VerificationChallenge } from '#exchange';
import { Amount } from '#money';
import { Config } from '#platform/config';
import { Vault } from '#platform/crypto';
import { DatabaseClock, sqlRefusalOf, type Database } from '#platform/database';
import { DomainError } from '#platform/errors';
import { ManualClock } from '#platform/testing';
import type { Wallet } from '#wallet';
import { credentialVersionOf, replaceCredentials } from '#wallet/testing';
import type { Quote } from '../../quote/quote.entity.js';
import { RecordTaken } from '../../withdrawals/execution.errors.js';
import { ExecutionLocks } from '../../withdrawals/execution-locks.js';
import type { Refusal } from '../../withdrawals/refusal.js';
import type { WithdrawalAttempt } from '../../withdrawals/withdrawal-attempt.entity.js';
import type { Withdrawal } from '../../withdrawals/withdrawal.entity.js';
import type { ClaimDraft } from '../../withdrawals/new-withdrawal.js';
import type { StoredChallenge } from '../../verification/challenge-store.js';
import { ADDRESS, type WithdrawalHarness } from '../withdrawal-harness.js';
import { databaseRows, memoryRows, plain } from './both-rows.js';
import { RuleBroken } from './memory-rules.js';
import { MemoryTables } from './memory-tables.js';
import { databasePorts, memoryPorts, type WithdrawalPorts } from './use-cases.js';

/** One call: its operation, and numbers that choose its arguments. */
export interface Call {
  op: keyof typeof operations;
  /** Index of the quote, withdrawal or challenge. */
  which: number;
  /** Number that chooses all other arguments. */
  how: number;
}

/**
 * PostgreSQL or the memory store, and the rows that were read from it earlier. These rows may be outdated, like those
 * that a slow process has read.
 */
interface Side {
  ports: WithdrawalPorts;
  deleteWallet: (walletId: string, now: Date) => Promise<void>;
  replaceCredentials: () => Promise<void>;
  quotes: Quote[];
  held: { withdrawal: Withdrawal; attempt: WithdrawalAttempt }[];
  challenges: { challenge: StoredChallenge; until: Date }[];
}

interface Moment {
  now: Date;
  which: number;
  how: number;
  harness: WithdrawalHarness;
  wallets: readonly Wallet[];
  /** Makes an id that is the same in PostgreSQL and in memory. */
  newId: (name: string) => string;
}

const REFUSAL: Refusal = { code: 'WITHDRAWAL_INVALID_ADDRESS', message: 'refused', result: { reason: 'NUL \0' } };
const CODE_WANTED: Refusal = { code: 'WITHDRAWAL_2FA_REQUIRED_TOTP', message: 'code', result: null };
const LEASE_MS = 30_000;

function pick<T>(from: readonly T[], index: number): T | undefined {
  return from[index % Math.max(1, from.length)];
}

function quoteOf(side: Side, which: number): Quote {
  const quote = pick(side.quotes, which);
  if (quote === undefined) throw new Error('no quotes');
  return quote;
}

function walletOf({ wallets }: Moment, { walletId }: Quote): Wallet {
  const wallet = wallets.find(({ id }) => id === walletId);
  if (wallet === undefined) throw new Error('the quote belongs to another wallet');
  return wallet;
}

const inA = (now: Date, ms: number): Date => new Date(now.getTime() + ms);

function recordOf(exchangeId: string, how: number, now: Date): ExchangeWithdrawal {
  const isDone = how % 2 === 0;
  return {
    exchangeId,
    status: isDone ? 'completed' : 'pending',
    rawStatus: 'x',
    hash: isDone ? 'hash' : null,
    amountNoFee: how % 5 === 0 ? null : Amount.of('0.9998'),
    fee: how % 3 === 0 ? null : Amount.of('0.00030'),
    at: now,
    isCertain: true,
  };
}

function challengeOf(how: number, now: Date): VerificationChallenge {
  return {
    id: `biz-${how % 2}`,
    relation: how % 3 === 0 ? 'OR' : 'AND',
    mode: how % 5 === 0 ? 'all_at_once' : 'step_by_step',
    steps: [{ type: 'GOOGLE', status: how % 7 === 0 ? 'success' : 'pending', required: true }],
    expiresAt: how % 2 === 0 ? null : inA(now, 60_000),
  };
}

type Operation = (side: Side, moment: Moment) => Promise<unknown>;
type OnHeld = (side: Side, held: Side['held'][number], moment: Moment) => Promise<unknown>;

/** Runs an operation on a withdrawal and an attempt that were read before. Does nothing when none were read. */
const onHeld =
  (work: OnHeld): Operation =>
  async (side, moment) => {
    const held = pick(side.held, moment.which);
    return held === undefined ? 'nothing held' : work(side, held, moment);
  };

const exchangeIdOf = (how: number): string => `X${how % 4}`;

async function begin(side: Side, moment: Moment): Promise<unknown> {
  const { now, which, how, newId } = moment;
  const quote = quoteOf(side, which);
  const submissionDeadline = how % 2 === 0 ? null : inA(now, 1_000);
  const result = await claiming(side, moment, (claim) =>
    side.ports.store.begin(quote, walletOf(moment, quote), claim, {
      id: newId('attempt'),
      connector: 'kraken',
      connectorVersion: 'tried 1',
      class: how % 4 === 0 ? 'by_match' : 'by_reference',
      prepared: { request: { amount: '1' }, clientRef: how % 8 === 1 ? null : `ref-${which}`, submissionDeadline },
      totalBefore: Amount.of('10.50'),
      freeBefore: Amount.of('10'),
      knownIds: how % 3 === 0 ? ['X0'] : [],
      startedAt: now,
      leaseUntil: inA(now, LEASE_MS),
    }),
  );
  const { withdrawal, attempt } = result;
  if (attempt !== null) side.held.push({ withdrawal: { ...withdrawal }, attempt: { ...attempt, sentAt: now } });
  return result;
}

/** Runs `work` with the claim of a call that holds the lock, or of a call that does not. */
function claiming<T>(side: Side, moment: Moment, work: (claim: ClaimDraft) => Promise<T>): Promise<T> {
  const { how, newId, which } = moment;
  const tag = how % 9 === 0 ? '7' : null;
  const mode = 'test' as const;
  const claim = { withdrawalId: newId('withdrawal'), transactionId: newId('transaction'), tag, mode };
  return locksOf(side, moment).locks.run(quoteOf(side, which).id, (lockHolder) =>
    work({ ...claim, lockHolder: how % 7 === 0 ? newId('another holder') : lockHolder }),
  );
}

function locksOf(side: Side, { now }: Moment): { locks: ExecutionLocks; clock: ManualClock } {
  const clock = new ManualClock();
  clock.advance(now.getTime() - clock.now().getTime());
  return { clock, locks: new ExecutionLocks(side.ports.statements as Database, clock) };
}

/** Makes a call that takes the lock, perhaps after a wait, and releases it. @returns when the call had the lock */
function haveLock(side: Side, moment: Moment): Promise<Date> {
  const { locks, clock } = locksOf(side, moment);
  return locks.run(quoteOf(side, moment.which).id, () => Promise.resolve(clock.now()));
}

/** Makes a call that takes the lock and dies before it releases the lock. @returns when the call had the lock */
function dieWithLock(side: Side, moment: Moment): Promise<Date> {
  const { locks, clock } = locksOf(side, moment);
  return new Promise((resolve, reject) => {
    const die = (): Promise<void> => new Promise(() => resolve(clock.now()));
    locks.run(quoteOf(side, moment.which).id, die).catch(reject);
  });
}

/** Every call that the tests make on both stores, by its name. */
export const operations = {
  begin,
  awaitVerification: (side, moment) => {
    const { store } = side.ports;
    const quote = quoteOf(side, moment.which);
    return claiming(side, moment, (claim) =>
      store.awaitVerification(quote, walletOf(moment, quote), { ...claim, now: moment.now }, CODE_WANTED),
    );
  },
  refuseDuplicate: (side, moment) => {
    const quote = quoteOf(side, moment.which);
    return side.ports.store.refuseDuplicate(quote, walletOf(moment, quote), moment.how % 9 === 0 ? '7' : null);
  },
  accepted: onHeld((side, { withdrawal, attempt }, { how, now }) =>
    side.ports.transitions.accepted(withdrawal, attempt, {
      exchangeId: exchangeIdOf(how),
      answer: { refid: 'x' },
      now,
    }),
  ),
  correct: onHeld((side, { withdrawal, attempt }, { how, now }) =>
    side.ports.corrections.correct(withdrawal, attempt, exchangeIdOf(how), now),
  ),
  rejected: onHeld((side, { withdrawal, attempt }, { now }) =>
    side.ports.transitions.rejected(withdrawal, attempt, { refusal: REFUSAL, answer: { error: ['x \0'] }, now }),
  ),
  neverSent: onHeld((side, { withdrawal }, { now }) => side.ports.transitions.neverSent(withdrawal, REFUSAL, now)),
  expired: (side, { which, now }) => side.ports.transitions.expired(quoteOf(side, which), REFUSAL, now),
  verificationRequired: onHeld((side, { withdrawal, attempt }, { how, now }) =>
    side.ports.transitions.verificationRequired(withdrawal, attempt, {
      refusal: CODE_WANTED,
      answer: { withCode: how % 2 === 0 },
      now,
      until: inA(now, 9_000),
    }),
  ),
  notSent: onHeld((side, { withdrawal, attempt }, { now }) =>
    side.ports.transitions.notSent(withdrawal, attempt, { reason: 'refused', now, until: inA(now, 9_000) }),
  ),
  unknown: onHeld((side, { withdrawal, attempt }, { now }) =>
    side.ports.transitions.unknown(withdrawal, attempt, { reason: 'reset' }, now),
  ),
  notExecuted: onHeld((side, { withdrawal, attempt }, { now }) =>
    side.ports.transitions.notExecuted(withdrawal, attempt, now),
  ),
  absent: onHeld((side, { withdrawal, attempt }, { now }) =>
    side.ports.transitions.absent(withdrawal, attempt, now, inA(now, 60_000)),
  ),
  toReview: onHeld((side, { withdrawal }, { now }) => side.ports.transitions.toReview(withdrawal, now)),
  settled: onHeld((side, { withdrawal }, { how, now }) => {
    const state = pick(['completed', 'failed', 'canceled'] as const, how) ?? 'completed';
    return side.ports.transitions.settled(withdrawal, recordOf(exchangeIdOf(how), how, now), state, now);
  }),
  progressed: onHeld((side, { withdrawal }, { how, now }) => {
    return side.ports.transitions.progressed(withdrawal, recordOf(exchangeIdOf(how), how, now), inA(now, 2_000));
  }),
  unconfirmed: onHeld((side, { withdrawal }, { how, now }) =>
    side.ports.transitions.unconfirmed(withdrawal, now, inA(now, how * 1_000)),
  ),
  unanswered: onHeld((side, { withdrawal }, { how, now }) =>
    side.ports.transitions.unanswered(withdrawal, now, inA(now, how * 1_000)),
  ),
  checkLater: onHeld((side, { withdrawal }, { how, now }) =>
    side.ports.transitions.checkLater(withdrawal, inA(now, how * 1_000)),
  ),
  /** Reads the withdrawal and its attempt again. */
  refresh: onHeld(async (side, held) => {
    const { store } = side.ports;
    const withdrawal = await store.find(held.withdrawal.id);
    const attempt = await store.findLiveAttempt(held.withdrawal.id);
    if (withdrawal !== null) held.withdrawal = withdrawal;
    if (attempt !== null) held.attempt = attempt;
    return { withdrawal, attempt };
  }),
  findByQuote: (side, { which, harness }) => side.ports.store.findByQuote(harness.project.id, quoteOf(side, which).id),
  findExecution: (side, { which, how, harness }) =>
    side.ports.store.findExecution(
      { id: how % 4 === 0 ? harness.wallet.id : harness.project.id },
      harness.wallet.externalId,
      quoteOf(side, which).id,
    ),
  getWallet: (side, { harness }) => side.ports.wallets.get(harness.project, harness.wallet.externalId),
  countWrongCodes: onHeld((side, { withdrawal }) => side.ports.store.countWrongCodes(withdrawal.id)),
  findCandidates: onHeld((side, { withdrawal, attempt }) =>
    side.ports.store.findCandidates(withdrawal, attempt, [0, 1, 2, 3].map(exchangeIdOf)),
  ),
  recordSeen: onHeld((side, { attempt }, { how, now }) =>
    side.ports.store.recordSeen(attempt.id, [0, 1, 2].slice(0, how % 4).map(exchangeIdOf), now),
  ),
  rivalry: onHeld((side, { withdrawal, attempt }, { how }) =>
    side.ports.store.rivalry(withdrawal, attempt, exchangeIdOf(how)),
  ),
  openVersion: onHeld(async (side, { withdrawal: { walletId, credentialVersion } }) => {
    const target = await side.ports.credentials.targetOfVersion(walletId, credentialVersion);
    return target.version;
  }),
  replaceCredentials: (side, { how }) => (how % 5 === 0 ? side.replaceCredentials() : Promise.resolve('not this time')),
  isClosed: (side, { which }) => side.ports.store.isClosed(quoteOf(side, which).id),
  quoteExpiry: (side, { which }) => side.ports.store.quoteExpiry(quoteOf(side, which).id),
  takeDue: async (side, { now }) => (await side.ports.store.takeDue(now)).sort(),
  isForgotten: (side, { now }) => side.ports.restored.isForgotten(now),
  mayLackExecution: (side, { which }) => side.ports.restored.mayLackExecution(quoteOf(side, which)),
  deleteWallet: (side, { harness, now, how }) =>
    how % 5 === 0 ? side.deleteWallet(harness.wallet.id, now) : Promise.resolve('not this time'),
  haveLock,
  dieWithLock,
  insertChallenge: (side, { which, how, now }) =>
    side.ports.challenges.insert(quoteOf(side, which), how % 2 === 0 ? null : '7', challengeOf(how, now), now),
  findChallenge: (side, { which }) => side.ports.challenges.find(quoteOf(side, which).id),
  takeChallenge: async (side, { which, how, now }) => {
    const until = inA(now, how * 500);
    const challenge = await side.ports.challenges.take(quoteOf(side, which).id, now, until);
    if (challenge !== null) side.challenges.push({ challenge: structuredClone(challenge), until });
    return challenge;
  },
  saveChallenge: async (side, { which, how, now }) => {
    const held = pick(side.challenges, which);
    if (held === undefined) return 'nothing held';
    const { challenge, until } = held;
    const sealed = { version: 1, keyId: 'k', sequence: 0, wrappedKey: '', text: `${how}` };
    const { steps } = challengeOf(how, now);
    const failure = { method: 'GOOGLE', status: 'failure', success: false } as const;
    const attempts = Array.from({ length: how * 3 }, (_, createdAt) => ({ ...failure, createdAt }));
    const sealedCodes = how % 2 === 0 ? {} : { twofa: sealed };
    return side.ports.challenges.save({ ...challenge, steps, attempts, sealedCodes, wrongCodes: 9 }, until, now);
  },
  countWrongChallengeCodes: (side, { which, how }) =>
    side.ports.challenges.countWrongCodes(quoteOf(side, which).id, how),
  eraseCodes: (side, { which }) => side.ports.challenges.eraseCodes(quoteOf(side, which).id),
} satisfies Record<string, Operation>;

/** Runs the same calls on PostgreSQL and on the memory store, with the same wallet and the same quotes. */
export class BothStores {
  private calls = 0;

  private constructor(
    private readonly harness: WithdrawalHarness,
    private readonly real: Side,
    private readonly memory: Side,
    private readonly tables: MemoryTables,
    private readonly wallets: Wallet[],
  ) {}

  /** @param inSameProject whether the two wallets belong to one project. */
  static async open(harness: WithdrawalHarness, { inSameProject }: { inSameProject: boolean }): Promise<BothStores> {
    // The memory store does not contain the withdrawals of earlier runs, which `begin` deletes.
    await harness.begin();
    const second = harness.wallet;
    const others = [await harness.quote({ address: ADDRESS })];
    await harness.newWallet({ inSameProject });
    const first = harness.wallet;
    const config = harness.get(Config);
    const tables = new MemoryTables();
    for (const wallet of [first, second]) {
      tables.wallets.insert(wallet.id, wallet);
      const version = await credentialVersionOf(harness.db, wallet.id);
      tables.storeCredentials({ walletId: wallet.id, version, apiKey: version }, harness.clock.now());
    }
    // Quotes 0 and 1 are equal. Quote 2 has the same receipt and another fee. Quote 3 has another amount. Quote 4 is of
    // another wallet.
    const values = [{}, {}, { fee: '0.0002' }, { amount: '2' }];
    const own = await Promise.all(values.map((value) => harness.quote({ ...value, address: ADDRESS })));
    const quotes = [...own, ...others];
    for (const quote of quotes) tables.quotes.insert(quote.id, quote);
    let version = '';
    const time = harness.get(DatabaseClock);
    const logger = pino({ level: 'silent' });
    const ports = databasePorts(harness.db, { clock: harness.clock, time, config, vault: harness.get(Vault), logger });
    const real: Side = {
      ...newSide(quotes, ports),
      deleteWallet: async (id, now) => {
        await harness.db.query(`update wallets set deleted_at = $2 where id = $1`, [id, now]);
      },
      replaceCredentials: async () => {
        version = await replaceCredentials(harness, harness.project, first);
      },
    };
    const memory: Side = {
      ...newSide(quotes, memoryPorts(tables, { clock: harness.clock, time, config })),
      deleteWallet: async (id, now) => tables.wallets.update(id, { deletedAt: now }),
      replaceCredentials: async () =>
        tables.storeCredentials({ walletId: first.id, version, apiKey: version }, harness.clock.now()),
    };
    return new BothStores(harness, real, memory, tables, [first, second]);
  }

  /** Runs one call on PostgreSQL and in memory. @returns both results as plain data. */
  async call({ op, which, how }: Call): Promise<{ real: unknown; memory: unknown }> {
    this.calls += 1;
    const ids = new Map<string, string>();
    const newId = (name: string): string => {
      const id = ids.get(name) ?? this.harness.clock.newId();
      ids.set(name, id);
      return id;
    };
    const moment = { now: this.harness.clock.now(), which, how, harness: this.harness, wallets: this.wallets, newId };
    const work: Operation = operations[op];
    return {
      real: await answerOf(() => work(this.real, moment)),
      memory: await answerOf(() => work(this.memory, moment)),
    };
  }

  /** Reads all rows of the wallets in PostgreSQL and in memory as plain data. */
  async rows(): Promise<{ real: unknown; memory: unknown }> {
    const ids = this.wallets.map(({ id }) => id);
    return { real: await databaseRows(this.harness.db, ids), memory: memoryRows(this.tables) };
  }
}

const newSide = (quotes: Side['quotes'], ports: WithdrawalPorts) => ({ held: [], challenges: [], quotes, ports });

async function answerOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return plain((await work()) ?? null);
  } catch (error) {
    return { error: nameOf(error) };
  }
}

function nameOf(error: unknown): unknown {
  if (error instanceof DomainError) return plain([error.name, error.code, error.details]);
  if (error instanceof RecordTaken) return ['RecordTaken', error.exchangeId];
  if (error instanceof RuleBroken) return [error.code, error.code === '23001' ? null : error.constraint];
  const { code, constraint = null } = sqlRefusalOf(error);
  if (code === undefined) throw error;
  return [code, constraint];
}
