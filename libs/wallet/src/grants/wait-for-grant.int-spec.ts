import type { ProjectIdentity } from '#access';
import type { Authorized } from '#exchange';
import { Shutdown } from '#platform/lifecycle';
import { grantedWallet, grantOf } from '../testing/granted-wallet.js';
import { authorizedAs } from '../testing/scripted-authorizations.js';
import { SteppedClock } from '../testing/stepped-clock.js';
import { createWalletHarness, type WalletHarness } from '../testing/wallet-harness.js';
import { WalletCredentials } from '../credentials/wallet-credentials.service.js';
import { WalletSessions } from '../sessions/wallet-sessions.service.js';
import type { Wallet } from '../wallets/wallet.entity.js';
import { RefreshGrant } from './refresh-grant.js';

const LEASE_MS = 60_000;
const WAIT_MS = 10_000;
const HOUR_MS = 3_600_000;

describe('a call that waits for a renewed token', () => {
  const clock = new SteppedClock();
  let harness: WalletHarness;
  let beside: WalletHarness;
  let project: ProjectIdentity;
  let wallet: Wallet;

  beforeAll(async () => {
    harness = await createWalletHarness({ clock });
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    beside = await createWalletHarness({ beside: harness });
    harness.authorizations.reset();
    project = await harness.project('test');
    wallet = await grantedWallet(harness, project, { accessLivesMs: -1 });
  });
  afterEach(() => beside.close());

  const use = (): Promise<unknown> =>
    beside.get(WalletSessions).use(wallet, { autoDelete: true }, (session) => session.balances());
  const isNotRenewed = { details: { result: { reason: 'credentials_not_renewed' } } };

  /** Delays the exchange's response to the renewal until `answer` is called. `isAsked` resolves at the request. */
  function holdRefresh(): { isAsked: Promise<void>; answer: (authorized: Authorized) => void } {
    let answer: (authorized: Authorized) => void = () => undefined;
    const answered = new Promise<Authorized>((resolve) => (answer = resolve));
    const isAsked = new Promise<void>((resolve) => {
      harness.authorizations.onRefresh = () => {
        resolve();
        return answered;
      };
    });
    return { isAsked, answer };
  }

  /** Resolves when a waiting call has found that another process renews the grant, and sleeps until its next poll. */
  function untilItSleeps(): Promise<void> {
    const sleep = clock.sleep.bind(clock);
    return new Promise((resolve) => {
      clock.sleep = (ms, signal) => {
        const slept = sleep(ms, signal);
        if (ms < WAIT_MS) {
          clock.sleep = sleep;
          resolve();
        }
        return slept;
      };
    });
  }

  it('fails after its wait without a request of its own, even when the renewing process has died', async () => {
    const { isAsked } = holdRefresh();
    const { revision = '' } = (await grantOf(harness, wallet)) ?? {};
    void harness.get(RefreshGrant).execute(wallet.id, revision);
    await isAsked;
    const sleeps = untilItSleeps();
    const grants = beside.get(RefreshGrant);
    const execute = grants.execute.bind(grants);
    let polls = 0;
    grants.execute = (...given) => {
      polls += 1;
      return execute(...given);
    };
    const call = expect(use()).rejects.toMatchObject(isNotRenewed);
    await sleeps;
    clock.advance(WAIT_MS);
    await call;
    clock.advance(LEASE_MS);
    expect(polls).toBe(1);
    expect(harness.authorizations.refreshed).toEqual(['refresh-first']);
  });

  it('fails after its wait; its process stops only after it has stored the late token', async () => {
    const { isAsked, answer } = holdRefresh();
    const call = expect(use()).rejects.toMatchObject(isNotRenewed);
    await isAsked;
    clock.advance(WAIT_MS);
    await call;
    let isStopped = false;
    const stopped = beside
      .get(Shutdown)
      .begin()
      .then(() => (isStopped = true));
    await grantOf(harness, wallet);
    expect(isStopped).toBe(false);
    answer(authorizedAs('second', { accessExpiresAt: new Date(clock.now().getTime() + HOUR_MS) }));
    await stopped;
    const { credentials } = await harness.get(WalletCredentials).target(wallet.id, { deletedToo: false });
    expect(credentials.apiKey.reveal()).toBe('access-second');
  });
});
