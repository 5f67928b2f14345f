import type { ExchangeSession, ExchangeWithdrawal, SubmitOutcome, WithdrawalCapability } from '#exchange';
import { Amount } from '#money';
import type { Clock } from '#platform/clock';
import type { DatabaseTime } from '#platform/database';
import { capturedLog, testConfig } from '#platform/testing';
import type { Wallet } from '#wallet';
import type { RecheckRefusals } from '../refusals/recheck-refusals.js';
import type { Quote } from '../quote/quote.entity.js';
import { RecordTaken } from '../withdrawals/execution.errors.js';
import type { Withdrawal } from '../withdrawals/withdrawal.entity.js';
import type { WithdrawalAttempt } from '../withdrawals/withdrawal-attempt.entity.js';
import type { WithdrawalStore } from '../withdrawals/withdrawal-store.js';
import type { WithdrawalTransitions } from '../withdrawals/withdrawal-transitions.js';
import { SubmitWithdrawal } from './submit-withdrawal.js';

const NOW = new Date('2026-11-20T12:00:00Z');
const inMs = (ms: number): Date => new Date(NOW.getTime() + ms);
const config = testConfig({ appUrl: 'postgres://localhost/unused' });
const { WITHDRAWAL_LEASE_MS } = config.constants;
const { EXCHANGE_SUBMIT_TIMEOUT_MS } = config.values;
const quote = {
  id: '0197b5a0-0000-7000-8000-000000000000',
  asset: 'BTC',
  network: 'bitcoin',
  address: 'bc1',
  includeFee: false,
  amountNoFee: Amount.of('1'),
  fee: Amount.of('0.1'),
  amountWithFee: Amount.of('1.1'),
  expiresAt: inMs(600_000),
} as Quote;
const accepted: SubmitOutcome = { kind: 'accepted', exchangeId: 'X', answer: { id: 'X' } };
const records = [
  { exchangeId: 'alike', isCertain: false, isOnlyAlike: true },
  { exchangeId: 'certain', isCertain: true },
] as ExchangeWithdrawal[];

interface World {
  capability?: Partial<WithdrawalCapability>;
  outcome?: SubmitOutcome | Error;
  /** The time at which the connector is about to write the request. */
  sendAt?: Date;
  expiresAt?: Date;
  deadline?: Date;
  isTaken?: boolean;
}

/** Submits a withdrawal once. @returns what was recorded, and the ids that were known before */
async function submit({ outcome = accepted, sendAt = NOW, ...world }: World) {
  const recorded: unknown[] = [];
  const order: string[] = [];
  let now = NOW;
  let knownIds: string[] = [];
  const note = (name: string, ...details: unknown[]): Promise<boolean> => {
    recorded.push([name, ...details]);
    return Promise.resolve(true);
  };
  const attempt = { leaseUntil: inMs(WITHDRAWAL_LEASE_MS), sentAt: null } as WithdrawalAttempt;
  const store: Partial<WithdrawalStore> = {
    begin: (_quote, _wallet, _claim, draft) => {
      ({ knownIds } = draft);
      return Promise.resolve({ withdrawal: { id: 'w', state: 'submitting' } as Withdrawal, attempt });
    },
    find: () => Promise.resolve(null),
  };
  const transitions: Partial<WithdrawalTransitions> = {
    accepted: (_w, _a, { exchangeId }) =>
      world.isTaken === true ? Promise.reject(new RecordTaken(exchangeId, undefined)) : note('accepted', exchangeId),
    unknown: (_w, _a, answer) => note('unknown', answer),
    notSent: () => note('not sent'),
  };
  const capability: Partial<WithdrawalCapability> = {
    class: 'by_match',
    prepare: () => Promise.resolve({ request: {}, clientRef: null, submissionDeadline: null }),
    find: () => {
      order.push('history');
      return Promise.resolve(records);
    },
    submit: (_prepared, { beforeSend }) => {
      now = sendAt;
      beforeSend();
      return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
    },
    ...world.capability,
  };
  const session: Partial<ExchangeSession> = {
    exchange: 'kraken',
    connectorVersion: '1',
    asksInParallel: true,
    withdrawals: capability as WithdrawalCapability,
    balances: () => {
      order.push('balances');
      return Promise.resolve([{ asset: 'BTC', free: Amount.of('5'), used: Amount.zero, total: Amount.of('5') }]);
    },
  };
  const recheck: Pick<RecheckRefusals, 'find'> = { find: () => Promise.resolve(null) };
  const clock: Pick<Clock, 'now' | 'newId' | 'sleep'> = {
    now: () => NOW,
    newId: () => 'a',
    sleep: () => Promise.resolve(),
  };
  const time: DatabaseTime = { now: () => now, requireSteadyHost: () => undefined };
  const { logger } = capturedLog();
  const parts = [store as WithdrawalStore, transitions as WithdrawalTransitions, recheck as RecheckRefusals] as const;
  const submitting = new SubmitWithdrawal(...parts, clock as Clock, config, logger);
  const context = {
    claim: { withdrawalId: 'w', transactionId: 't', tag: null, mode: 'live', lockHolder: 'l' } as const,
    time,
    proof: undefined,
    deadline: (world.deadline ?? inMs(600_000)).getTime(),
    refusal: () => Promise.reject(new Error('no refusal is expected')),
  };
  const sent = { ...quote, expiresAt: world.expiresAt ?? quote.expiresAt } as Quote;
  const wallet = { id: 'wallet', externalId: 'e', projectId: 'p' } as Wallet;
  const { state } = await submitting.execute(session as ExchangeSession, sent, wallet, context);
  return { state, recorded, knownIds, order };
}

describe('the records that are known before a withdrawal is sent', () => {
  it.each<[string, Partial<WithdrawalCapability>, string[]]>([
    ['are all that match, where records have no reference of ours', { class: 'by_match' }, ['alike', 'certain']],
    ['are not read where records have our reference', { class: 'by_reference' }, []],
    [
      'are those that match only by amount and address, where the exchange may change our reference',
      { class: 'by_reference', mayChangeReference: true },
      ['alike'],
    ],
  ])('%s', async (_rule, capability, ids) => {
    const { knownIds, order } = await submit({ capability });
    expect([knownIds, order]).toEqual([ids, ids.length === 0 ? ['balances'] : ['balances', 'history']]);
  });
});

describe('the request of a withdrawal', () => {
  const latest = WITHDRAWAL_LEASE_MS - EXCHANGE_SUBMIT_TIMEOUT_MS;

  it.each<[string, World, boolean]>([
    ['is sent until its response could come after the lease', { sendAt: inMs(latest - 1) }, true],
    ['is not sent when its response could come after the lease', { sendAt: inMs(latest) }, false],
    ['is sent until the quote expires', { sendAt: inMs(999), expiresAt: inMs(1_000) }, true],
    ['is not sent when the quote has expired', { sendAt: inMs(1_000), expiresAt: inMs(1_000) }, false],
    ['is not sent after the deadline of the call', { sendAt: inMs(1_000), deadline: inMs(1_000) }, false],
  ])('%s', async (_rule, world, isSent) => {
    const { recorded } = await submit({ ...world, capability: {} });
    expect(recorded[0]).toEqual(isSent ? ['accepted', 'X'] : ['not sent']);
  });

  it('has an unknown outcome when the connector throws after it was sent', async () => {
    const { state, recorded } = await submit({ outcome: new TypeError('a fault of the connector') });
    expect([state, recorded]).toEqual(['unknown', [['unknown', { reason: 'connector error' }]]]);
  });

  it('has an unknown outcome that names the record when the exchange names one of another withdrawal', async () => {
    const { state, recorded } = await submit({ isTaken: true });
    const answer = { id: 'X', reason: 'the exchange named a record of another withdrawal', takenRecord: 'X' };
    expect([state, recorded]).toEqual(['submitted', [['unknown', answer]]]);
  });
});
