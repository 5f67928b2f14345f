import { ExchangeError } from '#exchange';
import type { DatabaseClock, DatabaseTime } from '#platform/database';
import { RateLimitExceeded } from '#platform/errors';
import { capturedLog } from '#platform/testing';
import { WalletNotFound, type Wallet, type Wallets, type WalletSessions } from '#wallet';
import type { NextCheck } from '../orders/next-check.js';
import type { OrderStore } from '../orders/order-store.js';
import type { Order } from '../orders/order.entity.js';
import type { ReadOrder } from './read-order.js';
import { SettleOrder } from './settle-order.js';

const NOW = new Date('2026-11-20T12:00:00Z');
const LATER = new Date('2026-11-20T13:00:00Z');
const AFTER_FAILURE = new Date('2026-11-20T14:00:00Z');

interface World {
  state?: Order['state'];
  nextCheckAt?: Date | null;
  /** The error of the session; absent = the order is read. */
  error?: Error;
  wallet?: Partial<Wallet> | null;
}

/** Checks one order. @returns what happened: reads, with the credentials, and the times of the next check */
async function settle({ state = 'unknown', nextCheckAt = NOW, error, wallet = {} }: World) {
  const { logger, lines } = capturedLog();
  const happened: unknown[] = [];
  const order = { id: 'order', state, nextCheckAt, exchange: 'kraken', walletId: 'w', credentialVersion: 'sent with' };
  const store: Pick<OrderStore, 'find' | 'reschedule'> = {
    find: () => Promise.resolve(order as Order),
    reschedule: (_order, at) => Promise.resolve(void happened.push(['next check', at])),
  };
  const open = (how: unknown): Promise<never> => {
    happened.push(how);
    return error === undefined ? Promise.resolve({} as never) : Promise.reject(error);
  };
  const sessions: Pick<WalletSessions, 'openVersion' | 'use'> = {
    openVersion: (walletId, version) => open(['with the credentials', walletId, version]),
    use: (_target, { autoDelete, keepSession }) => open(['of the wallet', { autoDelete, keepSession }]),
  };
  const wallets: Pick<Wallets, 'find'> = {
    find: () =>
      Promise.resolve(wallet === null ? null : ({ exchange: 'kraken', invalidApi: false, ...wallet } as Wallet)),
  };
  const readOrder: Pick<ReadOrder, 'execute'> = {
    execute: (_session, version) => Promise.resolve(void happened.push(['read', version]) as never),
  };
  const nextCheck: Pick<NextCheck, 'after'> = {
    after: (_order, _at, { isFailed = false } = {}) => Promise.resolve(isFailed ? AFTER_FAILURE : LATER),
  };
  const time: DatabaseTime = { now: () => NOW, requireSteadyHost: () => undefined };
  const databaseClock: Pick<DatabaseClock, 'read'> = { read: () => Promise.resolve(time) };
  const parts = [store as OrderStore, wallets as Wallets, sessions as WalletSessions, readOrder as ReadOrder] as const;
  const settling = new SettleOrder(...parts, nextCheck as NextCheck, databaseClock as DatabaseClock, logger);
  const thrown = await settling.execute('order').catch((caught: unknown) => caught);
  return { happened, thrown, levels: lines.map(({ level }) => level) };
}

const byVersion = ['with the credentials', 'w', 'sent with'];

describe('the check of an order', () => {
  it.each(['placing', 'unknown', 'refused', 'not_placed'] as const)(
    'in the state %s reads it with the credentials that sent it',
    async (state) => {
      expect((await settle({ state })).happened).toEqual([byVersion, ['read', 'sent with']]);
    },
  );

  it('of an open order uses the present credentials, deletes no wallet and keeps no session', async () => {
    const { happened } = await settle({ state: 'open' });
    expect(happened).toEqual([['of the wallet', { autoDelete: false, keepSession: false }]]);
  });

  it('is made for no settled order', async () => {
    for (const world of [{ state: 'closed' }, { state: 'refused', nextCheckAt: null }] as const)
      expect((await settle(world)).happened).toEqual([]);
  });

  it('of an open order with an invalid key asks nobody, and waits as after a failure', async () => {
    expect(await settle({ state: 'open', wallet: { invalidApi: true } })).toMatchObject({
      happened: [['next check', AFTER_FAILURE]],
    });
  });

  it.each([
    ['its wallet is deleted', null],
    ['its wallet is now one at another exchange', { exchange: 'okx' }],
  ])('of an open order ends without an error line when %s', async (_why, wallet) => {
    expect(await settle({ state: 'open', wallet })).toEqual({
      happened: [['next check', null]],
      thrown: undefined,
      levels: [],
    });
  });

  it('of an order in doubt ends with an error line when its credentials are erased', async () => {
    const { happened, levels } = await settle({ error: new WalletNotFound() });
    expect([happened.at(-1), levels]).toEqual([['next check', null], [50]]);
  });

  it.each([new ExchangeError('unavailable', 'kraken', 'scripted'), new RateLimitExceeded(1)])(
    'is repeated later after an error that says nothing of the order',
    async (error) => {
      const { happened, thrown } = await settle({ error });
      expect([happened.at(-1), thrown]).toEqual([['next check', AFTER_FAILURE], undefined]);
    },
  );

  it('is repeated later after a fault of ours, which it reports', async () => {
    const error = new TypeError('a fault of ours');
    const { happened, thrown } = await settle({ error });
    expect([happened.at(-1), thrown]).toEqual([['next check', AFTER_FAILURE], error]);
  });
});
