import { AuthorizationError, type Authorizations, type Exchanges } from '#exchange';
import type { Identities } from '#kyc';
import { capturedLog, ManualClock } from '#platform/testing';
import type { ConnectWallet, StoreGrant } from '#wallet';
import { ConnectAccount } from './connect-account.js';
import type { SessionLifecycle } from '../session/session-lifecycle.js';
import type { SessionPermission } from '../session/session-permission.js';
import type { ChosenSession, SessionStore } from '../session/session-store.js';

describe('the log of a failed connect', () => {
  const { logger, lines } = capturedLog();
  const exchanges: Pick<Exchanges, 'find'> = { find: () => null };
  const connect = new ConnectAccount(
    exchanges as Exchanges,
    {} as Authorizations,
    {} as ConnectWallet,
    {} as StoreGrant,
    {} as Identities,
    {} as SessionLifecycle,
    {} as SessionPermission,
    {} as SessionStore,
    new ManualClock(),
    logger,
  );
  const fail = (id: string, error: Error): Error =>
    connect.toDomain({ id, exchange: 'kraken', project: { id: 'project' } } as ChosenSession, error);
  beforeEach(() => lines.splice(0));

  it.each([
    ['the exchange cannot be reached', new AuthorizationError('unavailable', 'kraken', 'time-out')],
    ['the database cannot be reached', new Error('timeout exceeded when trying to connect')],
  ])('has one warning without a stack while %s', (_what, error) => {
    for (let index = 0; index < 50; index += 1) fail(`session-${index}`, error);
    expect(lines).toMatchObject([{ level: 40, sessionId: 'session-0' }]);
    expect(lines[0]).not.toHaveProperty('err');
  });

  it('contains the stack of an unexpected error', () => {
    fail('session', new TypeError('x is not a function'));
    expect(lines).toMatchObject([{ level: 50, sessionId: 'session', err: { type: 'TypeError' } }]);
  });
});
