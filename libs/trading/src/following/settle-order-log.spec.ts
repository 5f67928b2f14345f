import { ExchangeError } from '#exchange';
import type { DatabaseClock, DatabaseTime } from '#platform/database';
import { capturedLog } from '#platform/testing';
import type { Wallets, WalletSessions } from '#wallet';
import type { NextCheck } from '../orders/next-check.js';
import type { OrderStore } from '../orders/order-store.js';
import type { Order } from '../orders/order.entity.js';
import type { ReadOrder } from './read-order.js';
import { SettleOrder } from './settle-order.js';

const NOW = new Date('2026-11-20T12:00:00Z');

describe('the log of orders that cannot be followed', () => {
  it('has one warning, without a stack, for all wallets while their exchange cannot be reached', async () => {
    const { logger, lines } = capturedLog();
    const store: Pick<OrderStore, 'find' | 'reschedule'> = {
      find: (id) => Promise.resolve({ id, state: 'unknown', exchange: 'kraken', walletId: `wallet of ${id}` } as Order),
      reschedule: () => Promise.resolve(),
    };
    const sessions: Pick<WalletSessions, 'openVersion'> = {
      openVersion: (wallet) => Promise.reject(new ExchangeError('unavailable', 'kraken', `time-out for ${wallet}`)),
    };
    const nextCheck: Pick<NextCheck, 'after'> = { after: () => Promise.resolve(NOW) };
    const time: DatabaseTime = { now: () => NOW, requireSteadyHost: () => undefined };
    const databaseClock: Pick<DatabaseClock, 'read'> = { read: () => Promise.resolve(time) };
    const settle = new SettleOrder(
      store as OrderStore,
      {} as Wallets,
      sessions as WalletSessions,
      {} as ReadOrder,
      nextCheck as NextCheck,
      databaseClock as DatabaseClock,
      logger,
    );
    for (let index = 0; index < 50; index += 1) await settle.execute(`order-${index}`);
    expect(lines).toMatchObject([{ level: 40, orderId: 'order-0', cause: 'kraken unavailable' }]);
    expect(lines[0]).not.toHaveProperty('err');
  });
});
