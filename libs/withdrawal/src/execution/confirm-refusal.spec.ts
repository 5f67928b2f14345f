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

/** What one look at the account shows. */
interface Look {
  total?: string;
  free?: string;
  records?: Partial<ExchangeWithdrawal>[] | Error;
}

const OLDER: Partial<ExchangeWithdrawal> = { exchangeId: 'older', status: 'completed' };

/** An account that shows `first`, and `second` after the wait for the lag of the exchange. */
function accountWith(first: Look, second: Look = first): { session: ExchangeSession; wait: () => Promise<boolean> } {
  let look = first;
  const withdrawals: Partial<WithdrawalCapability> = {
    find: () => {
      const { records = [OLDER] } = look;
      return records instanceof Error ? Promise.reject(records) : Promise.resolve(records as ExchangeWithdrawal[]);
    },
  };
  const session: Partial<ExchangeSession> = {
    balances: () => {
      const { total = '2', free = total } = look;
      const held = { free: Amount.of(free), used: Amount.of(total).minus(Amount.of(free)), total: Amount.of(total) };
      return Promise.resolve([{ asset: 'BTC', ...held }]);
    },
    withdrawals: withdrawals as WithdrawalCapability,
  };
  const wait = (): Promise<boolean> => {
    look = second;
    return Promise.resolve(true);
  };
  return { session: session as ExchangeSession, wait };
}

const confirm = ({ session, wait }: ReturnType<typeof accountWith>): Promise<SubmitOutcome> =>
  confirmRefusal(
    session,
    refused,
    {
      asset: 'BTC',
      network: 'bitcoin',
      prepared: { request: {}, clientRef: 'reference', submissionDeadline: null },
      totalBefore: Amount.of('2'),
      freeBefore: Amount.of('2'),
      knownIds: ['older'],
      startedAt,
    },
    wait,
  );

const doubts: [string, Look][] = [
  ['a new record is listed', { records: [{ exchangeId: 'new', status: 'pending' }] }],
  ['a new record is listed that has failed by now', { records: [{ exchangeId: 'new', status: 'failed' }] }],
  ['the balance is lower than before', { total: '1.5' }],
  ['the balance has grown, because a deposit may hide the withdrawal', { total: '3' }],
  ['a part of the balance has come into use, which may be the withdrawal', { free: '1.5' }],
  ['the records cannot be read', { records: new ExchangeError('unavailable', 'kraken', 'away') }],
];

describe('a refusal of the exchange', () => {
  it.each([
    ['nothing', []],
    ['only records from before', [OLDER]],
  ])('is returned as the outcome when two looks show an unchanged balance and %s', async (_what, records) => {
    expect(await confirm(accountWith({ records }))).toBe(refused);
  });

  it.each(doubts)('becomes an unknown outcome when %s', async (_when, look) => {
    expect(await confirm(accountWith(look))).toMatchObject({ kind: 'unknown', answer: { refusedWith: 'EFunding' } });
  });

  it.each(doubts)(
    'becomes an unknown outcome when the account shows only at the second look that %s',
    async (_, look) => {
      expect(await confirm(accountWith({}, look))).toMatchObject({ kind: 'unknown' });
    },
  );

  it('becomes an unknown outcome when there is no time for the second look', async () => {
    const { session } = accountWith({});
    const outcome = await confirm({ session, wait: () => Promise.resolve(false) });
    expect(outcome).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('no time') as string });
  });
});
