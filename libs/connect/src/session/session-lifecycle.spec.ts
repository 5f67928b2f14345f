import type { Clock } from '#platform/clock';
import type { Database } from '#platform/database';
import type { Topics } from '#platform/events';
import { testConfig } from '#platform/testing';
import type { ConnectMethod } from '#exchange';
import { ConnectTokens, digestOf } from './connect-tokens.js';
import { sessionStates, type SessionState } from './connect-view.js';
import { InvalidState, SessionMoved } from './connect.errors.js';
import { requireOpen, SessionLifecycle } from './session-lifecycle.js';
import type { ConnectSession, Move, SessionStore } from './session-store.js';

const config = testConfig(
  { appUrl: 'postgres://localhost/unused' },
  { API_KEY_PEPPER: Buffer.alloc(32).toString('base64') },
);
const { CONNECT_ATTEMPTS_MAX } = config.constants;
const NOW = new Date('2026-11-20T12:00:00Z');
const inMs = (ms: number): Date => new Date(NOW.getTime() + ms);
const tokens = new ConnectTokens(config);
const owner = digestOf('owner');

/** A lifecycle whose store has one session. `moves` are the changes of the session. */
function lifecycleOf(facts: Partial<ConnectSession>, { isMovedMeanwhile = false } = {}) {
  const session = {
    id: 'session',
    idem: 'idem',
    state: 'opened',
    method: null,
    attempts: 0,
    browserHash: owner,
    leaseUntil: null,
    project: { id: 'p', organizationId: 'o' },
    expiresAt: inMs(1),
    tokenHash: digestOf(tokens.tokenOf('session')),
    ...facts,
  } as ConnectSession;
  const moves: Move[] = [];
  const published: unknown[] = [];
  const store: Partial<SessionStore> = {
    find: (by, value) => {
      const isIt = by === 'id' ? value === session.id : session.tokenHash.equals(value as Buffer);
      return Promise.resolve(isIt ? session : null);
    },
    move: (seen, to) => {
      moves.push(to);
      return Promise.resolve(isMovedMeanwhile ? null : { ...seen, ...to });
    },
  };
  const db: Pick<Database, 'transaction'> = { transaction: (work) => work({} as never) };
  const topics: Pick<Topics, 'publish'> = {
    publish: (_tx, { body }) => Promise.resolve(void published.push(body) as never),
  };
  const clock: Pick<Clock, 'now'> = { now: () => NOW };
  const parts = [db as Database, clock as Clock, config, store as SessionStore, topics as Topics, tokens] as const;
  return { lifecycle: new SessionLifecycle(...parts), session, moves, published };
}

const link = tokens.tokenOf('session');

describe('the link of a session', () => {
  it('opens the session only with the token of its id, even when a row has the hash of another token', async () => {
    expect((await lifecycleOf({}).lifecycle.find(link)).id).toBe('session');
    await expect(lifecycleOf({}).lifecycle.find('another')).rejects.toMatchObject({ status: 404 });
    const chosen = lifecycleOf({ tokenHash: digestOf('chosen') });
    await expect(chosen.lifecycle.find('chosen')).rejects.toMatchObject({ status: 404 });
  });

  it.each<[string, Buffer | null, string | null, boolean, boolean]>([
    ['its own browser', owner, 'owner', true, true],
    ['another browser', owner, 'other', false, false],
    ['a browser without a secret', owner, null, false, false],
    ['any browser while none owns it', null, 'other', false, true],
    ['a browser without a secret while none owns it', null, null, false, true],
  ])('lets %s enter or visit it, or not', async (_who, browserHash, browser, mayEnter, mayVisit) => {
    const { lifecycle } = lifecycleOf({ browserHash });
    for (const [may, call] of [
      [mayEnter, lifecycle.enter(link, browser)],
      [mayVisit, lifecycle.visit(link, browser)],
    ] as const)
      await (may
        ? expect(call).resolves.toMatchObject({ id: 'session' })
        : expect(call).rejects.toBeInstanceOf(InvalidState));
  });
});

describe('a session that is looked at', () => {
  it.each(sessionStates)(
    'in the state %s ends when its time is over, unless it has ended or is connecting',
    async (state) => {
      const isLeft = ['connected', 'failed'].includes(state);
      const lease = { leaseUntil: inMs(1) };
      for (const [expiresAt, ends] of [
        [inMs(1), false],
        [NOW, !isLeft && state !== 'connecting'],
      ] as const) {
        const { lifecycle, moves, published } = lifecycleOf({ state, expiresAt, ...lease });
        await lifecycle.find(link);
        expect([moves.map(({ state: to }) => to), published.length]).toEqual(ends ? [['failed'], 1] : [[], 0]);
      }
    },
  );

  it('ends an attempt whose process has died, and allows another one before the session expires', async () => {
    for (const [leaseUntil, expected] of [
      [inMs(1), []],
      [NOW, ['opened']],
      [null, ['opened']],
    ] as const) {
      const { lifecycle, moves } = lifecycleOf({ state: 'connecting', leaseUntil });
      await lifecycle.find(link);
      expect(moves.map(({ state }) => state)).toEqual(expected);
    }
  });

  it('is read again when a concurrent request has moved it', async () => {
    const { lifecycle, published } = lifecycleOf({ expiresAt: NOW }, { isMovedMeanwhile: true });
    expect((await lifecycle.find(link)).state).toBe('opened');
    expect(published).toEqual([]);
  });
});

describe('a failed attempt', () => {
  const fail = async (facts: Partial<ConnectSession>, options?: Parameters<SessionLifecycle['fail']>[2]) => {
    const { lifecycle, session, moves, published } = lifecycleOf(facts);
    await lifecycle.fail(session, new Error('scripted'), options);
    const [to] = moves;
    return { state: to?.state, isAttempt: to?.isAttempt, published: published.length };
  };

  it('is counted once, and the last one ends the session', async () => {
    expect(await fail({})).toEqual({ state: 'opened', isAttempt: true, published: 1 });
    expect(await fail({ browserHash: null })).toMatchObject({ state: 'created' });
    expect(await fail({ attempts: CONNECT_ATTEMPTS_MAX - 2 })).toMatchObject({ state: 'opened' });
    expect(await fail({ attempts: CONNECT_ATTEMPTS_MAX - 1 })).toMatchObject({ state: 'failed' });
  });

  it('ends the session when it is final, and when the time of the session is over', async () => {
    expect(await fail({}, { isFinal: true })).toMatchObject({ state: 'failed' });
    expect(await fail({ expiresAt: NOW })).toMatchObject({ state: 'failed' });
  });

  it.each<[ConnectMethod | null, SessionState, boolean]>([
    ['qr', 'scanning', true],
    ['qr', 'connecting', true],
    ['qr', 'opened', false],
    ['oauth', 'connecting', false],
    [null, 'opened', false],
  ])('of the method %s in the state %s was counted before: %s', async (method, state, isCounted) => {
    expect(await fail({ method, state })).toMatchObject({ isAttempt: !isCounted });
    expect(await fail({ method, state, attempts: CONNECT_ATTEMPTS_MAX - 1 })).toMatchObject({
      state: isCounted ? 'opened' : 'failed',
    });
    expect(await fail({ method, state }, { isCounted: true })).toMatchObject({ isAttempt: false });
  });
});

describe('a new attempt', () => {
  it('may begin in each state in which a browser has the session and no process connects it', () => {
    const open = sessionStates.filter((state) => {
      try {
        requireOpen({ state } as ConnectSession);
        return true;
      } catch (error) {
        expect(error).toBeInstanceOf(SessionMoved);
        return false;
      }
    });
    expect(open).toEqual(['opened', 'authorizing', 'scanning', 'confirming']);
  });

  it('may begin until CONNECT_ATTEMPTS_MAX attempts are used', () => {
    for (const attempts of [0, CONNECT_ATTEMPTS_MAX - 1, CONNECT_ATTEMPTS_MAX]) {
      const { lifecycle, session } = lifecycleOf({ attempts });
      expect(lifecycle.hasAttemptsLeft(session)).toBe(attempts < CONNECT_ATTEMPTS_MAX);
    }
  });
});
