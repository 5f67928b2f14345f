import {
  ExchangeError,
  type ExchangeSession,
  type ExchangeWithdrawal,
  type SubmitOutcome,
  type WithdrawalCapability,
} from '#exchange';
import { Amount } from '#money';
import { confirmRefusal } from './confirm-refusal.js';

const refused = { kind: 'rejected', code: 'WITHDRAWAL_INSUFFICIENT_BALANCE', rawCode: 'EFunding', answer: {} } as const;
const startedAt = new Date('2026-01-01T00:00:00Z');

function sessionWith(
  total: string,
  records: Partial<ExchangeWithdrawal>[] | Error,
  free: string = total,
): ExchangeSession {
  const held = { free: Amount.of(free), used: Amount.of(total).minus(Amount.of(free)), total: Amount.of(total) };
  const found = records as ExchangeWithdrawal[];
  const withdrawals: Partial<WithdrawalCapability> = {
    find: () => (records instanceof Error ? Promise.reject(records) : Promise.resolve(found)),
  };
  const session: Partial<ExchangeSession> = {
    balances: () => Promise.resolve([{ asset: 'BTC', ...held }]),
    withdrawals: withdrawals as WithdrawalCapability,
  };
  return session as ExchangeSession;
}

const confirm = (session: ExchangeSession): Promise<SubmitOutcome> =>
  confirmRefusal(session, refused, {
    asset: 'BTC',
    network: 'bitcoin',
    prepared: { request: {}, clientRef: 'reference', submissionDeadline: null },
    ...{ totalBefore: Amount.of('2'), freeBefore: Amount.of('2') },
    knownIds: ['older'],
    startedAt,
  });

describe('a refusal of the exchange', () => {
  it.each([
    ['nothing is listed', sessionWith('2', [])],
    ['only older records are listed', sessionWith('2', [{ exchangeId: 'older', status: 'completed' }])],
    ['the balance has grown', sessionWith('3', [])],
  ])('is returned as the outcome when %s', async (_when, session) => {
    expect(await confirm(session)).toBe(refused);
  });

  it.each([
    ['a new record is listed', sessionWith('2', [{ exchangeId: 'new', status: 'pending' }])],
    ['a new record is listed that has failed by now', sessionWith('2', [{ exchangeId: 'new', status: 'failed' }])],
    ['the balance is lower than before', sessionWith('1.5', [])],
    ['a part of the balance has come into use, which may be the withdrawal', sessionWith('2', [], '1.5')],
    ['the records cannot be read', sessionWith('2', new ExchangeError('unavailable', 'kraken', 'away'))],
  ])(
    'becomes an unknown outcome when %s, because the exchange may have refused only a second copy of the request',
    async (_when, session) => {
      expect(await confirm(session)).toMatchObject({ kind: 'unknown' });
    },
  );
});
