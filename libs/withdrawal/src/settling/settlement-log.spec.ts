import { pino } from 'pino';
import { ExchangeError } from '#exchange';
import { loadConfig } from '#platform/config';
import type { DatabaseTime } from '#platform/database';
import type { WalletSessions } from '#wallet';
import { Settlement, type SettlementParts } from './settlement.js';
import type { WithdrawalTransitions } from '../withdrawals/withdrawal-transitions.js';
import type { WithdrawalStore } from '../withdrawals/withdrawal-store.js';
import type { Withdrawal } from '../withdrawals/withdrawal.entity.js';

const NOW = new Date('2026-11-20T12:00:00Z');
const LONG_AGO = new Date('2026-11-01T12:00:00Z');

describe('the log of withdrawals that cannot be settled', () => {
  it('has one line for an outage, and one for each withdrawal that needs an operator', async () => {
    const lines: Record<string, unknown>[] = [];
    const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
    const found = (id: string): Partial<Withdrawal> => ({
      id,
      state: 'submitted',
      unansweredSince: id.startsWith('old') ? LONG_AGO : null,
    });
    const store: Pick<WithdrawalStore, 'find' | 'findLiveAttempt'> = {
      find: (id) => Promise.resolve(found(id) as Withdrawal),
      findLiveAttempt: () => Promise.resolve(null),
    };
    const transitions: Pick<WithdrawalTransitions, 'unanswered' | 'toReview'> = {
      unanswered: () => Promise.resolve(),
      toReview: () => Promise.resolve(true),
    };
    const sessions: Pick<WalletSessions, 'openVersion'> = {
      openVersion: () => Promise.reject(new ExchangeError('unavailable', 'kraken', 'time-out')),
    };
    const parts = { store, transitions, sessions, config: loadConfig({ NODE_ENV: 'test' }), logger } as SettlementParts;
    const settlement = new Settlement(parts, { now: () => NOW } as DatabaseTime);
    for (let index = 0; index < 50; index += 1) await settlement.run(`new-${index}`);
    for (const id of ['old-1', 'old-2']) await settlement.run(id);
    expect(lines.map(({ level, msg, withdrawalId }) => [level, msg, withdrawalId])).toEqual([
      [40, 'the exchange could not be queried about a withdrawal', 'new-0'],
      [50, 'withdrawal needs an operator', 'old-1'],
      [50, 'withdrawal needs an operator', 'old-2'],
    ]);
  });
});
