import { ExchangeError, type ExchangeSession, type ExchangeWithdrawal, type WithdrawalCapability } from '#exchange';
import { CannotOpen } from '#platform/crypto';
import type { DatabaseTime } from '#platform/database';
import { capturedLog, testConfig } from '#platform/testing';
import { WalletNotFound, type WalletSessions } from '#wallet';
import type { RestoredDatabase } from '../epoch/restored-database.js';
import { RecordTaken } from '../withdrawals/execution.errors.js';
import { EXPIRED } from '../withdrawals/refusal.js';
import type { WithdrawalAttempt } from '../withdrawals/withdrawal-attempt.entity.js';
import type { WithdrawalTransitions } from '../withdrawals/withdrawal-transitions.js';
import type { WithdrawalStore } from '../withdrawals/withdrawal-store.js';
import type { Withdrawal } from '../withdrawals/withdrawal.entity.js';
import type { AbsenceEvidence, ProveAbsence } from './prove-absence.js';
import { Settlement, type SettlementParts } from './settlement.js';

const config = testConfig({ appUrl: 'postgres://localhost/unused' });
const { WITHDRAWAL_UNCONFIRMED_SECONDS } = config.values;
const { WITHDRAWAL_ABSENCE_MS } = config.constants;
const { WITHDRAWAL_CLEAN_LISTING_GAP_MS: GAP_MS, WITHDRAWAL_EVIDENCE_WAIT_MS } = config.constants;
const NOW = new Date('2026-11-20T12:00:00Z');
const ago = (ms: number): Date => new Date(NOW.getTime() - ms);
const WEEK_MS = 7 * 86_400_000;

const RECORD = { exchangeId: 'R', status: 'completed', rawStatus: 'Done', isCertain: true, at: ago(0) };

interface World {
  state?: Withdrawal['state'];
  withdrawal?: Partial<Withdrawal>;
  /** null = the withdrawal has no attempt. By default it can be proven absent, and was missing in one listing. */
  attempt?: Partial<WithdrawalAttempt> | null;
  expiresAt?: Date;
  /** Records that the exchange shows; an error = it cannot be asked. */
  records?: (Partial<ExchangeWithdrawal> & { linked?: true; ofOthers?: true })[] | Error;
  rivalry?: 'none' | 'undecided' | 'same_account';
  evidence?: AbsenceEvidence;
  isForgotten?: boolean;
  isTaken?: boolean;
}

/** Checks one withdrawal. @returns what was recorded */
async function settle(world: World): Promise<unknown[]> {
  const {
    state = 'unknown',
    records = [],
    rivalry = 'none',
    evidence = { isProven: true },
    isForgotten = false,
  } = world;
  const withdrawal = { id: 'w', state, exchangeId: null, unconfirmedSince: null, unansweredSince: null, checkCount: 0 };
  const sent = { startedAt: ago(WITHDRAWAL_ABSENCE_MS), leaseUntil: ago(1), submissionDeadline: null, answer: null };
  const attempt = {
    class: 'by_match',
    clientRef: null,
    ...sent,
    cleanListings: 1,
    lastCleanListingAt: ago(GAP_MS),
    ...world.attempt,
  } as WithdrawalAttempt;
  const recorded: unknown[] = [];
  const note = (name: string, ...details: unknown[]): Promise<never> => {
    recorded.push([name, ...details]);
    return Promise.resolve(true as never);
  };
  const shown = records instanceof Error ? [] : records.map((each) => ({ ...RECORD, ...each }));
  const store: Partial<WithdrawalStore> = {
    find: () => Promise.resolve({ ...withdrawal, createdAt: ago(0), ...world.withdrawal } as Withdrawal),
    findLiveAttempt: () => Promise.resolve(world.attempt === null ? null : attempt),
    quoteExpiry: () => Promise.resolve(world.expiresAt ?? NOW),
    findCandidates: () =>
      Promise.resolve({
        unlinked: shown
          .filter(({ linked, ofOthers }) => linked !== true && ofOthers !== true)
          .map(({ exchangeId }) => exchangeId),
        ofOtherCredentials: shown.filter(({ ofOthers }) => ofOthers === true).map(({ exchangeId }) => exchangeId),
      }),
    recordSeen: () => Promise.resolve(),
    rivalry: () => Promise.resolve(rivalry),
  };
  const transitions: Partial<WithdrawalTransitions> = {
    accepted: (_w, _a, { exchangeId }) =>
      world.isTaken === true ? Promise.reject(new RecordTaken(exchangeId, undefined)) : note('accepted', exchangeId),
    settled: (_w, { exchangeId }, to) => note('settled', exchangeId, to),
    unknown: () => note('unknown'),
    neverSent: (_w, { code }) => note('never sent', code),
    notExecuted: () => note('not executed'),
    absent: () => note('absent'),
    toReview: () => note('review'),
    progressed: () => note('progressed'),
    unconfirmed: () => note('unconfirmed'),
    unanswered: () => note('unanswered'),
    checkLater: () => note('later'),
  };
  const capability: Partial<WithdrawalCapability> = {
    find: () => (records instanceof Error ? Promise.reject(records) : Promise.resolve(shown as ExchangeWithdrawal[])),
  };
  const session: Partial<ExchangeSession> = { exchange: 'kraken', withdrawals: capability as WithdrawalCapability };
  const sessions: Pick<WalletSessions, 'openVersion'> = {
    openVersion: () => Promise.resolve(session as ExchangeSession),
  };
  const absence: Pick<ProveAbsence, 'execute'> = { execute: () => Promise.resolve(evidence) };
  const restored: Pick<RestoredDatabase, 'isForgotten'> = { isForgotten: () => Promise.resolve(isForgotten) };
  const corrections: SettlementParts['corrections'] = { correct: (_w, _a, id) => note('corrected', id) };
  const { logger } = capturedLog();
  const parts = { store, transitions, sessions, absence, restored, corrections, config, logger } as SettlementParts;
  await new Settlement(parts, { now: () => NOW } as DatabaseTime).run('w');
  return recorded;
}

const withReference = { class: 'by_reference', clientRef: 'ours' } as const;
const early = { startedAt: ago(WITHDRAWAL_ABSENCE_MS - 1) };

describe('the check of a withdrawal that was not sent', () => {
  it.each<[string, World, unknown[]]>([
    ['waits for the expiry of the quote', { expiresAt: new Date(NOW.getTime() + 1) }, ['later']],
    ['ends it when the quote has expired', {}, ['never sent', EXPIRED.code]],
    ['gives it to an operator when a restored database may lack its sending', { isForgotten: true }, ['review']],
  ])('%s', async (_rule, world, recorded) => {
    for (const state of ['created', 'verification_required'] as const)
      expect(await settle({ ...world, state })).toEqual([recorded]);
  });

  it('waits for the end of the lease of a withdrawal that is being sent, and then calls it unknown', async () => {
    expect(await settle({ state: 'submitting', attempt: { leaseUntil: new Date(NOW.getTime() + 1) } })).toEqual([
      ['later'],
    ]);
    expect(await settle({ state: 'submitting', attempt: { leaseUntil: NOW } })).toEqual([['unknown']]);
  });

  it.each(['completed', 'failed', 'canceled', 'rejected', 'review'] as const)(
    'changes nothing in the state %s',
    async (state) => {
      expect(await settle({ state })).toEqual([]);
    },
  );
});

describe('the check of a withdrawal with an unknown outcome', () => {
  it.each<[string, World, unknown[]]>([
    ['links it to the only certain record', { records: [{}] }, ['accepted', 'R']],
    ['links it early to the only certain record', { attempt: early, records: [{}] }, ['accepted', 'R']],
    ['ignores records that are linked', { records: [{ linked: true }] }, ['not executed']],
    ['counts a record that is listed twice once', { records: [{}, {}] }, ['accepted', 'R']],
    ['asks an operator about two certain records', { records: [{}, { exchangeId: 'S' }] }, ['review']],
    [
      'asks an operator about a certain and an uncertain record',
      { records: [{}, { exchangeId: 'S', isCertain: false }] },
      ['review'],
    ],
    ['asks an operator about a record that may be another', { records: [{ isCertain: false }] }, ['review']],
    ['waits early with a record that may be another', { attempt: early, records: [{ isCertain: false }] }, ['later']],
    ['asks an operator about a record of other credentials', { records: [{ ofOthers: true }] }, ['review']],
    ['waits early with a record of other credentials', { attempt: early, records: [{ ofOthers: true }] }, ['later']],
    ['asks an operator about a record of two wallets', { records: [{}], rivalry: 'same_account' }, ['review']],
    [
      'asks an operator about a record of two wallets early, too',
      { attempt: early, records: [{}], rivalry: 'same_account' },
      ['review'],
    ],
    [
      'waits early for the history of another wallet',
      { attempt: early, records: [{}], rivalry: 'undecided' },
      ['later'],
    ],
    ['asks an operator when another wallet stays undecided', { records: [{}], rivalry: 'undecided' }, ['review']],
    [
      'compares no wallets when records have references',
      { attempt: withReference, records: [{}], rivalry: 'same_account' },
      ['accepted', 'R'],
    ],
    ['waits when another withdrawal was linked meanwhile', { records: [{}], isTaken: true }, ['later']],
    [
      'asks an operator when a record was named wrongly and none has a reference',
      { attempt: { answer: { takenRecord: 'T' } }, records: [{}] },
      ['review'],
    ],
    [
      'links it by its reference although a record was named wrongly',
      { attempt: { ...withReference, answer: { takenRecord: 'T' } }, records: [{}] },
      ['accepted', 'R'],
    ],
    [
      'asks an operator when only a wrong record was named',
      { attempt: { ...withReference, answer: { takenRecord: 'T' } } },
      ['review'],
    ],
  ])('%s', async (_rule, world, recorded) => {
    expect(await settle(world)).toEqual([recorded]);
  });

  it.each<[string, World, unknown[]]>([
    ['is no proof before the exchange has had its time', { attempt: early }, ['later']],
    ['is no proof in the first listing', { attempt: { cleanListings: 0, lastCleanListingAt: null } }, ['absent']],
    [
      'is no proof in a listing too soon after the first one',
      { attempt: { lastCleanListingAt: ago(GAP_MS - 1) } },
      ['later'],
    ],
    ['is proven by the second listing and the account', {}, ['not executed']],
    [
      'goes to an operator when the account contradicts',
      { evidence: { isProven: false, mayChange: false, reason: '' } },
      ['review'],
    ],
    [
      'waits while the evidence of the account may change',
      { evidence: { isProven: false, mayChange: true, reason: '' } },
      ['later'],
    ],
    [
      'goes to an operator when the evidence has not changed for long',
      {
        attempt: { startedAt: ago(WEEK_MS), lastCleanListingAt: ago(WITHDRAWAL_EVIDENCE_WAIT_MS + 1) },
        evidence: { isProven: false, mayChange: true, reason: '' },
      },
      ['review'],
    ],
    [
      'waits for the evidence from the last listing on',
      {
        attempt: { startedAt: ago(WEEK_MS), lastCleanListingAt: ago(WITHDRAWAL_EVIDENCE_WAIT_MS) },
        evidence: { isProven: false, mayChange: true, reason: '' },
      },
      ['later'],
    ],
    ['goes to an operator when a restored database may lack another sending', { isForgotten: true }, ['review']],
    [
      'is not proven by a failed record alone',
      { attempt: { cleanListings: 0, lastCleanListingAt: null }, records: [{ status: 'failed' }] },
      ['absent'],
    ],
    [
      'links the failed record when no other execution is found',
      { records: [{ status: 'failed' }] },
      ['accepted', 'R'],
    ],
    ['links no failed record after a restore', { records: [{ status: 'failed' }], isForgotten: true }, ['review']],
    [
      'needs no account where the exchange refuses requests after a deadline',
      { attempt: { submissionDeadline: ago(3_600_000) }, evidence: { isProven: false, mayChange: false, reason: '' } },
      ['not executed'],
    ],
  ])('finds absence, which %s', async (_rule, world, recorded) => {
    expect(await settle(world)).toEqual([recorded]);
  });

  it('is repeated while the exchange or the keys are away, and left to an operator after a week or without credentials', async () => {
    for (const records of [
      new ExchangeError('unavailable', 'kraken', 's'),
      new ExchangeError('rate_limited', 'kraken', 's'),
      new CannotOpen(),
    ]) {
      expect(await settle({ records })).toEqual([['unanswered']]);
      expect(await settle({ records, withdrawal: { unansweredSince: ago(WEEK_MS - 1) } })).toEqual([['unanswered']]);
      expect(await settle({ records, withdrawal: { unansweredSince: ago(WEEK_MS) } })).toEqual([['review']]);
    }
    expect(await settle({ records: new WalletNotFound() })).toEqual([['review']]);
    await expect(settle({ records: new TypeError('ours') })).rejects.toBeInstanceOf(TypeError);
  });

  it('is left to an operator when the exchange has refused every query for long', async () => {
    const records = new ExchangeError('permission_missing', 'kraken', 's');
    const limitMs = WITHDRAWAL_UNCONFIRMED_SECONDS * 1_000;
    expect(await settle({ records })).toEqual([['unconfirmed']]);
    expect(await settle({ records, withdrawal: { unconfirmedSince: ago(limitMs - 1) } })).toEqual([['unconfirmed']]);
    expect(await settle({ records, withdrawal: { unconfirmedSince: ago(limitMs) } })).toEqual([['review']]);
  });
});

describe('the check of a withdrawal that the exchange has accepted', () => {
  const follow = (world: World): Promise<unknown[]> =>
    settle({ state: 'submitted', withdrawal: { exchangeId: 'R' }, attempt: withReference, ...world });

  it.each<[string, World, unknown[]]>([
    ['ends it as its record has ended', { records: [{}] }, ['settled', 'R', 'completed']],
    ['ends it as failed', { records: [{ status: 'failed' }] }, ['settled', 'R', 'failed']],
    ['ends it as canceled', { records: [{ status: 'canceled' }] }, ['settled', 'R', 'canceled']],
    ['waits while the record is pending', { records: [{ status: 'pending' }] }, ['progressed']],
    ['waits for a status that the exchange documents', { records: [{ status: 'unknown' }] }, ['unconfirmed']],
    ['waits while the record is not listed', { records: [], attempt: null }, ['unconfirmed']],
    [
      'corrects the id when only another record has our reference',
      { records: [{ exchangeId: 'S' }] },
      ['corrected', 'S'],
    ],
    ['asks an operator when two records have our reference', { records: [{}, { exchangeId: 'S' }] }, ['review']],
    [
      'corrects no id that an operator has given',
      { attempt: { ...withReference, answer: { byOperator: true } }, records: [{ exchangeId: 'S' }] },
      ['unconfirmed'],
    ],
  ])('%s', async (_rule, world, recorded) => {
    expect(await follow(world)).toEqual([recorded]);
  });
});
