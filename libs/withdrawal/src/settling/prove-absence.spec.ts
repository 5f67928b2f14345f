import {
  ExchangeError,
  type AccountMovement,
  type ExchangeSession,
  type ListedWithdrawal,
  type WithdrawalCapability,
} from '#exchange';
import { Amount } from '#money';
import { testConfig } from '#platform/testing';
import type { CompareRefusals } from '../refusals/compare-refusals.js';
import type { WithdrawalAttempt } from '../withdrawals/withdrawal-attempt.entity.js';
import type { Withdrawal } from '../withdrawals/withdrawal.entity.js';
import type { WithdrawalStore } from '../withdrawals/withdrawal-store.js';
import { ProveAbsence, type AbsenceEvidence } from './prove-absence.js';

const HOUR = 3_600_000;
const config = testConfig({ appUrl: 'postgres://localhost/unused' });
const { EXECUTE_WAIT_MS } = config.values;
const { WITHDRAWAL_CLOCK_SKEW_MS } = config.constants;
const SENT = new Date('2026-01-02T00:00:00Z');
const withdrawal = {
  walletId: 'w',
  asset: 'BTC',
  amountNoFee: Amount.of('1'),
  amountWithFee: Amount.of('1.1'),
  address: `0x${'1'.repeat(40)}`,
} as Withdrawal;
const attempt = {
  startedAt: SENT,
  leaseUntil: new Date(SENT.getTime() + 60_000),
  clientRef: null,
  answer: null,
  totalBefore: Amount.of('10'),
  freeBefore: Amount.of('9'),
} as WithdrawalAttempt;
const changed = { isProven: false, mayChange: false, reason: expect.stringContaining('no movements') as string };
const unreadable = { isProven: false, mayChange: true, reason: 'the movements of the account could not be read' };
const unexplained = { isProven: false, mayChange: true, reason: 'a movement of the account may be the withdrawal' };

interface World {
  total?: string;
  free?: string;
  wasRefused?: boolean;
  movements?: () => Promise<AccountMovement[]>;
  payingAccount?: (asset: string, since: Date) => Promise<never>;
  listed?: Partial<ListedWithdrawal>[];
  unlinked?: string[];
  ofOtherCredentials?: string[];
  failedIds?: string[];
}

/** Weighs an account with 10 BTC before the withdrawal, of which 9 were free. */
function weigh(world: World): Promise<AbsenceEvidence> {
  const { total = '10', free = '9', movements, payingAccount, listed = [], failedIds = [] } = world;
  const { unlinked = [], ofOtherCredentials = [] } = world;
  const [all, unused] = [Amount.of(total), Amount.of(free)];
  const balance = { asset: 'BTC', total: all, free: unused, used: all.minus(unused) };
  const records = listed.map((record): ListedWithdrawal => ({
    exchangeId: 'R',
    status: 'completed',
    rawStatus: 'Done',
    hash: null,
    clientRef: null,
    asset: 'BTC',
    at: SENT,
    amountNoFee: Amount.of('1'),
    fee: null,
    address: null,
    ...record,
  }));
  const list = () => Promise.resolve({ records, isComplete: true });
  const capability: Partial<WithdrawalCapability> = { movements, payingAccount, list };
  const session: Partial<ExchangeSession> = {
    exchange: 'kraken',
    balances: () => Promise.resolve([balance]),
    withdrawals: capability as WithdrawalCapability,
  };
  const store: Pick<WithdrawalStore, 'findCandidates'> = {
    findCandidates: () => Promise.resolve({ unlinked, ofOtherCredentials }),
  };
  const refusals: Pick<CompareRefusals, 'compare'> = { compare: () => Promise.resolve() };
  const prove = new ProveAbsence(store as WithdrawalStore, config, refusals as CompareRefusals);
  const answer = world.wasRefused === true ? { refusedWith: 'E:refused' } : null;
  return prove.execute({ session: session as ExchangeSession, withdrawal, attempt: { ...attempt, answer }, failedIds });
}

const failing = (error: Error) => (): Promise<never> => Promise.reject(error);
const refusing = (kind: 'permission_missing' | 'unavailable'): (() => Promise<never>) =>
  failing(new ExchangeError(kind, 'kraken', 'scripted'));

describe('the absence of a withdrawal at an exchange without a list of movements', () => {
  it.each([
    ['is proven when neither the total nor the free balance has changed', '10', '9', false, { isProven: true }],
    ['is not proven by a lower total', '9', '9', false, changed],
    ['is not proven by a lower free balance', '10', '8', false, changed],
    ['is not proven by a higher total, because a deposit may hide the debit', '11', '9', false, changed],
    ['is not proven by a higher free balance', '10', '9.5', false, changed],
    ['is proven by a higher total when the exchange has refused the withdrawal', '11', '10', true, { isProven: true }],
    ['is not proven by a refusal with a lower total', '9', '9', true, changed],
    ['is not proven by a refusal with a lower free balance', '11', '8', true, changed],
  ])('%s', async (_rule, total, free, wasRefused, evidence) => {
    expect(await weigh({ total, free, wasRefused })).toEqual(evidence);
    expect(await weigh({ total, free, wasRefused, movements: refusing('permission_missing') })).toEqual(evidence);
  });

  it('waits for the paying account, which is read from before the earliest time of sending', async () => {
    const asked: unknown[] = [];
    const payingAccount = (...args: [string, Date]): Promise<never> => {
      asked.push(args);
      return refusing('unavailable')();
    };
    expect(await weigh({ total: '9', payingAccount })).toEqual(unreadable);
    expect(asked).toEqual([['BTC', new Date(SENT.getTime() - WITHDRAWAL_CLOCK_SKEW_MS - EXECUTE_WAIT_MS)]]);
    expect(await weigh({ total: '9', payingAccount: refusing('permission_missing') })).toEqual(changed);
  });
});

describe('the absence of a withdrawal at an exchange with a list of movements', () => {
  /** A debit of the account that is newer than the withdrawal, which leads from 10 BTC to the present balance. */
  const debit = (change: string, reference: string | null = 'R'): Pick<World, 'movements' | 'total'> => {
    const movement = {
      kind: 'withdrawal',
      change: Amount.of(`-${change}`),
      reference,
      at: new Date(SENT.getTime() + HOUR),
    };
    const total = Amount.of('10').minus(Amount.of(change));
    return {
      total: total.toString(),
      movements: () => Promise.resolve([{ ...movement, after: { holding: 'BTC', total } } as AccountMovement]),
    };
  };

  it('is not proven while the list cannot be read, and an error of ours is no evidence', async () => {
    expect(await weigh({ movements: refusing('unavailable') })).toEqual(unreadable);
    await expect(weigh({ movements: failing(new TypeError('ours')) })).rejects.toBeInstanceOf(TypeError);
  });

  it.each<[string, World, object]>([
    ['is not proven when a debit has no reference', debit('3', null), unexplained],
    ['is proven when the debit is of another withdrawal of ours', debit('1.1'), { isProven: true }],
    ['is not proven when the record of the debit is not listed', { ...debit('3'), unlinked: ['R'] }, unexplained],
    [
      'is not proven when the record of the debit is linked with other credentials',
      { ...debit('3'), ofOtherCredentials: ['R'] },
      unexplained,
    ],
    [
      'is proven when the record has another amount, as has the debit',
      { ...debit('3'), unlinked: ['R'], listed: [{ amountNoFee: Amount.of('3') }] },
      { isProven: true },
    ],
    [
      'is proven when the record has another address, and the debit another amount',
      { ...debit('3'), unlinked: ['R'], listed: [{ address: `0x${'2'.repeat(40)}` }] },
      { isProven: true },
    ],
    [
      'is not proven when the record has another amount, but the debit is that of the withdrawal with its fee',
      { ...debit('1.1'), unlinked: ['R'], listed: [{ amountNoFee: Amount.of('3') }] },
      unexplained,
    ],
    [
      'is not proven when the record has another amount, but the debit is that of the withdrawal without its fee',
      { ...debit('1'), unlinked: ['R'], listed: [{ amountNoFee: Amount.of('3') }] },
      unexplained,
    ],
    [
      'is not proven when the record has the amount and the address of the withdrawal',
      { ...debit('3'), unlinked: ['R'], listed: [{}] },
      unexplained,
    ],
    [
      'is proven when the record is listed as failed',
      { ...debit('1.1'), unlinked: ['R'], listed: [{ status: 'failed' }] },
      { isProven: true },
    ],
    [
      'is proven when the record was found to have failed',
      { ...debit('1.1'), unlinked: ['R'], failedIds: ['R'] },
      { isProven: true },
    ],
  ])('%s', async (_rule, world, evidence) => {
    expect(await weigh(world)).toEqual(evidence);
  });
});
